import { expect, it } from 'vitest'

import type { Finding } from '../../src/meta/check/finding.ts'
import { findingFormats } from '../../scripts/schemas/annotations.ts'

const findings: readonly Finding[] = [
  { path: 'schemas/a,b.list.json', line: 3, column: 7, severity: 'error', code: 'unknown-field', message: '100% of "x": nothing\nmore' },
  { path: 'schemas/c.list.json', line: 1, column: 1, severity: 'warning', code: 'unused-fragment', message: 'idle' },
]

it('writes findings for people: place, severity, code, sentence', () => {
  expect(findingFormats.text(findings)[1]).toBe('schemas/c.list.json:1:1  warning  unused-fragment  idle')
})

it('writes findings as workflow commands, with separators and line ends told apart', () => {
  expect(findingFormats.github(findings)).toEqual([
    '::error file=schemas/a%2Cb.list.json,line=3,col=7,title=unknown-field::100%25 of "x": nothing%0Amore',
    '::warning file=schemas/c.list.json,line=1,col=1,title=unused-fragment::idle',
  ])
})

it('writes findings as one code quality list', () => {
  const [text = ''] = findingFormats.gitlab(findings)
  expect(JSON.parse(text)).toMatchObject([
    { check_name: 'unknown-field', severity: 'major', location: { path: 'schemas/a,b.list.json', positions: { begin: { line: 3, column: 7 } } } },
    { severity: 'minor' },
  ])
})

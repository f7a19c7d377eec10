import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { findingMeanings } from '../../scripts/schemas/findingMeanings.ts'
import { freshGuide } from '../../scripts/schemas/guide.ts'
import { readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'

const guide = fs.readFileSync(path.join(root, 'schemas/README.md'), 'utf8')
const check = path.join(root, 'src/meta/check')

describe('the guide for analysts', () => {
  it('lists every key and every finding as they are now', () => {
    expect(guide).toBe(freshGuide(guide, readSchemaFiles().filter((file) => file.path.startsWith('schemas/meta/'))))
  })

  it('explains every finding there is, and none that is not', () => {
    const texts = fs.readdirSync(check).map((name) => fs.readFileSync(path.join(check, name), 'utf8').replaceAll(/^import .*$/gm, ''))
    const codes = new Set(texts.flatMap((text) => [...text.matchAll(/['`]([a-z]+(?:-[a-z]+)+)['`]/g)].map((match) => match[1] ?? '')))
    // `unknown-${what}` stands for several.
    const made = ['unknown-column', 'unresolved', 'unknown-effect', 'unknown-precondition']
    const explained = Object.keys(findingMeanings)
    expect([...codes].filter((code) => !explained.includes(code) && !code.endsWith('-view'))).toEqual([])
    expect(explained.filter((code) => !codes.has(code) && !made.includes(code) && !code.startsWith('unknown-'))).toEqual([])
  })

  it('writes JSON that is JSON', () => {
    for (const snippet of [...guide.matchAll(/`(\{ "[^`]*\})`/g)].map((match) => match[1] ?? '')) expect(() => JSON.parse(snippet), snippet).not.toThrow()
  })
})

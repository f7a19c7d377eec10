import { expect, it } from 'vitest'
import { releasesOf } from '../../src/client/pages/ChangeLogPage.tsx'
import { blocksOf } from '../../src/client/pages/LegalBody.tsx'

it('a legal text is paragraphs, headings and lists, and nothing in it is markup', () => {
  expect(blocksOf('One\ntwo.\n\n## Head\n- first\n- second\n\nLast <b>one</b>.\n- item')).toEqual([
    { kind: 'paragraph', text: 'One two.' },
    { kind: 'heading', text: 'Head' },
    { kind: 'list', items: ['first', 'second'] },
    { kind: 'paragraph', text: 'Last <b>one</b>.' },
    { kind: 'list', items: ['item'] },
  ])
})

it('entries of a version stand together, versions in the order they came', () => {
  const entry = { kind: 'NEW', title: 'x', body: null } as const
  const records = [{ ...entry, version: '2', released_at: '2026-02-01' }, { ...entry, version: '2', released_at: '2026-02-01' }, { ...entry, version: '1', released_at: '2026-01-01' }]
  expect(releasesOf(records).map(({ version, day, entries }) => [version, day, entries.length])).toEqual([['2', '2026-02-01', 2], ['1', '2026-01-01', 1]])
})

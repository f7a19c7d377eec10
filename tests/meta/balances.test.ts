import { describe, expect, it } from 'vitest'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'
import { balances } from '#meta/check/balances.ts'
import type { World } from '#meta/check/world.ts'
import { resolve } from '#meta/resolve.ts'

const files = readSchemaFiles()

/** What is found in the schemas as they are, but for one piece of text in one file. */
function foundAfter(file: string, from: string, to: string): readonly string[] {
  const changed = files.map((one) => (one.path.endsWith(`/${file}`) ? { ...one, text: one.text.replace(from, to) } : one))
  expect(changed.filter((one, i) => one.text !== files[i]?.text)).toHaveLength(1)
  const { sources } = sourcesOf(changed)
  const world: Pick<World, 'sources' | 'resolved'> = { sources, resolved: resolve(sources) }
  return [...balances(world as World)].map(({ message }) => message)
}

describe('debit and credit are the same in every document that books an event', () => {
  it.each([
    ['a line its conditions leave out', 'vendor-invoice.posting.json', '{ "not": { "pph_kind": "PPH4_2" } }', '{ "pph_kind": { "ne": "PPH4_2" } }', /^AP_NONTRADE does not balance: debit has lines\.pph more where .*lines\.pph_kind empty$/],
    ['a value of a choice nobody thought of', 'free-goods-request.posting.json', ', "PROMO"', '', /^FREE_GI does not balance: credit has lines\.cost more where purpose "PROMO"$/],
    ['a part of the total that no line takes', 'credit-note.posting.json', '"zero": ["pph"],', '', /^CN_MANUAL does not balance: debit has pph more where .*kind "MANUAL"$/],
    ['a column in place of another', 'write-off.posting.json', '"of": "amount"', '"of": "remaining_at"', /^WRITE_OFF does not balance: debit has lines\.amount more, credit has lines\.remaining_at more where category "BAD_DEBT", lines\.invoice_id filled in$/],
    ['an event nothing can book', 'write-off.workflow.json', '"when": { "category": "TAX_DIFF" }', '"when": { "category": "TAX" }', /^TAX_DIFF does not balance: no document fits what its workflow asks for$/],
    ['a proof left to the ledger without need', 'write-off.posting.json', '"event": "WRITE_OFF",', '"event": "WRITE_OFF", "balances": "code",', /^WRITE_OFF balances by what its amounts are derived from/],
  ])('%s is found', (_, file, from, to, said) => {
    expect(foundAfter(file, from, to)).toContainEqual(expect.stringMatching(said))
  })
})

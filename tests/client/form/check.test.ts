import { expect, test } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { languages, readCatalogue } from '../../../scripts/schemas/catalogue.ts'
import { root } from '../../../scripts/schemas/readSources.ts'
import { checkValue } from '../../../src/client/form/check.ts'

const field = (entity: string, name: string) => {
  const found = metadata.entities[entity]?.fields.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${entity} has no ${name}`)
  return found
}

test.each([
  ['company', 'npwp', '123', 'pattern.npwp'],
  ['company', 'npwp', '0012345678901000', undefined],
  ['customer', 'npwp', '12', 'pattern.npwp'],
  ['customer', 'nik', '31750', 'pattern.nik'],
  ['customer', 'nitku', '0012345678901000', 'pattern.nitku'],
  ['number_series', 'pattern', '{PREFIX}/{YY}', 'pattern.number_series.pattern'],
  ['number_series', 'pattern', '{PREFIX}/{YY}/{SEQ:5}', undefined],
  ['rounding_rule', 'currency', 'rupiah', 'pattern.currency'],
  ['legal_text', 'version', 'two', 'ui.check.pattern'],
])('what is not written the way %s.%s asks for says which way that is: %s', (entity, name, value, key) => {
  expect(checkValue(field(entity, name), value, true)).toEqual(key === undefined ? undefined : { key })
  if (key !== undefined) for (const language of languages) expect(readCatalogue(root, language)[key]).toBeTruthy()
})

import { expect, it } from 'vitest'
import { terbilang } from '#client/print/terbilang.ts'

it.each([
  ['0', 'nol rupiah'],
  ['1', 'satu rupiah'],
  ['10', 'sepuluh rupiah'],
  ['11', 'sebelas rupiah'],
  ['19', 'sembilan belas rupiah'],
  ['21', 'dua puluh satu rupiah'],
  ['100', 'seratus rupiah'],
  ['111', 'seratus sebelas rupiah'],
  ['999', 'sembilan ratus sembilan puluh sembilan rupiah'],
  ['1000', 'seribu rupiah'],
  ['1250.00', 'seribu dua ratus lima puluh rupiah'],
  ['2011', 'dua ribu sebelas rupiah'],
  ['100000', 'seratus ribu rupiah'],
  ['1000000', 'satu juta rupiah'],
  ['1001000', 'satu juta seribu rupiah'],
  ['5592093', 'lima juta lima ratus sembilan puluh dua ribu sembilan puluh tiga rupiah'],
  ['1000000000', 'satu miliar rupiah'],
  ['12000000000000', 'dua belas triliun rupiah'],
  ['10.05', 'sepuluh rupiah lima sen'],
  ['0.75', 'nol rupiah tujuh puluh lima sen'],
  ['-1500', 'minus seribu lima ratus rupiah'],
])('%s is %s', (amount, words) => {
  expect(terbilang(amount)).toBe(words)
})

import { expect, it } from 'vitest'
import { passwordStrength } from '../../src/client/app/passwordStrength.ts'

it.each([
  ['password1', 'weak'],
  ['12345678a', 'weak'],
  ['aaaaaaaaaaaaaaaa1', 'weak'],
  ['abcdefghij1', 'weak'],
  ['Sariwijaya9', 'weak'],
  ['tree-Blue9', 'good'],
  ['kolam renang tua 7', 'strong'],
  ['kJ8#vQ2p!zT', 'strong'],
])('%s is %s', (password, strength) => {
  expect(passwordStrength(password, ['Sari Wijaya', 'sari@arus.example'])).toBe(strength)
})

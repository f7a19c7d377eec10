import { describe, expect, it } from 'vitest'
import { digitsAndDot, isBetween, isNumericKey } from '#base/numberRules.ts'

describe("A 'between' rule removes everything except digits and the dot from the value, then requires the number to lie between min and max inclusive.", () => {
  it('removes everything else', () => {
    expect(['Rp 1,250.00', '-12', 'a1b2', '10 %'].map(digitsAndDot)).toEqual(['1250.00', '12', '12', '10'])
  })

  it.each([
    ['0', '0', '100', true],
    ['100', '0', '100', true],
    ['100.01', '0', '100', false],
    ['12.5 %', '0', '100', true],
    ['Rp 1,250.00', '1250', '1250', true],
    ['.5', '0', '1', true],
    ['5.', '0', '5', true],
    ['9007199254740993', '9007199254740992', '9007199254740992', false],
    ['', '0', '100', false],
    ['abc', '0', '100', false],
    ['1.2.3', '0', '100', false],
  ])('%s between %s and %s: %s', (value, min, max, holds) => {
    expect(isBetween(value, min, max)).toBe(holds)
  })
})

describe('A numeric key guard allows only digits and the dot (plus control keys).', () => {
  it.each(['0', '9', '.', 'Enter', 'Tab', 'Backspace', 'ArrowLeft', 'Delete', 'Home', 'F4'])('%s passes', (key) => expect(isNumericKey({ key })).toBe(true))
  it.each(['a', 'e', '-', '+', ',', ' ', '٣'])('%s is held back', (key) => expect(isNumericKey({ key })).toBe(false))
  it('Ctrl+V passes', () => expect([isNumericKey({ key: 'v', ctrlKey: true }), isNumericKey({ key: 'a', metaKey: true })]).toEqual([true, true]))
})

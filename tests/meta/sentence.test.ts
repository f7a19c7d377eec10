import { describe, expect, it } from 'vitest'
import { compose, fillIn, placeholdersIn } from '#meta/sentence.ts'

const rows = (n: string): string => fillIn('{n} {n|row is|rows are} copied by {who}.', (name) => ({ n, who: 'Rina' })[name])

describe('a text with its placeholders filled in', () => {
  it('names one and many in their own words', () => {
    expect([rows('1'), rows('0'), rows('2'), rows('1,001')]).toEqual(['1 row is copied by Rina.', '0 rows are copied by Rina.', '2 rows are copied by Rina.', '1,001 rows are copied by Rina.'])
  })

  it('leaves standing what has no value, and knows the names it asks for', () => {
    const text = 'At most {limit} {limit|row|rows} of {what}.'
    expect(fillIn(text, (name) => (name === 'what' ? 'items' : undefined))).toBe('At most {limit} {limit|row|rows} of items.')
    expect(placeholdersIn(text)).toEqual(['limit', 'what'])
  })

  it('does the same in sentences of the server', () => {
    const texts: Readonly<Record<string, string>> = { 'block.CL03': '{count} {count|invoice is|invoices are} open.' }
    expect([1, 12].map((count) => compose({ key: 'block.CL03', params: { count } }, (key) => texts[key]))).toEqual(['1 invoice is open.', '12 invoices are open.'])
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextPool } from '#server/import/textPool.ts'

it('gives every text back by its place, whatever it holds, and nothing beyond', () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 3_000 }), (texts) => {
    const pool = new TextPool()
    for (const text of texts) pool.add(text)
    expect(pool.count).toBe(texts.length)
    expect(texts.map((_, i) => pool.at(i))).toEqual(texts)
    expect([-1, texts.length, texts.length + 5_000, 0.5, Number.NaN].map((place) => pool.at(place))).toEqual([undefined, undefined, undefined, undefined, undefined])
  }), { numRuns: 30, examples: [[Array.from({ length: 1_024 }, (_, i) => `t${i}`)], [Array.from({ length: 2_049 }, () => '')]] })
})

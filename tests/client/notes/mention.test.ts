import { describe, expect, it } from 'vitest'
import { complete, partsOf, stillMentioned, typingAt } from '#client/notes/mention.ts'

const budi = { ID: 1, Name: 'Budi' }
const santoso = { ID: 2, Name: 'Budi Santoso' }

describe('a name being typed', () => {
  /** `|` is the caret. */
  const typing = (text: string) => typingAt(text.replace('|', ''), text.indexOf('|'))
  it.each([
    ['@|', ''],
    ['@bu|', 'bu'],
    ['Hello @Budi San|', 'Budi San'],
    ['(@b|', 'b'],
    ['one\n@x|', 'x'],
    ['@a @b|', 'b'],
    ['@bu| and more', 'bu'],
  ])('%s', (text, search) => expect(typing(text)?.search).toBe(search))

  it.each(['|', 'a@b.c|', 'Hello|', '@ a|', '@two  spaces|', '@line\nbreak|', `@${'x'.repeat(60)}|`, '@bu|'.replace('@', '')])('%s is none', (text) => expect(typing(text)).toBeUndefined())
})

it('behind the name of somebody chosen none is being typed any more', () => {
  expect(typingAt('@Budi Santoso ', 14, [santoso])).toBeUndefined()
  expect(typingAt('@Budi Santoso and', 17, [santoso])).toBeUndefined()
  expect(typingAt('@Budi Sa', 8, [santoso])?.search).toBe('Budi Sa')
})

it('completing puts the whole name and a space, and the caret behind it', () => {
  const typing = typingAt('Ask @bu', 7)
  expect(typing && complete('Ask @bu', 7, typing, 'Budi Santoso')).toEqual({ text: 'Ask @Budi Santoso ', caret: 18 })
  const inside = typingAt('Ask @bu please', 7)
  expect(inside && complete('Ask @bu please', 7, inside, 'Budi')).toEqual({ text: 'Ask @Budi please', caret: 10 })
})

it('those whose name was deleted again are not mentioned, nobody twice', () => {
  expect(stillMentioned('Ask @Budi Santoso', [santoso, santoso, { ID: 3, Name: 'Sari' }])).toEqual([santoso])
  expect(stillMentioned('Ask @Budi Santoso', [budi, santoso])).toEqual([santoso])
  expect(stillMentioned('Ask @Budi Santoso, or @Budi', [budi, santoso])).toEqual([budi, santoso])
})

it('mentions stand out of the text; the longer name wins', () => {
  expect(partsOf('Ask @Budi Santoso and @Budi.', [budi, santoso])).toEqual([
    { text: 'Ask ', isMention: false }, { text: '@Budi Santoso', isMention: true }, { text: ' and ', isMention: false }, { text: '@Budi', isMention: true }, { text: '.', isMention: false },
  ])
  expect(partsOf('a+b (@A. (B)', [{ ID: 1, Name: 'A. (B)' }]).map((part) => part.text)).toEqual(['a+b (', '@A. (B)'])
  expect(partsOf('See @budi, not @Budiman', [budi])).toEqual([{ text: 'See ', isMention: false }, { text: '@budi', isMention: true }, { text: ', not @Budiman', isMention: false }])
  expect(partsOf('@Budi', [])).toEqual([{ text: '@Budi', isMention: false }])
})

it('an accent typed as a sign of its own makes the same name', () => {
  const rene = { ID: 3, Name: 'Ren\u00e9' }
  const typed = 'Ask @Rene\u0301 now'
  expect(stillMentioned(typed, [rene])).toEqual([rene])
  expect(partsOf(typed, [rene]).filter(({ isMention }) => isMention)).toEqual([{ text: '@Ren\u00e9', isMention: true }])
  expect(typingAt('@Rene\u0301 now', 10, [rene])).toBeUndefined()
})

import { describe, expect, it } from 'vitest'

import { languages, readCatalogue } from '../../scripts/schemas/catalogue.ts'
import { root } from '../../scripts/schemas/readSources.ts'
import { problems } from '#api/problems.ts'
import { guardNames } from '#generated/names.ts'

describe.each(languages)('the catalogue %s', (language) => {
  const catalogue = readCatalogue(root, language)

  it('has a sentence for every refusal of the server, and none that the server never gives', () => {
    const told = Object.keys(catalogue).filter((key) => key.startsWith('problem.')).map((key) => key.slice('problem.'.length))
    expect(told.sort()).toEqual(Object.keys(problems).sort())
  })

  it('has a word for what every permission allows', () => {
    const actions = [...new Set(guardNames.map((guard) => guard.split('-').at(-1) ?? ''))]
    expect(actions.filter((action) => !Object.hasOwn(catalogue, `action.${action}`))).toEqual([])
  })

  it('is sorted, so that two people can add to it without meeting', () => {
    const keys = Object.keys(catalogue)
    expect(keys).toEqual([...keys].sort())
  })

  it('has no empty text', () => {
    expect(Object.entries(catalogue).filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

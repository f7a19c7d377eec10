import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { languages, readCatalogue } from '../../scripts/schemas/catalogue.ts'
import { root } from '../../scripts/schemas/readSources.ts'
import { problems } from '#api/problems.ts'
import { guardNames } from '#generated/names.ts'

/** Sentences that the server composes: see scripts/schemas/sentences.ts. */
const sayable = /^(problem|warning|block|done)\.|^field\.[A-Z]/

/** Sources in which sentences are named. */
const code = ['src/server', 'src/domain'].flatMap((folder) => readTree(path.join(root, folder))).join('\n')

function readTree(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
}

/** A key is said whole (`say('block.CL01')`) or without its first word (`fail('IN_USE.deactivate')`); the plain sentence of a code stands for all others; `.listed` is said in its place above a list of obstacles. */
function isSaid(full: string): boolean {
  const key = full.replace(/\.listed$/, '')
  const [group = '', ...rest] = key.split('.')
  const short = rest.join('.')
  return code.includes(`'${key}'`) || code.includes(`'${short}'`) || (group === 'problem' && Object.hasOwn(problems, short)) || composed.test(key)
}

/** Named by a template: `block.${code}`. */
const composed = /^block\.PR0[12](\.hint)?$/

/** Whole keys of sentences in the sources. */
function saidInCode(): ReadonlySet<string> {
  return new Set([...code.matchAll(/'((?:problem|warning|block|done)\.[\w.-]+|field\.[A-Z][\w.-]+)'/g)].map(([, key = '']) => key).filter((key) => !key.endsWith('.')))
}

describe.each(languages)('the catalogue %s', (language) => {
  const catalogue = readCatalogue(root, language)

  it('has a sentence for every refusal of the server', () => {
    expect(Object.keys(problems).filter((code) => !Object.hasOwn(catalogue, `problem.${code}`))).toEqual([])
  })

  it('has every sentence the server says, and none that the server never says', () => {
    const keys = Object.keys(catalogue).filter((key) => sayable.test(key))
    expect(keys.filter((key) => !isSaid(key))).toEqual([])
    expect([...saidInCode()].filter((key) => !keys.includes(key))).toEqual([])
  })

  it('has a word for every reason for which somebody is asked', () => {
    const reasons = [...code.matchAll(/reasons: .*?code: '(\w+)'|\[\{ code: '(\w+)', (?:\.\.\.tell|text)/g)].map(([, one, other]) => one ?? other)
    expect(reasons).toEqual(expect.arrayContaining(['FAKTUR', 'CLAIM', 'NEW']))
    expect(reasons.filter((reason) => !Object.hasOwn(catalogue, `check.${reason}`))).toEqual([])
  })

  it('says of a refusal nothing but what belongs to its code', () => {
    const codes = Object.keys(catalogue).filter((key) => key.startsWith('problem.')).map((key) => key.split('.')[1] ?? '')
    expect(codes.filter((code) => !Object.hasOwn(problems, code))).toEqual([])
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

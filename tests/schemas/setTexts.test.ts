import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { languages, readCatalogue, writeCatalogue } from '../../scripts/schemas/catalogue.ts'
import { setTexts } from '../../scripts/schemas/setTexts.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-texts-'))
  for (const language of languages) writeCatalogue(folder, language, { 'field.b': `b ${language}`, 'field.d': `d ${language}` })
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

const written = () => languages.map((language) => Object.entries(readCatalogue(folder, language)).map(([key, text]) => `${key}=${text}`).join(' '))

it('sorts many texts into the catalogues and says what is new, changed and the same', () => {
  const result = setTexts(folder, { 'field.c': { en: 'C', cn: '丙', id: 'C!' }, 'field.b': { en: 'b en', cn: '乙' }, 'field.a': 'A', 'field.d': { id: 'D' } })
  expect('set' in result && result.set.map(({ key, language, what }) => `${key} ${language} ${what}`)).toEqual([
    'field.c en new', 'field.c cn new', 'field.c id new', 'field.b en same', 'field.b cn changed', 'field.a en new', 'field.d id changed',
  ])
  expect(written()).toEqual(['field.a=A field.b=b en field.c=C field.d=d en', 'field.b=乙 field.c=丙 field.d=d cn', 'field.b=b id field.c=C! field.d=D'])
})

it.each([
  ['an unknown language', { 'field.c': { en: 'C', cm: 'x' } }, 'field.c: "cm" is no language; there are en, cn, id'],
  ['a key without a dot', { field: 'x' }, '"field": a key has a dot and no spaces: screen.brand.list'],
  ['a key with a space', { 'field. c': 'x' }, '"field. c": a key has a dot and no spaces: screen.brand.list'],
  ['an empty text', { 'field.c': { en: 'C', cn: ' ' } }, 'field.c: its text in cn is empty'],
  ['a number', { 'field.c': { en: 3 } }, 'field.c: its text in en is empty'],
  ['a list', { 'field.c': ['C'] }, 'field.c: its texts are an object by language, or the English text alone'],
  ['a new key without English', { 'field.c': { cn: 'x' } }, 'field.c: a new key needs its English text'],
])('refuses %s, and writes nothing of the file', (_, file, reason) => {
  const before = written()
  expect(setTexts(folder, { 'field.a': 'A', ...file })).toEqual({ refused: [reason] })
  expect(written()).toEqual(before)
})

it('refuses what holds no keys', () => {
  expect(setTexts(folder, [])).toHaveProperty('refused')
})

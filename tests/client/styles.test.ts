import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const client = path.join(import.meta.dirname, '../../src/client')
const modules = fs.readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.module.css'))

/** Classes with a rule of their own more than once, outside of conditions: the later one changes what somebody else meant by the name. */
function twice(css: string): readonly string[] {
  const lines = css.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')
  // Rules stand at the beginning of their line; in a list with others a name only shares what they have in common.
  const named = lines.flatMap((line, i) => (lines[i - 1]?.endsWith(',') === true ? [] : (/^\.([\w-]+) \{/.exec(line)?.[1] ?? [])))
  return named.filter((name, i) => named.indexOf(name) !== i)
}

test('a class is defined once in its file', () => {
  expect(twice('.a {\n}\n\n.b,\n.c {\n}\n\n.c {\n}\n\n.a {\n}\n\n@media print {\n  .b {\n  }\n}\n')).toEqual(['a'])
  expect(modules.length).toBeGreaterThan(50)
  expect(modules.flatMap((file) => twice(fs.readFileSync(path.join(client, file), 'utf8')).map((name) => `${file} .${name}`))).toEqual([])
})

/** What a sheet says of letters that makes one more font to be looked up before anything is drawn. */
function furtherFonts(css: string): readonly string[] {
  return [...css.matchAll(/font-weight:(?! *(?:400|600|inherit)\b)[^;]+|font-variant-numeric: *[^;]+/g)].map(([found]) => found)
}

test('letters have two weights and one set of figures', () => {
  expect(furtherFonts('.a {\n  font-weight: 600;\n}\n\n.b {\n  font-weight: 650;\n}\n\n.c {\n  font-variant-numeric: tabular-nums;\n}\n')).toEqual(['font-weight: 650', 'font-variant-numeric: tabular-nums'])
  const sheets = fs.readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  expect(sheets.flatMap((file) => furtherFonts(fs.readFileSync(path.join(client, file), 'utf8')).map((found) => `${file} ${found}`))).toEqual([path.join('ui', 'tokens.css') + ' font-variant-numeric: tabular-nums'])
})

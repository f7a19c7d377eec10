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

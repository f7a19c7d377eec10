import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { versionFindings } from '../../src/meta/check/check.ts'
import { locate } from '../../src/meta/check/locate.ts'
import type { MetaSchema } from '../../src/meta/check/shape.ts'
import { codemods, upgraded } from '../../scripts/codemods/codemods.ts'
import { JsonEdit } from '../../scripts/codemods/jsonEdit.ts'
import { shapesOf } from '../../scripts/schemas/checkSchemas.ts'
import { kindOfFile, readSchemaFiles } from '../../scripts/schemas/readSources.ts'
import { type FileKind, fileKinds } from '../../src/meta/sources.ts'

const files = readSchemaFiles()
const { metaSchemas } = shapesOf(files)
const metas = files.filter(({ path: file }) => file.startsWith('schemas/meta/'))
const versionOf = (kind: FileKind): number => metaSchemas[kind]?.version ?? 0
const folder = path.join(import.meta.dirname, 'old')
/** Files as they were written in older versions: `<name>.<version>.<kind>.json`. */
const old = readdirSync(folder).map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))

/** The same content written by other hands. */
const hands: Readonly<Record<string, (text: string) => string>> = {
  'as it was': (text) => text,
  'with line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'with tabs': (text) => text.replaceAll('  ', '\t'),
  'on one line': (text) => JSON.stringify(JSON.parse(text)),
  'a key a line': (text) => JSON.stringify(JSON.parse(text), null, 4),
  'without an end of the last line': (text) => text.trimEnd(),
}

describe('the versions of the language', () => {
  it.each(fileKinds)('%s has a version, and a codemod for each after the first', (kind) => {
    expect(versionOf(kind)).toBeGreaterThanOrEqual(1)
    expect(Object.keys(codemods[kind] ?? {}).map(Number)).toEqual(Array.from({ length: versionOf(kind) - 1 }, (_, i) => i + 2))
  })

  it('every codemod has old files to be tried on', () => {
    const tried = old.map(({ name }) => name.split('.').slice(-3, -1).reverse().join(' '))
    for (const [kind, steps] of Object.entries(codemods)) for (const version of Object.keys(steps)) expect(tried).toContain(`${kind} ${Number(version) - 1}`)
  })

  it('the files of the product are up to date, and codemods leave them alone', () => {
    for (const { path: file, text } of files) {
      const kind = file.startsWith('schemas/meta/') ? undefined : kindOfFile(file)
      if (kind === undefined) continue
      expect({ file, ...upgraded(kind, text, versionOf(kind)) }).toEqual({ file, text, versions: [] })
      // A codemod that finds nothing old changes nothing, even when it is run by hand.
      const edit = new JsonEdit(text)
      codemods[kind]?.[versionOf(kind)]?.(edit)
      expect(edit.text()).toBe(text)
    }
  })
})

describe.each(old.flatMap((file) => Object.entries(hands).map(([hand, write]) => [`${file.name} ${hand}`, file.name, write(file.text)] as const)))('%s', (_, name, text) => {
  const kind = kindOfFile(name) ?? expect.fail(`${name} names no kind`)
  const result = upgraded(kind, text, versionOf(kind))

  it('is a finding that names the command, at its place', () => {
    const [finding, ...more] = versionFindings(locate(`schemas/${name}`, text), metaSchemas[kind] ?? {})
    expect([finding?.code, finding?.line, finding?.column, more.length]).toEqual(['old-version', 1, 1, 0])
    expect(finding?.message).toContain('npm run upgrade')
  })

  it('fits the present format afterwards', () => {
    expect(shapesOf([...metas, { path: `schemas/${name}`, text: result.text }]).findings).toEqual([])
    expect(upgraded(kind, result.text, versionOf(kind))).toEqual({ text: result.text, versions: [] })
  })

  it('keeps order, spacing and line ends of what is not changed', () => {
    const expected = { order: keysOf(JSON.parse(text)), ends: /\r\n/.test(text), tail: /\s*$/.exec(text)?.[0] }
    const added = keysOf(JSON.parse(result.text)).filter((key) => !expected.order.includes(key))
    expect({ order: keysOf(JSON.parse(result.text)).filter((key) => !added.includes(key)), ends: /\r\n/.test(result.text), tail: /\s*$/.exec(result.text)?.[0] }).toEqual({ ...expected, order: expected.order.filter((key) => !/ (additive)$/.test(key)) })
    if (expected.ends) expect(result.text.replaceAll('\r\n', '')).not.toContain('\n')
    // What the codemod writes, taken away again, leaves the file as it was to the last blank.
    const undone = result.text
      .replace(/,\s*"version": ?2/, '')
      .replaceAll('"adds": "never"', '"additive": false').replaceAll(/"adds":\s*"never"/g, '"additive":false')
      .replaceAll(/,\s*"adds":\s*"always"/g, '')
    expect(undone).toBe(text.replaceAll(/"additive":(\s*)false/g, (_all, space: string) => `"additive":${undone.includes('"additive": false') ? ' ' : space}false`))
  })
})

describe('a file newer than the product', () => {
  it('is a finding, and no codemod touches it', () => {
    const text = '{ "kind": "dataset", "version": 99 }'
    const meta: MetaSchema = metaSchemas['dataset'] ?? {}
    expect(versionFindings(locate('schemas/x.dataset.json', text), meta).map(({ code, column }) => [code, column])).toEqual([['new-version', 22]])
    expect(upgraded('dataset', text, versionOf('dataset'))).toEqual({ text, versions: [] })
  })
})

describe('changing by positions', () => {
  const change = (text: string, work: (edit: JsonEdit) => void): string => {
    const edit = new JsonEdit(text)
    work(edit)
    return edit.text()
  }

  it('adds, sets, renames and removes without touching the rest', () => {
    const text = '{\r\n\t"a" : 1,\r\n\t"b": [ 1,2 ,3 ],\r\n\t"c": {}\r\n}\r\n'
    expect(change(text, (edit) => edit.add([], 'd', [1, { e: 'f' }], 'a'))).toBe('{\r\n\t"a" : 1,\r\n\t"d": [1, { "e": "f" }],\r\n\t"b": [ 1,2 ,3 ],\r\n\t"c": {}\r\n}\r\n')
    expect(change(text, (edit) => edit.add(['c'], 'd', true))).toBe(text.replace('{}', '{ "d": true }'))
    expect(change(text, (edit) => edit.set(['b', 1], 'two'))).toBe(text.replace('2', '"two"'))
    expect(change(text, (edit) => edit.rename(['a'], 'z'))).toBe(text.replace('"a"', '"z"'))
    expect(change(text, (edit) => edit.remove(['a']))).toBe('{\r\n\t"b": [ 1,2 ,3 ],\r\n\t"c": {}\r\n}\r\n')
    expect(change(text, (edit) => edit.remove(['c']))).toBe('{\r\n\t"a" : 1,\r\n\t"b": [ 1,2 ,3 ]\r\n}\r\n')
    expect(change(text, (edit) => edit.remove(['b', 2]))).toBe(text.replace(' ,3', ''))
    expect(change(text, (edit) => { edit.remove(['nowhere']); edit.set(['c', 'd'], 1) })).toBe(text)
  })
})

/** Every key with those around it, in the order written. */
function keysOf(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [`${at} ${key}`, ...keysOf(part, `${at} ${key}`)])
}

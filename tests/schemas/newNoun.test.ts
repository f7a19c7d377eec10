import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository, readMigrationFiles } from '../../scripts/schemas/checkSchemas.ts'
import { newNoun } from '../../scripts/schemas/newNoun.ts'
import { readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'

let copy = ''
beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'arus-new-'))
  cpSync(path.join(root, 'schemas'), path.join(copy, 'schemas'), { recursive: true })
  mkdirSync(path.join(copy, 'src/server/db'), { recursive: true })
  cpSync(path.join(root, 'src/server/db/migrations'), path.join(copy, 'src/server/db/migrations'), { recursive: true })
})
afterEach(() => rmSync(copy, { recursive: true }))

/** A path of the specification, taken from what serves it. */
const unserved = (): string => {
  const file = path.join(copy, 'schemas/routes.json')
  const freed = '/report/promotion'
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*"path":"\/report\/promotion",.*$/m, `  {"path":"${freed}","layout":"main"},`))
  const menu = path.join(copy, 'schemas/menu.json')
  writeFileSync(menu, readFileSync(menu, 'utf8').replace(/("url":"\/report\/promotion"),"guard":"[\w-]+"/, '$1'))
  return freed
}

const findings = () => checkSchemas(readSchemaFiles(path.join(copy, 'schemas'), copy), { ...contextOfRepository(), migrations: readMigrationFiles(copy) }).findings.map(({ path: file, code, message }) => `${file} ${code} ${message}`)

describe('npm run new', () => {
  it('writes a document that passes the check, takes a path of the specification and brings its table', () => {
    const free = unserved()
    const before = findings()
    const result = newNoun(copy, { area: 'pricing', noun: 'proposal-budget', path: free, titles: { en: 'Budget proposal', cn: '预算提案', id: 'Usulan anggaran' } })
    expect(result).toHaveProperty('files')
    const written = 'files' in result ? result.files : []
    expect(written.filter((file) => file.startsWith('schemas/pricing/proposal-budget/')).map((file) => file.split('.').at(-2))).toEqual(['entity', 'list', 'form', 'detail', 'workflow'])
    expect(findings().filter((finding) => !before.includes(finding))).toEqual([])
    expect(JSON.parse(readFileSync(path.join(copy, 'schemas/messages/id.json'), 'utf8'))['entity.proposal_budget']).toBe('Usulan anggaran')
    const migration = written.find((file) => file.endsWith('.sql')) ?? ''
    expect(readFileSync(path.join(copy, migration), 'utf8')).toMatch(/CREATE TABLE "proposal_budget" \([^;]*"operating_unit_id" bigint NOT NULL REFERENCES "operating_unit"/)
  })

  it('writes master data that passes the check, with its list, its form and its table', () => {
    const before = findings()
    const result = newNoun(copy, { kind: 'entity', area: 'master', noun: 'shelf-kind', titles: { en: 'Shelf kind', cn: '货架类型', id: 'Jenis rak' } })
    const written = 'files' in result ? result.files : []
    expect(written.filter((file) => file.startsWith('schemas/master/shelf-kind/')).map((file) => file.split('.').at(-2))).toEqual(['entity', 'list', 'form'])
    expect(findings().filter((finding) => !before.includes(finding))).toEqual([])
    const migration = written.find((file) => file.endsWith('.sql')) ?? ''
    expect(readFileSync(path.join(copy, migration), 'utf8')).toMatch(/CREATE TABLE "shelf_kind" \([^;]*"code" /)
  })

  it('run again on a changed entity writes the next migration, after which the check is content, and nothing where nothing has changed', () => {
    const before = findings()
    newNoun(copy, { area: 'quality', noun: 'inspection-note' })
    expect(newNoun(copy, { area: 'quality', noun: 'inspection-note' })).toEqual({ refused: 'schemas/quality/inspection-note is already there, and the migrations make its tables as its entities say.' })
    const file = path.join(copy, 'schemas/quality/inspection-note/inspection-note.entity.json')
    const entity = JSON.parse(readFileSync(file, 'utf8'))
    entity.fields = { ...entity.fields, score: { type: 'integer' }, grade: { type: 'enum', values: ['A', 'B'] } }
    writeFileSync(file, JSON.stringify(entity))
    const added = findings().filter((finding) => !before.includes(finding) && finding.includes('no-column'))
    expect(added).toHaveLength(2)
    const result = newNoun(copy, { area: 'quality', noun: 'inspection-note' })
    const [migration = '', ...more] = 'files' in result ? result.files : []
    expect([path.basename(migration), more]).toEqual([expect.stringMatching(/^\d{4}_inspection_note_changed\.sql$/), []])
    expect(readFileSync(path.join(copy, migration), 'utf8').split('\n').slice(1)).toEqual([
      'ALTER TABLE "inspection_note" ADD COLUMN "score" integer;', `ALTER TABLE "inspection_note" ADD COLUMN "grade" text CHECK ("grade" IN ('A', 'B'));`, '',
    ])
    expect(findings().filter((finding) => / (no|other|stray)-(column|table) /.test(finding))).toEqual([])
    // Other words, another name, a field less, and lines in a table of their own.
    const { score: _, description, ...fields } = entity.fields
    writeFileSync(file, JSON.stringify({ ...entity, display: ['code', 'remark'], renamed: { description: 'remark' }, lines: ['inspection_note_line'], fields: { ...fields, remark: description, grade: { type: 'enum', values: ['A', 'C'], required: true } } }))
    writeFileSync(path.join(path.dirname(file), 'inspection-note-line.entity.json'), JSON.stringify({ ...entity, id: 'inspection_note_line', base: 'line', parent: 'inspection_note', resource: undefined, series: undefined, conditions: undefined, scope: undefined, display: undefined, fields: { text: { type: 'text' } } }))
    const again = newNoun(copy, { area: 'quality', noun: 'inspection-note' })
    const sql = 'files' in again ? readFileSync(path.join(copy, again.files[0] ?? ''), 'utf8') : ''
    expect(sql).toContain('CREATE TABLE "inspection_note_line" (')
    for (const statement of [
      'ALTER TABLE "inspection_note" RENAME COLUMN "description" TO "remark";', 'ALTER TABLE "inspection_note" ALTER COLUMN "grade" SET NOT NULL;', 'ALTER TABLE "inspection_note" DROP CONSTRAINT "inspection_note_grade_check";',
      `ALTER TABLE "inspection_note" ADD CONSTRAINT "inspection_note_grade_check" CHECK ("grade" IN ('A', 'C'));`, '-- No field has it any longer; what stands in it would be gone for good: ALTER TABLE "inspection_note" DROP COLUMN "score";',
    ]) expect(sql).toContain(statement)
    expect(newNoun(copy, { area: 'quality', noun: 'inspection-note' })).toEqual({ refused: expect.stringMatching(/has lost fields, nothing else.*\n-- .*DROP COLUMN "score";$/) })
  })

  it('stands in the menu where the screens of its area stand, and in a group of its own where there are none', () => {
    const groups = (): Readonly<Record<string, readonly string[]>> => {
      const menu: readonly { readonly name: string; readonly submenu: readonly { readonly url: string }[] }[] = JSON.parse(readFileSync(path.join(copy, 'schemas/menu.json'), 'utf8'))
      return Object.fromEntries(menu.map(({ name, submenu }) => [name, submenu.map(({ url }) => url)]))
    }
    const before = Object.keys(groups())
    newNoun(copy, { kind: 'entity', area: 'master', noun: 'shelf-kind', path: '/master/shelf-kind' })
    newNoun(copy, { area: 'sales', noun: 'shop-visit' })
    expect(Object.keys(groups())).toEqual(before)
    expect([groups()['Customers'], groups()['Products']].flat()).toContain('/master/shelf-kind')
    expect(groups()['Sales']).toContain('/shop-visit')
    newNoun(copy, { area: 'quality', noun: 'inspection-note' })
    expect(groups()['Quality']).toEqual(['/inspection-note'])
    expect(findings().filter((finding) => finding.includes('menu.json'))).toEqual([])
  })

  it('adds a path of its own when the specification has none', () => {
    const before = findings()
    expect(newNoun(copy, { area: 'quality', noun: 'inspection-note' })).toHaveProperty('files')
    expect(findings().filter((finding) => !before.includes(finding))).toEqual([])
    expect(readFileSync(path.join(copy, 'schemas/routes.json'), 'utf8')).toContain('"/inspection-note"')
  })

  it('refuses what is there already and what is no name', () => {
    expect(newNoun(copy, { area: 'sales', noun: 'sales-order' })).toHaveProperty('refused')
    expect(newNoun(copy, { area: 'sales', noun: 'Sales Order' })).toHaveProperty('refused')
    expect(newNoun(copy, { area: 'sales', noun: 'visit', path: '/sales-order-list' })).toHaveProperty('refused')
    expect(existsSync(path.join(copy, 'schemas/sales/visit'))).toBe(false)
  })
})

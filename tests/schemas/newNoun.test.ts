import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository, readMigrationFiles } from '../../scripts/schemas/checkSchemas.ts'
import { newNoun } from '../../scripts/schemas/newNoun.ts'
import type { DocumentFacts } from '../../scripts/schemas/wholeDocument.ts'
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

/** Of the schemas as they are, once for all tests. */
const known = checkSchemas(readSchemaFiles(path.join(root, 'schemas'), root), { ...contextOfRepository(), migrations: readMigrationFiles(root) }).findings.map(({ path: file, code, message }) => `${file} ${code} ${message}`)

describe('npm run new', () => {
  it('writes a document that passes the check, takes a path of the specification and brings its table', () => {
    const free = unserved()
    const before = findings()
    const result = newNoun(copy, { area: 'pricing', noun: 'proposal-budget', path: free, titles: { en: 'Budget proposal', cn: '预算提案', id: 'Usulan anggaran' } })
    expect(result).toHaveProperty('files')
    const written = 'files' in result ? result.files : []
    expect(written.filter((file) => file.startsWith('schemas/pricing/proposal-budget/')).map((file) => file.split('.').at(-2))).toEqual(['entity', 'workflow', 'list', 'form', 'detail'])
    expect(findings().filter((finding) => !before.includes(finding))).toEqual([])
    expect(JSON.parse(readFileSync(path.join(copy, 'schemas/messages/id.json'), 'utf8'))['entity.proposal_budget']).toBe('Usulan anggaran')
    const migration = written.find((file) => file.endsWith('.sql')) ?? ''
    expect(readFileSync(path.join(copy, migration), 'utf8')).toMatch(/CREATE TABLE "proposal_budget" \([^;]*"operating_unit_id" bigint NOT NULL REFERENCES "operating_unit"/)
  })

  it('writes master data that passes the check, with its list, its form and its table', () => {
    const result = newNoun(copy, { kind: 'entity', area: 'master', noun: 'shelf-kind', titles: { en: 'Shelf kind', cn: '货架类型', id: 'Jenis rak' } })
    const written = 'files' in result ? result.files : []
    expect(written.filter((file) => file.startsWith('schemas/master/shelf-kind/')).map((file) => file.split('.').at(-2))).toEqual(['entity', 'list', 'form'])
    expect(findings().filter((finding) => !known.includes(finding))).toEqual([])
    const migration = written.find((file) => file.endsWith('.sql')) ?? ''
    expect(readFileSync(path.join(copy, migration), 'utf8')).toMatch(/CREATE TABLE "shelf_kind" \([^;]*"code" /)
  })

  it('writes a whole document: for whom, lines that settle, who approves, what it books, its series', () => {
    const facts = { settles: 'invoice', lines: 'reason_id: reason, remark: text', approval: 'AR_MGR, FIN_MGR > 25000000', posting: '613101', enters: 'AR_STAFF' }
    const result = newNoun(copy, { area: 'receivables', noun: 'price-gap', titles: { en: 'Price gap', cn: '价差', id: 'Selisih harga' }, facts })
    const written = 'files' in result ? result.files : []
    expect(findings().filter((finding) => !known.includes(finding))).toEqual([])
    const read = (name: string) => JSON.parse(readFileSync(path.join(copy, 'schemas/receivables', name), 'utf8'))
    expect(read('price-gap/price-gap.workflow.json')).toMatchObject({
      enters: ['AR_STAFF'],
      approval: { measure: 'total', levels: [{ role: 'AR_MGR' }, { role: 'FIN_MGR', above: '25000000' }], then: ['post'], reversal: { levels: [{ role: 'FIN_MGR' }], then: ['reverse'] } },
      books: { modules: ['AR', 'GL'], events: [{ event: 'PRICE_GAP' }] },
      settles: [{ lines: 'lines', item: 'invoice_id', amount: 'amount', as: 'PRICE_GAP' }],
    })
    expect(read('price-gap/price-gap.posting.json').events[0].lines).toEqual([{ line: 1, side: 'D', amount: 'total', account: '613101' }, { line: 2, side: 'C', amount: 'item', account: 'LINE' }])
    expect(read('price-gap/price-gap.entity.json')).toMatchObject({ series: 'PG', derive: { operating_unit_id: 'customer_id.operating_unit_id', total: { sum: 'lines.amount' } } })
    expect(read('price-gap-line/price-gap-line.entity.json').candidates).toMatchObject({ entity: 'invoice', takes: { invoice_id: 'id', amount: 'remaining' } })
    expect(readFileSync(path.join(copy, 'schemas/menu.json'), 'utf8')).toMatch(/"\/approval\/price-gap","guard":"price-gap-approve".*\n.*"\/approval\/price-gap-reversal"/)
    const sql = readFileSync(path.join(copy, written.find((file) => file.endsWith('.sql')) ?? ''), 'utf8')
    expect(sql).toContain('CREATE TABLE "price_gap_line" (')
    expect(sql).toMatch(/ADD CONSTRAINT "ar_allocation_source_type_check" CHECK \(.*'PRICE_GAP'\)\);/)
  })

  it('writes what a document without lines or approval books, and passes the check', () => {
    newNoun(copy, { area: 'ledger', noun: 'cash-transfer', facts: { posting: '111101 / 111102' } })
    newNoun(copy, { area: 'payables', noun: 'vendor-fee', facts: { party: 'business_partner', lines: 'item_id: item, qty: quantity, amount: money', posting: '612101 / 211104' } })
    expect(findings().filter((finding) => !known.includes(finding))).toEqual([])
    // Of the short forms of its name the first that numbers nothing else.
    expect(JSON.parse(readFileSync(path.join(copy, 'schemas/ledger/cash-transfer/cash-transfer.entity.json'), 'utf8')).series).toBe('CATR')
  })

  it('refuses what cannot be of a document, and writes nothing', () => {
    const cases: readonly (readonly [DocumentFacts, RegExp])[] = [
      [{ settles: 'customer' }, /^--settles wants an open item: invoice, /],
      [{ party: 'nobody' }, /^There is no entity "nobody" for --party/],
      [{ lines: 'item_id' }, /^Write "item_id" as <field>: <type>/],
      [{ approval: 'AR_MGR > much' }, /^Write --approval as/],
      [{ settles: 'invoice', posting: '613101 / 112101' }, /^Write --posting as the account beside that of the item/],
      [{ posting: '613101' }, /^Write --posting as "<debit> \/ <credit>"/],
      [{ series: 'SO' }, /^The series "SO" numbers sales_order/],
    ]
    for (const [facts, said] of cases) expect(newNoun(copy, { area: 'receivables', noun: 'price-gap', facts })).toEqual({ refused: expect.stringMatching(said) })
    expect(existsSync(path.join(copy, 'schemas/receivables/price-gap'))).toBe(false)
  })

  it('run again on a changed entity writes the next migration, after which the check is content, and nothing where nothing has changed', () => {
    newNoun(copy, { area: 'quality', noun: 'inspection-note' })
    expect(newNoun(copy, { area: 'quality', noun: 'inspection-note' })).toEqual({ refused: 'schemas/quality/inspection-note is already there, and the migrations make its tables as its entities say.' })
    const file = path.join(copy, 'schemas/quality/inspection-note/inspection-note.entity.json')
    const entity = JSON.parse(readFileSync(file, 'utf8'))
    entity.fields = { ...entity.fields, score: { type: 'integer' }, grade: { type: 'enum', values: ['A', 'B'] } }
    writeFileSync(file, JSON.stringify(entity))
    const added = findings().filter((finding) => !known.includes(finding) && finding.includes('no-column'))
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
    expect(newNoun(copy, { area: 'quality', noun: 'inspection-note' })).toHaveProperty('files')
    expect(findings().filter((finding) => !known.includes(finding))).toEqual([])
    expect(readFileSync(path.join(copy, 'schemas/routes.json'), 'utf8')).toContain('"/inspection-note"')
  })

  it('refuses what is there already and what is no name', () => {
    expect(newNoun(copy, { area: 'sales', noun: 'sales-order' })).toHaveProperty('refused')
    expect(newNoun(copy, { area: 'sales', noun: 'Sales Order' })).toHaveProperty('refused')
    expect(newNoun(copy, { area: 'sales', noun: 'visit', path: '/sales-order-list' })).toHaveProperty('refused')
    expect(existsSync(path.join(copy, 'schemas/sales/visit'))).toBe(false)
  })
})

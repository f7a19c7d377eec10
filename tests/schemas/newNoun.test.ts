import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
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

/** A path of the specification that nothing serves yet. */
const unserved = (): string => {
  const routes: readonly Readonly<Record<string, unknown>>[] = JSON.parse(readFileSync(path.join(root, 'schemas/routes.json'), 'utf8'))
  const found = routes.find((route) => route['layout'] === 'main' && ['screen', 'page', 'redirect'].every((key) => !(key in route)) && !String(route['path']).includes('{'))
  return String(found?.['path'])
}

const findings = () => checkSchemas(readSchemaFiles(path.join(copy, 'schemas'), copy), contextOfRepository()).findings.map(({ path: file, code, message }) => `${file} ${code} ${message}`)

describe('npm run new', () => {
  it('writes a document that passes the check, takes a path of the specification and brings its table', () => {
    const before = findings()
    const result = newNoun(copy, { area: 'pricing', noun: 'proposal-budget', path: unserved(), titles: { en: 'Budget proposal', cn: '预算提案', id: 'Usulan anggaran' } })
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

  it('stands in the menu where the screens of its area stand, and in a group of its own where there are none', () => {
    const groups = (): Readonly<Record<string, readonly string[]>> => {
      const menu: readonly { readonly name: string; readonly submenu: readonly { readonly url: string }[] }[] = JSON.parse(readFileSync(path.join(copy, 'schemas/menu.json'), 'utf8'))
      return Object.fromEntries(menu.map(({ name, submenu }) => [name, submenu.map(({ url }) => url)]))
    }
    const before = Object.keys(groups())
    newNoun(copy, { kind: 'entity', area: 'master', noun: 'shelf-kind', path: '/master/shelf-kind' })
    newNoun(copy, { area: 'sales', noun: 'shop-visit' })
    expect(Object.keys(groups())).toEqual(before)
    expect(groups()['Master data']).toContain('/master/shelf-kind')
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

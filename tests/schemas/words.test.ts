import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages, readCatalogue } from '../../scripts/schemas/catalogue.ts'
import { root } from '../../scripts/schemas/readSources.ts'
import { metadata } from '#generated/metadata.ts'
import { placeholdersIn } from '#meta/sentence.ts'

const english = readCatalogue(root, 'en')
/** First words of message keys: `ui`, `field`, `status` … */
const groups = new Set(Object.keys(english).map((key) => key.split('.')[0] ?? ''))

function filesIn(folder: string, ending: RegExp): readonly string[] {
  return fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name)).map((name) => fs.readFileSync(path.join(root, folder, name), 'utf8'))
}

const isKey = (text: string): boolean => /^[a-z-]+\.[\w./-]+$/.test(text) && groups.has(text.split('.')[0] ?? '') && !/\.(tsx?|json|css|js|svg|html)$/.test(text)

/** What components hand to `t`: whole keys, and the beginnings of those put together (`status.${n}`). */
function saidByComponents(): { readonly whole: ReadonlySet<string>; readonly beginnings: ReadonlySet<string> } {
  const whole = new Set<string>()
  const beginnings = new Set<string>()
  for (const source of filesIn('src/client', /\.tsx?$/)) {
    for (const call of source.matchAll(/\bt\(((?:[^()]|\([^()]*\))*)\)/g)) {
      for (const [, text = ''] of (call[1] ?? '').matchAll(/'([^']+)'/g)) if (isKey(text)) whole.add(text)
      for (const [, text = ''] of (call[1] ?? '').matchAll(/`([^`$]+)\$\{/g)) if (groups.has(text.split('.')[0] ?? '')) beginnings.add(text)
    }
  }
  return { whole, beginnings }
}

/** Every text of the finished screens, of the menu and of the routes that is a message key. */
function namedBySchemas(): ReadonlySet<string> {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (isKey(value) && /^(field|screen|action|tab|section|empty|sentence|status|enum|entity|ui|page|param|preset|view)\./.test(value)) found.add(value)
    } else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part)
  }
  for (const text of filesIn('src/generated/screens', /\.json$/)) collect(JSON.parse(text))
  return found
}

const components = saidByComponents()
const schemas = namedBySchemas()

describe.each(languages)('in %s', (language) => {
  const catalogue = readCatalogue(root, language)

  it('every key of a component has a text', () => {
    expect(components.whole.size).toBeGreaterThan(400)
    expect([...components.whole].filter((key) => !Object.hasOwn(catalogue, key))).toEqual([])
    expect([...components.beginnings].filter((start) => !Object.keys(catalogue).some((key) => key.startsWith(start)))).toEqual([])
  })

  it('every label, title, status, choice and action of a screen has a text', () => {
    expect(schemas.size).toBeGreaterThan(200)
    expect([...schemas].filter((key) => !Object.hasOwn(catalogue, key))).toEqual([])
  })

  it('every entry of the menu has a text', () => {
    const labels = metadata.menu.flatMap((node) => [node.label, ...node.submenu.map((entry) => entry.label)])
    expect(labels.length).toBeGreaterThan(40)
    expect(labels.filter((label) => !Object.hasOwn(catalogue, label))).toEqual([])
  })

  it('texts fill in what the English ones fill in', () => {
    const filled = (text: string): string => placeholdersIn(text).join(' ')
    expect(Object.keys(english).filter((key) => filled(catalogue[key] ?? '') !== filled(english[key] ?? ''))).toEqual([])
  })
})

/** Texts the specification gives in these words for every language. */
const given = ['All', 'Change Password', 'Error', 'Invoice not found', 'Login Berhasil', 'Request Reset Password Successfully', 'You are already logged in!', '{start} - {end} of {total}']
/** Names of things and languages, abbreviations, and words that Indonesian has taken over: the same in both. */
const same: Readonly<Record<'cn' | 'id', readonly string[]>> = {
  cn: ['English', 'Bahasa', 'Indonesia', 'Excel', 'PostgreSQL', 'PPh'],
  id: [
    'English', 'Bahasa', 'Indonesia', 'Excel', 'PostgreSQL', 'PPh', 'Bank', 'Batch', 'Cash', 'Checksum', 'Log', 'Logo', 'Tab', 'in', 'transit', 'Debit', 'debit', 'Email', 'Filter', 'Format', 'Giro', 'Internal', 'Label', 'Manual', 'Margin', 'Master', 'Memo', 'Menu',
    'Mode', 'No', 'Nonce', 'Per', 'Promo', 'Reset', 'Salesman', 'Set', 'Status', 'Total', 'Transfer', 'Transit', 'Unit', 'Van', 'Virtual', 'account', 'Volume',
  ],
}

describe.each(['cn', 'id'] as const)('translated into %s', (language) => {
  const catalogue = readCatalogue(root, language)
  const words = (text: string): readonly string[] => (given.includes(text) ? [] : (text.replace(/\{\w+\}/g, ' ').match(/\p{L}[\p{L}\d]*/gu) ?? []))
  /** Abbreviations (`SKU`, `V1`, `D3`) and placeholders are nobody's words. */
  const isAbbreviation = (word: string): boolean => !/\p{Ll}/u.test(word) || word.length === 1 || /^[\p{Script=Han}]+$/u.test(word)

  it('nothing has been left in English', () => {
    const left = Object.keys(english).filter((key) => catalogue[key] === english[key] && words(english[key] ?? '').some((word) => !isAbbreviation(word) && !same[language].includes(word)))
    expect(left.map((key) => `${key}: ${english[key]}`)).toEqual([])
  })

  if (language === 'cn') {
    it('no sentence mixes English words in', () => {
      const mixed = Object.entries(catalogue).filter(([, text]) => (text.replace(/\{[\w]+\}/g, '').match(/\b[a-z]{4,}\b/g) ?? []).length > 2 && !given.includes(text))
      expect(mixed.map(([key, text]) => `${key}: ${text}`)).toEqual([])
    })
  }
})

describe('quantities of goods', () => {
  // Stock is kept and moved in the base unit, orders and invoices are written in the unit bought.
  it.each(['sales-order.detail', 'delivery-plan.detail', 'delivery-order.detail', 'goods-issue.detail', 'invoice.detail'])('of %s stand beside their unit', (id) => {
    const screen = metadata.screens[id]
    const tabs = screen?.kind === 'detail' ? screen.tabs.flatMap((tab) => (tab.kind === 'lines' ? [tab.columns] : [])) : []
    const unitOf = (columns: (typeof tabs)[number], at: number) => columns.slice(0, at).findLast(({ name }) => name === 'uom' || name.endsWith('.base_uom'))?.name
    const found = tabs.flatMap((columns) => columns.flatMap(({ name, type }, at) => (type === 'quantity' ? [[name, unitOf(columns, at)]] : [])))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(([name, unit]) => unit !== (name === 'qty' && ['sales-order.detail', 'invoice.detail'].includes(id) ? 'uom' : 'item_id.base_uom'))).toEqual([])
  })
})

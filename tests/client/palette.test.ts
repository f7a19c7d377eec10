import { describe, expect, it, vi } from 'vitest'
import type { MenuEntry } from '#api/session.ts'
import type { SearchHit } from '#api/search.ts'
import { setCatalogues } from '#client/app/messages.ts'
import { foundIn } from '#client/app/menuSearch.ts'
import { keepSearch, recentSearches, visited } from '#client/companion/recent.ts'
import { grouped, matching, pageChoices, recordChoices } from '#client/palette/sources.ts'
import { readCatalogue } from '../../scripts/schemas/catalogue.ts'
import { root } from '../../scripts/schemas/readSources.ts'

setCatalogues(readCatalogue(root, 'en'))

const entry = (name: string, url: string): MenuEntry => ({ name, url, icon: '', order: 0, submenu: [] })
const menu: readonly MenuEntry[] = [
  { ...entry('Sales', ''), submenu: [entry('New order', '/sales-order-form'), entry('Sales orders', '/sales-order-list')] },
  { ...entry('Reports', ''), submenu: [entry('Order to billing', '/report/so-do-gi-bill')] },
]
const lines = (choices: ReturnType<typeof pageChoices>) => choices.map(({ group, label }) => `${group}: ${label}`)

describe('pages in the palette', () => {
  it('stand in the order of how well they match, and what starts something new is an action', () => {
    expect(lines(pageChoices(menu, 'order'))).toEqual(['ui.palette.pages: Order to billing', 'ui.palette.actions: New order', 'ui.palette.pages: Sales orders'])
  })

  it('are found by their group too, every word counting', () => {
    expect(lines(pageChoices(menu, 'sales new'))).toEqual(['ui.palette.actions: New order'])
    expect(pageChoices(menu, 'sales invoice')).toEqual([])
  })
})

describe('what is typed to find a page', () => {
  it('is one text however it is written: wide letters, a hard blank, a mark unseen', () => {
    const found = (typed: string) => foundIn(menu, typed).flatMap(({ submenu }) => submenu.map(({ name }) => name))
    expect(found('\uff2e\uff45\uff57')).toEqual(['New order'])
    expect(found('new\u00a0or\u200bder')).toEqual(['New order'])
  })

  it('is kept once, however it was written', () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) })
    keepSearch(3, 'Toko  Cafe\u0301')
    keepSearch(3, 'toko caf\u00e9')
    expect(recentSearches(3)).toEqual(['toko caf\u00e9'])
  })
})

describe('records in the palette', () => {
  const hit = (Entity: string, ID: number, more: Partial<SearchHit> = {}): SearchHit => ({ Entity, ID, Code: `${Entity}-${ID}`, Name: 'Toko Makmur', Date: null, Status: null, Url: `/${Entity}/${ID}`, ...more })

  it('come under a heading for each kind, the best kind first, without those whose page is not in the menu', () => {
    const hits = [hit('invoice', 1, { Date: '2026-11-20', Status: 1 }), hit('customer', 2), hit('invoice', 3, { Date: '2026-11-19', Status: 2 }), hit('secret', 4)]
    const shown = grouped(recordChoices(hits, (path) => !path.startsWith('/secret')))
    expect(shown.map(({ group, choices }) => [group, choices.map(({ label, hint }) => `${label} ${hint}`)])).toEqual([
      ['entity.invoice', ['invoice-1 Toko Makmur · 20/11/2026', 'invoice-3 Toko Makmur · 19/11/2026']],
      ['entity.customer', ['Toko Makmur customer-2']],
    ])
  })
})

it('actions are found by any of their words', () => {
  const actions = [{ id: 'a', group: 'g', label: 'Theme: Dark', hint: 'Theme', icon: 'moon' as const, does: { kind: 'type' as const, text: '' } }]
  expect(matching(actions, 'dark theme')).toHaveLength(1)
  expect(matching(actions, 'light')).toEqual([])
})

describe('pages visited', () => {
  it('stand newest first, each once, with the name their record had', () => {
    const before = [{ url: '/a' }, { url: '/b', name: 'SO/1' }]
    expect(visited(before, { url: '/b' })).toEqual([{ url: '/b', name: 'SO/1' }, { url: '/a' }])
    expect(visited(before, { url: '/c', name: 'SO/2' })).toEqual([{ url: '/c', name: 'SO/2' }, { url: '/a' }, { url: '/b', name: 'SO/1' }])
  })

  it('are fifteen at most', () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ url: `/${i}` }))
    expect(visited(many, { url: '/new' })).toHaveLength(15)
  })
})

it('words mean the same however their letters are composed, however wide they are and whatever stands unseen between them', () => {
  const choice = (label: string) => ({ id: label, group: 'ui.palette.pages', label, hint: '', icon: 'search', does: { kind: 'type', text: label } }) as const
  const found = (label: string, search: string) => matching([choice(label)], search).length
  expect([found('Café Makmur', 'cafe\u0301'), found('Cafe\u0301', 'café'), found('C0000001', '\uff23\uff10\uff10'), found('Toko\u00a0Makmur', 'toko  makmur'), found('Toko Makmur', '\u200bmak\u00admur')]).toEqual([1, 1, 1, 1, 1])
  expect(found('Café', 'cafx')).toBe(0)
})

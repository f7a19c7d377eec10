import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MenuSource } from '#generated/language.ts'
import { metadata } from '#generated/metadata.ts'
import { placedEntries, servedMenu } from '#meta/menuTree.ts'

const menu: MenuSource = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../schemas/menu.json'), 'utf8'))
const entries = placedEntries(menu)
const urls = new Set(entries.map(({ entry }) => entry.url))
/** Pages around the work: none of them is an entry. */
const around = /^\/($|home$|dashboard$|profile|change-log$|report-schedules$|exports$|report-trial\/|approval\/delegation$)/
/** A page of an entry: its form, its record, a step of it. */
const inner = /\/(add|create|form|dn-form|edit|detail|view|show|find|due|[a-z-]+-create|\{\w+\}|create-credit-note-[a-z]+)(\/|$)|-create$|\/(create|edit|view)-credit-note-/

describe('the menu file', () => {
  it('has groups of at most nine entries', () => {
    expect(menu.filter(({ submenu }) => submenu.length > 9).map(({ name }) => name)).toEqual([])
  })

  it('holds every screen of the product, served or not', () => {
    const missing = metadata.routes.filter(({ layout, path: url, redirect }) => layout === 'main' && redirect === undefined && !urls.has(url) && !around.test(url) && !inner.test(url)).map(({ path: url }) => url)
    expect(missing).toEqual([])
  })

  it('keeps every queue under the one inbox', () => {
    const queues = metadata.routes.filter(({ screen }) => metadata.screens[screen ?? '']?.kind === 'approval').filter(({ path: url }) => !url.includes('{'))
    const inbox = menu.flatMap(({ submenu }) => submenu).find(({ url }) => url === '/approval')
    expect(queues.map(({ path: url }) => url).filter((url) => !inbox?.queues?.some((queue) => queue.url === url))).toEqual([])
  })
})

describe('what the menu shows', () => {
  const of = (served: readonly string[]) =>
    servedMenu([{ name: 'A', icon: 'eye', submenu: [{ name: 'New', url: '/v3', variants: [{ name: 'Older', url: '/v2' }, { name: 'Oldest', url: '/v1' }] }] }], new Set(served)).map(({ submenu }) => submenu.map(({ url, under }) => [url, under]))

  it('is what is served; the first that is stands for those above it that are not; a group without any is none', () => {
    expect(of([])).toEqual([])
    expect(of(['/v1', '/v2', '/v3'])).toEqual([[['/v3', undefined], ['/v2', '/v3'], ['/v1', '/v3']]])
    expect(of(['/v1', '/v2'])).toEqual([[['/v2', undefined], ['/v1', '/v2']]])
  })
})

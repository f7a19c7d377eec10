import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { addTexts, type Texts } from './catalogue.ts'
import { menuWith, routesWith, titled, waitingEntry } from '../../src/meta/authoring/fileEdits.ts'
import { formatJson } from '../../src/meta/authoring/formatJson.ts'
import { menuGroupOf } from './menuGroup.ts'
import { migrateNoun, nextMigration } from './nextMigration.ts'
import { readSchemaFiles, sourcesOf, versionIn } from './readSources.ts'
import { approvalEntries, planOf, planTexts, type DocumentFacts } from './wholeDocument.ts'
import { sourcesOfPlan, type NewSource } from './wholeSources.ts'

export interface NewNoun {
  /** A document with a workflow unless said: master data with a code and a name. */
  readonly kind?: 'document' | 'entity'
  /** `sales`. */
  readonly area: string
  /** `price-offer`, in the singular. */
  readonly noun: string
  /** Path it is served at; found in the route list by its name when not given. */
  readonly path?: string
  /** What it is called; made from the noun in English when not given. */
  readonly titles?: Partial<Texts>
  /** What is known of a document beyond its name; without any it has one amount and is submitted and cancelled. */
  readonly facts?: DocumentFacts
}

/** Writes everything a new document needs to be listed, entered, looked at and moved, or new master data to be listed and kept; of a noun that is there, the next migration where its entities have changed. Returns the files, or why it refused. */
export function newNoun(root: string, wanted: NewNoun): { readonly files: readonly string[] } | { readonly refused: string } {
  const { area, noun } = wanted
  if (!/^[a-z][a-z0-9-]*$/.test(area) || !/^[a-z][a-z0-9-]*$/.test(noun)) return { refused: 'Write <area>/<noun> in small letters, words joined by "-".' }
  const known = migrateNoun(root, area, noun)
  if (known !== undefined) return known
  const entity = noun.replaceAll('-', '_')
  const { sources } = sourcesOf(readSchemaFiles(path.join(root, 'schemas'), root))
  if (sources.entity.some(({ value }) => value.id === entity || value.resource === noun)) return { refused: `There is already an entity "${entity}".` }
  const route = wanted.path ?? pathFor(sources.routes, noun)
  if (!route.startsWith('/')) return { refused: noPath(route) }
  const served = sources.routes.find((row) => row.path === route)
  if (served !== undefined && (served.screen ?? served.page ?? served.redirect) !== undefined) return { refused: `${route} is already served.` }

  const plan = wanted.kind === 'entity' ? undefined : planOf(sources, noun, wanted.facts ?? {})
  if (plan !== undefined && 'refused' in plan) return plan
  const files: string[] = []
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
    files.push(name)
  }
  const written: readonly NewSource[] = plan === undefined ? Object.entries(master(entity, noun)).map(([kind, body]) => ({ noun, name: noun, kind, body })) : sourcesOfPlan(plan)
  for (const { noun: place, name, kind, body } of written) {
    const source = { $schema: `../../../src/generated/editor/${kind}.schema.json`, kind, ...versionIn(root, kind), ...body }
    write(path.join('schemas', area, place, `${name}.${kind}.json`), `${formatJson(source)}\n`)
  }
  const menuText = readFileSync(path.join(root, 'schemas/menu.json'), 'utf8')
  const waiting = waitingEntry(menuText, route)
  const group = waiting?.group ?? menuGroupOf(sources, area)
  const title = wanted.titles?.en ?? titled(noun)
  const names = approvalEntries(title)
  const approvals = written.filter(({ kind }) => kind === 'approval').map(({ name }) => ({ url: `/approval/${name}`, screen: `${name}.approval`, name: name === noun ? names.approval : names.reversal }))
  const routesText = routesWith(readFileSync(path.join(root, 'schemas/routes.json'), 'utf8'), route, `${noun}.list`, group)
  write('schemas/routes.json', approvals.reduce((text, { url, screen }) => routesWith(text, url, screen, approvalGroup), routesText))
  write('schemas/menu.json', approvals.reduce((text, { url, name }) => menuWith(text, approvalGroup, name, `${noun}-approve`, url), menuWith(menuText, group, title, `${noun}-view`, route)))
  if (plan?.settles !== undefined) write(allocations, withKind(readFileSync(path.join(root, allocations), 'utf8'), plan.settles.as))
  if (plan !== undefined) addTexts(root, planTexts(plan, { en: title, cn: wanted.titles?.cn ?? title, id: wanted.titles?.id ?? title }))
  addTexts(root, (wanted.kind === 'entity' ? masterTexts : textsFor)(entity, noun, group, { en: title, cn: wanted.titles?.cn ?? title, id: wanted.titles?.id ?? title }, waiting?.name ?? title))
  files.push(...['en', 'cn', 'id'].map((language) => `schemas/messages/${language}.json`))
  const migration = nextMigration(root, [entity, ...(plan?.settles === undefined ? [] : ['ar_allocation'])], entity)
  if (migration !== undefined) write(migration.name, migration.sql)
  return { files }
}

/** The menu group the queues of approvals stand in. */
const approvalGroup = 'Approval'

/** Where it is said what allocations are called. */
const allocations = 'schemas/receivables/ar-allocation/ar-allocation.entity.json'

/** The kinds of allocations with one more. */
function withKind(text: string, kind: string): string {
  const allocation: { readonly fields: { readonly source_type: { readonly values: readonly string[] } } } = JSON.parse(text)
  const { values } = allocation.fields.source_type
  return values.includes(kind) ? text : text.replace(JSON.stringify(values.at(-1)), `${JSON.stringify(values.at(-1))}, ${JSON.stringify(kind)}`)
}

/** Master data: a code and a name, switched off when no longer used. */
function master(entity: string, noun: string): Readonly<Record<string, object>> {
  return {
    entity: {
      id: entity,
      base: 'master',
      resource: noun,
      display: ['code', 'name'],
      key: [['code']],
      fields: { code: { type: 'code', required: true, search: true }, name: { type: 'text', required: true, search: true } },
    },
    list: {
      id: `${noun}.list`,
      entity,
      columns: [{ field: 'code', width: 160, pin: 'left' }, { field: 'name', width: 320, importance: 'high' }, 'is_active', { field: 'updated_at', hidden: true }],
      filters: ['is_active'],
      sort: [{ field: 'code', dir: 'asc' }],
      actions: [{ id: 'new', panel: `${noun}.form`, scope: 'page', guard: `${noun}-create` }],
      panel: `${noun}.form`,
    },
    form: { id: `${noun}.form`, entity, sections: [{ id: 'general', fields: ['code', { field: 'name', span: 2 }, 'is_active'] }] },
  }
}

/** The path of the specification whose last fixed part is the noun and that nothing serves yet, or a new one. */
export function pathFor(routes: readonly { readonly path: string; readonly screen?: string; readonly page?: string; readonly redirect?: string }[], noun: string): string {
  const free = routes.filter((row) => (row.screen ?? row.page ?? row.redirect) === undefined && !row.path.includes('{'))
  const names = [noun, `${noun}-list`, noun.replaceAll('-', '_')]
  return free.find((row) => names.includes(row.path.split('/').at(-1) ?? ''))?.path ?? `/${noun}`
}

function textsFor(entity: string, noun: string, group: string, title: Texts, entry: string): Record<string, Texts> {
  return {
    [`entity.${entity}`]: title,
    [`screen.${noun}.list`]: title,
    [`screen.${noun}.form`]: title,
    [`screen.${noun}.detail`]: title,
    [`menu.${entry}`]: title,
    [`menu.${group}`]: { en: group, cn: group, id: group },
    'section.general': { en: 'General', cn: '一般信息', id: 'Umum' },
    'tab.general': { en: 'General', cn: '一般信息', id: 'Umum' },
    'tab.history': { en: 'History', cn: '历史', id: 'Riwayat' },
    'preset.open': { en: 'Open', cn: '未清', id: 'Terbuka' },
    'action.new': { en: 'New', cn: '新建', id: 'Baru' },
    'action.submit': { en: 'Submit', cn: '提交', id: 'Ajukan' },
    'action.cancel': { en: 'Cancel', cn: '取消', id: 'Batalkan' },
    'field.description': { en: 'Description', cn: '说明', id: 'Keterangan' },
    'field.amount': { en: 'Amount', cn: '金额', id: 'Jumlah' },
  }
}

function masterTexts(entity: string, noun: string, group: string, title: Texts, entry: string): Record<string, Texts> {
  return {
    [`entity.${entity}`]: title,
    [`screen.${noun}.list`]: title,
    [`screen.${noun}.form`]: title,
    [`menu.${entry}`]: title,
    [`menu.${group}`]: { en: group, cn: group, id: group },
    'section.general': { en: 'General', cn: '一般信息', id: 'Umum' },
    'action.new': { en: 'New', cn: '新建', id: 'Baru' },
    'field.code': { en: 'Code', cn: '编码', id: 'Kode' },
    'field.name': { en: 'Name', cn: '名称', id: 'Nama' },
  }
}

export function noPath(route: string): string {
  return `A path begins with "/": --path /${route}`
}

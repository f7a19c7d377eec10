import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { didYouMean } from '../../src/meta/check/finding.ts'
import { resolve } from '../../src/meta/resolve.ts'
import type { EntityField, ResolvedEntity } from '../../src/meta/resolved.ts'
import { addTexts, languages, type Texts } from './catalogue.ts'
import { menuWith, routesWith, titled, waitingEntry } from '../../src/meta/authoring/fileEdits.ts'
import { formatJson } from '../../src/meta/authoring/formatJson.ts'
import { reportOver } from '../../src/meta/authoring/reportOver.ts'
import { menuGroupOf } from './menuGroup.ts'
import { noPath, pathFor } from './newNoun.ts'
import { readSchemaFiles, sourcesOf, versionIn } from './readSources.ts'

/** What may be scaffolded over something that exists already. */
export const screenScaffolds = ['report', 'list', 'form', 'dataset'] as const

export interface NewScreen {
  readonly kind: (typeof screenScaffolds)[number]
  /** `sales/net-sales`. */
  readonly area: string
  readonly noun: string
  /** Dataset of a report, entity of a list or form. */
  readonly of?: string
  /** Path it is served at; found in the route list by its name, or made, when not given. */
  readonly path?: string
  readonly titles?: Partial<Texts>
}

type Outcome = { readonly files: readonly string[] } | { readonly refused: string }

/** Writes one screen with its labels, route, menu entry and permission, or a dataset. Returns the files, or why it refused. */
export function newScreen(root: string, wanted: NewScreen): Outcome {
  const { kind, area, noun } = wanted
  if (![area, noun].every((word) => /^[a-z][a-z0-9-]*$/.test(word))) return { refused: 'Write <area>/<noun> in small letters, words joined by "-".' }
  const scaffold = new Scaffold(root, wanted)
  const file = scaffold.file(`${noun}.${kind}.json`)
  if (existsSync(path.join(root, file))) return { refused: `${file} is already there.` }
  const refused = { report: () => scaffold.report(), list: () => scaffold.list(), form: () => scaffold.form(), dataset: () => scaffold.dataset() }[kind]()
  return refused === undefined ? { files: scaffold.write() } : { refused }
}

class Scaffold {
  /** What is written in the end, unless something is refused. */
  readonly #files = new Map<string, string>()
  readonly #added: Record<string, Texts> = {}
  readonly #root: string
  readonly #wanted: NewScreen
  readonly #sources
  readonly #metadata

  constructor(root: string, wanted: NewScreen) {
    this.#root = root
    this.#wanted = wanted
    this.#sources = sourcesOf(readSchemaFiles(path.join(root, 'schemas'), root)).sources
    this.#metadata = resolve(this.#sources).metadata
  }

  file(name: string): string {
    return path.join('schemas', this.#wanted.area, this.#wanted.noun, name)
  }

  write(): readonly string[] {
    for (const [name, text] of this.#files) {
      mkdirSync(path.dirname(path.join(this.#root, name)), { recursive: true })
      writeFileSync(path.join(this.#root, name), text)
    }
    addTexts(this.#root, this.#added)
    return [...this.#files.keys(), ...languages.map((language) => `schemas/messages/${language}.json`)]
  }

  report(): string | undefined {
    const { of = '' } = this.#wanted
    const all = this.#sources.dataset.map(({ value }) => value)
    const dataset = all.find(({ id }) => id === of)
    if (dataset === undefined) return `--of names the dataset${isNone(of, all.map(({ id }) => id))} There are ${all.map(({ id }) => id).join(', ')}.`
    this.#texts({ [`sentence.${this.#wanted.noun}.report`]: this.#titles() })
    return this.#serve(`${this.#wanted.noun}.report`, 'report', reportOver(dataset, this.#masters()), 'Reports', dataset.guard)
  }

  list(): string | undefined {
    const entity = this.#metadata.entities[this.#wanted.of ?? '']
    if (entity === undefined) return this.#noEntity()
    const form = Object.values(this.#metadata.screens).find((screen) => screen.kind === 'form' && screen.entity === entity.id)
    return this.#serve(`${this.#wanted.noun}.list`, 'list', listOf(entity, form?.id), menuGroupOf(this.#sources, this.#wanted.area), `${entity.resource}-view`)
  }

  /** A form is opened by a list of its entity: it gets no route of its own. */
  form(): string | undefined {
    const entity = this.#metadata.entities[this.#wanted.of ?? '']
    if (entity === undefined) return this.#noEntity()
    const list = this.#sources.list.find(({ value }) => value.entity === entity.id)
    if (list === undefined) return `No list shows ${entity.id}, so nothing would open the form; begin with "list".`
    if (list.value.panel !== undefined) return `${list.path} already opens ${list.value.panel}.`
    const id = `${this.#wanted.noun}.form`
    this.#write('form', { id, entity: entity.id, sections: [{ id: 'general', fields: typed(entity).map(({ name }) => name) }] })
    // By its text, so that the file keeps its form.
    const text = readFileSync(path.join(this.#root, list.path), 'utf8')
    // With a form there are new records to be made.
    const actions = list.value.actions === undefined ? `\n  "actions": ${formatJson([newIn(entity, id)], '  ')},` : ''
    this.#writeText(list.path, text.replace(/\s*\}\s*$/, `,${actions}\n  "panel": ${JSON.stringify(id)}\n}\n`))
    this.#texts({ [`screen.${id}`]: this.#titles(), 'section.general': { en: 'General', cn: '一般信息', id: 'Umum' } })
    return undefined
  }

  dataset(): string | undefined {
    const id = this.#wanted.noun.replaceAll('-', '_')
    const source = {
      id, grain: 'One customer', key: ['customer_id'], guard: `report-${this.#wanted.noun}-view`, scope: { operating_unit: 'c.operating_unit_id', territory: 'c.territory_id' },
      dimensions: {
        customer_id: { type: 'ref', entity: 'customer', describes: 'customer_code' }, customer_code: { type: 'code' }, customer_name: { type: 'text', describes: 'customer_code' },
        operating_unit_id: { type: 'ref', entity: 'operating_unit' }, territory_id: { type: 'ref', entity: 'territory' },
      },
      measures: { customers: { type: 'integer', agg: 'count' } },
    }
    this.#write('dataset', source)
    this.#writeText(this.file(`${this.#wanted.noun}.dataset.sql`), '-- One row a customer: put your own statement here, and describe its columns beside it.\nselect c.id as customer_id, c.code as customer_code, c.name as customer_name, c.operating_unit_id, c.territory_id\nfrom customer c\nwhere c.is_active and :scope\n')
    this.#texts({ [`dataset.${id}`]: this.#titles(), [`grain.${id}`]: { en: 'One customer', cn: '每行一位客户', id: 'Satu pelanggan' }, 'field.customers': { en: 'Customers', cn: '客户数', id: 'Jumlah pelanggan' } })
    return undefined
  }

  #masters(): ReadonlySet<string> {
    return new Set(Object.values(this.#metadata.entities).flatMap(({ id, base }) => (base === 'master' ? [id] : [])))
  }

  #noEntity(): string {
    return `--of names the entity${isNone(this.#wanted.of ?? '', Object.keys(this.#metadata.entities))}`
  }

  #serve(id: string, kind: 'report' | 'list', body: object, usual: string, guard: string): string | undefined {
    const route = this.#wanted.path ?? (kind === 'report' ? this.#reportPath() : pathFor(this.#sources.routes, this.#wanted.noun))
    const row = this.#sources.routes.find((candidate) => candidate.path === route)
    if (!route.startsWith('/')) return noPath(route)
    if ((row?.screen ?? row?.page ?? row?.redirect) !== undefined) return `${route} is already served.`
    const title = this.#titles()
    this.#write(kind, { id, ...body })
    const menuText = readFileSync(path.join(this.#root, 'schemas/menu.json'), 'utf8')
    const { group, name } = waitingEntry(menuText, route) ?? { group: usual, name: title.en }
    this.#writeText('schemas/routes.json', routesWith(readFileSync(path.join(this.#root, 'schemas/routes.json'), 'utf8'), route, id, group))
    this.#writeText('schemas/menu.json', menuWith(menuText, group, name, guard, route))
    this.#texts({ [`screen.${id}`]: title, [`menu.${name}`]: title, [`menu.${group}`]: { en: group, cn: group, id: group } })
    return undefined
  }

  #reportPath(): string {
    const known = this.#sources.routes.find((row) => row.path === `/report/${this.#wanted.noun}`)
    return known?.path ?? `/report/${this.#wanted.noun}`
  }

  #titles(): Texts {
    const { titles = {}, noun } = this.#wanted
    const en = titles.en ?? titled(noun)
    return { en, cn: titles.cn ?? en, id: titles.id ?? en }
  }

  #write(kind: string, body: object): void {
    this.#writeText(this.file(`${this.#wanted.noun}.${kind}.json`), `${formatJson({ $schema: `../../../src/generated/editor/${kind}.schema.json`, kind, ...versionIn(this.#root, kind), ...body })}\n`)
  }

  #writeText(name: string, text: string): void {
    this.#files.set(name, text)
  }

  #texts(texts: Readonly<Record<string, Texts>>): void {
    Object.assign(this.#added, texts)
  }
}

/** Ends the sentence that says what is asked for. */
function isNone(name: string, names: readonly string[]): string {
  return name === '' ? '.' : `; "${name}" is none${didYouMean(name, names) || '.'}`
}

const besides = ['id', 'created_by', 'created_at', 'updated_by', 'updated_at', 'version']

function typed(entity: ResolvedEntity): readonly EntityField[] {
  return entity.fields.filter((field) => !field.readOnly && !field.hidden && field.type !== 'json' && !besides.includes(field.name))
}

function newIn({ resource }: ResolvedEntity, form: string): object {
  return { id: 'new', panel: form, scope: 'page', guard: `${resource}-create` }
}

function listOf(entity: ResolvedEntity, form: string | undefined): object {
  const fields = entity.fields.filter((field) => !field.hidden && !['id', 'json', 'longtext'].includes(field.type) && !besides.includes(field.name))
  const names = fields.map(({ name }) => name)
  const [first] = entity.display
  return {
    entity: entity.id,
    columns: [{ field: first, width: 150, pin: 'left' }, ...names.filter((name) => name !== first).slice(0, 9)],
    filters: fields.filter(({ type }) => ['ref', 'enum', 'status', 'date', 'boolean'].includes(type)).map(({ name }) => name).slice(0, 8),
    sort: [{ field: first, dir: 'asc' }],
    ...(form === undefined ? {} : { actions: [newIn(entity, form)], panel: form }),
  }
}

import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldProblem } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import { metadata } from '#generated/metadata.ts'
import type { EntityField, Field, FormScreen, ResolvedEntity, Screen } from '#meta/resolved.ts'
import { ident, sql } from '#server/db/sql.ts'
import { emptyValue } from '#server/documents/emptyValue.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import { isCreatable } from '#server/documents/writable.ts'
import { registries } from '#server/registries.ts'
import { testApp, type Answer, type Session, type TestApp } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'
import { rowFingerprint } from '../support/fingerprint.ts'

// Every form of the areas master, setting and pricing, taken from the routes: what is wrong is refused with its code at its field, and nothing changes.

const passing = ['user_session', 'rate_limit', 'command_log']

let arus: TestApp
let admin: Session
let serial = 0

beforeAll(async () => {
  arus = await testApp({ template: demoTemplate })
  admin = await arus.signIn('admin')
})

/** Screens a route of these areas leads to: its own, those under its tabs, and the forms its lists open beside themselves. */
function* screensOf(id: string | undefined): Generator<Screen> {
  const screen: Screen | undefined = metadata.screens[id ?? '']
  if (screen === undefined) return
  yield screen
  if (screen.kind === 'workbench') for (const tab of screen.tabs) yield* screensOf(tab.screen)
  if (screen.kind === 'list') for (const { does } of screen.actions) if (does.kind === 'panel') yield* screensOf(does.screen)
  if (screen.kind === 'list') yield* screensOf(screen.panel)
}

const reached = new Map(metadata.routes.filter(({ path }) => /^\/(master|setting)\//.test(path)).flatMap(({ screen }) => [...screensOf(screen)]).map((screen) => [screen.id, screen]))
const forms = [...reached.values()].filter((screen): screen is FormScreen => screen.kind === 'form')

interface Asked {
  readonly field: EntityField
  readonly shown: Field
  readonly isAlways: boolean
}

const entityOf = (form: { readonly entity: string }): ResolvedEntity => metadata.entities[form.entity] ?? raise(`No entity ${form.entity}`)
const computedOf = (entity: ResolvedEntity): readonly string[] => registries.hooks[hookKey(entity)]?.computed ?? []

/** What people type in the form; values only the server writes are none. */
function asked(form: FormScreen): readonly Asked[] {
  const entity = entityOf(form)
  return form.sections.flatMap((section) => section.fields.map((shown) => ({ shown, isAlways: section.when === undefined && shown.when === undefined && shown.compute === undefined })))
    .flatMap(({ shown, isAlways }) => {
      const field = entity.fields.find(({ name }) => name === shown.name)
      return field === undefined || field.readOnly || shown.readOnly || computedOf(entity).includes(field.name) ? [] : [{ field, shown, isAlways }]
    })
}

/** The line grids of a form, and what people type in them. */
function grids(form: FormScreen) {
  const entity = entityOf(form)
  return [form.lines, ...form.sections.map((section) => section.lines)].flatMap((lines) => {
    const line = lines === undefined ? undefined : entity.lines.find(({ wire }) => wire === lines.wire)
    if (lines === undefined || line === undefined) return []
    const owner = metadata.entities[line.entity] ?? raise(line.entity)
    const columns = lines.columns.flatMap((column) => {
      const field = owner.fields.find(({ name }) => name === column.name)
      return field === undefined || field.readOnly || column.readOnly || !column.entry || computedOf(entity).includes(`lines.${field.name}`) ? [] : [field]
    })
    return [{ wire: lines.wire, columns }]
  })
}

const decimals = ['quantity', 'money', 'percent', 'rate', 'price', 'cost']

/** A value of another type, and what is said of it; undefined where any value will do. */
function misfit(field: Field): { readonly value: unknown; readonly code: string } | undefined {
  if (field.type === 'json') return undefined
  if (field.type === 'enum' || field.type === 'status') return { value: 'NO-SUCH', code: field.choices === undefined ? 'WRONG_TYPE' : 'NOT_A_CHOICE' }
  const value = decimals.includes(field.type) ? 'many' : { integer: '12', date: '2026-02-30', datetime: 'noon', period: '202613', boolean: 'yes', ref: 'C0000001', id: 'x', textlist: 'x', email: 'nobody' }[field.type as string]
  return { value: value ?? 5, code: 'WRONG_TYPE' }
}

/** Values just beyond what the field takes, each with what is said of it. */
function beyond(field: Field): readonly { readonly value: unknown; readonly code: string }[] {
  const isNumber = field.type === 'integer' || decimals.includes(field.type)
  const wire = (text: bigint): unknown => (field.type === 'integer' ? Number(text) : String(text))
  const found: { value: unknown; code: string }[] = []
  if (isNumber && field.min !== undefined) found.push({ value: wire(BigInt(field.min.split('.')[0] ?? '0') - 1n), code: 'TOO_SMALL' })
  if (isNumber && field.max !== undefined) found.push({ value: wire(BigInt(field.max.split('.')[0] ?? '0') + 1n), code: 'TOO_LARGE' })
  if (decimals.includes(field.type)) found.push({ value: '9'.repeat(19), code: 'TOO_LARGE' })
  if (['code', 'text', 'longtext', 'email'].includes(field.type)) found.push({ value: 'x'.repeat((field.maxLength ?? (field.type === 'longtext' ? 10_000 : 500)) + 1), code: 'TOO_LONG' })
  return found
}

interface Target {
  readonly what: 'create' | 'edit'
  readonly send: (body: object, version?: number) => Promise<Answer>
}

/** The calls behind the form: one that makes a record where it makes any, one that changes a record there is. */
async function targetsOf(form: FormScreen): Promise<readonly Target[]> {
  const entity = entityOf(form)
  const path = `/api/v1/data/${entity.resource}`
  const key = () => `hostile-form-${serial++}`
  const targets: Target[] = []
  if (isCreatable(registries, entity)) {
    const start = Object.fromEntries(Object.entries(form.defaults).flatMap(([name, value]) => (typeof value === 'object' ? [] : [[wireName(name), value]])))
    targets.push({ what: 'create', send: (body) => admin.post(path, { ...start, ...body }, { key: key() }) })
  }
  const record = await someRecord(form)
  if (record !== undefined) targets.push({ what: 'edit', send: (body, version = record.version) => admin.put(`${path}/${record.id}`, body, { version, key: key() }) })
  return targets
}

async function someRecord(form: FormScreen): Promise<{ readonly id: number; readonly version: number } | undefined> {
  const entity = entityOf(form)
  const isDocument = entity.base === 'document'
  const isVersioned = entity.fields.some(({ name }) => name === 'version')
  return arus.database.first<{ id: number; version: number }>(sql`
    select id, ${isVersioned ? sql`version` : sql`1 as version`} from ${ident(entity.table)} where ${isDocument ? sql`status in (0, 5)` : sql`true`} order by id limit 1`)
}

const told = (answer: Answer): readonly string[] => (answer.data?.errors ?? []).map((error: FieldProblem) => `${error.field} ${error.code}`)

/** What is missing from an answer that should refuse with these: field and code. */
function missed(what: string, answer: Answer, wanted: readonly string[]): readonly string[] {
  if (answer.code !== 'VALIDATION_FAILED' || answer.status !== 422) return [`${what}: ${answer.status} ${answer.code} ${answer.message}`]
  const found = new Set(told(answer))
  const silent = (answer.data.errors as readonly FieldProblem[]).filter((error) => !/^[\p{L}“"\d].*[.!?]$/u.test(error.text) || !error.key.startsWith('field.') && !error.key.startsWith('rule.'))
  return [...wanted.filter((one) => !found.has(one)).map((one) => `${what}: no ${one} among ${[...found].join(', ')}`), ...silent.map((error) => `${what}: ${error.field} says ${error.text}`)]
}

/** Runs the attack on both calls of every form and holds all tables against what they held. Answers how many calls were made. */
async function attack(run: (form: FormScreen, target: Target) => Promise<readonly string[] | undefined>): Promise<number> {
  const before = await rowFingerprint(arus.database, passing)
  const wrong: string[] = []
  let made = 0
  for (const form of forms) {
    for (const target of await targetsOf(form)) {
      const found = await run(form, target)
      if (found !== undefined) made++
      wrong.push(...(found ?? []).map((one) => `${form.id} ${target.what} ${one}`))
    }
  }
  expect(wrong).toEqual([])
  expect(await rowFingerprint(arus.database, passing)).toEqual(before)
  return made
}

/** The same of head and lines: keys and values to send, and what is to be said of each. */
function spoiled(form: FormScreen, bad: (field: Field) => { readonly value: unknown; readonly code: string } | undefined) {
  const of = (fields: readonly Field[]) => fields.flatMap((field) => {
    const one = bad(field)
    return one === undefined ? [] : [{ wire: field.wire, ...one }]
  })
  const head = of(asked(form).map(({ field }) => field))
  const lines = grids(form).map(({ wire, columns }) => ({ wire, cells: of(columns) })).filter(({ cells }) => cells.length > 0)
  const record = (cells: typeof head) => Object.fromEntries(cells.map(({ wire, value }) => [wire, value]))
  return {
    body: { ...record(head), ...Object.fromEntries(lines.map(({ wire, cells }) => [wire, [record(cells)]])) },
    wanted: [...head.map(({ wire, code }) => `${wire} ${code}`), ...lines.flatMap(({ wire, cells }) => cells.map((cell) => `${wire}[0].${cell.wire} ${cell.code}`))],
  }
}

describe('the forms of masters, settings and prices', () => {
  it('are those of the routes', () => {
    expect(forms.length).toBeGreaterThan(50)
    expect(forms.reduce((sum, form) => sum + asked(form).length, 0)).toBeGreaterThan(350)
  })

  it('refuse values of the wrong type and unknown choices, all at once', async () => {
    const made = await attack(async (form, { send }) => {
      const { body, wanted } = spoiled(form, misfit)
      return wanted.length === 0 ? undefined : missed('wrong type', await send(body), wanted)
    })
    expect(made).toBeGreaterThan(80)
    // Ticks are looked at once the rest is right.
    const ticked = await attack(async (form, { what, send }) => {
      const ticks = form.sections.flatMap((section) => (section.ticks === undefined ? [] : [section.ticks.wire]))
      return ticks.length === 0 || what === 'create' ? undefined : missed('ticks', await send(Object.fromEntries(ticks.map((wire) => [wire, 'all']))), ticks.map((wire) => `${wire} WRONG_TYPE`))
    })
    expect(ticked).toBe(3)
  }, 120_000)

  it('refuse unknown keys, of the head and of lines', async () => {
    await attack(async (form, { send }) => {
      const lines = grids(form)
      const body = { Surprise: 1, customer_id: 1, ...Object.fromEntries(lines.map(({ wire }) => [wire, [{ Surprise: 1 }]])) }
      return missed('unknown key', await send(body), ['Surprise UNKNOWN_FIELD', 'customer_id UNKNOWN_FIELD', ...lines.map(({ wire }) => `${wire}[0].Surprise UNKNOWN_FIELD`)])
    })
  }, 120_000)

  it.each([0, 1, 2])('refuse what is too long, too small or too large (%i)', async (round) => {
    const made = await attack(async (form, { send }) => {
      const { body, wanted } = spoiled(form, (field) => beyond(field)[round])
      return wanted.length === 0 ? undefined : missed('out of range', await send(body), wanted)
    })
    expect(made).toBeGreaterThan([80, 40, 5][round] ?? 0)
  }, 120_000)

  it('refuse what is missing', async () => {
    const made = await attack(async (form, { what, send }) => {
      const required = asked(form).filter(({ field, shown, isAlways }) => isAlways && shown.required && !field.nullable && emptyValue(field) === undefined)
      if (required.length === 0) return undefined
      const preset = (field: EntityField) => field.default !== undefined || field.name in form.defaults || field.name === 'operating_unit_id' || (field.name === 'code' && entityOf(form).series !== undefined)
      const unsaid = required.filter(({ field }) => !preset(field))
      return [
        ...missed('emptied', await send(Object.fromEntries(required.map(({ field }) => [field.wire, null]))), required.map(({ field }) => `${field.wire} REQUIRED`)),
        ...(what === 'create' && unsaid.length > 0 ? missed('left out', await send({}), unsaid.map(({ field }) => `${field.wire} REQUIRED`)) : []),
      ]
    })
    expect(made).toBeGreaterThan(70)
  }, 120_000)

  it('refuse records that are not there', async () => {
    const made = await attack(async (form, { what, send }) => {
      const references = asked(form).filter(({ field }) => field.type === 'ref' && field.file === undefined)
      if (references.length === 0 || what !== 'edit') return undefined
      return missed('unknown reference', await send(Object.fromEntries(references.map(({ field }) => [field.wire, 999_999_999]))), references.map(({ field }) => `${field.wire} NOT_IN_SCOPE`))
    })
    expect(made).toBeGreaterThan(20)
  }, 120_000)

  it('refuse a version nobody has seen, and answer with the record as it stands', async () => {
    const made = await attack(async (form, { what, send }) => {
      if (what === 'create' || entityOf(form).fields.every(({ name }) => name !== 'version')) return undefined
      const answer = await send({}, 999_999)
      return answer.code === 'VERSION_CONFLICT' && answer.status === 409 && typeof answer.data.current?.ID === 'number' ? [] : [`${answer.status} ${answer.code} ${answer.message}`]
    })
    expect(made).toBeGreaterThan(35)
  }, 120_000)

  it('refuse a key that is there already', async () => {
    const made = await attack(async (form, { what, send }) => {
      const entity = entityOf(form)
      const record = await someRecord(form)
      const keys = entity.key.filter((columns) => columns.every((name) => name !== 'id')).flat()
      if (what !== 'create' || record === undefined || entity.base === 'document' || keys.length === 0) return undefined
      const { record: whole } = (await admin.get(`/api/v1/data/${entity.resource}/${record.id}`)).data
      // What is chosen among a record's own is not there before the record is.
      const own = form.sections.flatMap(({ fields }) => fields).filter(({ lookupWhere }) => lookupWhere !== undefined && JSON.stringify(lookupWhere).includes('"field":"id"')).map(({ wire }) => wire)
      const writable = entity.fields.filter((field) => !field.readOnly && !field.hidden && whole[field.wire] !== undefined && whole[field.wire] !== null && !own.includes(field.wire))
      const lines = Object.fromEntries(entity.lines.map((line) => [line.wire, (whole[line.wire] ?? []).map(({ ID: _id, Version: _version, ...rest }: Record<string, unknown>) => rest)]))
      const extra = entity.id === 'app_user' ? { Password: 'Panjang-sekali-9' } : entity.id === 'tax_invoice_period' ? { Status: 'OPEN' } : {}
      const answer = await send({ ...Object.fromEntries(writable.map((field) => [field.wire, whole[field.wire]])), ...lines, ...extra })
      const isTold = ['DUPLICATE_DOCUMENT', 'VALIDATION_FAILED'].includes(answer.code) && told(answer).some((one) => keys.map(wireName).includes(one.split(' ')[0] ?? '') || one.endsWith(' DUPLICATE'))
      return isTold ? [] : [`${answer.status} ${answer.code} ${answer.message} ${told(answer).join(', ')}`]
    })
    expect(made).toBeGreaterThan(20)
  }, 120_000)

  it('meet no error of the server', () => {
    expect(arus.log).toEqual([])
  })
})

function raise(message: string): never {
  throw new Error(message)
}

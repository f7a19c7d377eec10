import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldProblem } from '#api/problems.ts'
import { metadata } from '#generated/metadata.ts'
import { sql } from '#server/db/sql.ts'
import { entityOfResource } from '#server/documents/entities.ts'
import { describedCalls, type DescribedCall } from '../support/calls.ts'
import { rowFingerprint } from '../support/fingerprint.ts'
import { openScene, type Scene } from '../support/scene.ts'

// Every call of the description that takes a body, with every kind of nonsense in it: made from the description, so that no call can forget it.

interface Property {
  readonly readOnly?: boolean
  readonly type?: unknown
  readonly enum?: unknown
  readonly $ref?: string
}

interface Body {
  readonly type?: unknown
  readonly $ref?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Property>>
}

interface Target {
  readonly call: DescribedCall
  readonly url: string
  readonly body: Body
  /** Keys a caller may send. */
  readonly keys: readonly string[]
  readonly texts: readonly string[]
}

/** What a call has to be given to get as far as its body. */
interface Sending {
  readonly payload: string | Buffer
  readonly version?: number
  readonly type?: string
}

/** Tables that only keep track of who calls. */
const passing = ['user_session', 'rate_limit']
/** Made once: hundreds of calls are sent it. */
const sixMegabytes = Buffer.from(JSON.stringify({ Note: 'x'.repeat(6 * 1024 * 1024) }))

let scene: Scene
let targets: readonly Target[]

beforeAll(async () => {
  scene = await openScene()
  const open = await scene.invoiced('C0000001', [{ item: 'A', qty: '10' }])
  await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
  await scene.draftPayment('C0000001', '50000.00', [])
  expect(open.ID).toBeGreaterThan(0)
  const document: { readonly components: { readonly schemas: Readonly<Record<string, Body>> } } = (await scene.at.app.inject('/api/v1/openapi.json')).json()
  const follow = (part: Body): Body => (part.$ref === undefined ? part : (document.components.schemas[part.$ref.split('/').pop() ?? ''] ?? {}))
  const found: Target[] = []
  for (const call of describedCalls(document)) {
    if (!['POST', 'PUT'].includes(call.method) || call.path.endsWith('/logout')) continue
    const body = follow(call.body ?? {})
    const writable = Object.entries(body.properties ?? {}).filter(([, part]) => part.readOnly !== true)
    found.push({ call, url: await addressOf(call.path), body, keys: writable.map(([key]) => key), texts: writable.filter(([, part]) => part.type === 'string' && part.enum === undefined).map(([key]) => key) })
  }
  targets = found
}, 240_000)

/** The path with a record that is there, where there is one. */
async function addressOf(path: string): Promise<string> {
  const resource = /^\/api\/v1\/data\/([\w-]+)\//.exec(path)?.[1]
  const table = resource === undefined || resource.includes('{') ? undefined : ({ user: 'app_user' }[resource] ?? resource.replaceAll('-', '_'))
  const [row] = table === undefined ? [] : await scene.rows(table, sql`true order by id desc limit 1`).catch(() => [])
  const id = String(row?.id ?? 1)
  return path.replace('{resource}', 'sales-order').replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'token' || name === 'key' ? 'x'.repeat(43) : id))
}

async function send({ call, url }: Target, { payload, version, type = 'application/json' }: Sending) {
  const required = call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map((parameter) => `${parameter.name}=2026-11-01`)
  // Calls that need no database would follow one another without the event loop having turned, and keep all that was sent.
  await setImmediate()
  const answer = await scene.at.app.inject({
    method: call.method === 'PUT' ? 'PUT' : 'POST',
    url: required.length === 0 ? url : `${url}?${required.join('&')}`,
    payload,
    headers: { 'content-type': type, authorization: `Bearer ${scene.people.admin.token}`, 'idempotency-key': scene.key(), ...(version === undefined ? {} : { 'if-match': String(version) }) },
  })
  const { status: code, data }: { readonly status: string; readonly data?: { readonly errors?: readonly FieldProblem[] } } = answer.json()
  return { status: answer.statusCode, code, fields: (data?.errors ?? []).map((error) => error.field) }
}

/** What is sent, and what may come back. */
interface Attack {
  readonly make: (target: Target) => Sending | undefined
  readonly codes: readonly string[]
  /** Must the refusal name one of these fields? */
  readonly fields?: (target: Target) => readonly string[]
}

/** A record that is not there, or has moved on, may be noticed before the body is looked at. */
const early = ['NOT_FOUND', 'NOT_IN_SCOPE', 'VERSION_CONFLICT', 'ILLEGAL_TRANSITION']
const attacks: Readonly<Record<string, Attack>> = {
  'an object for every value': { make: ({ keys }) => (keys.length === 0 ? undefined : { payload: JSON.stringify(Object.fromEntries(keys.map((key) => [key, { $ne: null }]))), version: 1 }), codes: ['VALIDATION_FAILED', ...early], fields: ({ keys }) => keys },
  'an unknown key': { make: () => ({ payload: '{"Surprise":1}', version: 1 }), codes: ['VALIDATION_FAILED', ...early], fields: ({ keys }) => ['Surprise', ...keys] },
  'a prototype': { make: () => ({ payload: '{"__proto__":{"isAdmin":true}}', version: 1 }), codes: ['BAD_REQUEST'] },
  'a constructor': { make: () => ({ payload: '{"constructor":{"prototype":{"isAdmin":true}}}', version: 1 }), codes: ['BAD_REQUEST'] },
  'more than anybody sends': { make: () => ({ payload: sixMegabytes, version: 1 }), codes: ['BODY_TOO_LARGE'] },
  'NUL in every text': { make: ({ texts }) => (texts.length === 0 ? undefined : { payload: JSON.stringify(Object.fromEntries(texts.map((key) => [key, 'a\u0000b']))), version: 1 }), codes: ['VALIDATION_FAILED', ...early], fields: ({ keys }) => keys },
  'a list instead of an object': { make: () => ({ payload: '[1]', version: 1 }), codes: ['VALIDATION_FAILED', ...early] },
  nothing: { make: () => ({ payload: '', version: 1 }), codes: ['BAD_REQUEST'] },
  'a form': { make: ({ call }) => (call.path.endsWith('/login') ? undefined : { payload: 'a=1', type: 'application/x-www-form-urlencoded', version: 1 }), codes: ['BAD_REQUEST', 'VALIDATION_FAILED', ...early] },
}

/** They work out prices for what is being typed, keep nothing, and say of each line what is wrong with it. */
const tolerant = ['/api/v1/command/price-order', '/api/v1/command/compare-prices']

/** Taken by more calls than they are described for. */
const undescribed = ['tab', 'next', 'columns']

/** The parameters that exist, as the refusal of another one names them. */
function sayKnown(text: string): readonly string[] {
  if (text === 'Unknown parameter "surprise". There are no parameters here.') return []
  return /^Unknown parameter "surprise"\. (?:Did you mean "\w+"\? )?Known: (.+)\.$/.exec(text)?.[1]?.split(', ').sort() ?? [text]
}

describe('every call', () => {
  it('refuses a parameter under a name nobody knows and says which exist, and nothing changes', async () => {
    const before = await rowFingerprint(scene.database, passing)
    const wrong: string[] = []
    const described = describedCalls((await scene.at.app.inject('/api/v1/openapi.json')).json()).filter(({ path }) => !/\/(logout|stream)$/.test(path))
    for (const call of described) {
      const known = call.parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])).sort()
      const needed = call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map((parameter) => `${parameter.name}=2026-11-01`)
      const answer = await scene.at.app.inject({
        method: call.method,
        url: `${await addressOf(call.path)}?${[...needed, 'surprise=1'].join('&')}`,
        headers: { authorization: `Bearer ${scene.people.admin.token}`, 'idempotency-key': scene.key(), 'if-match': '1' },
        ...(call.method === 'GET' || call.method === 'DELETE' ? {} : { payload: {} }),
      })
      const { status: code, data }: { readonly status: string; readonly data?: { readonly errors?: readonly FieldProblem[] } } = answer.json()
      if (code !== 'VALIDATION_FAILED' || data?.errors?.some(({ field, text }) => field === 'surprise' && sayKnown(text).filter((name) => known.includes(name) || !undescribed.includes(name)).join() === known.join()) !== true) wrong.push(`${call.method} ${call.path}: ${answer.statusCode} ${code} ${data?.errors?.map(({ text }) => text).join(' ') ?? ''}, known: ${known.join(', ')}`)
    }
    expect(wrong).toEqual([])
    expect(described.length).toBeGreaterThan(400)
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  }, 240_000)
})

it('says which parameter is meant where the name is nearly right', async () => {
  const answer = await scene.at.app.inject({ url: '/api/v1/data/customer?serach=a&length=5', headers: { authorization: `Bearer ${scene.people.admin.token}` } })
  expect(answer.json().data.errors).toEqual([expect.objectContaining({ field: 'serach', text: expect.stringMatching(/^Unknown parameter "serach"\. Did you mean "search"\? Known: .*length.*\.$/) })])
})

describe('every call with a body', () => {
  it.each(Object.entries(attacks))('refuses %s with a code and its field, and nothing changes', async (what, { make, codes, fields }) => {
    const before = await rowFingerprint(scene.database, passing)
    const wrong: string[] = []
    let named = 0
    for (const target of targets) {
      const sending = make(target)
      if (sending === undefined || (tolerant.includes(target.url) && what.startsWith('NUL'))) continue
      const answer = await send(target, sending)
      const wanted = fields?.(target)
      const isNamed = wanted === undefined || answer.code !== 'VALIDATION_FAILED' || answer.fields.some((field) => wanted.includes(field.split(/[.[]/)[0] ?? ''))
      if (wanted !== undefined && answer.code === 'VALIDATION_FAILED') named++
      if (answer.status < 400 || answer.status >= 500 || !codes.includes(answer.code) || !isNamed) wrong.push(`${target.call.method} ${target.url}: ${answer.status} ${answer.code} ${answer.fields.join(' ')}`)
    }
    expect(wrong).toEqual([])
    // That records are missing is the exception: most calls are refused for what was sent.
    if (fields !== undefined) expect(named).toBeGreaterThan(what.startsWith('NUL') ? 150 : 450)
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  }, 240_000)

  it('that carries a version refuses one nobody has seen, wherever records have versions', async () => {
    const before = await rowFingerprint(scene.database, passing)
    const wrong: string[] = []
    let conflicts = 0
    for (const target of targets) {
      const isVersioned = target.call.parameters.some(({ name, required }) => name === 'If-Match' && required)
      if (!isVersioned || (await isWithoutVersion(target.call.path))) continue
      const answer = await send(target, { payload: '{}', version: 999_999 })
      if (answer.code === 'VERSION_CONFLICT') conflicts++
      else if (!['NOT_FOUND', 'NOT_IN_SCOPE', 'VALIDATION_FAILED', 'ILLEGAL_TRANSITION'].includes(answer.code)) wrong.push(`${target.call.method} ${target.url}: ${answer.status} ${answer.code}`)
    }
    expect(wrong).toEqual([])
    expect(conflicts).toBeGreaterThan(20)
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  }, 120_000)

  it('has met no error of the server', () => {
    expect(targets.length).toBeGreaterThan(400)
    expect(scene.at.log).toEqual([])
  })
})

/** Small settings are kept without a version: who saves last, wins. */
async function isWithoutVersion(path: string): Promise<boolean> {
  const resource = /^\/api\/v1\/data\/([\w-]+)\//.exec(path)?.[1]
  return resource !== undefined && entityOfResource(metadata, resource).fields.every((field) => field.name !== 'version')
}

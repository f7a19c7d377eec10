import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldProblem, ProblemCode } from '#api/problems.ts'
import { sql } from '#server/db/sql.ts'
import type { Answer } from '../support/app.ts'
import { describedCalls, type DescribedCall } from '../support/calls.ts'
import { rowFingerprint } from '../support/fingerprint.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

/** Tables that only keep track of who calls. */
const passing = ['user_session', 'rate_limit']

let scene: Scene
let calls: readonly DescribedCall[]
/** A draft of sales in Jakarta, one of his colleague in Bandung, and what they are made of. */
let draft: Record
let foreign: Record
let ids: { readonly customer: number; readonly foreignCustomer: number; readonly item: number; readonly cash: number }

beforeAll(async () => {
  scene = await openScene()
  const { at } = scene
  calls = describedCalls((await at.app.inject('/api/v1/openapi.json')).json()).filter((call) => !call.isStream)
  ids = {
    customer: await at.id('customer', 'C0000001'), foreignCustomer: await at.id('customer', 'C0000003'), item: await at.id('item', 'A'), cash: await at.id('cash_account', 'KAS-JKT'),
  }
  draft = await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
  const bandung = await at.signIn('sales.bdg')
  foreign = (await bandung.post('/api/v1/data/sales-order', { CustomerID: ids.foreignCustomer, Lines: [{ ItemID: ids.item, Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })).data.record
}, 240_000)

/** The answer of a call that must be refused and must not have changed a single row. */
async function refused(call: () => Promise<Answer>): Promise<{ readonly code: ProblemCode | 'success'; readonly status: number; readonly errors: readonly FieldProblem[]; readonly message: string }> {
  const before = await rowFingerprint(scene.database, passing)
  const answer = await call()
  expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  expect(answer.message).toMatch(/^[\w"].*[.!?]$/)
  return { code: answer.code, status: answer.status, errors: answer.data.errors ?? [], message: answer.message }
}

function order(changes: object = {}, line: object = {}): object {
  return { CustomerID: ids.customer, Lines: [{ ItemID: ids.item, Uom: 'CTN', Qty: '1', ...line }], ...changes }
}

function create(body: unknown): Promise<Answer> {
  return scene.people.sales.post('/api/v1/data/sales-order', body, { key: scene.key() })
}

/** Sends bytes as they are: what no JSON writer would produce. */
async function raw(payload: string | Buffer, contentType = 'application/json', url = '/api/v1/data/sales-order'): Promise<Answer> {
  const answer = await scene.at.app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType, authorization: `Bearer ${scene.people.sales.token}` } })
  const body = answer.json()
  return { status: answer.statusCode, code: body.status, message: body.message, data: body.data, headers: answer.headers }
}

describe('values', () => {
  const wrong: readonly (readonly [what: string, body: () => object, field: string, code: string])[] = [
    ['text for a reference', () => order({ CustomerID: 'C0000001' }), 'CustomerID', 'WRONG_TYPE'],
    ['a fraction for a reference', () => order({ CustomerID: 1.5 }), 'CustomerID', 'WRONG_TYPE'],
    ['a negative reference', () => order({ CustomerID: -1 }), 'CustomerID', 'WRONG_TYPE'],
    ['a reference beyond exact numbers', () => order({ CustomerID: 2 ** 60 }), 'CustomerID', 'WRONG_TYPE'],
    ['an object for a reference', () => order({ CustomerID: { $gt: 0 } }), 'CustomerID', 'WRONG_TYPE'],
    ['a list for a reference', () => order({ CustomerID: [1] }), 'CustomerID', 'WRONG_TYPE'],
    ['a record that does not exist', () => order({ CustomerID: 999_999 }), 'CustomerID', 'NOT_IN_SCOPE'],
    ['a number for text', () => order({ PoNumber: 5 }), 'PoNumber', 'WRONG_TYPE'],
    ['an object for text', () => order({ PoNumber: { toString: 'x' } }), 'PoNumber', 'WRONG_TYPE'],
    ['NUL in text', () => order({ PoNumber: 'a\u0000b' }), 'PoNumber', 'WRONG_TYPE'],
    ['half a character in text', () => order({ PoNumber: 'a\uD800b' }), 'PoNumber', 'WRONG_TYPE'],
    ['text without end', () => order({ PoNumber: 'x'.repeat(100_000) }), 'PoNumber', 'TOO_LONG'],
    ['a day that is none', () => order({ DocDate: '2026-02-30' }), 'DocDate', 'WRONG_TYPE'],
    ['a day of another age', () => order({ DocDate: '0001-01-01' }), 'DocDate', 'WRONG_TYPE'],
    ['a number for a day', () => order({ DocDate: 20261120 }), 'DocDate', 'WRONG_TYPE'],
    ['an unknown choice', () => order({ OrderType: 'GIFT' }), 'OrderType', 'NOT_A_CHOICE'],
    ['no lines but a number', () => order({ Lines: 5 }), 'Lines', 'WRONG_TYPE'],
    ['a line that is null', () => order({ Lines: [null] }), 'Lines[0]', 'WRONG_TYPE'],
    ['a line that is a list', () => order({ Lines: [[]] }), 'Lines[0]', 'WRONG_TYPE'],
    ['more lines than anybody has', () => order({ Lines: Array.from({ length: 5_000 }, () => ({})) }), 'Lines', 'TOO_LONG'],
    ['1e5 for a quantity', () => order({}, { Qty: '1e5' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['NaN for a quantity', () => order({}, { Qty: 'NaN' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['Infinity for a quantity', () => order({}, { Qty: 'Infinity' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['a float for a quantity', () => order({}, { Qty: 0.1 }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['hexadecimal for a quantity', () => order({}, { Qty: '0x10' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['spaces around a quantity', () => order({}, { Qty: ' 1 ' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['digits of another script', () => order({}, { Qty: '١٢' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['too many decimals', () => order({}, { Qty: '1.0001' }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['a quantity no warehouse holds', () => order({}, { Qty: '9'.repeat(16) }), 'Lines[0].Qty', 'TOO_LARGE'],
    ['yes for a quantity', () => order({}, { Qty: true }), 'Lines[0].Qty', 'WRONG_TYPE'],
    ['an unknown key', () => order({ Surprise: 1 }), 'Surprise', 'UNKNOWN_FIELD'],
    ['an unknown key in a line', () => order({}, { Surprise: 1 }), 'Lines[0].Surprise', 'UNKNOWN_FIELD'],
    ['a column name instead of the key', () => order({ customer_id: 1 }), 'customer_id', 'UNKNOWN_FIELD'],
    ['a hidden column', () => order({ PasswordHash: 'x' }), 'PasswordHash', 'UNKNOWN_FIELD'],
    ['constructor', () => order({ constructor: 1 }), 'constructor', 'UNKNOWN_FIELD'],
    ['the line of another order', () => order({}, { ID: 999_999 }), 'Lines[0].ID', 'NOT_IN_SCOPE'],
    ['an item of nowhere', () => order({}, { ItemID: 999_999 }), 'Lines[0].ItemID', 'NOT_IN_SCOPE'],
  ]
  it.each(wrong)('%s', async (_, body, field, code) => {
    const answer = await refused(() => create(body()))
    expect([answer.code, answer.status]).toEqual(['VALIDATION_FAILED', 422])
    expect(answer.errors.map((error) => [error.field, error.code])).toContainEqual([field, code])
  })

  it('a day beyond those that are kept is told so, not that it is none', async () => {
    const answers = await Promise.all(['9999-12-31', '1899-12-31'].map((day) => refused(() => create(order({ RequestedDate: day })))))
    for (const { errors } of answers) expect(errors).toContainEqual(expect.objectContaining({ field: 'RequestedDate', key: 'field.WRONG_TYPE.far-day' }))
  })

  it.each([['-1'], ['0'], ['-0.001']])('a quantity of %s is refused at the latest when the order is submitted', async (qty) => {
    const made = await create(order({}, { Qty: qty }))
    if (made.status !== 200) {
      expect([made.code, made.data.errors[0].field]).toEqual(['VALIDATION_FAILED', 'Lines[0].Qty'])
      return
    }
    const { ID, Version } = made.data.record
    const answer = await refused(() => scene.people.sales.post(`/api/v1/data/sales-order/${ID}/submit`, {}, { version: Version, key: scene.key() }))
    expect(answer.code).toBe('VALIDATION_FAILED')
  })

  it('all that is wrong is told at once', async () => {
    const answer = await refused(() => create({ CustomerID: 'x', PoNumber: 5, Surprise: 1, Lines: [{ ItemID: 'y', Qty: 'z', More: 1 }] }))
    expect(answer.errors.map((error) => error.field).toSorted()).toEqual(['CustomerID', 'Lines[0].ItemID', 'Lines[0].More', 'Lines[0].Qty', 'Lines[0].Uom', 'PoNumber', 'Surprise'])
  })

  it('a negative amount of money is refused', async () => {
    const answer = await refused(() => scene.people.cashier.post('/api/v1/data/payment-received', { CustomerID: ids.customer, Method: 'CASH', CashAccountID: ids.cash, PaymentDate: '2026-11-20', Amount: '-5', Lines: [] }, { key: scene.key() }))
    expect(answer.code).toBe('VALIDATION_FAILED')
    expect(answer.errors.map((error) => error.field)).toContain('Amount')
  })
})

describe('bodies', () => {
  it.each([
    ['no JSON', '{"CustomerID": ', 'BAD_REQUEST', 400],
    ['two values', '{}{}', 'BAD_REQUEST', 400],
    ['JSON with NaN', '{"CustomerID": NaN}', 'BAD_REQUEST', 400],
    ['a number', '5', 'VALIDATION_FAILED', 422],
    ['null', 'null', 'VALIDATION_FAILED', 422],
    ['a list', '[]', 'VALIDATION_FAILED', 422],
    ['text', '"order"', 'VALIDATION_FAILED', 422],
    ['nothing', '', 'BAD_REQUEST', 400],
    ['__proto__', '{"__proto__": {"isAdmin": true}, "Lines": []}', 'BAD_REQUEST', 400],
    ['constructor.prototype', '{"constructor": {"prototype": {"isAdmin": true}}}', 'BAD_REQUEST', 400],
    ['__proto__ deep down', '{"Lines": [{"__proto__": {"isAdmin": true}}]}', 'BAD_REQUEST', 400],
    ['a thousand brackets', `${'['.repeat(1_000)}${']'.repeat(1_000)}`, 'BAD_REQUEST', 400],
    ['brackets without end in a field', `{"PoNumber": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'BAD_REQUEST', 400],
    ['objects without end in a line', `{"Lines": [${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}]}`, 'BAD_REQUEST', 400],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 'VALIDATION_FAILED', 422],
  ] as const)('%s', async (_, payload, code, status) => {
    const answer = await refused(() => raw(payload))
    expect([answer.code, answer.status]).toEqual([code, status])
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  })

  it.each([
    ['of another kind', 'text/xml', 'BAD_REQUEST', 415],
    ['of no kind', 'nonsense', 'BAD_REQUEST', 415],
  ])('%s', async (_, contentType, code) => {
    const answer = await refused(() => raw('<order/>', contentType))
    expect(answer.code).toBe(code)
    expect(answer.status).toBe(400)
  })

  it('larger than anybody needs are 413', async () => {
    const answer = await refused(() => raw(JSON.stringify({ Note: 'x'.repeat(5 * 1024 * 1024) })))
    expect([answer.code, answer.status]).toEqual(['BODY_TOO_LARGE', 413])
  })

  it('as a form where JSON is expected change nothing', async () => {
    const answer = await refused(() => raw('CustomerID=1&Lines[0][ItemID]=1', 'application/x-www-form-urlencoded'))
    expect(answer.code).toBe('VALIDATION_FAILED')
  })
})

describe('every value of every record', () => {
  const hostile: readonly (readonly [what: string, value: unknown])[] = [
    ['an object', { $ne: null }],
    ['a list of lists', [[1]]],
    ['NUL and more', '\u0000; drop table invoice; --'],
  ]
  it.each(hostile)('%s is refused at its field, wherever it stands', async (_, value) => {
    const before = await rowFingerprint(scene.database, passing)
    const missed: string[] = []
    for (const call of calls) {
      if (call.method !== 'POST' || !/^\/api\/v1\/data\/[\w-]+$/.test(call.path)) continue
      const fields = writableFields(call)
      const answer = await scene.people.admin.post(call.path, Object.fromEntries(fields.map((field) => [field, value])))
      const found = new Set((answer.data.errors ?? []).map((error: FieldProblem) => error.field))
      if (answer.code !== 'VALIDATION_FAILED') missed.push(`${call.path}: ${answer.status} ${answer.message}`)
      else missed.push(...fields.filter((field) => !found.has(field) && !found.has(`${field}[0]`)).map((field) => `${call.path} ${field}`))
    }
    expect(missed).toEqual([])
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  }, 120_000)
})

/** Keys of the body that have a type and are not kept by the server. */
function writableFields(call: DescribedCall): string[] {
  const name = String(call.body?.['$ref']).split('/').pop() ?? ''
  const schema = schemas[name]
  return Object.entries(schema?.properties ?? {}).filter(([, part]) => part.readOnly !== true && (part.type !== undefined || part.enum !== undefined)).map(([key]) => key)
}

let schemas: { readonly [name: string]: { readonly properties: { readonly [key: string]: { readonly readOnly?: boolean; readonly type?: unknown; readonly enum?: unknown } } } | undefined }
beforeAll(async () => {
  schemas = (await scene.at.app.inject('/api/v1/openapi.json')).json().components.schemas
})

describe('queries', () => {
  const list = '/api/v1/data/sales-order'
  const json = JSON.stringify
  const wrong: readonly (readonly [what: string, query: { readonly [name: string]: string }, field: string, code: string])[] = [
    ['a statement to sort by', { order: 'id; drop table invoice' }, 'order', 'UNKNOWN_FIELD'],
    ['a subquery to sort by', { order: '(select 1)' }, 'order', 'UNKNOWN_FIELD'],
    ['a secret to sort by', { order: 'created_by.password_hash' }, 'order', 'UNKNOWN_FIELD'],
    ['constructor to sort by', { order: 'constructor' }, 'order', 'UNKNOWN_FIELD'],
    ['__proto__ to sort by', { order: '__proto__' }, 'order', 'UNKNOWN_FIELD'],
    ['two hops to sort by', { order: 'customer_id.territory_id.name' }, 'order', 'UNKNOWN_FIELD'],
    ['too many columns to sort by', { order: Array(20).fill('id').join() }, 'order', 'TOO_LONG'],
    ['a statement as direction', { order: 'id', sort: 'asc; drop table invoice' }, 'sort', 'NOT_A_CHOICE'],
    ['a secret column', { columns: 'password_hash' }, 'columns', 'UNKNOWN_FIELD'],
    ['a secret column over a hop', { columns: 'created_by.password_hash' }, 'columns', 'UNKNOWN_FIELD'],
    ['a statement as column', { columns: 'id, (select password_hash from app_user)' }, 'columns', 'UNKNOWN_FIELD'],
    ['too many columns', { columns: Array(200).fill('id').join() }, 'columns', 'TOO_LONG'],
    ['a total over text', { totals: 'code' }, 'totals', 'UNKNOWN_FIELD'],
    ['a filter that is no JSON', { filter: "' or 1=1 --" }, 'filter', 'WRONG_TYPE'],
    ['a filter that is a list', { filter: '[1]' }, 'filter', 'WRONG_TYPE'],
    ['a filter on a secret', { filter: json({ 'created_by.password_hash': { contains: 'scrypt' } }) }, 'filter', 'UNKNOWN_FIELD'],
    ['a filter on __proto__', { filter: '{"__proto__": {"eq": 1}}' }, 'filter', 'UNKNOWN_FIELD'],
    ['a filter on constructor', { filter: '{"constructor": 1}' }, 'filter', 'UNKNOWN_FIELD'],
    ['a filter with an unknown operator', { filter: json({ id: { regex: '.*' } }) }, 'filter', 'UNKNOWN_OPERATOR'],
    ['a filter with SQL for a number', { filter: json({ id: '1 or 1=1' }) }, 'filter', 'WRONG_TYPE'],
    ['a filter with infinity', { filter: '{"total": {"gt": 1e999}}' }, 'filter', 'WRONG_TYPE'],
    ['a filter with NaN', { filter: json({ total: { gt: 'NaN' } }) }, 'filter', 'WRONG_TYPE'],
    ['a filter with a day that is none', { filter: json({ doc_date: '2026-13-45' }) }, 'filter', 'WRONG_TYPE'],
    ['a filter with NUL', { filter: json({ po_number: 'a\u0000' }) }, 'filter', 'WRONG_TYPE'],
    ['a filter nested without end', { filter: `${'{"not":'.repeat(500)}{}${'}'.repeat(500)}` }, 'filter', 'TOO_DEEP'],
    ['a filter with too many tests', { filter: json({ any: Array.from({ length: 500 }, () => ({ id: 1 })) }) }, 'filter', 'TOO_LONG'],
    ['a filter with too many values', { filter: json({ id: { in: Array.from({ length: 3_000 }, (_, i) => i + 1) } }) }, 'filter', 'WRONG_TYPE'],
    ['a filter longer than a book', { filter: json({ po_number: 'x'.repeat(60_000) }) }, 'filter', 'TOO_LONG'],
    ['a comparison of a day with an amount', { filter: json({ doc_date: { gt: { field: 'total' } } }) }, 'filter', 'WRONG_TYPE'],
    ['a comparison of an amount with a name', { filter: json({ total: { eq: { field: 'customer_id.name' } } }) }, 'filter', 'WRONG_TYPE'],
    ['no rows a page', { length: '0' }, 'length', 'TOO_LARGE'],
    ['a million rows a page', { length: '1000000' }, 'length', 'TOO_LARGE'],
    ['a negative length', { length: '-1' }, 'length', 'WRONG_TYPE'],
    ['1e3 as length', { length: '1e3' }, 'length', 'WRONG_TYPE'],
    ['words as length', { length: 'all' }, 'length', 'WRONG_TYPE'],
    ['page 0', { page: '0' }, 'page', 'TOO_SMALL'],
    ['a page beyond the world', { page: '999999999999' }, 'page', 'TOO_LARGE'],
    ['a page beyond numbers', { page: '9'.repeat(40) }, 'page', 'WRONG_TYPE'],
    ['a position of another list', { after: 'nonsense' }, 'after', 'WRONG_TYPE'],
    ['a position with SQL', { after: Buffer.from(json(["1'; drop table invoice; --", '1'])).toString('base64url') }, 'after', 'WRONG_TYPE'],
    ['NUL in the search', { search: 'a\u0000b' }, 'search', 'WRONG_TYPE'],
  ]
  it.each(wrong)('%s', async (_, query, field, code) => {
    const answer = await refused(() => scene.people.sales.get(list, query))
    expect([answer.code, answer.status]).toEqual(['VALIDATION_FAILED', 422])
    expect(answer.errors.map((error) => [error.field, error.code])).toContainEqual([field, code])
  })

  it.each([
    ["'; drop table invoice; --"], ['%'], ['_'], ['\\'], ['" or ""="'], ['$1'], ['x'.repeat(5_000)], ['😀'], ['‮abc'], ['<script>alert(1)</script>'], ['{{7*7}}'],
  ])('%s is only text to search for', async (search) => {
    const before = await rowFingerprint(scene.database, passing)
    for (const path of [list, '/api/v1/data/customer', '/api/v1/lookup/customer', '/api/v1/master/customer/options']) {
      const answer = await scene.people.sales.get(path, { search })
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.data.rows ?? answer.data.records).toEqual([])
    }
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  })

  it.each([['1,2;drop'], ['1 or 1=1'], ['-1'], ['1e2'], ['1.5'], ['NaN'], [Array(2_000).fill('1').join()]])('%s as ids of a look-up', async (text) => {
    const answer = await refused(() => scene.people.sales.get('/api/v1/lookup/customer', { ids: text }))
    expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', 'ids'])
  })

  it('nothing hostile makes any reading call fail, or find what it should not', async () => {
    const values = ["'; drop table invoice; --", '-1', '1e5', 'NaN', '9'.repeat(30), '\u0000', '{"__proto__":1}', 'x'.repeat(2_000), '../../etc/passwd', '2026-02-31', 'null', 'true']
    const broken: string[] = []
    const before = await rowFingerprint(scene.database, passing)
    for (const call of calls) {
      // Every resource has the same list; one that has everything stands for them.
      if (call.method !== 'GET' || (/^\/api\/v1\/(data|lookup)\//.test(call.path) && !/\/(sales-order|sales_order|invoice|customer)(\/|$)/.test(call.path))) continue
      for (const value of values) {
        const path = call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value.slice(0, 150)))
        const required = call.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => [parameter.name, value] as const)
        for (const query of required.length === 0 ? [{}] : required.map(([name, text]) => ({ [name]: text }))) {
          const answer = await scene.people.admin.get(path, query)
          if (answer.status >= 500) broken.push(`${path.slice(0, 80)} ${JSON.stringify(query).slice(0, 80)}: ${answer.status} ${answer.message}`)
        }
      }
    }
    expect(broken).toEqual([])
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  }, 240_000)
})

describe('addresses', () => {
  it.each([
    ['/api/v1/data/sales-order/abc'], ['/api/v1/data/sales-order/-1'], ['/api/v1/data/sales-order/1e1'], ['/api/v1/data/sales-order/99999999999999999999'], ['/api/v1/data/sales-order/1%00'],
    ['/api/v1/data/constructor'], ['/api/v1/data/__proto__'], ['/api/v1/data/toString/1'], ['/api/v1/data/command-log'], ['/api/v1/data/user-session'], ['/api/v1/data/nothing'],
    ['/api/v1/lookup/constructor'], ['/api/v1/report/constructor'], ['/api/v1/report/sales-order.list'], ['/api/v1/approval/constructor/submit'], ['/api/v1/nothing'], ['/api/v1/../../etc/passwd'],
  ])('%s is not there', async (path) => {
    const answer = await refused(() => scene.people.admin.get(path))
    expect(['NOT_FOUND', 'BAD_REQUEST']).toContain(answer.code)
  })

  it.each([['constructor'], ['__proto__'], ['approve'], ['toString'], ['nothing']])('the action %s is not there', async (action) => {
    const answer = await refused(() => scene.people.admin.post(`/api/v1/data/sales-order/${draft.ID}/${action}`, {}, { version: draft.Version, key: scene.key() }))
    expect([answer.code, answer.status]).toEqual(['NOT_FOUND', 404])
  })

  it.each([['constructor'], ['__proto__'], ['nothing']])('the command %s is not there', async (name) => {
    expect((await refused(() => scene.people.admin.post(`/api/v1/command/${name}`, {}, { key: scene.key() }))).code).toBe('NOT_FOUND')
  })
})

describe('headers', () => {
  it('a stale version is a conflict that shows the record as it is', async () => {
    const path = `/api/v1/data/sales-order/${draft.ID}`
    const answer = await refused(() => scene.people.sales.put(path, { Note: 'late' }, { version: draft.Version + 7, key: scene.key() }))
    expect([answer.code, answer.status]).toEqual(['VERSION_CONFLICT', 409])
    const again = await scene.people.sales.put(path, { Note: 'late' }, { version: draft.Version + 7, key: scene.key() })
    expect(again.data.current).toMatchObject({ ID: draft.ID, Version: draft.Version })
    for (const call of [
      () => scene.people.sales.delete(path, { version: draft.Version + 7 }),
      () => scene.people.sales.post(`${path}/submit`, {}, { version: draft.Version + 7, key: scene.key() }),
    ]) expect((await refused(call)).code).toBe('VERSION_CONFLICT')
  })

  it('saving and deleting without a version are refused', async () => {
    const path = `/api/v1/data/sales-order/${draft.ID}`
    for (const call of [() => scene.people.sales.put(path, { Note: 'blind' }), () => scene.people.sales.delete(path)]) {
      const answer = await refused(call)
      expect([answer.code, answer.errors[0]?.field, answer.errors[0]?.code]).toEqual(['VALIDATION_FAILED', 'If-Match', 'REQUIRED'])
    }
  })

  it.each([['abc'], ['-1'], ['1.5'], ['*'], ['99999999999']])('%s is no version', async (version) => {
    const answer = await refused(() => scene.people.sales.put(`/api/v1/data/sales-order/${draft.ID}`, {}, { headers: { 'if-match': version } }))
    expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', 'If-Match'])
  })

  it.each([['short'], ['x'.repeat(300)], ['with space in it']])('%s is no key', async (key) => {
    const answer = await refused(() => scene.people.sales.post('/api/v1/data/sales-order', order(), { key }))
    expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', 'Idempotency-Key'])
  })

  it('the same key with the same payload gets the first answer, with another payload or call it is refused', async () => {
    const key = scene.key()
    const body = order({ PoNumber: 'ONCE' })
    const first = await scene.people.sales.post('/api/v1/data/sales-order', body, { key })
    expect(first.status).toBe(200)
    const before = await rowFingerprint(scene.database, passing)
    const second = await scene.people.sales.post('/api/v1/data/sales-order', { Lines: (body as Record).Lines, PoNumber: 'ONCE', CustomerID: ids.customer }, { key })
    expect([second.status, second.data]).toEqual([200, first.data])
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
    for (const call of [
      () => scene.people.sales.post('/api/v1/data/sales-order', order({ PoNumber: 'OTHER' }), { key }),
      () => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { key, version: draft.Version }),
    ]) {
      const answer = await refused(call)
      expect([answer.code, answer.status]).toEqual(['DUPLICATE_REQUEST', 409])
    }
  })

  it('a key belongs to its user: another may use the same', async () => {
    const key = scene.key()
    await scene.people.sales.post('/api/v1/data/sales-order', order({ PoNumber: 'MINE' }), { key })
    const other = await scene.at.signIn('sales.bdg')
    const answer = await other.post('/api/v1/data/sales-order', { CustomerID: ids.foreignCustomer, Lines: [] }, { key })
    expect(answer.code).not.toBe('DUPLICATE_REQUEST')
  })

  it('a refused command leaves its key free', async () => {
    const key = scene.key()
    expect((await refused(() => scene.people.sales.post('/api/v1/data/sales-order', order({ PoNumber: 5 }), { key }))).code).toBe('VALIDATION_FAILED')
    expect((await scene.people.sales.post('/api/v1/data/sales-order', order({ PoNumber: 'GOOD' }), { key })).status).toBe(200)
  })
})

describe('other people’s business', () => {
  it('a record outside one’s territories is not there, whatever is done to it', async () => {
    const path = `/api/v1/data/sales-order/${foreign.ID}`
    const { sales } = scene.people
    for (const call of [
      () => sales.get(path),
      () => sales.get(`${path}/history`),
      () => sales.get(`${path}/flow`),
      () => sales.get(`${path}/journal`),
      () => sales.put(path, { Note: 'mine now' }, { version: foreign.Version, key: scene.key() }),
      () => sales.delete(path, { version: foreign.Version }),
      () => sales.post(`${path}/submit`, {}, { version: foreign.Version, key: scene.key() }),
      () => sales.get(`/api/v1/data/customer/${ids.foreignCustomer}`),
    ]) {
      const answer = await refused(call)
      expect([answer.code, answer.status]).toEqual(['NOT_IN_SCOPE', 404])
    }
    // The same words as for a record that does not exist: existence is not told.
    const nowhere = await sales.get('/api/v1/data/sales-order/999999999')
    expect((await sales.get(path)).message).toBe(nowhere.message)
  })

  it('in bulk it is refused row by row', async () => {
    const before = await rowFingerprint(scene.database, passing)
    const answer = await scene.people.sales.post('/api/v1/data/sales-order/bulk/submit', { IDs: [foreign.ID, 999_999_999] }, { key: scene.key() })
    expect(answer.data.results.map((result: Record) => [result.ok, result.code])).toEqual([[false, 'NOT_IN_SCOPE'], [false, 'NOT_IN_SCOPE']])
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  })

  it('a record may not refer to it', async () => {
    const answer = await refused(() => create(order({ CustomerID: ids.foreignCustomer })))
    const nobody = await refused(() => create(order({ CustomerID: 999_999_999 })))
    expect([answer.code, answer.errors.map((error) => [error.field, error.code])]).toEqual(['VALIDATION_FAILED', [['CustomerID', 'NOT_IN_SCOPE']]])
    expect(answer).toEqual(nobody)
  })

  it('neither lists, look-ups nor filters show it', async () => {
    const { sales } = scene.people
    const list = (await sales.get('/api/v1/data/sales-order', { length: 1_000, columns: 'customer_id' })).data
    expect(list.rows.some((row: Record) => row.ID === foreign.ID)).toBe(false)
    expect((await sales.get('/api/v1/data/sales-order', { filter: JSON.stringify({ id: foreign.ID }) })).data).toMatchObject({ recordsTotal: 0, rows: [] })
    expect((await sales.get('/api/v1/data/sales-order', { filter: JSON.stringify({ any: [{ id: foreign.ID }, { not: { id: 0 } }] }), length: 1_000 })).data.rows.some((row: Record) => row.ID === foreign.ID)).toBe(false)
    expect((await sales.get('/api/v1/lookup/customer', { ids: String(ids.foreignCustomer) })).data.records).toEqual([])
    expect((await sales.post('/api/v1/lookup/customer/resolve', { codes: ['C0000003'] })).data.records).toEqual([null])
    expect((await sales.get('/api/v1/master/customer/options', { territory_id: 0 })).data.records.some((row: Record) => row.ID === ids.foreignCustomer)).toBe(false)
    expect((await sales.get('/api/v1/master/customer-address/ship-to', { customer_id: ids.foreignCustomer })).data.records).toEqual([])
  })

  it('a call without the permission is refused before anything is looked at', async () => {
    for (const call of [
      () => scene.people.warehouse.post('/api/v1/data/sales-order', order(), { key: scene.key() }),
      () => scene.people.warehouse.put(`/api/v1/data/sales-order/${draft.ID}`, { Note: 'x' }, { version: draft.Version }),
      () => scene.people.warehouse.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { version: draft.Version, key: scene.key() }),
      () => scene.people.sales.put(`/api/v1/data/user/1`, { RoleID: 1 }, { version: 1 }),
      () => scene.people.sales.put('/api/v1/role/1/guards', { GuardNames: [] }),
      () => scene.people.cashier.post('/api/v1/command/bill-deliveries', { IDs: [1], InvoiceDate: '2026-11-20' }, { key: scene.key() }),
    ]) {
      const answer = await refused(call)
      expect([answer.code, answer.status]).toEqual(['FORBIDDEN_GUARD', 403])
    }
  })

  it('the maker does not decide his own document', async () => {
    await scene.database.run(sql`update credit_limit set amount = 1 where customer_id = ${await scene.at.id('customer', 'C0000002')}`)
    const { people } = scene
    const own = await scene.draftOrder('C0000002', [{ item: 'A', qty: '3' }])
    await scene.act('sales', 'sales-order', own.ID, 'submit')
    const [request] = await scene.rows('approval_request', sql`doc_id = ${own.ID} and doc_type = 'sales_order' and status = 4`)
    const self = await refused(() => people.sales.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() }))
    expect(['SELF_APPROVAL', 'FORBIDDEN_GUARD']).toContain(self.code)
    const wrong = await refused(() => people.cashier.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() }))
    expect(['NOT_YOUR_LEVEL', 'FORBIDDEN_GUARD']).toContain(wrong.code)
    const silent = await refused(() => people.credit.post(`/api/v1/approval/${request.id}/reject`, {}, { key: scene.key() }))
    expect([silent.code, silent.errors[0]?.field]).toEqual(['VALIDATION_FAILED', 'ReasonID'])
    const strange = await refused(() => people.credit.post(`/api/v1/approval/${request.id}/approve`, { Surprise: 1 }, { key: scene.key() }))
    expect([strange.code, strange.errors[0]?.field]).toEqual(['VALIDATION_FAILED', 'Surprise'])
  })
})

describe('documents', () => {
  it('a posting into a closed period is refused at its date', async () => {
    const payment = await scene.draftPayment('C0000001', '50000.00', [])
    await scene.database.run(sql`update accounting_period set status = 'CLOSED' where period = '202611' and module in ('AR', 'CB')`)
    const answer = await refused(() => scene.people.cashier.post(`/api/v1/data/payment-received/${payment.ID}/post`, {}, { version: payment.Version, key: scene.key() }))
    expect([answer.code, answer.status]).toEqual(['PERIOD_CLOSED', 422])
    expect(answer.errors[0]?.field).toMatch(/^(PostingDate|PaymentDate)$/)
    await scene.database.run(sql`update accounting_period set status = 'OPEN' where period = '202611' and module in ('AR', 'CB')`)
    expect((await scene.people.cashier.post(`/api/v1/data/payment-received/${payment.ID}/post`, {}, { version: payment.Version, key: scene.key() })).status).toBe(200)
  })

  it('an action out of turn is refused with both statuses', async () => {
    const answer = await refused(() => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/cancel`, { Note: 'no' }, { version: draft.Version, key: scene.key() }))
    expect(answer.code === 'ILLEGAL_TRANSITION' || answer.code === 'FORBIDDEN_GUARD').toBe(true)
    const early = await refused(() => scene.people.admin.post(`/api/v1/data/sales-order/${draft.ID}/recall`, {}, { version: draft.Version, key: scene.key() }))
    expect([early.code, early.status]).toEqual(['ILLEGAL_TRANSITION', 409])
    expect(early.message.toLowerCase()).toMatch(/draft.*waiting|waiting.*draft/)
  })

  it('a submitted document can neither be changed nor deleted, what only the server writes stays', async () => {
    const sent = await scene.order('C0000001', [{ item: 'A', qty: '1' }])
    const path = `/api/v1/data/sales-order/${sent.ID}`
    for (const call of [
      () => scene.people.sales.put(path, { Note: 'late' }, { version: sent.Version, key: scene.key() }),
      () => scene.people.sales.delete(path, { version: sent.Version }),
    ]) expect((await refused(call)).code).toBe('ILLEGAL_TRANSITION')
    const kept = { Status: 1, Code: 'SO/HACK/1', Total: '1.00', Version: 99, CreatedBy: 1, ApprovedBy: 1, PendingTransition: null }
    const saved = await scene.people.sales.put(`/api/v1/data/sales-order/${draft.ID}`, kept, { version: draft.Version, key: scene.key() })
    expect(saved.data.record).toMatchObject({ Status: 0, Version: draft.Version + 1, Total: draft.Total, CreatedBy: draft.CreatedBy, ApprovedBy: null })
    draft = saved.data.record
  })

  it.each([['unknown params', { Surprise: 1 }, 'Surprise'], ['a reason that is text', { ReasonID: 'x' }, 'ReasonID'], ['NUL in the note', { Note: '\u0000' }, 'Note'], ['an object as note', { Note: {} }, 'Note']])(
    'an action with %s is refused at the key', async (_, body, field) => {
      const answer = await refused(() => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, body, { version: draft.Version, key: scene.key() }))
      expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', field])
    },
  )

  it.each([['no rows', {}, 'IDs'], ['rows as text', { IDs: '1' }, 'IDs'], ['rows that are none', { IDs: [0] }, 'IDs'], ['rows of nothing', { IDs: [] }, 'IDs'], ['too many rows', { IDs: Array.from({ length: 501 }, (_, i) => i + 1) }, 'IDs']])(
    'a command with %s is refused', async (_, body, field) => {
      const answer = await refused(() => scene.people.billing.post('/api/v1/command/bill-deliveries', { InvoiceDate: '2026-11-20', ...body }, { key: scene.key() }))
      expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', field])
    },
  )

  it.each([['a day that is none', { IDs: [1], InvoiceDate: 'tomorrow' }, 'InvoiceDate'], ['an unknown param', { IDs: [1], InvoiceDate: '2026-11-20', Surprise: 1 }, 'Surprise']])(
    'a command with %s is refused', async (_, body, field) => {
      const answer = await refused(() => scene.people.billing.post('/api/v1/command/bill-deliveries', body, { key: scene.key() }))
      expect([answer.code, answer.errors[0]?.field]).toEqual(['VALIDATION_FAILED', field])
    },
  )

  it.each([['price-order'], ['propose-payment']])('the command %s survives every kind of nonsense', async (name) => {
    const bodies: readonly unknown[] = [
      {}, { Lines: 5 }, { Lines: [null] }, { Lines: [{ ItemID: {}, Qty: [] }] }, { CustomerID: 'x', Lines: [{ ItemID: 'y', Qty: 'z' }] }, { CustomerID: 1e300 }, { CustomerID: ids.customer, Lines: [{ ItemID: ids.item, Qty: '-5', Uom: 'CTN' }] },
      { CustomerID: ids.customer, Lines: [{ ItemID: ids.item, Qty: '9'.repeat(40), Uom: 'CTN' }] }, { CustomerID: ids.customer, Lines: [{ ItemID: ids.item, Qty: '1', Uom: '\u0000' }] },
      { CustomerID: ids.customer, DocDate: '9999-99-99', Lines: [{ ItemID: ids.item, Qty: '1', Uom: 'CTN' }] }, { CustomerID: ids.foreignCustomer, Amount: '1', Lines: [] }, { CustomerID: ids.customer, Amount: 'NaN' },
      { CustomerID: ids.customer, Amount: '-1', InvoiceIDs: 'x' }, { CustomerID: ids.customer, Amount: '1', InvoiceIDs: [{}] }, { constructor: 1 }, { CustomerID: ids.customer, Amount: '1', UseCreditNotes: 'yes', UseDeposits: 5, Rule: 'LUCK' },
    ]
    const before = await rowFingerprint(scene.database, passing)
    for (const body of bodies) {
      const answer = await scene.people.admin.post(`/api/v1/command/${name}`, body)
      expect([JSON.stringify(body).slice(0, 100), answer.status < 500]).toEqual([JSON.stringify(body).slice(0, 100), true])
    }
    expect(await rowFingerprint(scene.database, passing)).toEqual(before)
  })
})

it('the server has met no error of its own', () => {
  expect(scene.at.log).toEqual([])
})

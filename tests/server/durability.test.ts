import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database, Row } from '#server/context.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { idByCode, password } from '../support/company.ts'
import { putDatabase, testFolder } from '../support/database.ts'
import { sceneTemplate } from '../support/scene.ts'
import { ServerProcess, type Reply } from '../support/serverProcess.ts'

const postings = 100

interface Draft {
  readonly id: number
  readonly version: number
  readonly key: string
  readonly amount: string
}

let folder: string
let server: ServerProcess
let token: string
let drafts: readonly Draft[]
/** Payment id → number, of every posting the server has confirmed. */
const acknowledged = new Map<number, string>()
/** Numbers taken before the first posting of this file. */
let journalsBefore: number

beforeAll(async () => {
  folder = testFolder()
  await putDatabase(path.join(folder, 'pgdata'), sceneTemplate)
  await onDatabase(async (database) => {
    journalsBefore = await count(database, sql`select count(*) as n from journal`)
  })
  server = await ServerProcess.start(folder)
  token = await signIn()
  drafts = await Promise.all(Array.from({ length: postings }, (_, i) => draft(i)))
}, 240_000)

afterAll(() => server.stop())

/** Looks at the data folder while no server has it open. */
async function onDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ kind: 'embedded', directory: path.join(folder, 'pgdata'), sharedBuffersMb: 64 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function count(database: Database, statement: ReturnType<typeof sql>): Promise<number> {
  return Number((await database.first(statement))?.['n'])
}

async function signIn(): Promise<string> {
  const reply = await server.send('POST', '/api/v1/login', { email: 'cashier@arus.example', password, user_agent: 'test' })
  if (reply.kind === 'broken' || reply.status !== 200) throw new Error(`Nobody could sign in: ${JSON.stringify(reply)}`)
  return reply.body.data.token
}

/** Who is told that the server has too much to do comes back. */
async function send(method: 'GET' | 'POST', url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  for (;;) {
    const reply = await server.send(method, url, body, { authorization: `Bearer ${token}`, ...headers })
    if (reply.kind === 'broken' || reply.body.data?.key !== 'problem.SERVICE_UNAVAILABLE.busy') return reply
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}

/** A receipt in cash that pays no invoice: posting it draws two numbers and writes a journal, a deposit and history. */
async function draft(i: number): Promise<Draft> {
  const amount = `${1_000_000 + i}.00`
  const ids = await lookups()
  const reply = await send('POST', '/api/v1/data/payment-received', { CustomerID: ids.customer, CashAccountID: ids.cash, Method: 'CASH', PaymentDate: systemClock.today(), Amount: amount, Lines: [] }, { 'idempotency-key': `draft-of-payment-${i}` })
  if (reply.kind === 'broken' || reply.status !== 200) throw new Error(`No draft: ${JSON.stringify(reply)}`)
  const { ID: id, Version: version } = reply.body.data.record
  return { id, version, key: `posting-of-payment-${i}`, amount }
}

let known: Promise<{ readonly customer: number; readonly cash: number }> | undefined

function lookups(): Promise<{ readonly customer: number; readonly cash: number }> {
  known ??= Promise.all([idOf('customer', 'C0000001'), idOf('cash_account', 'KAS-JKT')]).then(([customer, cash]) => ({ customer, cash }))
  return known
}

async function idOf(entity: string, code: string): Promise<number> {
  const reply = await send('POST', `/api/v1/lookup/${entity}/resolve`, { codes: [code] })
  if (reply.kind === 'broken' || reply.status !== 200) throw new Error(`No ${entity} ${code}: ${JSON.stringify(reply)}`)
  return reply.body.data.records[0].ID
}

async function post(one: Draft): Promise<Reply> {
  const reply = await send('POST', `/api/v1/data/payment-received/${one.id}/post`, {}, { 'idempotency-key': one.key, 'if-match': String(one.version) })
  if (reply.kind === 'answered' && reply.status === 200) acknowledged.set(one.id, reply.body.data.record.Code)
  return reply
}

describe('kill -9 in the middle of a hundred concurrent postings', () => {
  it('cuts the answers off', async () => {
    const all = drafts.map((one) => post(one))
    while (acknowledged.size < postings / 4) {
      await new Promise((resolve) => {
        setTimeout(resolve, 2)
      })
    }
    await server.kill()
    const replies = await Promise.all(all)
    expect(replies.filter((reply) => reply.kind === 'answered' && reply.status !== 200)).toEqual([])
    expect(acknowledged.size).toBeGreaterThanOrEqual(postings / 4)
    expect(acknowledged.size).toBeLessThan(postings)
  }, 120_000)

  it('leaves every acknowledged posting whole, no other half done, and the books in balance', async () => {
    await onDatabase(async (database) => {
      const payments = await database.rows<{ id: number; code: string | null; status: number; amount: string; version: number }>(sql`select id, code, status, amount, version from ar_payment order by id`)
      const journals = await database.rows<Row & { id: number; debit: string; credit: string }>(sql`
        select p.id, sum(l.debit) as debit, sum(l.credit) as credit from ar_payment p join journal j on j.source_doc_type = 'ar_payment' and j.source_doc_id = p.id
        join journal_line l on l.journal_id = j.id group by p.id`)
      const deposits = await database.rows<{ id: number; amount: string }>(sql`select deposit_source_id as id, amount from customer_deposit where deposit_source_id is not null`)
      const answers = await database.rows<{ key: string; status_code: number }>(sql`select idempotency_key as key, status_code from command_log where idempotency_key like 'posting-of-payment-%'`)
      const whole = payments.filter(({ status }) => status === 1)
      expect(payments).toHaveLength(postings)
      expect(payments.filter(({ status }) => status !== 0 && status !== 1)).toEqual([])
      for (const [id, code] of acknowledged) expect(whole.find((payment) => payment.id === id)?.code).toBe(code)

      // A posting is its status, number, journal, deposit and kept answer, or none of them.
      const amounts = whole.map(({ id, amount }) => ({ id, amount }))
      expect(journals.map(({ id, debit, credit }) => [id, debit, credit]).toSorted(byId)).toEqual(amounts.map(({ id, amount }) => [id, amount, amount]))
      expect(deposits.toSorted((a, b) => a.id - b.id)).toEqual(amounts)
      expect(answers.map(({ key }) => key).toSorted()).toEqual(whole.map(({ id }) => drafts.find((one) => one.id === id)?.key).toSorted())
      expect(answers.every((answer) => answer.status_code === 200)).toBe(true)
      expect(payments.filter(({ status }) => status === 0).every(({ code, version }) => code === null && version === 1)).toBe(true)
      await expectBalance(database)
    })
  }, 120_000)

  it('after a restart the same calls with the same keys finish the rest, and nothing twice', async () => {
    server = await ServerProcess.start(folder)
    token = await signIn()
    const before = new Map(acknowledged)
    const replies = await Promise.all(drafts.map((one) => post(one)))
    expect(replies.filter((reply) => reply.kind === 'broken' || reply.status !== 200)).toEqual([])
    for (const [id, code] of before) expect(acknowledged.get(id)).toBe(code)
    await server.stop()
    await onDatabase(async (database) => {
      const codes = (await database.rows<{ code: string }>(sql`select code from ar_payment where status = 1 order by code`)).map(({ code }) => Number(code.slice(-5)))
      expect(codes).toEqual(Array.from({ length: postings }, (_, i) => i + 1))
      expect(await count(database, sql`select count(*) as n from journal`)).toBe(journalsBefore + postings)
      expect(await count(database, sql`select count(*) as n from customer_deposit`)).toBe(postings)
      const cash = await idByCode(database, 'account', '111102')
      const total = drafts.reduce((sum, one) => sum + Number(one.amount), 0)
      expect(await count(database, sql`select sum(debit - credit)::int as n from journal_line where account_id = ${cash}`)).toBe(total)
      await expectBalance(database)
    })
  }, 240_000)
})

async function expectBalance(database: Database): Promise<void> {
  const off = await database.rows(sql`
    select j.id from journal j left join journal_line l on l.journal_id = j.id group by j.id having coalesce(sum(l.debit - l.credit), 0) <> 0 or coalesce(sum(l.debit), 0) <> j.total_debit or count(l.id) < 2`)
  expect(off).toEqual([])
  expect(await count(database, sql`select coalesce(sum(debit - credit), 0)::int as n from journal_line`)).toBe(0)
  expect(await violations(database, systemClock.today())).toEqual([])
}

function byId(a: readonly unknown[], b: readonly unknown[]): number {
  return Number(a[0]) - Number(b[0])
}

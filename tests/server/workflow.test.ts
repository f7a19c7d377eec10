import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'
import { runOf } from '../support/scene.ts'

let arus: TestApp
let sales: Session
let credit: Session
let finance: Session
let failing: string | undefined

beforeAll(async () => {
  arus = await testApp({
    registries: plainRegistries({
      effects: {
        reserveOrder: async (context) => {
          if (failing === 'reserve') fail('STOCK_INSUFFICIENT')
          if (failing === 'crash') throw new Error('boom')
          context.set({ stage: 'ALLOCATED' })
          if (Number(context.current['total']) === 777) context.warn('w1', 'ODD', { text: 'An odd amount.', key: 'warning.ODD' })
          await context.assertPeriodOpen(['SD'], Number(context.current['operating_unit_id']), String(context.current['doc_date']))
        },
      },
    }),
  })
  ;[sales, credit, finance] = await Promise.all([arus.signIn('sales'), arus.signIn('credit'), arus.signIn('finance')])
})

async function draft(total = '1000', over: object = {}) {
  const answer = await sales.post('/api/v1/data/sales-order', {
    CustomerID: await arus.id('customer', 'C0000001'), PoNumber: 'PO', Total: total, Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }], ...over,
  })
  expect(answer, JSON.stringify(answer.data)).toMatchObject({ status: 200 })
  return answer.data.record
}

const act = (session: Session, id: number, action: string, body: object = {}, sending = {}) => session.post(`/api/v1/data/sales-order/${id}/${action}`, body, sending)
const stateOf = (id: number) => arus.database.first(sql`select code, status, version, stage, pending_transition from sales_order where id = ${id}`)
const lastNumber = async () => Number((await arus.database.first(sql`select last_value from number_counter where bucket = 'JKT/202611' and series_id = ${await arus.id('number_series', 'SO')}`))?.['last_value'] ?? 0)

describe('a transition', () => {
  it('without anybody to ask goes through to approved in one step, with number, stamps and history', async () => {
    const { ID } = await draft()
    const answer = await act(sales, ID, 'submit', {}, { version: 1 })
    expect(answer.data.record).toMatchObject({ Code: 'SO/JKT/2611/00001', Status: 1, Stage: 'ALLOCATED', SubmittedByName: 'sales', Actions: ['cancel'] })
    const { records } = (await sales.get(`/api/v1/data/sales-order/${ID}/history`)).data
    expect(records.map((entry: { Action: string; FromStatus: number; ToStatus: number }) => [entry.Action, entry.FromStatus, entry.ToStatus])).toEqual([['approve-unasked', 4, 1], ['submit', 0, 4], ['create', null, 0]])
  })

  it('that is refused leaves no trace, not even a number', async () => {
    const { ID } = await draft()
    const number = await lastNumber()
    for (const cause of ['reserve', 'crash']) {
      failing = cause
      const answer = await act(sales, ID, 'submit', {}, { key: `retry-key-${ID}` })
      expect(answer.code).toBe(cause === 'reserve' ? 'STOCK_INSUFFICIENT' : 'INTERNAL')
    }
    failing = undefined
    expect(await stateOf(ID)).toEqual({ code: null, status: 0, version: 1, stage: 'ENTRY', pending_transition: null })
    expect(await lastNumber()).toBe(number)
    expect(arus.log.join()).toContain('boom')
    expect((await act(sales, ID, 'submit', {}, { key: `retry-key-${ID}` })).data.record.Code).toBe(`SO/JKT/2611/${String(number + 1).padStart(5, '0')}`)
  })

  it('answers the same once more under the same key, and only then', async () => {
    const { ID } = await draft()
    const first = await act(sales, ID, 'submit', {}, { key: `again-key-${ID}` })
    expect((await act(sales, ID, 'submit', {}, { key: `again-key-${ID}` })).data).toEqual(first.data)
    expect(await act(sales, ID, 'submit')).toMatchObject({ status: 409, code: 'ILLEGAL_TRANSITION', message: expect.stringContaining('Open') })
  })

  it('checks permission, version, name, reason and input', async () => {
    const { ID } = await draft()
    expect((await act(await arus.signIn('billing'), ID, 'submit')).code).toBe('FORBIDDEN_GUARD')
    expect((await act(sales, ID, 'submit', {}, { version: 7 })).code).toBe('VERSION_CONFLICT')
    expect((await act(sales, ID, 'explode')).code).toBe('NOT_FOUND')
    expect((await act(sales, ID, 'approve')).code).toBe('NOT_FOUND')
    expect((await act(sales, ID, 'submit', { Nonsense: 1 })).data.errors).toEqual([expect.objectContaining({ field: 'Nonsense', code: 'UNKNOWN_FIELD' })])
    await act(sales, ID, 'submit')
    expect((await act(sales, ID, 'cancel')).data.errors).toEqual([expect.objectContaining({ field: 'ReasonID', code: 'REQUIRED' })])
    const other = await arus.database.first<{ id: number }>(sql`select id from reason where usage <> 'CANCEL' limit 1`)
    expect((await act(sales, ID, 'cancel', { ReasonID: other?.id })).code).toBe('VALIDATION_FAILED')
    const cancelled = await act(sales, ID, 'cancel', { Note: 'Customer gave up' })
    expect(cancelled.data.record).toMatchObject({ Status: 6, CancelledByName: 'sales' })
  })

  it('asks for confirmation of warnings once', async () => {
    const { ID } = await draft('777')
    const number = await lastNumber()
    const asked = await act(sales, ID, 'submit', {}, { key: `warn-key-${ID}` })
    expect(asked).toMatchObject({ status: 412, code: 'WARNINGS', data: { warnings: [{ id: 'w1', code: 'ODD', text: 'An odd amount.' }] } })
    expect(await lastNumber()).toBe(number)
    expect((await act(sales, ID, 'submit', {}, { key: `warn-key-${ID}`, acknowledge: ['other'] })).code).toBe('WARNINGS')
    expect((await act(sales, ID, 'submit', {}, { key: `warn-key-${ID}`, acknowledge: ['w1'] })).data.record.Status).toBe(1)
  })

  it('refuses a closed period', async () => {
    const { ID } = await draft('1000', { DocDate: '2026-10-15' })
    await arus.database.run(sql`update accounting_period set status = 'CLOSED' where period = '202610' and module = 'SD'`)
    expect(await act(sales, ID, 'submit')).toMatchObject({ status: 422, code: 'PERIOD_CLOSED', message: 'Period 10/2026 for Sales in JKT is closed. Choose a day of an open period, or have it reopened by whoever closes the books.' })
    await arus.database.run(sql`update accounting_period set status = 'OPEN' where period = '202610'`)
    // Numbered by the month of the document.
    expect((await act(sales, ID, 'submit')).data.record.Code).toBe('SO/JKT/2610/00001')
  })

  it('of a submitted document cannot be undone by saving or deleting', async () => {
    const { ID } = await draft()
    await act(sales, ID, 'submit')
    expect((await sales.put(`/api/v1/data/sales-order/${ID}`, { PoNumber: 'late' }, { version: 3 })).code).toBe('ILLEGAL_TRANSITION')
    expect((await sales.delete(`/api/v1/data/sales-order/${ID}`, { version: 3 })).code).toBe('ILLEGAL_TRANSITION')
  })

  it('on many rows at once has an outcome for each', async () => {
    const one = await draft()
    const two = await draft('777')
    const done = await draft()
    await act(sales, done.ID, 'submit')
    const { results } = (await sales.post('/api/v1/data/sales-order/bulk/submit', { IDs: [one.ID, two.ID, done.ID, 9_999_999] })).data
    expect(results).toMatchObject([
      { ID: one.ID, ok: true, text: expect.stringMatching(/^SO\/JKT\/2611\/\d{5}: Open$/) },
      { ID: two.ID, ok: false, code: 'WARNINGS', text: 'An odd amount.', warnings: [expect.objectContaining({ id: 'w1' })] },
      { ID: done.ID, ok: false, code: 'ILLEGAL_TRANSITION', text: expect.any(String) },
      { ID: 9_999_999, ok: false, code: 'NOT_IN_SCOPE', text: expect.any(String) },
    ])
    expect((await sales.post('/api/v1/data/sales-order/bulk/submit', { IDs: 'all' })).code).toBe('VALIDATION_FAILED')
  })

  it('numbers fifty at once without a gap', async () => {
    const drafts = []
    for (let i = 0; i < 50; i++) drafts.push(await draft())
    const before = await lastNumber()
    const answers = await Promise.all(drafts.map(({ ID }) => act(sales, ID, 'submit')))
    const numbers = answers.map((answer) => Number(answer.data.record.Code.slice(-5))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => before + 1 + i))
  })
})

describe('approval', () => {
  const queue = (session: Session, query = {}) => session.get('/api/v1/approval/sales_order/submit', { columns: 'customer_id,total', length: 100, ...query })
  const waiting = async (total = '2000000') => {
    const { ID } = await draft(total)
    expect((await act(sales, ID, 'submit')).data.record.Status).toBe(4)
    const request = await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'sales_order' and doc_id = ${ID} and status = 4`)
    return { document: ID, request: request?.id ?? 0 }
  }
  const decide = (session: Session, request: number, decision: string, body: object = {}) => session.post(`/api/v1/approval/${request}/${decision}`, body)

  it('shows who may decide what, and why', async () => {
    const { document, request } = await waiting()
    const row = (await queue(credit)).data.rows.find((candidate: { ID: number }) => candidate.ID === request)
    expect(row).toMatchObject({
      DocID: document, DocType: 'sales_order', DocCode: expect.stringMatching(/^SO\//), Amount: '2000000.00', RequestedByName: 'sales', CurrentLevel: 1, MaxLevel: 1, PartyName: 'Toko Makmur',
      OperatingUnitCode: 'JKT', TerritoryCode: 'JKT-N', Reasons: [{ code: 'CL01', text: 'Over the limit' }], CanDecide: true, Document: { ID: document, CustomerName: 'Toko Makmur', Total: '2000000.00' },
    })
    expect((await queue(finance)).data.rows[0].CanDecide).toBe(false)
    // The clerk's menu has no queue.
    expect((await queue(sales)).code).toBe('FORBIDDEN_GUARD')
    expect((await queue(credit)).data.counts.waiting).toBeGreaterThan(0)
    const counted = async (query: object) => {
      const { counts, mine, recordsTotal } = (await queue(credit, query)).data
      return { counts, mine, recordsTotal }
    }
    expect(await counted({ search: row.DocCode })).toEqual({ counts: { waiting: 1, approved: 0, rejected: 0 }, mine: 1, recordsTotal: 1 })
    expect(await counted({ search: row.DocCode, state: 'rejected' })).toEqual({ counts: { waiting: 1, approved: 0, rejected: 0 }, mine: 1, recordsTotal: 0 })
    expect(await counted({ filter: JSON.stringify({ total: { gt: 1e12 } }) })).toEqual({ counts: { waiting: 0, approved: 0, rejected: 0 }, mine: 0, recordsTotal: 0 })
    expect((await credit.get('/api/v1/approval/mine')).data.records).toEqual([expect.objectContaining({ DocType: 'sales_order', Url: '/approval/sales-order?mine=1' })])
    expect((await credit.get('/api/v1/home')).data.approvals[0].Count).toBeGreaterThan(0)
  })

  it('is never given by the maker, by another level, or by an administrator the matrix does not name', async () => {
    const { request } = await waiting()
    expect((await decide(finance, request, 'approve')).code).toBe('NOT_YOUR_LEVEL')
    expect((await decide(await arus.signIn('admin'), request, 'approve')).code).toBe('NOT_YOUR_LEVEL')
    await arus.database.run(sql`update approval_request set requested_by = ${await arus.id('app_user', 'credit@arus.example', 'email')} where id = ${request}`)
    expect((await decide(credit, request, 'approve')).code).toBe('SELF_APPROVAL')
    await arus.database.run(sql`update setting_oms set value = 'true' where key = 'allow_self_approval'`)
    // What may be decided is offered.
    const offered = (await queue(credit, { state: 'waiting', length: 100 })).data
    expect(offered.rows.find(({ ID }: { ID: number }) => ID === request)).toMatchObject({ CanDecide: true })
    expect((await decide(credit, request, 'approve')).status).toBe(200)
    await arus.database.run(sql`update setting_oms set value = 'false' where key = 'allow_self_approval'`)
  })

  it('walks the levels and runs the action at the last', async () => {
    const { document, request } = await waiting('60000000')
    expect((await decide(finance, request, 'approve')).code).toBe('NOT_YOUR_LEVEL')
    expect((await decide(credit, request, 'approve')).data).toMatchObject({ isFinal: false })
    expect((await stateOf(document))?.['status']).toBe(4)
    expect((await decide(credit, request, 'approve')).code).toBe('NOT_YOUR_LEVEL')
    expect((await decide(finance, request, 'approve', { Note: 'fine' })).data).toMatchObject({ isFinal: true })
    expect(await stateOf(document)).toMatchObject({ status: 1, stage: 'ALLOCATED' })
    expect((await decide(finance, request, 'approve')).code).toBe('ILLEGAL_TRANSITION')
    expect((await queue(credit, { state: 'approved' })).data.rows[0].DocID).toBe(document)
    expect(await arus.database.rows(sql`select level, action, note from approval_action where request_id = ${request} order by id`)).toEqual([
      { level: 1, action: 'APPROVE', note: null }, { level: 2, action: 'APPROVE', note: 'fine' },
    ])
  })

  it('fails as a whole when the action fails', async () => {
    const { document, request } = await waiting()
    failing = 'reserve'
    expect((await decide(credit, request, 'approve')).code).toBe('STOCK_INSUFFICIENT')
    failing = undefined
    expect((await stateOf(document))?.['status']).toBe(4)
    expect((await decide(credit, request, 'approve')).status).toBe(200)
  })

  it('rejects with a reason, returns, and is recalled by the maker', async () => {
    const rejected = await waiting()
    expect((await decide(credit, rejected.request, 'reject')).data.errors).toEqual([expect.objectContaining({ field: 'ReasonID', code: 'REQUIRED' })])
    const reason = await arus.database.first<{ id: number }>(sql`select id from reason where usage = 'REJECT' and not needs_note limit 1`)
    expect((await decide(credit, rejected.request, 'reject', { ReasonID: reason?.id })).status).toBe(200)
    expect((await stateOf(rejected.document))?.['status']).toBe(5)
    expect((await queue(credit, { state: 'rejected' })).data.rows[0].DocID).toBe(rejected.document)

    const returned = await waiting()
    expect((await decide(credit, returned.request, 'return', { Note: 'Check the price' })).status).toBe(200)
    const state = await stateOf(returned.document)
    expect(state?.['status']).toBe(0)
    // The number it has drawn stays its own when it is submitted again.
    expect((await act(sales, returned.document, 'submit')).data.record.Code).toBe(state?.['code'])

    const recalled = await waiting()
    expect((await sales.put(`/api/v1/data/sales-order/${recalled.document}`, { PoNumber: 'x' }, { version: 2 })).code).toBe('ILLEGAL_TRANSITION')
    expect((await act(sales, recalled.document, 'recall')).data.record.Status).toBe(0)
    expect((await decide(credit, recalled.request, 'approve')).code).toBe('ILLEGAL_TRANSITION')
  })

  it('decides several at once, each with its outcome', async () => {
    const one = await waiting()
    const two = await waiting('60000000')
    const { results } = (await credit.post('/api/v1/approval/bulk/approve', { IDs: [one.request, two.request, 999_999] })).data
    expect(results).toMatchObject([
      { ID: one.request, ok: true, text: 'Approved.', key: 'done.approved' },
      { ID: two.request, ok: true, text: 'Approved; the next level is asked.' },
      { ID: 999_999, ok: false, code: 'NOT_IN_SCOPE', text: expect.any(String) },
    ])
  })

  it('with mode ALL needs everybody of the role', async () => {
    await arus.database.run(sql`update approval_matrix set mode = 'ALL' where code = 'SO-CL01-1'`)
    await arus.database.run(sql`insert into app_user (email, name, password_hash, role_id, territory_scope, password_change_date)
      select 'credit2@arus.example', 'credit2', password_hash, role_id, false, password_change_date from app_user where email = 'credit@arus.example'`)
    const { document, request } = await waiting()
    expect((await decide(credit, request, 'approve')).data).toMatchObject({ isFinal: false, text: 'Approved; this level waits for others as well.', key: 'done.same-level' })
    expect((await decide(await arus.signIn('credit2'), request, 'approve')).data.isFinal).toBe(true)
    expect((await stateOf(document))?.['status']).toBe(1)
    await arus.database.run(sql`update approval_matrix set mode = 'ANY' where code = 'SO-CL01-1'`)
  })

  it('prefers the most specific row of the matrix', async () => {
    await arus.database.run(sql`
      insert into approval_matrix (code, doc_type, transition, condition_code, operating_unit_id, min_amount, level, approver_kind, approver_ref, mode, valid_from)
      values ('SO-JKT', 'sales_order', 'approve', 'CL01', ${await arus.id('operating_unit', 'JKT')}, 0, 1, 'USER', 'Director@arus.example', 'ANY', '2025-01-01')`)
    const { request } = await waiting()
    expect((await decide(credit, request, 'approve')).code).toBe('NOT_YOUR_LEVEL')
    expect((await decide(await arus.signIn('director'), request, 'approve')).status).toBe(200)
    await arus.database.run(sql`delete from approval_matrix where code = 'SO-JKT'`)
  })

  it('of a reversal leaves the document alone until it is decided', async () => {
    const cashier = await arus.signIn('cashier')
    const payment = async () => {
      const made = await cashier.post('/api/v1/data/payment-received', { Method: 'CASH', CustomerID: await arus.id('customer', 'C0000001'), PaymentDate: '2026-11-20', Amount: '500', CashAccountID: await arus.id('cash_account', 'KAS-JKT') })
      expect(made.status).toBe(200)
      const { ID } = made.data.record
      expect((await cashier.post(`/api/v1/data/payment-received/${ID}/post`)).data.record.Status).toBe(1)
      const asked = await cashier.post(`/api/v1/data/payment-received/${ID}/request-reversal`, { Note: 'Wrong customer' })
      expect(asked.data.record).toMatchObject({ Status: 1, PendingTransition: 'reverse', Actions: [] })
      const request = await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'ar_payment' and doc_id = ${ID} and status = 4`)
      return { ID, request: request?.id ?? 0 }
    }
    const kept = await payment()
    expect((await cashier.post(`/api/v1/data/payment-received/${kept.ID}/request-reversal`, { Note: 'again' })).code).toBe('PENDING_TRANSITION')
    expect((await decide(finance, kept.request, 'reject', { Note: 'No' })).status).toBe(200)
    expect((await cashier.get(`/api/v1/data/payment-received/${kept.ID}`)).data.record).toMatchObject({ Status: 1, PendingTransition: null })
    const undone = await payment()
    expect((await decide(finance, undone.request, 'approve')).status).toBe(200)
    expect((await cashier.get(`/api/v1/data/payment-received/${undone.ID}`)).data.record).toMatchObject({ Status: 7, PendingTransition: null })
  })
})

describe('a part of a command done by itself', () => {
  it('counts as done on the day of the command and comes from where the command comes from', async () => {
    const { services, tx, user } = runOf(arus.database, arus.database)
    const run = new CommandRun(services, tx, user, { today: '2026-11-03', source: 'IMPORT' })
    expect(await run.apart(async (own) => [own.today, own instanceof CommandRun && own.source])).toEqual(['2026-11-03', 'IMPORT'])
  })
})

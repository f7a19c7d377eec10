import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addDays, type DateText } from '#base/date.ts'
import { exact, money, sum } from '#base/decimal.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
/** The last of them is a government office, which withholds taxes. */
const customers = ['C0000001', 'C0000002', 'C0000003'] as const
const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const customerOf = (n: number) => customers[n % customers.length] ?? 'C0000001'

/** Documents of receivables by their table, and how each is taken back; a temporary credit note is refused into a debit memo. */
const documents = {
  write_off: ['write-off', 'request-reversal'],
  ar_clearing: ['ar-clearing', 'reverse'],
  ar_clearing_gov: ['ar-clearing-gov', 'reverse'],
  cn_temporary: ['cn-temporary', 'refuse'],
  credit_note: ['credit-note', 'request-reversal'],
  customer_deposit: ['customer-deposit', 'request-reversal'],
  customer_deposit_settlement: ['customer-deposit-settlement', 'request-reversal'],
  customer_deposit_transfer: ['transfer-customer-deposit', 'request-reversal'],
  credit_note_transfer: ['credit-note-transfer', 'request-reversal'],
  customer_invoice_exchange: ['customer-invoice-exchange', 'reverse'],
  invoice_close_request: ['close-invoice', 'request-reversal'],
  ar_payment: ['payment-received', 'request-reversal'],
} as const
type Table = keyof typeof documents
const tables = Object.keys(documents) as Table[]

beforeAll(async () => {
  scene = await openScene()
  const { database } = scene
  bank = await id('house_bank', 'BCA1')
  await database.run(sql`update promotion set valid_to = '2025-12-31'`)
  await database.run(sql`update payment_term set net_days = 0`)
  await database.run(sql`update credit_limit set amount = 90000000000`)
  await database.run(sql`
    update customer o set operating_unit_id = c.operating_unit_id, territory_id = c.territory_id, wapu_kind = 'GOV', trx_code = null, pph22_rate = 1.5 from customer c where o.code = 'C0000003' and c.code = 'C0000001'`)
  await database.run(sql`
    insert into write_off_parameter (code, name, category, min_age_days, max_amount_per_item, max_total, method, account_id, valid_from)
    select 'WO-UJI', 'Uji', 'BAD_DEBT', 0, 30000000, 60000000, 'DIRECT', id, '2025-01-01' from account where code = '613101'`)
  await database.run(sql`update setting_finance set deposit_vat = true`)
})

/** Three numbers from which a step chooses documents and amounts. */
type Dice = Readonly<{ [name in 'a' | 'b' | 'c']: number }>

async function one(table: string, where: Sql, n: number): Promise<Record> {
  const rows = await scene.rows(table, where)
  return rows[n % rows.length] ?? Promise.reject(new Error('404 nothing there'))
}
/** A part of an amount, now and then all of it or more than there is. */
const part = (of: string, n: number) => exact(of).times([1, 0.5, 0.337, 0.1, 1.01][n % 5] ?? 1).toFixed(2)
const less = (a: string, b: string) => (exact(a).lt(b) ? a : b)
const open = sql`status in (1, 2) and pending_transition is null`
const owing = (n: number, more = sql`true`) => one('invoice', sql`status in (1, 2) and invoice_type <> 'REVERSAL' and ${more}`, n)
/** A credit note or a deposit of a customer that has something left. */
const credit = (table: 'credit_note' | 'customer_deposit', customer: number | undefined, n: number) =>
  one(table, sql`${open} and remaining > 0 and (${customer ?? null}::bigint is null or customer_id = ${customer ?? null})`, n)

async function enter(table: Table, body: object): Promise<Record> {
  const made = await scene.create('admin', documents[table][0], { DocDate: today(), ...body })
  return scene.act('admin', documents[table][0], made.ID, 'submit', {}, { acknowledge: ['all'] })
}
async function receive(amount: string, invoice: Record, line: object, reason = 'R01', more: object = {}): Promise<Record> {
  const { code } = await one('customer', sql`id = ${invoice.customer_id}`, 0)
  return scene.pay(code, amount, [{ InvoiceID: invoice.id, ReasonID: await id('reason', reason), ReasonText: 'dadu', ...line }], more)
}
/** Approved where it can be, refused otherwise. */
async function decide(type: string, ID: number, approve: boolean): Promise<void> {
  if (!approve) return scene.decide(type, ID, 'reject')
  return scene.decide(type, ID).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return scene.decide(type, ID, 'reject')
  })
}
/** What receipts have drafted today, or was recalled. */
const submitDraft = (table: Table) => async ({ a }: Dice) => scene.act('admin', documents[table][0], (await one(table, sql`status = 0 and doc_date = ${today()}::date`, a)).id, 'submit')
const leaving = (reason: string) => async ({ a, b }: Dice) => {
  const invoice = await owing(a, sql`remaining > 300000`)
  const paid = part(invoice.remaining, 1 + (b % 3))
  return receive(paid, invoice, { Paid: paid }, reason)
}
const takeBack = (table: Table) => async ({ a, b }: Dice) => {
  const [resource, action] = documents[table]
  // Mostly one that nothing stands against, now and then any.
  const row = await one(table, sql`${b % 4 === 0 ? sql`status in (1, 2, 3)` : sql`status = ${table === 'invoice_close_request' ? 3 : 1}`} and pending_transition is null`, a)
  return scene.act(table === 'ar_payment' ? 'cashier' : 'admin', resource, row.id, action, { ReasonID: await id('reason', action === 'refuse' ? 'J01' : 'V02') })
}

const steps: Readonly<{ [name: string]: (dice: Dice) => Promise<unknown> }> = {
  invoice: ({ a, b }) => scene.invoiced(customerOf(a), [{ item: 'D', qty: String(1 + (b % 3)) }]),
  /** Cancelled on its own day, which then never knew it; reversed on any later one. */
  async undoInvoice({ a, b }) {
    const invoice = await one('invoice', sql`status = 1 and invoice_type = 'SALES' and pending_transition is null`, a)
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.id, Mode: b % 2 === 0 && invoice.posting_date === today() ? 'CANCEL' : 'REVERSAL', ReasonID: await id('reason', 'C02') })
    return scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
  },
  payPart: leaving('R01'),
  payClaimed: leaving('R03'),
  payLost: leaving('R10'),
  async payNearly({ a, b }) {
    const invoice = await owing(a)
    const paid = money(exact(invoice.remaining).minus(1000 + (b % 9000)))
    return receive(paid, invoice, { Paid: paid })
  },
  async payTooMuch({ a, b }) {
    const invoice = await owing(a)
    return receive(money(exact(invoice.remaining).plus(100_000 + b)), invoice, { Paid: invoice.remaining })
  },
  async payByCredit({ a, b, c }) {
    const [table, Source] = c % 2 === 0 ? (['credit_note', 'CREDIT_NOTE'] as const) : (['customer_deposit', 'DEPOSIT'] as const)
    const held = await credit(table, undefined, a)
    const invoice = await owing(b, sql`customer_id = ${held.customer_id}`)
    const Amount = part(less(held.remaining, invoice.remaining), c)
    return receive('0', invoice, { Paid: Amount, Credits: [{ Source, SourceID: held.id, Amount }] })
  },
  async recover({ a, b }) {
    const lost = await one('written_off_invoice', sql`recoverable > 0`, a)
    const { code } = await one('customer', sql`id = ${lost.customer_id}`, 0)
    const Amount = part(lost.recoverable, b)
    return scene.pay(code, money(exact(Amount).plus(b % 3 === 0 ? 50_000 : 0)), [], { ArPaymentRecovery: [{ InvoiceID: lost.id, Amount }] })
  },
  async writeOff({ a, b }) {
    const invoice = await owing(a)
    return enter('write_off', { CustomerID: invoice.customer_id, ParameterID: await id('write_off_parameter', 'WO-UJI'), CutoffDate: today(), Lines: [{ InvoiceID: invoice.id, Amount: part(invoice.remaining, b) }] })
  },
  async closeRest({ a }) {
    const invoice = await owing(a, sql`status = 2 and remaining <= 10000`)
    return enter('invoice_close_request', { InvoiceID: invoice.id, ReasonID: (await one('reason', sql`usage = 'WRITE_OFF'`, a)).id, ReasonText: 'dadu' })
  },
  async clear({ a, b, c }) {
    const [table, key] = c % 2 === 0 ? (['credit_note', 'CreditNoteID'] as const) : (['customer_deposit', 'CustomerDepositID'] as const)
    const held = await credit(table, undefined, a)
    const invoice = await owing(b, sql`customer_id = ${held.customer_id}`)
    const difference = c % 3 === 0 ? 3000 : 0
    const Amount = part(less(held.remaining, invoice.remaining), c)
    return enter('ar_clearing', {
      CustomerID: held.customer_id, Lines: [{ InvoiceID: invoice.id, Amount: money(exact(Amount).plus(difference)) }], ArClearingUse: [{ [key]: held.id, Amount }], ...(difference === 0 ? {} : { DiffReasonID: await id('reason', 'R06') }),
    })
  },
  async clearGovernment({ a, b }) {
    const CustomerID = await id('customer', 'C0000003')
    const invoice = await owing(a, sql`customer_id = ${CustomerID}`)
    const body = { CustomerID, DocDate: today(), MoneySource: 'BANK', HouseBankID: bank }
    const { record } = await scene.command('admin', 'propose-withholding', { ...body, MoneyAmount: '0', Lines: [{ InvoiceID: invoice.id, Amount: part(invoice.remaining, b) }] })
    const [{ Amount, PpnWithheld, Pph22Withheld }] = record.Lines
    const rounding = b % 3 === 0 ? 37 : 0
    return enter('ar_clearing_gov', { ...body, MoneyAmount: money(exact(Amount).minus(sum([PpnWithheld, Pph22Withheld])).minus(rounding)), Lines: [{ InvoiceID: invoice.id, Amount, PpnWithheld, Pph22Withheld }] })
  },
  async claim({ a, b }) {
    const invoice = await owing(a)
    return enter('cn_temporary', { CustomerID: invoice.customer_id, InvoiceID: invoice.id, Amount: part(invoice.remaining, 1 + (b % 4)) })
  },
  async convert({ a, b }) {
    const claim = await one('cn_temporary', open, a)
    return enter('credit_note', { Kind: 'CLAIM', CustomerID: claim.customer_id, PromoTypeID: await id('credit_note_promo_type', 'KLAIM-LAIN'), ClaimDate: today(), ClaimNo: scene.key(), Dpp: part(claim.remaining, b), CnTemporaryID: claim.id })
  },
  creditNote: async ({ a, b }) => enter('credit_note', { Kind: 'MANUAL', CustomerID: await id('customer', customerOf(a)), Dpp: String(50_000 + b * 9), AccountID: await id('account', '414101') }),
  async handNoteOn({ a, b }) {
    const note = await credit('credit_note', undefined, a)
    return enter('credit_note_transfer', { CreditNoteID: note.id, Amount: part(note.remaining, b) })
  },
  deposit: async ({ a, b, c }) => enter('customer_deposit', { CustomerID: await id('customer', customerOf(a)), Kind: c % 3 === 0 ? 'TITIPAN' : 'UANG_MUKA', Method: 'TRANSFER', HouseBankID: bank, Amount: String(100_000 + b * 17) }),
  async applyDeposit({ a, b, c }) {
    const held = await credit('customer_deposit', undefined, a)
    const invoice = await owing(b, sql`customer_id = ${held.customer_id}`)
    return enter('customer_deposit_settlement', { CustomerDepositID: held.id, Kind: 'APPLY', Lines: [{ InvoiceID: invoice.id, Amount: part(less(held.remaining, invoice.remaining), c) }] })
  },
  async refundDeposit({ a, b }) {
    const held = await credit('customer_deposit', undefined, a)
    return enter('customer_deposit_settlement', { CustomerDepositID: held.id, Kind: 'REFUND', Refund: part(held.remaining, b), HouseBankID: bank, PayeeAccount: 'BCA 1', Lines: [] })
  },
  async handDepositOn({ a, b }) {
    const held = await credit('customer_deposit', undefined, a)
    const to = await one('customer', sql`code = any(${customers}) and id <> ${held.customer_id}`, b)
    return enter('customer_deposit_transfer', { CustomerDepositID: held.id, ToCustomerID: to.id, Amount: part(held.remaining, b) })
  },
  async exchange({ a, b }) {
    const invoice = await owing(a, sql`ttf_date is null`)
    return enter('customer_invoice_exchange', { CustomerID: invoice.customer_id, TtfNumber: `TTF-${scene.key()}`, TtfDate: b % 3 === 0 ? addDays(today(), -1) : today(), Lines: [{ InvoiceID: invoice.id }] })
  },
  submitLost: submitDraft('write_off'),
  submitClaimed: submitDraft('cn_temporary'),
  async recall({ a, b }) {
    const table = tables[b % tables.length] ?? 'write_off'
    return scene.act('admin', documents[table][0], (await one(table, sql`status = 4`, a)).id, 'recall')
  },
  async decide({ a, b }) {
    const { doc_type: type, doc_id: ID } = await one('approval_request', sql`status = 4`, a)
    return decide(type, ID, b % 7 !== 0)
  },
  ...Object.fromEntries(tables.map((table) => [`takeBack ${table}`, takeBack(table)])),
}

/** What happens all day comes up more often than what undoes it, and what has hardly happened so far is tried again. */
const names = Object.keys(steps)
const often = ['invoice', 'invoice', 'invoice', 'creditNote', 'creditNote', 'handNoteOn', 'handNoteOn', 'takeBack credit_note_transfer', 'deposit', 'claim', 'payClaimed', 'payLost', 'payNearly', 'clearGovernment', 'writeOff', ...Array.from({ length: 20 }, () => 'decide'), ...Array.from({ length: 14 }, () => 'rarest')]
const anyStep = fc.record({ name: fc.constantFrom(...names, ...often), a: fc.nat(10_000), b: fc.nat(100_000), c: fc.nat(10_000) })

/** A refusal is fine, a failure never. */
const isRefusal = (error: unknown): boolean => error instanceof Error && /^4\d\d |^Nobody could decide/.test(error.message) && !error.message.includes('INTERNAL')

/** What reports say is open at the end of a day. */
async function openAt(day: DateText): Promise<string[]> {
  const report = async (name: string, parameters: object): Promise<Record[]> => (await scene.people.finance.get(`/api/v1/report/${name}.report`, { ...parameters, length: 250 })).data.rows
  const aging = await report('ar-aging', { as_of: day, level: 'DETAIL' })
  const items = await report('fbl5n', { key_date: day, item_status: 'OPEN', with_special: true })
  return [...aging.map((row) => `${row.DocCode} ${row.Remaining} ${row.Unapplied}`), ...items.map((row) => `${row.DocCode} ${row.Amount}`)].toSorted()
}

/** What is tolerated changes from day to day; documents of the days before keep to what was tolerated then. */
async function tolerateElsewise(day: number): Promise<void> {
  for (const { id: ID, usage } of await scene.rows('tolerance', sql`usage in ('AR_SHORT', 'AR_OVER', 'CLOSE_INVOICE')`)) {
    const { Version, ...record } = await scene.read('tolerance', ID)
    const changed = await scene.people.admin.put(`/api/v1/data/tolerance/${ID}`, { Usage: record.Usage, Amount: day % 2 === 1 ? '2500' : '7500', Percent: record.Percent, AccountID: record.AccountID }, { key: scene.key(), version: Version })
    expect([usage, changed.code]).toEqual([usage, 'success'])
  }
}

test('whatever is written off, cleared, claimed, deposited, handed on and taken back in whatever order: the books agree, on the days before too', async () => {
  const done: { [name: string]: number } = Object.fromEntries(names.map((name) => [name, 0]))
  const rarest = (n: number) => names.toSorted((x, y) => (done[x] ?? 0) - (done[y] ?? 0))[n % 6] ?? 'decide'
  const days = new Map<DateText, string[]>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 130, maxLength: 130 }), async (sequence) => {
      for (const [i, { name: drawn, a, b, c }] of sequence.entries()) {
        const name = drawn === 'rarest' ? rarest(a) : drawn
        let went: number | undefined = 0
        for (let turn = 0; went === 0 && turn < (drawn === 'rarest' ? 5 : 1); turn++) {
          went = await steps[name]?.({ a: a + turn, b: b + turn, c: c + turn }).then(() => 1, (error: unknown) => (isRefusal(error) ? 0 : Promise.reject(error)))
        }
        done[name] = (done[name] ?? 0) + (went ?? 0)
        if (i % 26 === 25) expect(await violations(scene.database, today())).toEqual([])
      }
      // Documents are booked on their own day: what waits is decided before it ends.
      for (const table of [...tables, 'invoice_cancel_request']) for (const { id: waiting } of await scene.rows(table, sql`status = 4`)) await decide(table, waiting, true)
      expect(await violations(scene.database, today())).toEqual([])
      for (const [day, before] of days) {
        expect(await violations(scene.database, day)).toEqual([])
        expect(await openAt(day)).toEqual(before)
      }
      days.set(today(), await openAt(today()))
      await tolerateElsewise(days.size)
      await scene.moveTo(`${addDays(today(), 1)}T03:00:00.000Z`)
    }),
    { seed: 20261201, numRuns: 4, endOnFailure: true },
  )
  // The walk is worth something only if it gets far: every kind of step has succeeded, every kind of document has been undone.
  const undone = await Promise.all(tables.map(async (table) => [`undone ${table}`, (await scene.database.first<{ n: number }>(sql`select count(*)::int as n from ${ident(table)} where status = 7`))?.n ?? 0] as const))
  const counts: typeof done = { ...done, ...Object.fromEntries(undone), 'with VAT': (await scene.rows('customer_deposit', sql`vat > 0 and status <> 0`)).length }
  if (process.env['SHOW_STEPS'] !== undefined) console.log(counts)
  expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([])
}, 300_000)

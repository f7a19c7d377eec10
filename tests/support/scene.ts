import { expect } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { clockOf } from '#server/clock.ts'
import type { Database, Queries, Row, User } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { noFileStore } from '#server/files/fileStore.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { MailRoom } from '#server/mail/mailRoom.ts'
import { registries } from '#server/registries.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { testApp, type Answer, type Sending, type Session, type TestApp, type TestAppOptions } from './app.ts'
import { fillCompany, idByCode, testDay } from './company.ts'
import type { Template } from './database.ts'
import { buyAndGet, insertPromotion } from './promotions.ts'

/** The company with the worked example of the domain: Toko Makmur in group SILVER, items A and B at 85,000 and 190,000, two promotions. */
export const sceneTemplate: Template = { name: 'scene', fill: fillScene }

async function fillScene(database: Database): Promise<void> {
  await fillCompany(database)
  await database.transaction(async (tx) => {
    const id = (table: string, code: string): Promise<number> => idByCode(tx, table, code)
    const [a, b, makmur, jkt] = [await id('item', 'A'), await id('item', 'B'), await id('customer', 'C0000001'), await id('operating_unit', 'JKT')]
    const from = { valid_from: '2025-01-01' }
    const base = await id('price_set', 'BASE')
    const tax = await id('tax_code', 'PPN04')
    const round = await insertRows(tx, 'item', [
      { code: 'C', name: 'Item C', base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: tax, status: 1 },
      { code: 'D', name: 'Item D', base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: tax, status: 1 },
      { code: 'E', name: 'Item E', base_uom: 'PCS', sales_uom: 'CTN', pack_qty: '24', tax_code_id: tax, status: 1 },
    ])
    // With VAT one C is 3,300,000 and one D is 2,200,000.
    await insertRows(tx, 'list_price', round.map((item, i) => ({ price_set_id: base, item_id: item, uom: ['CTN', 'CTN', 'PCS'][i], min_qty: '0', price: ['2972973', '1981982', '1250.5'][i], ...from })))
    const [silverPrices] = await insertRows(tx, 'price_set', [{ code: 'SILVER', name: 'Silver prices', scheme: 'V3', scope_kind: 'GROUP', ref_id: null, status: 1, ...from }])
    await insertRows(tx, 'list_price', [{ price_set_id: silverPrices, item_id: a, uom: 'CTN', min_qty: '0', price: '118000', ...from }])
    const [silverDiscounts] = await insertRows(tx, 'discount_set', [{ code: 'SILVER', name: 'Silver discounts', scheme: 'V2', scope_kind: 'GROUP', ref_id: null, ...from }])
    await insertRows(tx, 'discount', [
      { discount_set_id: silverDiscounts, seq: 1, name: 'Regular', item_id: a, kind: 'PCT', value: '3', base: 'RUNNING', ...from },
      { discount_set_id: silverDiscounts, seq: 1, name: 'Regular', item_id: b, kind: 'PCT', value: '1', base: 'RUNNING', ...from },
      { discount_set_id: silverDiscounts, seq: 2, name: 'Extra', item_id: a, kind: 'PCT', value: '2', base: 'RUNNING', ...from },
    ])
    const [silver] = await insertRows(tx, 'pricing_group', [{ code: 'SILVER', name: 'Silver', price_set_id: silverPrices, discount_set_id: silverDiscounts }])
    await tx.run(sql`update customer set pricing_group_id = ${silver} where id = ${makmur}`)
    await insertPromotion(tx, { code: 'P1', name: 'Buy 10 A get 1 A', ...from, ...buyAndGet(a, '10', '1', 3) })
    await insertPromotion(tx, {
      code: 'P2', name: 'Order value', ...from,
      conditions: [{ tier_no: 1, kind: 'ORDER_VALUE', min: '3000000' }, { tier_no: 2, kind: 'ORDER_VALUE', min: '5000000' }],
      benefits: [{ tier_no: 1, kind: 'PCT', value: '1.5' }, { tier_no: 2, kind: 'PCT', value: '2.5' }],
    })
    await insertRows(tx, 'credit_limit', (await tx.rows<{ id: number }>(sql`select id from customer order by id`)).map((customer) => ({
      customer_id: customer.id, kind: 'REGULER', amount: '100000000', overdue_grace_days: 60, ...from,
    })))
    await insertRows(tx, 'house_bank', [
      { code: 'BCA1', operating_unit_id: jkt, name: 'BCA', bank_id: await id('bank', 'BCA'), account_no: '111', account_name: 'PT Arus', gl_account_id: await id('account', '111201'), is_collection: true },
    ])
    await tx.run(sql`update setting_oms set value = 'true'::jsonb where key = 'vat_on_free_goods'`)
    await receiveStock(runOf(database, tx), {
      kind: 'OB_STOCK', date: '2026-11-01', operatingUnitId: jkt, warehouseId: await id('warehouse', 'WJKT'), source: { type: 'opening', id: 1, code: 'OPENING' },
      lines: [
        { itemId: a, qty: '1000', cost: '85000000' }, { itemId: b, qty: '1000', cost: '190000000' },
        ...round.map((itemId, i) => ({ itemId, qty: ['500', '500', '48000'][i] ?? '0', cost: ['1000000000', '750000000', '40000000'][i] ?? '0' })),
      ],
    })
  })
}

/** A command of the administrator outside HTTP, for what has no document of its own. */
export function runOf(database: Database, tx: Queries, at = testDay): CommandRun {
  const admin: User = { id: 1, name: 'admin', email: 'admin@arus.example', roleId: 1, roleCode: 'ADMIN', guards: new Set(), menu: new Set(), territories: 'all', operatingUnits: 'all' }
  const clock = clockOf(() => new Date(at))
  const log = (): void => undefined
  const services = { database, clock, metadata, flow: [], files: noFileStore, log, mail: new MailRoom({ database, clock, log }), later: () => undefined, ...registries }
  return new CommandRun(services, tx, admin)
}

export interface OrderLineInput {
  /** Code of an item: those of the scene are A to E. */
  readonly item: string
  readonly qty: string
  readonly manual?: string
}

/** A record as the server sent it. */
// oxlint-disable-next-line no-explicit-any -- tests read into answers of every shape
export type Record = any

/** People of the company doing their work through the HTTP interface; every step asserts that it was accepted. */
export class Scene {
  readonly at: TestApp
  people: Readonly<{ [name in Person]: Session }>
  #keys = 0

  constructor(at: TestApp, people: Readonly<{ [name in Person]: Session }>) {
    this.at = at
    this.people = people
  }

  get database(): Database {
    return this.at.database
  }

  /** Goes to another time; sessions end with the day, so everybody signs in again. */
  async moveTo(at: string): Promise<void> {
    this.at.moveTo(at)
    this.people = await signInAll(this.at)
  }

  /** A key no other command of the file has. */
  key(): string {
    this.#keys += 1
    return `key-${this.#keys}-${Math.random().toString(36).slice(2)}`
  }

  async create(who: Person, resource: string, body: unknown): Promise<Record> {
    return accepted(await this.people[who].post(`/api/v1/data/${resource}`, body, { key: this.key() })).record
  }

  async read(resource: string, id: number): Promise<Record> {
    return accepted(await this.people.admin.get(`/api/v1/data/${resource}/${id}`)).record
  }

  /** Takes an action on a record at the version it has now. */
  async act(who: Person, resource: string, id: number, action: string, body: unknown = {}, sending: Sending = {}): Promise<Record> {
    return accepted(await this.tryAct(who, resource, id, action, body, sending)).record
  }

  async tryAct(who: Person, resource: string, id: number, action: string, body: unknown = {}, sending: Sending = {}): Promise<Answer> {
    const { Version } = await this.read(resource, id)
    return this.people[who].post(`/api/v1/data/${resource}/${id}/${action}`, body, { key: this.key(), version: Version, ...sending })
  }

  async command(who: Person, name: string, body: unknown): Promise<Record> {
    return accepted(await this.people[who].post(`/api/v1/command/${name}`, body, { key: this.key() }))
  }

  async draftOrder(customer: string, lines: readonly OrderLineInput[], more: object = {}): Promise<Record> {
    const Lines = await Promise.all(lines.map(async (line) => ({ ItemID: await this.at.id('item', line.item), Uom: 'CTN', Qty: line.qty, ...(line.manual === undefined ? {} : { ManualDiscount: line.manual }) })))
    return this.create('sales', 'sales-order', { CustomerID: await this.at.id('customer', customer), Lines, ...more })
  }

  /** An order entered and submitted; approved at once when nothing stands against it. */
  async order(customer: string, lines: readonly OrderLineInput[], more: object = {}): Promise<Record> {
    const draft = await this.draftOrder(customer, lines, more)
    return this.act('sales', 'sales-order', draft.ID, 'submit')
  }

  /** Plans and releases everything open of an order; answers its delivery orders. */
  async plan(order: Record, quantities?: object): Promise<Record[]> {
    const lines = (await this.read('sales-order', order.ID)).Lines
    const data = await this.command('warehouse', 'plan-delivery', { IDs: lines.map((line: Record) => line.ID), PlanDate: this.at.clock.today(), Release: true, ...(quantities ? { Quantities: quantities } : {}) })
    return this.rows('delivery_order', sql`delivery_plan_id = ${data.Plans[0].ID}`)
  }

  /** Picks and issues a delivery whole; answers the goods issue. */
  async issue(delivery: Record): Promise<Record> {
    await this.act('warehouse', 'delivery-order', delivery.id, 'pick')
    await this.act('warehouse', 'delivery-order', delivery.id, 'issue')
    const [issue] = await this.rows('goods_issue', sql`delivery_order_id = ${delivery.id} and status <> 7`)
    return issue
  }

  /** From order to goods issue in one go. */
  async delivered(customer: string, lines: readonly OrderLineInput[], more: object = {}): Promise<{ readonly order: Record; readonly issue: Record }> {
    const order = await this.order(customer, lines, more)
    const [delivery] = await this.plan(order)
    return { order, issue: await this.issue(delivery) }
  }

  /** Invoices goods issues; answers the invoices made. */
  async bill(issueIds: readonly number[], date = this.at.clock.today()): Promise<Record[]> {
    const data = await this.command('billing', 'bill-deliveries', { IDs: issueIds, InvoiceDate: date })
    expect(data.results.filter((result: Record) => !result.ok)).toEqual([])
    return Promise.all(data.Invoices.map((invoice: Record) => this.read('invoice', invoice.ID)))
  }

  async invoiced(customer: string, lines: readonly OrderLineInput[], more: object = {}): Promise<Record> {
    const { issue } = await this.delivered(customer, lines, more)
    const [invoice] = await this.bill([issue.id])
    return invoice
  }

  /** A receipt by bank transfer, entered and posted. */
  async pay(customer: string, amount: string, lines: readonly object[], more: object = {}): Promise<Record> {
    const draft = await this.draftPayment(customer, amount, lines, more)
    return this.act('cashier', 'payment-received', draft.ID, 'post', {}, { acknowledge: ['PAYS_NOTHING', 'PAYS_LESS'] })
  }

  async draftPayment(customer: string, amount: string, lines: readonly object[], more: object = {}): Promise<Record> {
    return this.create('cashier', 'payment-received', {
      CustomerID: await this.at.id('customer', customer), PaymentDate: this.at.clock.today(), Method: 'TRANSFER', HouseBankID: await this.at.id('house_bank', 'BCA1'), Amount: amount,
      Lines: lines.map((line) => ({ Credits: [], Deductions: [], ...line })), ...more,
    })
  }

  /** Decides the open request of a document, level by level, by whoever's turn it is. */
  async decide(docType: string, id: number, decision: 'approve' | 'reject' | 'return' = 'approve', by: readonly Person[] = ['receivables', 'finance', 'director', 'credit', 'supervisor', 'manager', 'payables']): Promise<void> {
    for (let turn = 0; turn < 5; turn++) {
      const [request] = await this.rows('approval_request', sql`doc_type = ${docType} and doc_id = ${id} and status = 4`)
      if (request === undefined) return
      const answers = []
      for (const person of by) {
        const send = (acknowledge: readonly string[]) => this.people[person].post(`/api/v1/approval/${request.id}/${decision}`, decision === 'approve' ? {} : { Note: 'no' }, { key: this.key(), acknowledge })
        const first = await send([])
        // What others of the customer have been approved for meanwhile is known here.
        const worse: readonly string[] = first.status === 412 ? first.data.warnings.map(({ id }: { id: string }) => id) : []
        const answer = worse.length > 0 && worse.every((id) => id.startsWith('worse-')) ? await send(worse) : first
        answers.push(`${person}: ${answer.code} ${answer.message}`)
        if (answer.status === 200) break
      }
      if (!answers.at(-1)?.includes('success')) throw new Error(`Nobody could decide ${docType} ${id}: ${answers.join('; ')}`)
    }
  }

  rows(table: string, where = sql`true`): Promise<Record[]> {
    return this.database.rows<Row>(sql`select * from ${ident(table)} where ${where} order by id`)
  }

  /** Movements of accounts by one document, as `account debit credit`, in account order. */
  async journal(type: string, id: number, event?: string): Promise<string[]> {
    const rows = await this.database.rows<{ line: string }>(sql`
      select a.code || ' ' || sum(l.debit) || ' ' || sum(l.credit) as line from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id
      where j.source_doc_type = ${type} and j.source_doc_id = ${id} and (${event ?? null}::text is null or j.source_event = ${event ?? null}) group by j.source_event, a.code order by min(j.id), a.code`)
    return rows.map((row) => row.line)
  }

  /** Debit less credit of an account. */
  async balance(account: string, customerId?: number): Promise<string> {
    const row = await this.database.first<{ balance: string }>(sql`
      select coalesce(sum(l.debit - l.credit), 0)::numeric(18,2) as balance from journal_line l join account a on a.id = l.account_id
      where a.code = ${account} and (${customerId ?? null}::bigint is null or l.partner_id = ${customerId ?? null})`)
    return row?.balance ?? '0.00'
  }
}

const persons = ['admin', 'sales', 'credit', 'warehouse', 'billing', 'cashier', 'finance', 'receivables', 'supervisor', 'manager', 'director', 'payables', 'vendors'] as const
export type Person = (typeof persons)[number]

/** The server with the worked example, everybody signed in. */
export async function openScene(server: TestAppOptions['server'] = {}, trace?: TestAppOptions['trace'], metadata?: TestAppOptions['metadata']): Promise<Scene> {
  const at = await testApp({ template: sceneTemplate, server, ...(trace ? { trace } : {}), ...(metadata ? { metadata } : {}) })
  return new Scene(at, await signInAll(at))
}

async function signInAll(at: TestApp): Promise<Readonly<{ [name in Person]: Session }>> {
  const sessions = await Promise.all(persons.map(async (name) => [name, await at.signIn(name)] as const))
  return Object.fromEntries(sessions) as Readonly<{ [name in Person]: Session }>
}

/** The data of an answer that must be a success. */
export function accepted(answer: Answer): Record {
  if (answer.status !== 200 && answer.status !== 201) throw new Error(`${answer.status} ${answer.code}: ${answer.message} ${JSON.stringify(answer.data)}`)
  return answer.data
}

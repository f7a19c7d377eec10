import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Person, type Record, type Scene } from '../support/scene.ts'
import { newGoods, openVan, sell, type VanScene } from '../support/van.ts'

let scene: Scene
let van: VanScene
const goods: number[] = []
const at = { jkt: 0, bdg: 0, place: 0, combo: 0, contract: 0 }
const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

/** Three goods, a kit of two of them, a van, and a customer with goods of ours on his shelf. */
beforeAll(async () => {
  scene = await openScene()
  const { database } = scene
  await database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(database, scene.at.clock)
  await insertRows(database, 'payment_term', [{ code: 'CASH', name: 'Cash', net_days: 0, baseline: 'INVOICE', is_cash: true }])
  await insertRows(database, 'warehouse', [{ code: 'RJKT', name: 'Jakarta returns', operating_unit_id: await id('operating_unit', 'JKT'), kind: 'RETURN', stock_class: 'RETURN' }])
  await insertRows(database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], ap_account_group: 'TRADE' }])
  await database.run(sql`update customer set is_consignment = true where code = 'C0000002'`)
  van = await openVan(scene)
  for (const [code, cost] of [['W1', '1000033'], ['W2', '777777'], ['W3', '333334']] as const) goods.push(await newGoods(van, code, { qty: '120', cost, price: '24500' }))
  const [kit = 0] = await insertRows(database, 'item', [{ code: 'WK', name: 'Kit', base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  at.combo = (await scene.create('admin', 'combo', { Code: 'WK', Name: 'WK', ItemID: kit, Kind: 'KIT', ValidFrom: '2025-01-01', Lines: [{ ItemID: goods[0], Qty: '2', CostShare: '60' }, { ItemID: goods[1], Qty: '1', CostShare: '40' }] })).ID
  at.jkt = await id('warehouse', 'WJKT')
  const contract = await scene.create('sales', 'contract', { CustomerID: await customer(), DocDate: today(), ValidFrom: today(), ValidTo: '2027-01-31', Lines: goods.map((ItemID) => ({ ItemID, Uom: 'PCS', TargetQty: '25', Price: '19999', MinCall: '0' })) })
  await scene.act('sales', 'contract', contract.ID, 'submit')
  await scene.decide('sales_contract', contract.ID, 'approve', ['supervisor', 'manager'])
  at.contract = contract.ID
  at.bdg = await id('warehouse', 'WBDG')
  at.place = (await scene.create('admin', 'warehouse', { Code: 'WRIA', Name: 'Ria', OperatingUnitID: await id('operating_unit', 'JKT'), Kind: 'CONSIGNMENT', StockClass: 'CONSIGNMENT', CustomerID: await id('customer', 'C0000002'), IsActive: true })).ID
})

interface Dice {
  readonly a: number
  readonly b: number
  readonly c: number
}
const item = ({ a }: Dice) => goods[a % goods.length] ?? 0
const few = ({ b }: Dice) => String(1 + (b % 9))

async function one(table: string, where: Sql, n: number): Promise<Record> {
  const rows = await scene.rows(table, where)
  const found = rows[n % Math.max(1, rows.length)]
  if (found === undefined) throw new Error('404 nothing there')
  return found
}
/** A document made and taken through its actions, decided where it waits. */
async function through(who: Person, resource: string, body: object, actions: readonly (readonly [who: Person, action: string, input?: object])[], type = resource.replaceAll('-', '_')): Promise<Record> {
  const made = await scene.create(who, resource, body)
  for (const [person, action, input = {}] of actions) {
    await scene.act(person, resource, made.ID, action, input, { acknowledge: ['all'] })
    if (action === 'submit') await scene.decide(type, made.ID, 'approve', ['warehouse', 'supervisor', 'finance', 'receivables', 'director', 'credit', 'manager'])
  }
  return scene.read(resource, made.ID)
}
async function undone(resource: string, row: Record, action = 'reverse'): Promise<void> {
  await scene.act('admin', resource, row.id, action, { ReasonID: await id('reason', action === 'cancel' ? 'C02' : 'V02') })
  if (action === 'request-reversal') await scene.decide(resource.replaceAll('-', '_'), row.id, 'approve', ['finance', 'payables'])
}
async function invoiceUndone(invoice: Record): Promise<void> {
  await through('billing', 'invoice-cancel-request', { InvoiceID: invoice.id, Mode: 'REVERSAL', ReasonID: await id('reason', 'V02') }, [['billing', 'submit']])
}
const customer = () => id('customer', 'C0000001')

const steps: { readonly [name: string]: (dice: Dice) => Promise<unknown> } = {
  async buy(dice) {
    const order = await through('admin', 'purchase-order', { BpID: await id('business_partner', 'V1'), OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: today(), DeliveryDate: today(), Lines: [{ ItemID: item(dice), Qty: few(dice), Price: String(5000 + (dice.c % 9999)) }] }, [['admin', 'release']])
    await through('admin', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: at.jkt, GrDate: today(), SupplierDnNo: `SJ-${scene.key()}`, Lines: [{ PoLineID: order.Lines[0].ID, QtyReceived: few(dice) }] }, [['admin', 'post']])
  },
  /** Freight of one or two receipts: into the value of what is there of them, the rest against the differences of prices. */
  async freight({ a, b, c }) {
    const receipts = [...new Set([await one('goods_receipt', sql`status = 1`, a), await one('goods_receipt', sql`status = 1`, b)].map((receipt) => receipt.id))]
    await through('admin', 'vendor-invoice', {
      VendorID: await id('business_partner', 'V1'), VendorInvoiceNo: `AKT-${scene.key()}`, DocDate: today(), OperatingUnitID: await id('operating_unit', 'JKT'), ContractNo: 'SPK', Ppn: '0', LandedBy: ['VALUE', 'QUANTITY', 'WEIGHT'][c % 3],
      Lines: [{ ExpenseTypeID: await id('expense_type', 'E-MASUK'), Qty: '1', Price: String(10_000 + (c % 77_777)) }], VendorInvoiceNamedReceipt: receipts.map((GoodsReceiptID) => ({ GoodsReceiptID })),
    }, [['admin', 'register'], ['admin', 'submit']])
  },
  undoFreight: async ({ a }) => undone('vendor-invoice', await one('vendor_invoice', sql`status = 1 and landed_by <> 'NONE' and pending_transition is null`, a), 'request-reversal'),
  undoReceipt: async ({ a }) => undone('goods-receipt', await one('goods_receipt', sql`status = 1`, a)),
  kit: async ({ a, b }) => through('admin', 'kitting', { WarehouseID: at.jkt, DocDate: today(), ComboID: at.combo, Kind: a % 3 === 0 ? 'DISASSEMBLE' : 'ASSEMBLE', Qty: String(1 + (b % 3)) }, [['admin', 'submit'], ['admin', 'start'], ['admin', 'finish']], 'kitting_order'),
  undoKit: async ({ a }) => undone('kitting', await one('kitting_order', sql`status = 3`, a)),
  async count(dice) {
    const made = await scene.create('admin', 'stock-opname', { WarehouseID: at.jkt, CountDate: today(), Freeze: dice.c % 2 === 0, Lines: [{ ItemID: item(dice) }] })
    const begun = await scene.act('admin', 'stock-opname', made.ID, 'start')
    const [line] = begun.Lines
    await scene.act('admin', 'stock-opname', made.ID, 'count', { Quantities: { [line.ID]: String(Math.max(0, Number(line.SystemQty) + (dice.b % 7) - 3)) } })
    await scene.act('admin', 'stock-opname', made.ID, 'submit', { ReasonID: await id('reason', 'A02') })
    await scene.decide('stock_opname', made.ID, 'approve', ['warehouse', 'finance'])
  },
  scrap: async (dice) => through('admin', 'scrap', { WarehouseID: at.jkt, DocDate: today(), Lines: [{ ItemID: item(dice), Qty: few(dice), ReasonID: await id('reason', 'A02') }] }, [['admin', 'submit']]),
  undoScrap: async ({ a }) => undone('scrap', await one('scrap', sql`status = 3 and pending_transition is null`, a), 'request-reversal'),
  transfer: async (dice) => through('admin', 'stock-transfer', { FromWarehouseID: at.jkt, ToPlaceID: at.bdg, DocDate: today(), Lines: [{ ItemID: item(dice), Qty: few(dice) }] }, [['admin', 'send']]),
  arrive: async ({ a }) => scene.act('admin', 'stock-transfer-receipt', (await one('stock_transfer_receipt', sql`status = 0`, a)).id, 'post'),
  undoArrival: async ({ a }) => undone('stock-transfer-receipt', await one('stock_transfer_receipt', sql`status = 1`, a)),
  undoTransfer: async ({ a }) => undone('stock-transfer', await one('stock_transfer', sql`status = 1`, a)),
  async sellAndBill(dice) {
    const { issue } = await deliver('C0000001', dice)
    if (dice.c % 3 > 0) await scene.bill([issue.id])
  },
  async callOff(dice) {
    const line = await one('sales_contract_line', sql`sales_contract_id = ${at.contract} and item_id = ${item(dice)}`, 0)
    await deliver('C0000001', dice, { ContractID: at.contract }, { ContractLineID: line.id }, dice.c % 2 === 0 ? few({ ...dice, b: dice.c }) : undefined)
  },
  closeOrder: async ({ a }) => undone('sales-order', await one('sales_order', sql`status in (1, 2)`, a), 'cancel'),
  cancelIssue: async ({ a }) => undone('goods-issue', await one('goods_issue', sql`status in (1, 3)`, a), 'cancel'),
  undoInvoice: async ({ a }) => invoiceUndone(await one('invoice', sql`status in (1, 2, 3) and invoice_type in ('SALES', 'CANVAS', 'CONSIGNMENT') and pending_transition is null`, a)),
  async bringBack({ a, b }) {
    const invoice = await one('invoice', sql`status in (1, 2) and invoice_type = 'SALES'`, a)
    const line = await one('invoice_line', sql`invoice_id = ${invoice.id} and not is_free and qty > returned_qty`, b)
    const body = { CustomerID: invoice.customer_id, ReturnDate: today(), CauseID: await id('reason', 'T01'), Kind: 'WITH_REF', InvoiceID: invoice.id, Lines: [{ InvoiceLineID: line.id, ItemID: line.item_id, QtyRequested: '1' }] }
    await through('sales', 'sales-return', body, [['sales', 'submit'], ['warehouse', 'receive'], ['warehouse', 'inspect'], ['receivables', 'credit']])
  },
  undoReturn: async ({ a }) => undone('sales-return', await one('sales_return', sql`status = 3`, a)),
  async load(dice) {
    if ((await scene.rows('canvas_request', sql`status in (1, 8)`)).length > 0) throw new Error('409 a trip is under way')
    await through('sales', 'canvas', { VanWarehouseID: van.van, SourceWarehouseID: at.jkt, DocDate: today(), Lines: [{ ItemID: item(dice), QtyRequested: few(dice) }] }, [['sales', 'submit'], ['warehouse', 'start'], ['warehouse', 'pick'], ['sales', 'confirm-load']], 'canvas_request')
  },
  async sellFromVan({ b }) {
    const trip = await one('canvas_request', sql`status = 8 and stage = 'SELLING'`, 0)
    const line = await one('canvas_request_line', sql`canvas_request_id = ${trip.id}`, 0)
    await sell(van, { ID: trip.id }, { lines: [[line.item_id, String(1 + (b % 3))]], ...(b % 2 === 0 ? { received: '10000' } : {}) })
  },
  async unload({ b }) {
    const trip = await one('canvas_request', sql`status = 8 and stage = 'SELLING'`, 0)
    const line = await one('canvas_request_line', sql`canvas_request_id = ${trip.id}`, 0)
    await scene.act('sales', 'canvas', trip.id, 'unload')
    await scene.act('warehouse', 'canvas', trip.id, 'check', { Quantities: { [line.id]: String(Math.max(0, Number(line.qty_loaded) - Number(line.qty_sold) - (b % 2))) } })
    await scene.act('admin', 'canvas', trip.id, 'putaway', { ReasonID: await id('reason', 'A02') })
  },
  fillUp: async (dice) => deliver('C0000002', dice, { OrderType: 'CONSIGN' }),
  pickUp: async (dice) => through('warehouse', 'consignment-pickup', { CustomerID: await id('customer', 'C0000002'), FromWarehouseID: at.place, ToWarehouseID: at.jkt, DocDate: today(), Lines: [{ ItemID: item(dice), Qty: '1' }] }, [['warehouse', 'post']]),
  undoPickUp: async ({ a }) => undone('consignment-pickup', await one('consignment_pickup', sql`status = 1`, a)),
  async settle({ b }) {
    const stands = await scene.database.rows<{ item_id: number; qty: string }>(sql`select item_id, sum(on_hand)::text as qty from stock_balance where warehouse_id = ${at.place} group by 1 having sum(on_hand) > 0`)
    const Lines = stands.map(({ item_id: ItemID, qty }) => ({ ItemID, Counted: String(Math.max(0, Number(qty) - (b % 3))) }))
    await through('billing', 'consignment-sales', { CustomerID: await id('customer', 'C0000002'), SalesPeriod: '202611', CountDate: today(), DocDate: today(), Lines }, [['billing', 'submit']])
  },
}

/** An order on its way; `part`: no more of it than that is delivered. */
async function deliver(code: string, dice: Dice, more: object = {}, own: object = {}, part?: string): Promise<{ readonly issue: Record }> {
  const order = await scene.create('sales', 'sales-order', { CustomerID: code === 'C0000001' ? await customer() : await id('customer', code), Lines: [{ ItemID: item(dice), Uom: 'PCS', Qty: few(dice), ...own }], ...more })
  await scene.act('sales', 'sales-order', order.ID, 'submit', {}, { acknowledge: ['all'] })
  await scene.decide('sales_order', order.ID)
  const [delivery] = await scene.plan(order, part === undefined ? undefined : { [order.Lines[0].ID]: part })
  if (delivery === undefined) throw new Error('409 not planned')
  return { issue: await scene.issue(delivery) }
}

const often = ['buy', 'callOff', 'closeOrder', 'freight', 'sellAndBill', 'sellAndBill', 'load', 'sellFromVan', 'sellFromVan', 'unload', 'fillUp', 'settle', 'pickUp', 'kit', 'count', 'bringBack', 'transfer', 'arrive', 'undoInvoice', 'undoInvoice'] as const
const anyStep = fc.record({ name: fc.constantFrom(...Object.keys(steps), ...often), a: fc.nat(10_000), b: fc.nat(10_000), c: fc.nat(10_000) })
const isRefusal = (error: unknown): boolean => error instanceof Error && (/^4\d\d /.test(error.message) || error.message.startsWith('Nobody could decide') || error instanceof TypeError)

test('stock, ledger and documents agree whatever is bought, built, counted, moved, sold, brought back and undone', async () => {
  const done = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 70, maxLength: 70 }), async (sequence) => {
      for (const { name, ...dice } of sequence) {
        const went = await steps[name]?.(dice).then(() => true, (error: unknown) => {
          if (isRefusal(error)) return false
          throw error
        })
        if (went === true) done.add(name)
      }
      expect(await violations(scene.database, today())).toEqual([])
    }),
    { seed: 43, numRuns: 4, endOnFailure: true },
  )
  expect(Object.keys(steps).filter((name) => !done.has(name))).toEqual([])
}, 600_000)

import { addDays } from '#base/date.ts'
import { exact, fixed, money } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Claimed {
  readonly kind: 'NON_PO' | 'MANUAL'
  /** Unit that claims; Jakarta unless said. */
  readonly unit?: 'BDG'
  readonly reference: string
  readonly note: string
  readonly basis?: 'PROMOTION' | 'INCENTIVE'
  readonly account?: string
  readonly price: string
  /** How far it has come. */
  readonly stands: 'draft' | 'waiting' | 'posted'
}

const claims: readonly Claimed[] = [
  { kind: 'NON_PO', reference: 'KLM-0311', note: 'Klaim potongan harga program kuartal', basis: 'PROMOTION', price: '4400000', stands: 'posted' },
  { kind: 'NON_PO', reference: 'INS-2026', note: 'Insentif pencapaian target', basis: 'INCENTIVE', price: '7500000', stands: 'waiting' },
  { kind: 'NON_PO', reference: 'KLM-0312', note: 'Klaim sewa pajangan', basis: 'PROMOTION', price: '1850000', stands: 'draft' },
  { kind: 'MANUAL', reference: 'BA-118', note: 'Ganti rugi palet rusak', account: '615101', price: '2150000', stands: 'posted' },
  { kind: 'MANUAL', unit: 'BDG', reference: 'BA-203', note: 'Kemasan rusak saat kirim', account: '615101', price: '640000', stands: 'posted' },
  { kind: 'MANUAL', reference: 'BA-121', note: 'Denda keterlambatan kirim', account: '421101', price: '900000', stands: 'waiting' },
]

/** What has been claimed of a principal and of a vendor: posted, waiting and in draft. */
export async function debitNotes(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const vendor = await id(sql`select id from business_partner where code = 'V000001'`)
  for (const { kind, unit: buyer = 'JKT', reference, note, basis, account, price, stands } of claims) {
    const unit = await id(sql`select id from operating_unit where code = ${buyer}`)
    const line: Row = { Basis: basis ?? null, AccountID: account === undefined ? null : await id(sql`select id from account where code = ${account}`), Description: note, Qty: '1', Price: price }
    const body = { Kind: kind, VendorID: vendor, OperatingUnitID: unit, DocDate: clock.today(), DueDate: addDays(clock.today(), 30), ReferenceNo: reference, Note: note, Lines: [line] }
    const made = await desk.enter('vendors', 'debit_note', body, stands !== 'draft')
    if (stands === 'posted') await desk.approve(['payables', 'finance'], 'debit_note', made)
    if (reference === 'KLM-0311') {
      const [account, cause] = [await id(sql`select id from account where code = '421103'`), await id(sql`select id from reason where usage = 'ADJUSTMENT' and is_active order by code limit 1`)]
      const less = await desk.enter('vendors', 'debit_note_adjustment', { DebitNoteID: made, Amount: '-500000', AccountID: account, CauseID: cause, DocDate: clock.today(), Note: 'Koreksi rekap klaim' })
      await desk.approve(['payables'], 'debit_note_adjustment', less)
    }
  }
  await claimsOfCredits(database, clock, desk, vendor)
  for (const buyer of ['JKT', 'BDG']) await goesBack(database, clock, desk, buyer)
  await comesShort(database, clock, desk)
  await setOff(database, clock, desk)
}

/** The principal's share of credit notes to customers: of one the whole is claimed, of another half. */
async function claimsOfCredits(database: Database, clock: Clock, desk: Desk, vendor: number | undefined): Promise<void> {
  const credits = await database.rows<{ id: number; unit: number; code: string; left: string }>(sql`
    select n.id, n.operating_unit_id as unit, n.code, n.principal_left as left from credit_note n join operating_unit u on u.id = n.operating_unit_id
    where u.code = 'JKT' and n.kind = 'CLAIM' and n.status in (1, 2, 3) and n.pending_transition is null and n.principal_left > 0 order by n.principal_left desc, n.id limit 2`)
  for (const [i, { id, unit, code, left }] of credits.entries()) {
    const price = i === 0 ? left : money(exact(left).div(2))
    const made = await desk.enter('vendors', 'debit_note', {
      Kind: 'NON_PO', VendorID: vendor, OperatingUnitID: unit, DocDate: clock.today(), DueDate: addDays(clock.today(), 30), ReferenceNo: `KLM-04${i + 1}`, Note: 'Bagian prinsipal atas klaim pelanggan',
      Lines: [{ Basis: 'PROMOTION', CreditNoteID: id, Description: code, Qty: '1', Price: price }],
    })
    await desk.approve(['payables', 'finance'], 'debit_note', made)
  }
}

/** Broken pieces of what came last go back before the vendor bills them. */
async function goesBack(database: Database, clock: Clock, desk: Desk, buyer: string): Promise<void> {
  const [line] = await database.rows<{ id: number; item: number; receipt: number; vendor: number; unit: number; warehouse: number; pack: string }>(sql`
    select g.id, g.item_id as item, r.id as receipt, r.bp_id as vendor, r.operating_unit_id as unit, r.warehouse_id as warehouse, i.pack_qty as pack from goods_receipt_line g join goods_receipt r on r.id = g.goods_receipt_id
    join item i on i.id = g.item_id join stock_balance b on b.item_id = g.item_id and b.warehouse_id = r.warehouse_id and b.batch = coalesce(g.batch, '')
    join operating_unit u on u.id = r.operating_unit_id and u.code = ${buyer}
    where r.status = 1 and g.qty_received - g.billed_qty >= i.pack_qty and b.on_hand - b.reserved >= i.pack_qty order by r.id desc, g.line_no limit 1`)
  if (line === undefined) return
  const made = await desk.enter('vendors', 'debit_note', {
    Kind: 'RETURN', VendorID: line.vendor, OperatingUnitID: line.unit, GoodsReceiptID: line.receipt, WarehouseID: line.warehouse, DocDate: clock.today(), Note: 'Barang pecah',
    Lines: [{ GrLineID: line.id, ItemID: line.item, QtyOpen: fixed(line.pack, 3), Qty: '0', Price: '0' }],
  })
  await desk.approve(['payables', 'finance'], 'debit_note', made)
}

/** Goods found spoilt after they were billed go back with their VAT: the tax return is made out to the vendor. */
async function comesShort(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const [line] = await database.rows<{ id: number; item: number; receipt: number; vendor: number; unit: number; warehouse: number; pack: string; tax: number; invoice: number }>(sql`
    select g.id, g.item_id as item, r.id as receipt, r.bp_id as vendor, r.operating_unit_id as unit, r.warehouse_id as warehouse, i.pack_qty as pack, i.tax_code_id as tax, v.id as invoice from goods_receipt_line g
    join goods_receipt r on r.id = g.goods_receipt_id join item i on i.id = g.item_id join stock_balance b on b.item_id = g.item_id and b.warehouse_id = r.warehouse_id and b.batch = coalesce(g.batch, '')
    join vendor_invoice_receipt c on c.gr_line_id = g.id join vendor_invoice v on v.id = c.vendor_invoice_id and v.status in (1, 2, 3) and v.ppn > 0
    where r.status in (1, 2, 3) and g.billed_qty - g.returned_qty >= i.pack_qty and b.on_hand - b.reserved >= i.pack_qty order by v.id desc, g.line_no limit 1`)
  if (line === undefined) return
  const made = await desk.enter('vendors', 'debit_note', {
    Kind: 'RETURN', VendorID: line.vendor, OperatingUnitID: line.unit, GoodsReceiptID: line.receipt, WarehouseID: line.warehouse, VendorInvoiceID: line.invoice, TaxCodeID: line.tax, DocDate: clock.today(),
    NotaReturNumber: 'NR-2026-014', NotaReturDate: clock.today(), Note: 'Kemasan bocor, ditemukan di gudang', Lines: [{ GrLineID: line.id, ItemID: line.item, QtyOpen: '0', Qty: fixed(line.pack, 3), Price: '0' }],
  })
  await desk.approve(['payables', 'finance'], 'debit_note', made)
}

/** What one debit note covers of the oldest open invoice of its vendor. */
async function setOff(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const [due] = await database.rows<{ vendor: number; unit: number; note: number; invoice: number; amount: string }>(sql`
    select d.vendor_id as vendor, d.operating_unit_id as unit, d.debit_note_id as note, d.vendor_invoice_id as invoice, d.amount from dn_application_due d join operating_unit u on u.id = d.operating_unit_id
    where u.code = 'JKT' order by d.due_date, d.id limit 1`)
  if (due === undefined) return
  const made = await desk.enter('vendors', 'dn_application', {
    VendorID: due.vendor, OperatingUnitID: due.unit, DocDate: clock.today(), Note: 'Dipotong dari tagihan', Lines: [{ DebitNoteID: due.note, VendorInvoiceID: due.invoice, Amount: due.amount }],
  }, false)
  await desk.act('vendors', 'dn_application', made, 'post')
}

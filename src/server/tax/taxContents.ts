import { isZero } from '#base/decimal.ts'
import { withoutAdvances } from '#domain/tax/advances.ts'
import type { BuyerDocument, PostedLine, TaxInvoice } from '#domain/tax/coretax.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** Tax invoices whose lines are read together. */
export const slice = 100

interface Content {
  readonly id: number
  readonly code: string
  readonly invoice: TaxInvoice
}

/** Tax invoices as they go to Coretax, in the order of their ids. */
export async function contents(tx: Queries, ids: readonly number[]): Promise<readonly Content[]> {
  const heads = await tx.rows<Row & { id: number; code: string }>(sql`
    select t.*, m.npwp || coalesce(o.nitku_suffix, '000000') as seller_place from tax_invoice t join operating_unit o on o.id = t.operating_unit_id join company m on m.id = o.company_id
    where t.id = any(${[...ids]}::bigint[]) order by t.id`)
  const lines = await tx.rows<Row & { id: number }>(sql`
    select t.id, l.qty, round(l.gross * v.rate, 2) as gross, round(l.dpp * v.rate, 2) as dpp, round(l.dpp_other * v.rate, 2) as dpp_other, round(l.ppn * v.rate, 2) as ppn, l.ppn_rate, coalesce(l.description, k.name, '-') as name, coalesce(k.coretax_goods_code, '000000') as goods, coalesce(u.coretax_unit, 'UM.0033') as unit
    from tax_invoice t join invoice v on v.id = t.invoice_id join invoice_line l on l.invoice_id = t.invoice_id left join item k on k.id = l.item_id left join item_uom u on u.item_id = l.item_id and u.uom = l.uom
    where t.id = any(${[...ids]}::bigint[]) and not l.is_free order by t.id, l.line_no, l.id`)
  // What is no invoice is one line of its whole amount.
  lines.push(...(await tx.rows<Row & { id: number }>(sql`
    select t.id, 1 as qty, t.dpp as gross, t.dpp, t.dpp_other, round(t.dpp_other * x.rate / 100, 2) as ppn, x.rate as ppn_rate, '000000' as goods, 'UM.0033' as unit, x.name
    from tax_invoice t cross join lateral (
      select c.ppn_rate as rate, 'Wadah tidak kembali ' || (select string_agg(k.code, ', ' order by k.code) from container_move_line l join inventory_container k on k.id = l.inventory_container_id where l.container_move_id = c.id) as name
      from container_move c where c.id = t.container_move_id
      union all select d.ppn_rate, 'Uang muka ' || d.code from customer_deposit d where d.id = t.customer_deposit_id
    ) x where t.id = any(${[...ids]}::bigint[])`)))
  const byInvoice = new Map<number, Row[]>()
  for (const line of lines) byInvoice.set(line.id, [...(byInvoice.get(line.id) ?? []), line])
  return heads.map((head) => ({
    id: head.id,
    code: head.code,
    invoice: {
      day: text(head, 'doc_date').slice(0, 10), trxCode: text(head, 'trx_code'), addInfo: text(head, 'add_info'), facilityStamp: text(head, 'facility_stamp'), reference: head.code,
      sellerPlace: text(head, 'seller_place'), ppn: text(head, 'ppn'),
      buyer: { document: text(head, 'buyer_document') as BuyerDocument, number: text(head, 'buyer_number'), name: text(head, 'buyer_name'), address: text(head, 'buyer_address'), email: text(head, 'buyer_email'), place: text(head, 'buyer_nitku') },
      lines: linesOf(byInvoice.get(head.id) ?? [], head),
    },
  }))
}

function text(row: Row, name: string): string {
  return row[name] === null || row[name] === undefined ? '' : String(row[name])
}

function linesOf(rows: readonly Row[], head: Row): readonly PostedLine[] {
  const lines = rows.map((line) => ({
    name: text(line, 'name'), isService: false, goodsCode: text(line, 'goods'), unit: text(line, 'unit'), qty: text(line, 'qty'), gross: text(line, 'gross'), dpp: text(line, 'dpp'), dppOther: text(line, 'dpp_other'), ppn: text(line, 'ppn'), rate: text(line, 'ppn_rate'),
  }))
  return isZero(text(head, 'advance_dpp')) ? lines : withoutAdvances(lines, text(head, 'dpp'))
}

/** Everything of a file, some tax invoices at a time. */
export async function* contentsOf(queries: Queries, batchId: number): AsyncGenerator<readonly Content[]> {
  const rows = await queries.rows<{ id: number }>(sql`select id from tax_invoice where tax_invoice_batch_id = ${batchId} order by id`)
  for (let at = 0; at < rows.length; at += slice) yield contents(queries, rows.slice(at, at + slice).map((row) => row.id))
}

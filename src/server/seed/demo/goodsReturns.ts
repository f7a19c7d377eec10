import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Issued extends Row {
  readonly issue: number
  readonly line: number
  readonly unit: number
}

const places = [
  { unit: 'JKT', keeper: 'warehouse', seller: 'sales', most: 4 },
  { unit: 'BDG', keeper: 'warehouse.bdg', seller: 'sales.bdg', most: 1 },
] as const

/** What drivers bring back before it is invoiced: received, waiting at the ramp, being entered, and one taken back. */
export async function goodsReturns(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const reason = async (code: string): Promise<number | undefined> => (await database.first<{ id: number }>(sql`select id from reason where code = ${code}`))?.id
  for (const { unit, keeper, seller, most } of places) {
    const quarantine = await database.first<{ id: number }>(sql`select w.id from warehouse w join operating_unit u on u.id = w.operating_unit_id where u.code = ${unit} and w.kind = 'RETURN' order by w.id limit 1`)
    const issued = await database.rows<Issued>(sql`
      select distinct on (r.posting_date, r.id) r.id as issue, l.id as line, r.operating_unit_id as unit from goods_issue r join operating_unit u on u.id = r.operating_unit_id join returnable_issue l on l.goods_issue_id = r.id
      where u.code = ${unit} and l.open_qty >= 6 and r.posting_date <= ${clock.today()}::date
        and not exists (select 1 from goods_issue_line g join sales_order_line s on s.id = g.order_line_id join sales_order_line f on f.sales_order_id = s.sales_order_id and f.is_free where g.goods_issue_id = r.id)
        and not exists (select 1 from goods_issue_return b where b.goods_issue_id = r.id) and not exists (select 1 from billing_run_line b where b.goods_issue_id = r.id)
      order by r.posting_date, r.id, l.line_no limit ${most}`)
    for (const [n, { issue, line }] of issued.entries()) {
      const made = await desk.enter(seller, 'goods_issue_return', {
        GoodsIssueID: issue, ReturnDate: clock.today(), QuarantineID: quarantine?.id, Note: ['Toko tutup, dikirim ulang', 'Dus penyok', 'Salah ukuran', 'Ditolak toko'][n],
        Lines: [{ GiLineID: line, Qty: '2', Condition: n === 1 ? 'DAMAGED' : 'GOOD', ReasonID: await reason(['P01', 'T01', 'T03', 'P03'][n] ?? 'P01') }],
      }, n < 2)
      if (n === 0 || n === 3) {
        if (n === 3) await desk.act(seller, 'goods_issue_return', made, 'submit')
        await desk.approve([keeper], 'goods_issue_return', made)
      }
      if (n === 3) await desk.act(keeper, 'goods_issue_return', made, 'reverse', { reason_id: await reason('V02') })
    }
  }
}

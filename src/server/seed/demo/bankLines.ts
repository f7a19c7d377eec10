import { money, sum } from '#base/decimal.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** What a bank of Jakarta shows today, entered and not matched yet: transfers with and without their reference, one nobody knows, and what vendors were paid. */
export async function bankLinesOfToday(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const awaited = await database.rows<{ bank: number; amount: string; reference_no: string | null }>(sql`
    select p.house_bank_id as bank, p.amount, p.reference_no from ar_payment p join operating_unit u on u.id = p.operating_unit_id
    where u.code = 'JKT' and p.method in ('TRANSFER', 'VA') and p.status = 1 and p.bank_statement_line_id is null and p.pending_transition is null
      and not exists (select 1 from bank_statement_line l join bank_statement s on s.id = l.bank_statement_id where l.ar_payment_id = p.id and s.status in (0, 4))
    order by count(*) over (partition by p.house_bank_id) desc, p.house_bank_id, p.payment_date desc, p.id desc limit 4`)
  const [first] = awaited
  if (first === undefined) return
  const last = await database.first<{ closing: string }>(sql`select closing_balance as closing from bank_statement where house_bank_id = ${first.bank} and status in (3, 4) order by doc_date desc, id desc limit 1`)
  const shown = awaited.filter(({ bank }) => bank === first.bank)
  const lines = [...shown.map(({ amount, reference_no: reference }, i) => ({ ValueDate: today, Description: i % 2 === 0 && reference !== null ? `TRSF E-BANKING CR ${reference}` : 'TRSF E-BANKING CR', Credit: amount })), { ValueDate: today, Description: 'SETORAN TUNAI', Credit: '1875000' }]
  const paid = await database.rows<{ amount: string; reference: string }>(sql`
    select paid_out as amount, coalesce(reference_no, code) as reference from ap_payment where house_bank_id = ${first.bank} and status = 1 and pending_transition is null order by id limit 2`)
  const opening = last?.closing ?? '0.00'
  await desk.enter('cashier', 'bank_statement', {
    HouseBankID: first.bank, DocDate: today, StatementNo: `EB-${today.replaceAll('-', '')}`, OpeningBalance: opening, ClosingBalance: money(sum([opening, ...lines.map(({ Credit }) => Credit)]).minus(sum(paid.map(({ amount }) => amount)))),
    Lines: [...lines, ...paid.map(({ amount, reference }) => ({ ValueDate: today, Description: `TRSF E-BANKING DB ${reference}`, Debit: amount }))],
  }, false)
}

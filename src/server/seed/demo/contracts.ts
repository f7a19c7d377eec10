import { addDays } from '#base/date.ts'
import { exact, fixed } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Kind {
  readonly kind: 'QTY' | 'VALUE' | 'PRICE'
  readonly policy?: 'LIST_MINUS'
  readonly days: number
  readonly note: string
  /** How far it has come: in draft, waiting, in force, or called on by an order. */
  readonly until: 'draft' | 'waiting' | 'approved' | 'called'
}

const kinds: readonly Kind[] = [
  { kind: 'QTY', days: 120, note: 'Kontrak semester', until: 'called' },
  { kind: 'VALUE', policy: 'LIST_MINUS', days: 25, note: 'Kontrak nilai sampai akhir program', until: 'called' },
  { kind: 'PRICE', days: 90, note: 'Harga tetap satu kuartal', until: 'approved' },
  { kind: 'QTY', days: 180, note: 'Kontrak jaringan toko', until: 'waiting' },
  { kind: 'PRICE', days: 60, note: 'Penawaran untuk hotel', until: 'draft' },
]

/** Outline agreements with good customers of Jakarta and Bandung, two of them called on today. */
export async function contracts(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  for (const [unit, account] of [['JKT', 'sales'], ['BDG', 'sales.bdg']] as const) {
    const own = unit === 'JKT' ? kinds : kinds.slice(0, 3)
    const customers = await database.rows<{ id: number }>(sql`
      select c.id from customer c join operating_unit u on u.id = c.operating_unit_id join payment_term p on p.id = c.payment_term_id join v_customer_exposure e on e.customer_id = c.id
      join credit_limit l on l.customer_id = c.id and l.kind = 'REGULER' where u.code = ${unit} and c.status = 1 and not c.is_pkp and e.exposure > 0 and e.exposure = trunc(e.exposure) and not (p.is_cash or p.is_cod)
      group by c.id, e.exposure order by max(l.amount) - e.exposure desc, c.id limit ${own.length} offset 6`)
    const items = await database.rows<{ id: number; uom: string; price: string }>(sql`
      select i.id, i.sales_uom as uom, min(p.price) as price from item i join list_price p on p.item_id = i.id and p.uom = i.sales_uom join price_set s on s.id = p.price_set_id and s.scope_kind = 'BASE'
      where i.status = 1 and not i.is_combo and s.is_active and p.valid_from <= ${today}::date and (p.valid_to is null or p.valid_to >= ${today}::date) group by i.id order by i.code limit 24`)
    for (const [n, customer] of customers.entries()) {
      const what = own[n]
      if (what === undefined) continue
      const { kind, policy, days, note, until } = what
      const called = items.slice(n * 3, n * 3 + 3)
      const Lines = called.map((item, i): Row => ({
        ItemID: item.id, Uom: item.uom, TargetQty: kind === 'QTY' ? String(60 + 20 * i) : '0', MinCall: kind === 'QTY' ? '2' : '0',
        ...(policy === 'LIST_MINUS' ? { ListMinus: fixed(exact(item.price).times('0.03').round(-2), 4) } : { Price: fixed(exact(item.price).times('0.95').round(-2), 4) }),
      }))
      const made = await desk.enter(account, 'sales_contract', {
        CustomerID: customer.id, Kind: kind, PricePolicy: policy ?? 'FIXED', DocDate: today, ValidFrom: today, ValidTo: addDays(today, days), Note: note, Lines, ...(kind === 'VALUE' ? { TargetValue: '40000000' } : {}),
      }, until !== 'draft')
      if (until === 'draft' || until === 'waiting') continue
      await desk.approve(['supervisor', 'manager'], 'sales_contract', made)
      if (until === 'called') await call(database, desk, account, customer.id, made)
    }
  }
}

async function call(database: Database, desk: Desk, account: string, customer: number, contract: number): Promise<void> {
  const lines = await database.rows<{ id: number; item_id: number; uom: string }>(sql`select id, item_id, uom from sales_contract_line where sales_contract_id = ${contract} order by line_no limit 2`)
  await desk.enter(account, 'sales_order', { CustomerID: customer, ContractID: contract, FormVersion: 3, Lines: lines.map((line): Row => ({ ItemID: line.item_id, Uom: line.uom, Qty: '4', ContractLineID: line.id })) })
}

import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Freight of the last trips of two units: billed, accrued and not billed yet, waiting, taken back and in draft. */
export async function shipmentCosts(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const kind = (code: string): Promise<number | undefined> => id(sql`select id from expense_type where code = ${code}`)
  const [freight, toll, unloading] = [await kind('E-ANGKUT'), await kind('E-TOL'), await kind('E-BONGKAR')]
  for (const [unit, clerk, carrier] of [['JKT', 'vendors', 'V000101'], ['BDG', 'admin', 'V000102']] as const) {
    const trips = await database.rows<{ id: number; unit: number }>(sql`
      select p.id, p.operating_unit_id as unit from delivery_plan p join operating_unit u on u.id = p.operating_unit_id where u.code = ${unit} and p.status in (1, 8, 2, 3) order by p.plan_date desc, p.id desc limit 3`)
    const transporter = await id(sql`select id from business_partner where code = ${carrier}`)
    const cost = async (trip: number | undefined, type: number | undefined, estimate: string, stands: 'draft' | 'waiting' | 'accrued', basis = 'TRIP'): Promise<number> => {
      const made = await desk.enter(clerk, 'shipment_cost', { DeliveryPlanID: trip, TransporterID: transporter, ExpenseTypeID: type, Basis: basis, Estimate: estimate, DocDate: clock.today() }, stands !== 'draft')
      if (stands === 'accrued') await desk.approve(['payables', 'finance'], 'shipment_cost', made)
      return made
    }
    const [first, second, third] = trips
    if (first === undefined) continue
    const billed = await cost(first.id, toll, '185000', 'accrued')
    const bill = { TransporterID: transporter, OperatingUnitID: first.unit, DocDate: clock.today(), Ppn: '0' }
    const execution = await desk.enter(clerk, 'shipment_cost_execution', { ...bill, VendorInvoiceNo: `ANGKUT/${unit}/118`, Lines: [{ ShipmentCostID: billed, InvoiceAmount: '192500' }] }, false)
    await desk.act(clerk, 'shipment_cost_execution', execution, 'post')
    const open = await cost(first.id, freight, '1450000', 'accrued', 'KG')
    await desk.enter(clerk, 'shipment_cost_execution', { ...bill, VendorInvoiceNo: `ANGKUT/${unit}/119`, Lines: [{ ShipmentCostID: open, InvoiceAmount: '1450000' }], Ppn: '159500' }, false)
    if (second !== undefined) await cost(second.id, freight, '1275000', 'waiting')
    if (third === undefined) continue
    await cost(third.id, freight, '980000', 'draft')
    const undone = await cost(third.id, unloading, '250000', 'accrued', 'DROP')
    const reason = await id(sql`select id from reason where usage = 'REVERSAL' and is_active order by code limit 1`)
    await desk.act('admin', 'shipment_cost', undone, 'reverse', { reason_id: reason })
  }
}

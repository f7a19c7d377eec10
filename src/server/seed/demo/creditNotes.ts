import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Credit notes of today: a claim and a note by hand granted, one of each waiting and in draft, one to be taken back. */
export async function creditNotes(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const account = await database.first<{ id: number }>(sql`select id from account where code = '412101'`)
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'V02'`)
  const types = new Map((await database.rows<{ id: number; code: string }>(sql`select id, code from credit_note_promo_type`)).map(({ id, code }) => [code, id]))
  const customers = await database.rows<{ id: number }>(sql`
    select distinct c.id from customer c join operating_unit u on u.id = c.operating_unit_id join customer_category k on k.id = c.customer_category_id
    join invoice i on i.customer_id = c.id and i.status in (1, 2)
    where u.code = 'JKT' and c.is_active and not k.is_government and c.wapu_kind = 'NONE' order by c.id limit 7`)
  const claim = (no: number, dpp: string, description: string, more: Row = {}): Row => ({ Kind: 'CLAIM', ClaimNo: `KLM-${clock.today().slice(0, 4)}-${no}`, ClaimDate: clock.today(), PromoTypeID: types.get('KLAIM-LAIN') ?? null, Claimed: dpp, Dpp: dpp, Description: description, ...more })
  const byHand = (dpp: string, description: string, more: Row = {}): Row => ({ Kind: 'MANUAL', AccountID: account?.id ?? null, Dpp: dpp, Description: description, ...more })
  const notes: readonly (readonly [body: Row, steps: 'draft' | 'submitted' | 'approved' | 'reversing'])[] = [
    [claim(301, '1250000', 'Potongan harga program akhir bulan', { Claimed: '1500000', Funding: 'SHARED', PrincipalPct: '40' }), 'approved'],
    [claim(302, '3350000', 'Potongan harga susulan'), 'submitted'],
    [claim(303, '875000', 'Potongan harga toko baru'), 'draft'],
    [byHand('450000', 'Koreksi harga faktur', { Ppn: '49500' }), 'approved'],
    [byHand('1100000', 'Kompensasi barang rusak di jalan'), 'submitted'],
    [byHand('275000', 'Koreksi ongkos kirim'), 'draft'],
    [byHand('640000', 'Koreksi harga, salah toko'), 'reversing'],
  ]
  for (const [i, [body, steps]] of notes.entries()) {
    const customer = customers[i]
    if (customer === undefined) return
    const corrected = body['Ppn'] === undefined ? {} : await correction(database, customer.id, String(body['Dpp']))
    const made = await desk.enter('claims', 'credit_note', { CustomerID: customer.id, DocDate: clock.today(), ...body, ...corrected }, steps !== 'draft')
    if (steps === 'approved' || steps === 'reversing') await desk.approve(['receivables'], 'credit_note', made)
    // What the customer wants in money goes into a deposit first: one part is there, one waits.
    if (steps === 'approved') {
      const moved = await desk.enter('claims', 'credit_note_transfer', { CreditNoteID: made, Amount: '150000', DocDate: clock.today(), Note: 'Diminta kembali oleh toko' })
      if (i === 0) await desk.approve(['receivables'], 'credit_note_transfer', moved)
    }
    if (steps === 'reversing') await desk.act('claims', 'credit_note', made, 'request-reversal', { ReasonID: reason?.id ?? null })
  }
}

/** The invoice of the customer that is corrected, and the goods of its first line. */
async function correction(database: Database, customer: number, dpp: string): Promise<Row> {
  const line = await database.first<{ invoice_id: number; item_id: number; uom: string }>(sql`
    select l.invoice_id, l.item_id, l.uom from invoice i join invoice_line l on l.invoice_id = i.id where i.customer_id = ${customer} and i.status in (1, 2) and not l.is_free order by i.id, l.line_no limit 1`)
  return line === undefined ? {} : { InvoiceID: line.invoice_id, Lines: [{ ItemID: line.item_id, Description: 'Selisih harga', Uom: line.uom, Qty: '10', Price: '45000', Amount: dpp }] }
}

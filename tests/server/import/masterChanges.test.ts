import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let admin: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
})

const take = (rows: readonly string[]): Promise<ImportBatch> => files.take('master-change.import', ['Entity,Code,Field,OldValue,NewValue', ...rows].join('\n'))

const now = async (): Promise<unknown> => arus.database.first(sql`
  select c.phone, c.requires_ttf, t.code as territory, c.version, i.pack_qty::text as pack from customer c left join sales_channel t on t.id = c.sales_channel_id, item i where c.code = 'C0000001' and i.code = 'A'`)

describe('masters changed by file', () => {
  it('changes nothing while one row is wrong, and says at each cell what the record says now', async () => {
    const before = await now()
    const batch = await take([
      'CUSTOMER,C0000001,Phone,,021 555 0199', 'CUSTOMER,C0000001,Phone,021 000,1', 'CUSTOMER,NOBODY,Phone,,1', 'CUSTOMER,C0000001,Colour,,1', 'CUSTOMER,C0000001,Name,Toko Lama,Toko Lain',
      'ITEM,A,pack_qty,1,many', 'CUSTOMER,C0000001,Channel,GT,NOWHERE', 'SHOP,C0000001,Phone,,1',
    ])
    expect(await files.errors(batch)).toEqual([
      expect.stringMatching(/^3 OldValue E05 The record says “021 555 0199”\. Somebody changed it meanwhile/),
      expect.stringMatching(/^4 Code E02 This record does not exist, or lies outside your territories/),
      expect.stringMatching(/^5 Field E05 One of /),
      expect.stringMatching(/^6 OldValue E05 The record says “Toko Makmur”\. Somebody changed it meanwhile/),
      '7 NewValue E05 “many” is nothing this field can hold.',
      '8 NewValue E05 “NOWHERE” is nothing this field can hold.',
      expect.stringMatching(/^9 Entity E05 SHOP is none of CUSTOMER/),
    ])
    expect(batch.Actions).not.toContain('commit')
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/commit`)).code).toBe('ILLEGAL_TRANSITION')
    expect(await now()).toEqual(before)
  })

  it('changes all of it through the rules and the history of the masters, and takes it back', async () => {
    const before = await now()
    const batch = await take(['customer,c0000001,Phone,,021 555 0199', 'CUSTOMER,C0000001,Requires TTF,N,Y', 'ITEM,A,PackQty,1.0,"1,000.5"'])
    expect(await files.errors(batch)).toEqual([])
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 3 })
    expect(await now()).toMatchObject({ phone: '021 555 0199', requires_ttf: true, pack: '1000.500000' })
    const history = await arus.database.rows(sql`select action, diff from document_log where doc_type = 'customer' and doc_id = (select id from customer where code = 'C0000001') order by id`)
    expect(history).toMatchObject([{ action: 'edit', diff: [{ field: 'phone', to: '021 555 0199' }] }, { action: 'edit', diff: [{ field: 'requires_ttf', from: false, to: true }] }])
    expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
    const after = await now()
    expect(after).toEqual({ ...(before as object), version: 5 })
  })

  it('says what a unit, a warehouse and a vehicle use and whose they are', async () => {
    const batch = await take(['UNIT,JKT,DefaultWarehouse,,WJKT', 'WAREHOUSE,WJKT,Customer,,C0000001', 'UNIT,JKT,Own cash account,,KAS-JKT'])
    expect(await files.errors(batch)).toEqual([])
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 3 })
    expect(await arus.database.first(sql`
      select w.code as goods, a.code as money, c.code as customer from operating_unit o join warehouse w on w.id = o.default_warehouse_id join cash_account a on a.id = o.default_cash_account_id
      left join customer c on c.id = w.customer_id where o.code = 'JKT'`)).toEqual({ goods: 'WJKT', money: 'KAS-JKT', customer: 'C0000001' })
    expect(await files.undo(batch)).toMatchObject({ Status: 7 })
    expect(await files.errors(await take(['UNIT,JKT,DefaultWarehouse,,WBDG']))).toEqual([expect.stringContaining('Choose an active main warehouse of this unit.')])
  })

  it('says where a record is used that a row takes off', async () => {
    const batch = await take(['CHANNEL,GT,IsActive,Y,N'])
    expect(await files.errors(batch)).toEqual([expect.stringMatching(/^2  E00 Used in: .*Customer \(\d+\)/)])
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 1 })
    expect(await arus.database.first(sql`select is_active from sales_channel where code = 'GT'`)).toEqual({ is_active: false })
    await files.undo(batch)
    expect(await arus.database.first(sql`select is_active from sales_channel where code = 'GT'`)).toEqual({ is_active: true })
  })

  it('is refused whole when a record is changed between checking and importing', async () => {
    const batch = await take(['CUSTOMER,C0000002,Phone,,1', 'CUSTOMER,C0000001,Phone,,2'])
    expect(await files.errors(batch)).toEqual([])
    await arus.database.run(sql`update customer set phone = '3' where code = 'C0000001'`)
    expect(await files.commit(batch)).toMatchObject({ Status: 1, RowsImported: 0, RowsWrong: 1 })
    expect(await arus.database.rows(sql`select phone from customer where code in ('C0000001', 'C0000002') order by code`)).toEqual([{ phone: '3' }, { phone: null }])
    expect(await arus.database.first(sql`select count(*)::int as n from master_change`)).toEqual({ n: 0 })
  })

  describe('of fields that somebody else decides', () => {
    const customer = async () => arus.database.first(sql`select name, phone from customer where code = 'C0000001'`)
    const requests = async (): Promise<readonly { id: number; status: number }[]> => arus.database.rows(sql`
      select r.id, r.status from approval_request r where r.doc_type = 'customer' and r.doc_id = (select id from customer where code = 'C0000001') order by r.id`)
    const imported = async (rows: readonly string[]): Promise<ImportBatch> => {
      const batch = await take(rows)
      expect(await files.errors(batch)).toEqual([])
      return files.commit(batch)
    }

    it('ask for approval as the form does, and are withdrawn when the sheet is taken back', async () => {
      const before = await customer()
      const batch = await imported(['CUSTOMER,C0000001,Name,Toko Makmur,Toko Makmur Jaya'])
      expect(batch).toMatchObject({ Status: 3, RowsImported: 1 })
      expect(await customer()).toEqual(before)
      const [waiting] = await requests()
      expect(waiting).toMatchObject({ status: 4 })
      const credit = await arus.signIn('credit')
      const [row] = (await credit.get('/api/v1/approval/customer/change', { state: 'waiting', columns: 'name' })).data.rows
      expect(row.Reasons[0]).toMatchObject({ code: 'NAME', text: 'Name: Toko Makmur → Toko Makmur Jaya' })
      // A record has one request at a time.
      expect(await files.errors(await take(['CUSTOMER,C0000001,Name,Toko Makmur,Toko Ketiga']))).toEqual([expect.stringMatching(/^2 Field E05 A change of this record already waits/)])
      expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
      expect((await requests()).map(({ status }) => status)).toEqual([6])
    })

    it('of one record are one request; a row taken back leaves the others waiting', async () => {
      const term = await arus.signIn('admin').then((session) => session.post('/api/v1/data/payment-term', { Code: 'N75', Name: '75 days', NetDays: 75, Baseline: 'INVOICE' }))
      expect(term.status).toBe(200)
      const batch = await imported(['CUSTOMER,C0000001,Name,Toko Makmur,Toko Makmur Sentosa', 'CUSTOMER,C0000001,PaymentTerm,N30,N75'])
      expect(batch).toMatchObject({ Status: 3, RowsImported: 2 })
      const open = async () => arus.database.rows<{ fields: string }>(sql`select (select string_agg(c->>'field', ',') from jsonb_array_elements(payload->'changes') c) as fields from approval_request where doc_type = 'customer' and status = 4`)
      expect(await open()).toEqual([{ fields: 'name,payment_term_id' }])
      expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
      expect(await open()).toEqual([])
    })

    it('stay once they are approved: taking the sheet back says so', async () => {
      const batch = await imported(['CUSTOMER,C0000001,Name,Toko Makmur,Toko Makmur Jaya'])
      const credit = await arus.signIn('credit')
      expect((await credit.post(`/api/v1/approval/${(await requests()).at(-1)?.id}/approve`, {})).data).toMatchObject({ isFinal: true })
      expect(await customer()).toMatchObject({ name: 'Toko Makmur Jaya' })
      expect(await files.undo(batch)).toMatchObject({ RowsImported: 1 })
      expect((await files.errors(batch))[0]).toContain('The change was approved since')
      expect(await customer()).toMatchObject({ name: 'Toko Makmur Jaya' })
      expect((await requests()).filter(({ status }) => status === 4)).toEqual([])
    })
  })
})

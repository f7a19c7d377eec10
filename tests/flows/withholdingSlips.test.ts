import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

test('income tax withheld from vendors is exported month by month, once every slip says whose it is and for what', async () => {
  const { database } = scene
  const unit = await scene.at.id('operating_unit', 'JKT')
  const vendor = await scene.create('admin', 'business-partner', { Code: 'V-JASA', Name: 'PT Jasa', Kinds: ['VENDOR'], IsPkp: false, ApAccountGroup: 'NON_TRADE', PaymentTermID: await scene.at.id('payment_term', 'N30') })
  const type = await scene.at.id('expense_type', 'E-JASA')
  const [invoice] = await database.rows<{ id: number }>(sql`
    insert into vendor_invoice (code, status, operating_unit_id, doc_date, posting_date, kind, vendor_id, vendor_invoice_no, account_id) values ('VIV-1', 1, ${unit}, '2026-11-05', '2026-11-20', 'NON_TRADE', ${vendor.ID}, 'J/1', ${await scene.at.id('account', '211102')}) returning id`)
  await database.run(sql`
    insert into vendor_invoice_line (vendor_invoice_id, line_no, expense_type_id, qty, price, amount, pph_code_id, pph_rate, pph) values (${invoice?.id}, 1, ${type}, 1, 24000000, 24000000, ${await scene.at.id('tax_code', 'PPH23')}, 2, 480000)`)
  const months = async () => (await scene.people.admin.get('/api/v1/data/withholding-month', { columns: 'id,period,withheld_count,dpp,pph,incomplete' })).data.rows
  const [month] = await months()
  expect(month).toMatchObject({ Period: '202611', WithheldCount: 1, Dpp: '24000000.00', Pph: '480000.00', Incomplete: 1 })
  const file = () => scene.at.app.inject({ url: `/api/v1/withholding-slips/${month.ID}`, headers: { authorization: `Bearer ${scene.people.admin.token}` } })
  expect((await file()).statusCode).toBe(404)
  await database.run(sql`update business_partner set npwp = '0123456789012345' where id = ${vendor.ID}`)
  await database.run(sql`update expense_type set tax_object_code = '24-104-03' where id = ${type}`)
  expect((await months())[0]).toMatchObject({ Incomplete: 1 })
  await database.run(sql`update company set npwp = '0999999999999999'`)
  expect((await months())[0]).toMatchObject({ Incomplete: 0 })
  const whole = await file()
  expect([whole.statusCode, whole.headers['content-disposition']]).toEqual([200, 'attachment; filename="BPU-JKT-202611.xml"'])
  expect(whole.body).toContain('<CounterpartTin>0123456789012345</CounterpartTin>')
  expect(whole.body).toContain('<TaxBase>24000000</TaxBase><Rate>2</Rate>')
})

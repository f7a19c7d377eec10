import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { idByCode } from '../support/company.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'
import { xmlFault } from '../support/strictXml.ts'
import { upload } from '../support/upload.ts'

let scene: Scene
let invoice: Record
let admin: Awaited<ReturnType<Scene['at']['signIn']>>

beforeAll(async () => {
  scene = await openScene()
  admin = await scene.at.signIn('admin')
  await scene.database.run(sql`insert into tax_invoice_period (period, deadline, status) values ('202611', '2026-12-20', 'OPEN') on conflict do nothing`)
  await scene.database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
  await scene.database.run(sql`update customer set npwp = '0987654321098765', tax_id_type = 'TIN', tax_name = 'PT Makmur & Co' where code = 'C0000001'`)
  invoice = await scene.invoiced('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
})

const command = async (name: string, body: object) => {
  const answer = await admin.post(`/api/v1/command/${name}`, body, { key: scene.key() })
  expect([answer.status, answer.message], scene.at.log.join('\n')).toEqual([200, expect.any(String)])
  return answer.data
}
const fakturs = () => scene.database.rows<Record>(sql`select id, code, status, faktur_number, ppn, dpp, status_code from tax_invoice order by id`)
const file = async (id: number, token = admin.token) => scene.at.app.inject({ url: `/api/v1/tax-invoice-xml/${id}`, headers: { authorization: `Bearer ${token}` } })

async function answered(text: string, name = 'result.csv'): Promise<{ readonly rows: Record[]; readonly batch: Record }> {
  const sent = await upload(scene.at.app, admin.token, '/api/v1/import/tax-invoice-result.import', { name, bytes: text })
  expect([sent.status, sent.message]).toEqual([200, expect.any(String)])
  const settled = async (): Promise<Record> => {
    for (;;) {
      const { data } = await admin.get(`/api/v1/import-batch/${sent.data.record.ID}`)
      if (data.record.Work === null) return data.record
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await settled()
  const { rows } = (await admin.get(`/api/v1/import-batch/${sent.data.record.ID}/rows`)).data
  await admin.post(`/api/v1/import-batch/${sent.data.record.ID}/commit`, {})
  return { rows, batch: await settled() }
}

describe('tax invoices of a month', () => {
  let batch: number

  test('the tax month does not close over what is not answered, and says where it is seen', async () => {
    const { results } = await command('close-period', { IDs: (await scene.database.rows<{ id: number }>(sql`select id from accounting_period where period = '202611' and module = 'TX'`)).map((row) => row.id) })
    expect(results[0]).toMatchObject({ ok: false, key: 'problem.ILLEGAL_TRANSITION.period-blocked', obstacles: [
      { key: 'closing.tax-missing', params: { count: 1 }, path: '/billing?tab=invoices&f.code=in%3A%5B%22INV%2FJKT%2F2611%2F00001%22%5D&view=standard' }, { key: 'closing.tax-draft', path: '/master/tax-invoice?f.period=eq%3A%22202611%22&view=standard' },
    ] })
  })

  test('go into a file whose totals are the invoices’ to the cent', async () => {
    const { results } = await command('export-tax-invoices', { Period: '202611' })
    expect(results).toMatchObject([{ ok: true, key: 'done.tax-file' }])
    batch = results[0].ID
    expect(await fakturs()).toMatchObject([{ code: invoice['Code'], status: 'EXPORTED', dpp: invoice['Dpp'], ppn: invoice['Ppn'] }])
    const { body, headers, statusCode } = await file(batch)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(xmlFault(body.replace(/^<\?xml[^>]*>\s*/, ''))).toBeUndefined()
    expect(body).toContain(`<RefDesc>${String(invoice['Code'])}</RefDesc>`)
    expect(body).toContain('<BuyerName>PT Makmur &amp; Co</BuyerName>')
    const sum = (name: string): number => [...body.matchAll(new RegExp(`<${name}>([\\d.]+)</${name}>`, 'g'))].reduce((total, match) => total + Math.round(Number(match[1]) * 100), 0)
    expect(sum('TaxBase')).toBe(Math.round(Number(invoice['Dpp']) * 100))
    expect(Math.abs(sum('VAT') - Math.round(Number(invoice['Ppn']) * 100))).toBeLessThan(100)
    // Once more there is nothing to do, and nothing is done twice.
    expect((await admin.post('/api/v1/command/export-tax-invoices', { Period: '202611' }, { key: scene.key() })).code).toBe('ILLEGAL_TRANSITION')
  })

  test('a file that Coretax refused is released: its rows go into the next one', async () => {
    expect((await command('release-tax-invoices', { IDs: [batch], ReasonText: 'refused' })).results).toMatchObject([{ ok: true }])
    expect(await fakturs()).toMatchObject([{ status: 'DRAFT' }])
    expect((await file(batch)).statusCode).toBe(404)
    batch = (await command('export-tax-invoices', { Period: '202611' })).results[0].ID
  })

  test('a file with tax invoices of other territories is neither released nor read by who does not see them', async () => {
    const north = await idByCode(scene.database, 'territory', 'JKT-N')
    await scene.database.run(sql`delete from user_territory where territory_id = ${north} and user_id = (select id from app_user where email = 'billing@arus.example')`)
    const south = await scene.at.signIn('billing')
    const { results } = (await south.post('/api/v1/command/release-tax-invoices', { IDs: [batch], ReasonText: 'not mine' }, { key: scene.key() })).data
    expect(results).toMatchObject([{ ID: batch, ok: false, code: 'NOT_IN_SCOPE' }])
    expect((await file(batch, south.token)).statusCode).toBe(404)
    expect(await fakturs()).toMatchObject([{ status: 'EXPORTED' }])
  })

  test('the result fills in numbers; what names nothing, a wrong number and a number given twice are told in their cells', async () => {
    const heads = 'RefDesc,FakturNumber,Status,ApprovalDate\n'
    const { rows } = await answered(`${heads}INV/NONE,04002600000000009,APPROVED,2026-11-20\n`)
    expect(rows[0]['Errors']).toMatchObject([{ column: 'RefDesc', code: 'E10', key: 'cell.not-made' }])
    const wrong = await answered(`${heads}${String(invoice['Code'])},01002600000000001,APPROVED,2026-11-20\n`)
    expect(wrong.batch).toMatchObject({ RowsImported: 0, RowsWrong: 1 })
    // As JSON, what is wrong is told as in a sheet; numbers keep every digit.
    const listed = await answered(JSON.stringify({ data: [{ RefDesc: 'INV/NONE', FakturNumber: '04002600000000009', Status: 'APPROVED', ApprovalDate: '2026-11-20' }] }), 'result.json')
    expect(listed.rows[0]['Errors']).toMatchObject([{ column: 'RefDesc', code: 'E10', key: 'cell.not-made' }])
    const bare = await answered(`[{"RefDesc": "${String(invoice['Code'])}", "FakturNumber": 12345678901234567, "Status": "APPROVED", "ApprovalDate": "2026-11-20"}]`, 'result.json')
    expect(bare.rows[0]['Cells']).toContain('12345678901234567')
    expect(bare.batch).toMatchObject({ RowsImported: 0, RowsWrong: 1 })
    const { batch: done } = await answered(JSON.stringify([{ RefDesc: invoice['Code'], FakturNumber: '04002600000000001', Status: 'APPROVED', ApprovalDate: '2026-11-21', Remark: null }]), 'result.json')
    expect(done).toMatchObject({ RowsImported: 1 })
    expect(await fakturs()).toMatchObject([{ status: 'APPROVED', faktur_number: '04002600000000001' }])
    expect(await scene.database.first(sql`select status from tax_invoice_batch where id = ${batch}`)).toEqual({ status: 'ANSWERED' })
  })

  test('an answered month closes; its period is then closed to new files', async () => {
    const row = await scene.database.first<{ id: number; version: number }>(sql`select id, version from tax_invoice_period where period = '202611'`)
    const closed = await admin.put(`/api/v1/data/tax-invoice-period/${row?.id}`, { Status: 'CLOSED' }, { version: row?.version ?? 1 })
    expect([closed.status, closed.message]).toEqual([200, expect.any(String)])
    expect((await admin.post('/api/v1/command/export-tax-invoices', { Period: '202611' }, { key: scene.key() })).data.key).toBe('problem.ILLEGAL_TRANSITION.tax-period')
    await admin.put(`/api/v1/data/tax-invoice-period/${row?.id}`, { Status: 'OPEN' }, { version: (row?.version ?? 1) + 1 })
  })

  test('is replaced and cancelled as Coretax does it; never two that count', async () => {
    const [first] = await fakturs()
    const { results } = await command('replace-tax-invoice', { IDs: [first?.['id']], FakturNumber: '04012600000000002', ApprovedOn: '2026-11-22' })
    expect(results).toMatchObject([{ ok: true }])
    expect(await fakturs()).toMatchObject([{ status: 'REPLACED' }, { status: 'APPROVED', status_code: '01', code: `${String(invoice['Code'])}-R1` }])
    const second = (await fakturs())[1]
    // It was made in Coretax, not sent there in the file of the one before.
    expect(await scene.database.rows(sql`select tax_invoice_batch_id is null as alone from tax_invoice order by id`)).toEqual([{ alone: false }, { alone: true }])
    expect((await command('confirm-tax-cancellation', { IDs: [second?.['id']] })).results).toMatchObject([{ ok: false, key: 'problem.ILLEGAL_TRANSITION.tax-state' }])
    const ask = () => command('ask-tax-cancellation', { IDs: [second?.['id']], ReasonText: 'wrong buyer' })
    expect((await ask()).results).toMatchObject([{ ok: true, key: 'done.tax-asked' }])
    // The faktur counts until somebody else has agreed, and is asked about once at a time.
    expect(await fakturs()).toMatchObject([{ status: 'REPLACED' }, { status: 'APPROVED' }])
    expect((await ask()).results).toMatchObject([{ ok: false, key: 'problem.ILLEGAL_TRANSITION.tax-asked' }])
    const requests = () => scene.database.rows<Record>(sql`select id, code, status, reason_text from tax_invoice_cancel_request order by id`)
    const [request] = await requests()
    expect(request).toMatchObject({ status: 4, reason_text: 'wrong buyer', code: expect.stringMatching(/^TCR\//) })
    const finance = await scene.at.signIn('finance')
    const { rows } = (await finance.get('/api/v1/approval/tax_invoice_cancel_request/submit', { state: 'waiting', columns: 'tax_invoice_id,amount' })).data
    expect(rows).toMatchObject([{ CanDecide: true, Reasons: [{ code: 'FAKTUR', text: '04012600000000002: wrong buyer' }] }])
    expect((await admin.post(`/api/v1/approval/${rows[0].ID}/approve`, {}, { key: scene.key() })).code).toBe('SELF_APPROVAL')
    // Refused as the dialog does it: why it is refused does not stand where it was said why it is asked.
    const [why] = await scene.rows('reason', sql`usage = 'REJECT' and is_active`)
    await finance.post(`/api/v1/approval/${rows[0].ID}/reject`, { ReasonID: Number(why?.['id']), Note: 'the buyer is right' }, { key: scene.key() })
    expect([(await requests())[0], (await fakturs())[1]?.['status']]).toMatchObject([{ status: 5, reason_text: 'wrong buyer' }, 'APPROVED'])
    // Refused, it can be asked for again: the same request, not another.
    expect((await ask()).results).toMatchObject([{ ok: true }])
    expect(await requests()).toMatchObject([{ id: request?.['id'], status: 4 }])
    await scene.decide('tax_invoice_cancel_request', Number(request?.['id']), 'approve', ['finance'])
    expect([(await requests())[0]?.['status'], (await fakturs())[1]?.['status']]).toEqual([3, 'WAITING_CANCEL'])
    await command('confirm-tax-cancellation', { IDs: [second?.['id']] })
    expect(await fakturs()).toMatchObject([{ status: 'REPLACED' }, { status: 'CANCELLED' }])
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
    const history = (await admin.get(`/api/v1/data/tax-invoice/${String(second?.['id'])}/history`)).data.records
    expect(history.map((entry: Record) => entry['Action'])).toEqual(['cancelled', 'waiting_cancel', 'create'])
  })

  test('an invoice whose tax invoice has left the house is not cancelled; a draft goes with its invoice', async () => {
    const reason = await scene.at.id('reason', 'C02')
    const ask = async (sold: Record) => {
      const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: sold.ID, Mode: 'CANCEL', ReasonID: reason })
      return { request, answer: await scene.tryAct('billing', 'invoice-cancel-request', request.ID, 'submit') }
    }
    const sold = await scene.invoiced('C0000002', [{ item: 'B', qty: '2' }])
    await command('draft-tax-invoices', { Period: '202611' })
    const states = async () => (await scene.database.rows<Record>(sql`select status from tax_invoice where invoice_id = ${sold.ID} order by id`)).map((row) => row['status'])
    for (const state of ['EXPORTED', 'APPROVED', 'WAITING_CANCEL']) {
      await scene.database.run(sql`update tax_invoice set status = ${state} where invoice_id = ${sold.ID}`)
      expect((await ask(sold)).answer).toMatchObject({ code: 'ILLEGAL_TRANSITION', data: { key: 'problem.ILLEGAL_TRANSITION.invoice-taxed' } })
    }
    // Sent between the asking and the answer it stands in the way as well.
    await scene.database.run(sql`update tax_invoice set status = 'DRAFT' where invoice_id = ${sold.ID}`)
    const { request } = await ask(sold)
    await scene.database.run(sql`update tax_invoice set status = 'APPROVED' where invoice_id = ${sold.ID}`)
    await expect(scene.decide('invoice_cancel_request', request.ID)).rejects.toThrow(/is Approved/)
    await scene.database.run(sql`update tax_invoice set status = 'DRAFT' where invoice_id = ${sold.ID}`)
    await scene.decide('invoice_cancel_request', request.ID)
    expect([(await scene.read('invoice', sold.ID))['Status'], await states()]).toEqual([6, ['CANCELLED']])
  })

  test('a draft of an invoice that was undone is dropped, with the word for it', async () => {
    const other = await scene.invoiced('C0000002', [{ item: 'B', qty: '1' }])
    await command('draft-tax-invoices', { Period: '202611' })
    await scene.database.run(sql`update invoice set status = 6 where id = ${other.ID}`)
    await command('draft-tax-invoices', { Period: '202611' })
    const faktur = await scene.database.first<{ id: number }>(sql`select id from tax_invoice where invoice_id = ${other.ID} and status = 'CANCELLED'`)
    expect((await admin.get(`/api/v1/data/tax-invoice/${String(faktur?.id)}/history`)).data.records.map((entry: Record) => entry['Action'])).toEqual(['cancelled', 'create'])
  })

  test('people change only the answer', async () => {
    const [first] = await fakturs()
    const row = await scene.database.first<{ version: number }>(sql`select version from tax_invoice where id = ${first?.['id']}`)
    const answer = await admin.put(`/api/v1/data/tax-invoice/${String(first?.['id'])}`, { FakturNumber: '04002600000000005' }, { version: row?.version ?? 1 })
    expect(answer.data.errors).toMatchObject([{ key: 'field.READ_ONLY.tax-answer' }])
  })
})

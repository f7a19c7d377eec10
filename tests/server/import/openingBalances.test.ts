import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { idByCode } from '../../support/company.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let admin: Session
let files: Imports

const day = '2026-10-31'

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
  await arus.database.transaction(async (tx) => {
    const unit = await idByCode(tx, 'operating_unit', 'JKT')
    await insertRows(tx, 'house_bank', [{
      code: 'BCA1', operating_unit_id: unit, name: 'BCA', bank_id: await idByCode(tx, 'bank', 'BCA'), account_no: '111', account_name: 'PT Arus', gl_account_id: await idByCode(tx, 'account', '111201'), is_collection: true,
    }])
    await insertRows(tx, 'business_partner', [
      { code: 'V-1', name: 'PT Sumber', kinds: ['PRINCIPAL'], ap_account_group: 'TRADE' },
      { code: 'V-2', name: 'PT Angkut', kinds: ['TRANSPORTER'], ap_account_group: 'NON_TRADE' },
    ])
  })
})

async function set(key: string, change: Readonly<Record<string, unknown>>): Promise<{ readonly status: number; readonly message: string }> {
  const found = (await admin.get('/api/v1/data/setting-oms', { search: key, length: 5 })).data.rows.find((row: { readonly Key: string }) => row.Key === key)
  return admin.put(`/api/v1/data/setting-oms/${found.ID}`, change, { version: found.Version })
}

const take = async (sheet: string, text: string): Promise<ImportBatch> => files.as(sheet, await files.take('opening-balance.import', text, { name: `${sheet}.csv` }))

/** Mistakes without their codes. */
const told = async (batch: ImportBatch): Promise<readonly string[]> => (await files.errors(batch)).map((line) => line.replace(/ E\d\d /, ' '))

async function imported(sheet: string, text: string): Promise<ImportBatch> {
  const batch = await take(sheet, text)
  expect([batch.Sheet, await told(batch)]).toEqual([sheet, []])
  const done = await files.commit(batch, ['same-file'])
  expect([done.Status, await told(done)]).toEqual([3, []])
  return done
}

const books = async (): Promise<unknown> => arus.database.first(sql`
  select (select count(*)::int from opening_balance) as balances, (select count(*)::int from invoice) as invoices, (select count(*)::int from journal) as journals,
    (select count(*)::int from stock_movement) as movements, (select coalesce(sum(last_value), 0)::int from number_counter) as numbers`)

const balance = async (account: string): Promise<string> =>
  String((await arus.database.first(sql`select coalesce(sum(l.debit - l.credit), 0)::numeric(18,2)::text as b from journal_line l join account a on a.id = l.account_id where a.code = ${account}`))?.['b'])

const receivables = [
  'Customer,DocNo,DocDate,DueDate,Total,Remaining,Salesman,FakturNo',
  'C0000001,F-0815,2026-10-15,2026-11-14,2500000.50,1250000.25,E1,04002600000000815',
  'C0000001,F-0700,2026-08-01,2026-08-31,900000,900000,,',
  'C0000002,F-0816,2026-09-20,2026-10-20,400000,400000,,',
  'C0000003,F-0900,2026-10-30,2026-11-29,75000,75000,,',
].join('\n')

describe('opening balances', () => {
  it('are taken over only while they are open and the day is known', async () => {
    const before = await books()
    expect((await told(await take('opening-receivable', receivables)))[0]).toBe('2  Opening balances are not open here. The setting begbal_open opens them.')
    expect((await set('begbal_open', { Flag: true })).status).toBe(200)
    expect((await told(await take('opening-receivable', receivables)))[0]).toContain('No cut-over date is set')
    expect((await set('cut_over_date', { Text: 'yesterday' })).status).toBe(422)
    expect((await set('cut_over_date', { Text: day })).status).toBe(200)
    expect(await books()).toEqual(before)
  })

  it('are refused whole with the cell and the reason, before anything is imported', async () => {
    const before = await books()
    const batch = await take('opening-receivable', [
      receivables.split('\n')[0],
      'C0000001,F-1,2026-10-15,2026-11-14,100,100,,',
      'C0000001,F-2,2026-10-15,2026-11-14,100,100.01,,',
      'C0000001,F-3,2026-11-01,2026-11-14,100,100,,',
      'C0000001,INV/JKT/2611/00001,2026-10-15,2026-11-14,100,100,,',
      'C0000001,F-1,2026-10-15,2026-11-14,5,5,,',
    ].join('\n'))
    expect(await told(batch)).toEqual([
      '3 Remaining At most the total, 100.00.',
      '4 DocDate Not after the cut-over date 31/10/2026.',
      '5 DocNo This looks like a number of ours. Keep the number of the old system, or put a letter before it.',
      '6 DocNo It is there already: F-1.',
    ])
    expect(batch.Actions).not.toContain('commit')
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/commit`)).code).toBe('ILLEGAL_TRANSITION')
    const ledger = await take('opening-ledger', 'Account,Debit,Credit,OU\n112101,5,,JKT\n331101,5,,JKT\n615101,5,5,JKT\n213101,,5,JKT')
    expect(await told(ledger)).toEqual([
      '2 Account Account 112101 is kept by documents of its own. Take its balance over in its own section.',
      '3 Account Account 331101 is kept by documents of its own. Take its balance over in its own section.',
      '4 Debit Enter either a debit or a credit.',
    ])
    expect(await books()).toEqual(before)
    await admin.post(`/api/v1/import-batch/${batch.ID}/cancel`)
  })

  it('G18, I30: a complete set leaves 331101 at zero, and the aging of the day equals the sheet', async () => {
    const first = await imported('opening-receivable', receivables)
    expect(first.Problem).toMatchObject({ key: 'warning.suspense', params: { amount: ['-2,625,000.25'] } })
    await imported('opening-credit-note', `Customer,DocNo,Date,Remaining\nC0000001,K-12,2026-10-20,50000`)
    await imported('opening-deposit', `Customer,DocNo,Date,Remaining\nC0000002,T-3,2026-10-21,30000.75`)
    // Which account payables are on is a setting of finance.
    await arus.database.run(sql`insert into account (code, name, type, normal, is_control, control_kind, is_postable) values ('211109', 'Other payables', 'LIABILITY', 'C', true, 'AP', true)`)
    const settings = (await admin.get('/api/v1/data/setting-finance')).data.rows[0]
    expect((await admin.put(`/api/v1/data/setting-finance/${settings.ID}`, { OtherPayableAccountID: await arus.id('account', '211109') }, { version: settings.Version })).status).toBe(200)
    const payables = await imported('opening-payable', `Vendor,DocNo,Date,Due,Remaining,OU\nV-1,INV-778,2026-10-05,2026-11-04,3000000,JKT\nV-2,INV-9,2026-10-05,2026-11-04,250000,JKT`)
    // The log leads to what came of each row: its document where there is one, else what it has booked.
    const [invoice] = await files.rows(first)
    expect(invoice?.Records).toEqual([{ entity: 'opening_balance', id: expect.any(Number), name: expect.stringMatching(/^OB\//), path: `/billing?tab=invoices&edit=${await arus.id('invoice', 'F-0815')}` }])
    const [owed] = await files.rows(payables)
    const made = (await admin.get('/api/v1/data/vendor-invoice', { filter: JSON.stringify({ vendor_invoice_no: { eq: 'INV-778' } }), length: 1 })).data.rows[0]
    expect(made).toMatchObject({ Code: 'V-1-INV-778', Kind: 'BEGBAL', Status: 1, Total: '3000000.00', Remaining: '3000000.00', DueDate: '2026-11-04', PostingDate: day })
    expect(owed?.Records[0]?.path).toBe(`/account-payable/vendor-invoice/${made.ID}`)
    const booked = (await admin.get('/api/v1/report/journal.report', { date_from: day, date_to: day, filter: JSON.stringify({ source_doc_code: { eq: made.Code } }), length: 10 })).data.rows
    expect(booked.map((row: Record<string, string>) => `${row['AccountCode']} ${row['PartnerCode'] ?? ''} ${row['Credit']}`)).toContain('211101 V-1 3000000.00')
    await imported('opening-debit-note', `Vendor,DocNo,Date,Due,Remaining,OU\nV-1,DN-31,2026-10-05,2026-11-04,120000,JKT`)
    expect((await admin.get('/api/v1/data/dn', { length: 1 })).data.rows[0]).toMatchObject({ Code: 'V-1-DN-31', Kind: 'BEGBAL', Status: 1, Total: '120000.00', Remaining: '120000.00', DueDate: '2026-11-04' })
    await imported('opening-advance', `Vendor,DocNo,Date,Due,Remaining,OU\nV-1,UM-9,2026-10-05,2026-11-04,80000,JKT`)
    expect((await admin.get('/api/v1/data/advance-invoice', { length: 1 })).data.rows[0]).toMatchObject({ Code: 'V-1-UM-9', Origin: 'BEGBAL', Status: 2, Amount: '80000.00', Unpaid: '0.00', Paid: '80000.00', Remaining: '80000.00' })
    await imported('opening-stock', `SKU,Warehouse,Batch,Qty,UnitCost\nA,WJKT,,240,8750.25\nB,WBDG,,3,100000.333333`)
    await imported('opening-bank', `Account,Amount\nBCA1,5000000`)
    // What it begins with is undone where it was taken over, or the books would keep it.
    const [taken] = (await admin.get('/api/v1/data/bank-statement', { length: 1 })).data.rows
    const undone = await admin.post(`/api/v1/data/bank-statement/${taken.ID}/reverse`, { ReasonID: (await arus.database.first<{ id: number }>(sql`select id from reason where code = 'V02'`))?.id }, { version: taken.Version, key: 'opening-statement' })
    expect([undone.code, undone.message]).toEqual(['ILLEGAL_TRANSITION', expect.stringContaining('is an opening balance')])
    await imported('opening-cash', `Account,Amount\nKAS-JKT,125000`)
    const open = await balance('331101')
    // Debits: 2,625,000.25 + 120,000 + 80,000 + 2,100,060 + 300,001 + 5,000,000 + 125,000; credits: 50,000 + 30,000.75 + 3,250,000.
    expect(open).toBe('-7020060.50')
    const refused = await set('begbal_open', { Flag: false })
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('331101 stands at -7,020,060.50')])
    const last = await imported('opening-ledger', 'Account,Debit,Credit,OU\n311101,,7000000,JKT\n213101,,20060.50,JKT')
    expect(last.Problem).toBeNull()
    expect(await balance('331101')).toBe('0.00')
    expect([await balance('112101'), await balance('212101'), await balance('211101'), await balance('211109'), await balance('112203'), await balance('115101'), await balance('111201'), await balance('111102'), await balance('113101')]).toEqual(
      ['2575000.25', '-30000.75', '-3000000.00', '-250000.00', '120000.00', '80000.00', '5000000.00', '125000.00', '2400061.00'])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    const aging = (await admin.get('/api/v1/report/ar-aging.report', { as_of: day, level: 'DETAIL', length: 50 })).data.rows
    expect(aging.map((row: Record<string, string>) => [row['CustomerCode'], row['DocCode'], row['DocDate'], row['DueDate'], row['Total'], row['Remaining'], row['NotDue'], row['Unapplied']]).sort()).toEqual([
      ['C0000001', 'F-0700', '2026-08-01', '2026-08-31', '900000.00', '900000.00', '0.00', '0.00'],
      ['C0000001', 'F-0815', '2026-10-15', '2026-11-14', '2500000.50', '1250000.25', '1250000.25', '0.00'],
      ['C0000001', 'K-12', '2026-10-20', null, '-50000.00', '0.00', '0.00', '-50000.00'],
      ['C0000002', 'F-0816', '2026-09-20', '2026-10-20', '400000.00', '400000.00', '0.00', '0.00'],
      ['C0000002', 'T-3', '2026-10-21', null, '-30000.75', '0.00', '0.00', '-30000.75'],
      ['C0000003', 'F-0900', '2026-10-30', '2026-11-29', '75000.00', '75000.00', '75000.00', '0.00'],
    ])
    const items = (await admin.get('/api/v1/report/fbl5n.report', { item_status: 'OPEN', key_date: day, with_special: true, length: 50 })).data
    expect(items.rows.map((row: Record<string, string>) => `${row['DocCode']} ${row['DocType']} ${row['Amount']}`).sort()).toEqual([
      'F-0700 UE 900000.00', 'F-0815 DA -1250000.25', 'F-0815 UE 2500000.50', 'F-0816 UE 400000.00', 'F-0900 UE 75000.00', 'K-12 DG -50000.00', 'T-3 DZ -30000.75',
    ])
    expect((await set('begbal_open', { Flag: false })).status).toBe(200)
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('are taken back as a batch as long as nothing uses them, and may come again mended', async () => {
    await set('begbal_open', { Flag: true })
    const batches: readonly ImportBatch[] = (await admin.get('/api/v1/import/opening-balance.import')).data.records
    const undo = async (sheet: string): Promise<ImportBatch> => {
      const batch = batches.find((one) => one.Sheet === sheet && one.Status === 3)
      if (batch === undefined) throw new Error(`${sheet} is not imported`)
      return files.undo(batch)
    }
    await arus.database.run(sql`update invoice set pending_transition = 'cancel' where code = 'F-0900'`)
    const receivable = await undo('opening-receivable')
    expect([receivable.Status, receivable.RowsImported, await told(receivable)]).toEqual([2, 1, ['5  F-0900 is already used. Reverse what used it first.']])
    await arus.database.run(sql`update invoice set pending_transition = null where code = 'F-0900'`)
    for (const sheet of ['opening-receivable', 'opening-credit-note', 'opening-deposit', 'opening-payable', 'opening-debit-note', 'opening-advance', 'opening-stock', 'opening-bank', 'opening-cash', 'opening-ledger']) {
      expect([sheet, await undo(sheet).then(async (batch) => [batch.Status, batch.RowsImported, await told(batch)])]).toEqual([sheet, [7, 0, []]])
    }
    for (const account of ['331101', '112101', '212101', '211101', '112203', '115101', '111201', '111102', '113101', '311101']) expect([account, await balance(account)]).toEqual([account, '0.00'])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    await imported('opening-receivable', `${receivables}\nC0000002,F-0999,2026-10-01,2026-10-31,10,10,,`)
    expect(await balance('112101')).toBe('2625010.25')
  })

  it('take an account over once, also when two do it at once', async () => {
    const [account, unit] = await arus.database.transaction(async (tx) => [await idByCode(tx, 'account', '311101'), await idByCode(tx, 'operating_unit', 'JKT')])
    const body = { Section: 'GL', AccountID: account, UnitID: unit, Credit: '1000' }
    const answers = await Promise.all(['1', '2'].map((key) => admin.post('/api/v1/data/opening-balance', body, { key: `at-once-${key}` })))
    expect(answers.map(({ code, data }) => [code, data.errors?.map(({ field, code }: { readonly field: string; readonly code: string }) => `${field} ${code}`)]).toSorted()).toEqual([
      ['VALIDATION_FAILED', ['AccountID DUPLICATE']], ['success', undefined],
    ])
  })

  it('what is taken over twice is found when the file is looked at, however far apart', async () => {
    const other = Array.from({ length: 60 }, (_, i) => `C0000002,Z-${i},2026-10-01,2026-10-31,10,10`)
    const batch = await take('opening-receivable', ['Customer,DocNo,DocDate,DueDate,Total,Remaining', 'C0000001,Z-A,2026-10-01,2026-10-31,10,10', ...other, 'C0000001,Z-A,2026-10-01,2026-10-31,20,20'].join('\n'))
    expect(await told(batch)).toEqual([expect.stringMatching(/^63 DocNo /)])
  })
})

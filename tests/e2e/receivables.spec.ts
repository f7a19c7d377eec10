import type { Page } from '@playwright/test'
import { Api, cents, expect, inDays, payableInvoices, plain, signIn, signInAs, test, type Json } from './support.ts'

// Scenarios of the domain with their figures, as the people who do it enter them.

interface Booked {
  readonly records: readonly { readonly Lines: readonly { readonly AccountCode: string; readonly Debit: string; readonly Credit: string }[] }[]
}

type Read = (resource: string, id: unknown) => Promise<Json>
const reading = (api: Api): Read => async (resource, id) => (await api.get(`/api/v1/data/${resource}/${String(id)}`))['record'] as Json
const booked = async (api: Api, resource: string, id: unknown): Promise<readonly string[]> => {
  const { records } = (await api.get(`/api/v1/data/${resource}/${String(id)}/journal`)) as unknown as Booked
  return records.flatMap(({ Lines }) => Lines.map((line) => `${line.AccountCode} ${line.Debit} ${line.Credit}`)).sort()
}
async function approve(api: Api, docType: string, action: string, id: unknown): Promise<void> {
  const rows = (await api.get(`/api/v1/approval/${docType}/${action}`, { state: 'waiting', columns: 'operating_unit_id', length: 500 }))['rows'] as readonly Json[]
  const own = rows.find((row) => row['DocID'] === id)
  expect(own, `${docType} ${String(id)} waits`).toBeDefined()
  await api.post(`/api/v1/approval/${String(own?.['ID'])}/approve`, {})
}
/** A document entered and submitted by one, approved by another. */
async function approved(by: Api, manager: Api, resource: string, docType: string, body: object): Promise<Json> {
  const { record: draft } = (await by.post(`/api/v1/data/${resource}`, body)) as { readonly record: Json }
  await by.post(`/api/v1/data/${resource}/${String(draft['ID'])}/submit`, {}, Number(draft['Version']))
  await approve(manager, docType, 'submit', draft['ID'])
  return draft
}
/** Chooses in a lookup what is found by this text. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).fill(text)
  await page.getByRole('listbox', { name, exact: true }).getByRole('option').first().click()
}
const idIn = (url: string): number => Number(/(\d+)$/.exec(new URL(url).pathname)?.[1])

test('G7: of a deposit of 3,000,000 1,000,000 go to another customer, 1,500,000 to an invoice, 500,000 back', async ({ page, request }) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(20_000)
  const [admin, manager] = [await Api.as(request, 'admin'), await Api.as(request, 'receivables')]
  const read = reading(admin)
  const [invoice] = await payableInvoices(admin, { filter: { 'operating_unit_id.code': 'JKT', remaining: { gt: '1600000' }, currency: 'IDR' }, columns: 'code,customer_id,remaining', length: 1 })
  const [other] = await admin.rows('customer', { filter: { 'operating_unit_id.code': 'JKT', status: 1, id: { ne: invoice?.['CustomerID'] } }, columns: 'code', length: 1 })
  const money = await approved(admin, manager, 'customer-deposit', 'customer_deposit', {
    CustomerID: invoice?.['CustomerID'], Method: 'TRANSFER', HouseBankID: (await admin.rows('house-bank', { filter: { code: 'BCA-JKT' }, length: 1 }))[0]?.['ID'], Amount: '3000000', DocDate: inDays(0),
  })
  const deposit = await read('customer-deposit', money['ID'])

  await signIn(page, 'admin', '/finance/transfer-customer-deposit')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await choose(page, 'Customer deposit', String(deposit['Code']))
  await choose(page, 'To customer', String(other?.['Code']))
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('1000000')
  await page.getByRole('button', { name: 'Save and submit' }).click()
  const transfers = async (): Promise<readonly Json[]> => admin.rows('transfer-customer-deposit', { filter: { customer_deposit_id: money['ID'], status: 4 }, columns: 'amount', length: 1 })
  await expect.poll(async () => (await transfers())[0]?.['Amount']).toBe('1000000.00')
  const moved = Number((await transfers())[0]?.['ID'])
  await approve(manager, 'customer_deposit_transfer', 'submit', moved)

  // Brought along from the list of what is open, and only as much of it as is meant.
  await page.goto(`/finance/customer-deposit-settlement/${String(money['ID'])}?ids=${String(invoice?.['ID'])}`)
  await expect(page.getByRole('combobox', { name: 'Customer deposit', exact: true })).not.toHaveValue('')
  const amount = page.locator('[role=gridcell][data-row="0"]').nth(3)
  await expect.poll(async () => plain(await amount.innerText())).toBe(cents(invoice?.['Remaining']))
  await amount.click()
  await page.keyboard.type('1500000')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save and submit' }).click()
  await expect(page).toHaveURL(/\/detail\/view\/\d+$/)
  const applied = idIn(page.url())
  await approve(manager, 'customer_deposit_settlement', 'submit', applied)

  await page.goto(`/finance/customer-deposit-settlement/${String(money['ID'])}`)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('REFUND')
  await page.getByRole('textbox', { name: 'Refund', exact: true }).fill('500000')
  await choose(page, 'House bank', 'BCA-JKT')
  await page.getByRole('textbox', { name: 'Paid to account' }).fill('BCA 123')
  await page.getByRole('button', { name: 'Save and submit' }).click()
  await expect(page).toHaveURL(/\/detail\/view\/\d+$/)
  const refunded = idIn(page.url())
  await approve(manager, 'customer_deposit_settlement', 'submit', refunded)

  await page.goto(`/finance/customer-deposit/${String(money['ID'])}`)
  await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible()
  expect(await read('customer-deposit', money['ID'])).toMatchObject({ Status: 3, Remaining: '0.00' })
  expect(await booked(admin, 'transfer-customer-deposit', moved)).toEqual(['212101 0.00 1000000.00', '212101 1000000.00 0.00'])
  expect(await booked(admin, 'customer-deposit-settlement', applied)).toEqual(['112101 0.00 1500000.00', '212101 1500000.00 0.00'])
  expect(await booked(admin, 'customer-deposit-settlement', refunded)).toEqual(['212101 500000.00 0.00', '214101 0.00 500000.00'])
  const given = (await read('transfer-customer-deposit', moved))['ToDepositID']
  expect(await read('customer-deposit', given)).toMatchObject({ CustomerID: other?.['ID'], Amount: '1000000.00', Remaining: '1000000.00' })

  // Once the other has used it, the transfer stays.
  const [theirs] = await payableInvoices(admin, { filter: { customer_id: other?.['ID'] }, columns: 'code,remaining', length: 1 })
  await approved(admin, manager, 'customer-deposit-settlement', 'customer_deposit_settlement', { CustomerDepositID: given, Kind: 'APPLY', DocDate: inDays(0), Lines: [{ InvoiceID: theirs?.['ID'], Amount: '1000' }] })
  await page.goto(`/finance/transfer-customer-deposit/${moved}`)
  await expect(page.getByRole('button', { name: 'Request reversal' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Not possible now' }).click()
  await expect(page.getByText(String((await read('customer-deposit', given))['Code'])).last(), 'it says what has been used').toBeVisible()
})

test('G10: of 1,500,000 brought home 1,480,000 are counted, and brought to the bank', async ({ page, request }) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(20_000)
  const [admin, cashier, manager, finance] = [await Api.as(request, 'admin'), await Api.as(request, 'cashier'), await Api.as(request, 'receivables'), await Api.as(request, 'finance')]
  const read = reading(admin)
  // A delivery of a driver with nothing of its trip in the field yet.
  const found = async (): Promise<{ readonly invoice: Json; readonly delivery: Json; readonly plan: Json }> => {
    for (const invoice of await payableInvoices(cashier, { filter: { 'operating_unit_id.code': 'JKT', remaining: { gt: '1500000' }, currency: 'IDR', invoice_type: 'SALES' }, columns: 'code,customer_id,remaining', order: 'id', sort: 'desc', length: 60 })) {
      const flow = (await admin.get(`/api/v1/data/invoice/${String(invoice['ID'])}/flow`))['records'] as readonly Json[]
      const of = flow.find(({ DocType, Status }) => DocType === 'delivery_order' && Status === 3)
      if (of === undefined) continue
      const delivery = await read('delivery-order', of['ID'])
      const plan = typeof delivery['DeliveryPlanID'] === 'number' ? await read('delivery-plan', delivery['DeliveryPlanID']) : {}
      if (typeof plan['DriverID'] !== 'number') continue
      if ((await admin.rows('payment-received', { filter: { delivery_plan_id: plan['ID'] }, length: 1 })).length === 0) return { invoice, delivery, plan }
    }
    throw new Error('The demo company has no delivery to be paid for')
  }
  const { invoice, delivery, plan } = await found()
  const [keepOpen] = await admin.rows('reason', { filter: { code: 'R01' }, length: 1 })
  const { record: draft } = (await cashier.post('/api/v1/data/payment-received', {
    CustomerID: invoice['CustomerID'], PaymentDate: inDays(0), DocDate: inDays(0), Method: 'COD', DeliveryOrderID: delivery['ID'], Amount: '1500000',
    Lines: [{ InvoiceID: invoice['ID'], Paid: '1500000', ReasonID: keepOpen?.['ID'], Credits: [], Deductions: [] }],
  })) as { readonly record: Json }
  await cashier.post(`/api/v1/data/payment-received/${String(draft['ID'])}/post`, {}, Number(draft['Version']))
  const payment = await read('payment-received', draft['ID'])

  await signIn(page, 'cashier', '/reconcile-cod')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await choose(page, 'Trip', String(plan['Code']))
  await page.getByRole('textbox', { name: 'Counted' }).fill('1480000')
  await page.getByRole('combobox', { name: 'Reason of the difference' }).click()
  await page.getByRole('option').first().click()
  await expect(page.locator('[role=gridcell][data-row="0"]').first()).toHaveText(String(payment['Code']))
  const total = (name: string) => page.locator('dl').getByText(name, { exact: true }).locator('xpath=../dd')
  await expect(total('Difference')).toHaveText('-20,000.00')
  await expect(total('Counted')).toHaveText('1,480,000.00')
  await page.getByRole('button', { name: 'Save and submit' }).click()
  await expect(page).toHaveURL(/\/reconcile-cod\/\d+$/)
  const count = idIn(page.url())
  await approve(manager, 'cod_reconciliation', 'submit', count)
  expect(await booked(admin, 'reconcile-cod', count)).toEqual(['111102 1480000.00 0.00', '111103 0.00 1500000.00', '112201 20000.00 0.00'])

  const [bank] = await cashier.rows('house-bank', { filter: { code: 'BCA-JKT' }, length: 1 })
  const slip = await approved(cashier, manager, 'deposit-payment', 'cash_deposit', { HouseBankID: bank?.['ID'], DocDate: inDays(0), SlipNo: `G10-${count}`, Lines: [{ ArPaymentID: payment['ID'], Amount: '1480000' }] })
  expect(await booked(admin, 'deposit-payment', slip['ID'])).toEqual(['111102 0.00 1480000.00', '111301 1480000.00 0.00'])
  const waiting = (await finance.get('/api/v1/approval/bank_statement/submit', { columns: 'code,house_bank_id', length: 100 }))['rows'] as readonly Json[]
  for (const { ID, Document } of waiting) if ((Document as Json)['HouseBankCode'] === 'BCA-JKT') await finance.post(`/api/v1/approval/${Number(ID)}/approve`, {})
  const [last] = await cashier.rows('bank-statement', { filter: { status: 3, house_bank_id: bank?.['ID'] }, columns: 'closing_balance', order: 'doc_date,id', sort: 'desc,desc', length: 1 })
  const opening = String(last?.['ClosingBalance'] ?? '0.00')
  const statement = await approved(cashier, finance, 'bank-statement', 'bank_statement', {
    HouseBankID: bank?.['ID'], DocDate: inDays(0), StatementNo: `G10 ${count}`, OpeningBalance: opening, ClosingBalance: cents(Number(opening) + 1_480_000), Lines: [{ ValueDate: inDays(0), Credit: '1480000', MatchType: 'CASH_DEPOSIT', CashDepositID: slip['ID'] }],
  })
  await signInAs(page, 'finance', `/finance/bank-statement/${String(statement['ID'])}`)
  await page.getByRole('tab', { name: 'Journal' }).click()
  await expect(page.getByRole('tabpanel').getByText('111301').first()).toBeVisible()
  expect(await read('deposit-payment', slip['ID'])).toMatchObject({ Status: 3 })
})

test('8.6: one transfer pays three invoices, with a credit note, a deposit, a small difference and a claim', async ({ page, request }) => {
  test.setTimeout(240_000)
  page.setDefaultTimeout(20_000)
  const [admin, cashier, manager, finance] = [await Api.as(request, 'admin'), await Api.as(request, 'cashier'), await Api.as(request, 'receivables'), await Api.as(request, 'finance')]
  const [sales, warehouse, billing, credit] = [await Api.as(request, 'sales'), await Api.as(request, 'warehouse'), await Api.as(request, 'billing'), await Api.as(request, 'credit')]
  const read = reading(admin)
  const mark = String(Date.now() % 1_000_000)
  const today = inDays(0)
  const one = async (resource: string, filter: object, columns = 'code'): Promise<Json> => (await admin.rows(resource, { filter, columns, length: 1 }))[0] ?? {}
  const create = async (api: Api, resource: string, body: object): Promise<Json> => (await api.post(`/api/v1/data/${resource}`, body))['record'] as Json
  const act = async (api: Api, resource: string, id: unknown, action: string, body: object = {}): Promise<void> =>
    void (await api.post(`/api/v1/data/${resource}/${String(id)}/${action}`, body, Number((await read(resource, id))['Version'])))
  const change = async (body: object): Promise<Json> => {
    const draft = await create(admin, 'price-change', { Scheme: 'V3', EffectiveFrom: today, ...body })
    await act(admin, 'price-change', draft['ID'], 'submit')
    await approve(finance, 'price_change', 'submit', draft['ID'])
    return read('price-change', draft['ID'])
  }

  // Three goods whose prices with VAT are 5,592,093, 3,300,000 and 2,200,000, in stock, and a customer who pays on delivery at list prices.
  const [model] = await admin.rows('item', { filter: { status: 1, 'tax_code_id.code': 'PPN04' }, columns: 'principal_id,brand_id,category_id,tax_code_id', length: 1 })
  const prices = ['5037922', '2972973', '1981982']
  const items: Json[] = []
  for (const [i] of prices.entries()) items.push(await create(admin, 'item', {
    Code: `T${i}-${mark}`, Name: `Terima ${i} ${mark}`, PrincipalID: model?.['PrincipalID'], BrandID: model?.['BrandID'], CategoryID: model?.['CategoryID'], TaxCodeID: model?.['TaxCodeID'],
    BaseUom: 'PCS', SalesUom: 'PCS', PackQty: '1', IsTaxable: true, StandardCost: '1000000', Status: 1,
  }))
  await change({ Kind: 'LIST_PRICE', IsPartial: true, PriceSetID: (await one('price-set-row', { code: 'BASE' }))['ID'], Lines: items.map((item, i) => ({ ItemID: item['ID'], Uom: 'PCS', Value: prices[i] })) })
  const store = await one('warehouse', { kind: 'MAIN', 'operating_unit_id.code': 'JKT' })
  const count = await create(admin, 'stock-opname', { WarehouseID: store['ID'], CountDate: today, Freeze: false, Lines: items.map((item) => ({ ItemID: item['ID'] })) })
  await act(admin, 'stock-opname', count['ID'], 'start')
  const counted = (await read('stock-opname', count['ID']))['Lines'] as readonly Json[]
  await act(admin, 'stock-opname', count['ID'], 'count', { Quantities: Object.fromEntries(counted.map((line) => [String(line['ID']), '10'])) })
  await act(admin, 'stock-opname', count['ID'], 'submit')
  await approve(warehouse, 'stock_opname', 'submit', count['ID'])
  await approve(finance, 'stock_opname', 'submit', count['ID'])
  const like = await one('customer', { status: 1, 'operating_unit_id.code': 'JKT', is_pkp: true }, 'customer_category_id,operating_unit_id,territory_id')
  const [channel, group] = [await create(admin, 'sales-channel', { Code: `T-${mark}`, Name: `Terima ${mark}` }), await create(admin, 'pricing-group', { Code: `T-${mark}`, Name: `Terima ${mark}` })]
  const discounts = await change({
    Kind: 'DISCOUNT_SET', IsPartial: false, SetCode: `T-${mark}`, SetName: `Terima ${mark}`, ScopeKind: 'GROUP', ScopeGroupID: group['ID'], Lines: [{ Seq: 1, Name: 'Terima', ItemID: model?.['ID'], Kind: 'PCT', Value: '1' }],
  })
  await admin.put(`/api/v1/data/pricing-group/${String(group['ID'])}`, Number(group['Version']), { DiscountSetID: discounts['DiscountSetID'] })
  const customer = await create(admin, 'customer', {
    Name: `Toko Makmur ${mark}`, CustomerCategoryID: like['CustomerCategoryID'], SalesChannelID: channel['ID'], PaymentTermID: (await one('payment-term', { is_cod: true }))['ID'], OperatingUnitID: like['OperatingUnitID'], TerritoryID: like['TerritoryID'],
    PricingGroupID: group['ID'], TrxCode: '04', Addresses: [{ Code: 'TOKO', Kind: 'SHIP_TO', Address: 'Pasar Senen', IsDefault: true }],
  })
  await approve(credit, 'customer', 'change', customer['ID'])
  const invoiced = async (item: Json): Promise<Json> => {
    const order = await create(sales, 'sales-order', { CustomerID: customer['ID'], Lines: [{ ItemID: item['ID'], Uom: 'PCS', Qty: '1' }] })
    await act(sales, 'sales-order', order['ID'], 'submit')
    const [line] = (await read('sales-order', order['ID']))['Lines'] as readonly Json[]
    await warehouse.post('/api/v1/command/plan-delivery', { IDs: [line?.['ID']], PlanDate: today, Release: true })
    const [delivery] = await admin.rows('delivery-order', { filter: { sales_order_id: order['ID'] }, length: 1 })
    for (const action of ['pick', 'issue']) await act(warehouse, 'delivery-order', delivery?.['ID'], action)
    const [issue] = await admin.rows('goods-issue', { filter: { delivery_order_id: delivery?.['ID'] }, length: 1 })
    const { Invoices } = (await billing.post('/api/v1/command/bill-deliveries', { IDs: [issue?.['ID']], InvoiceDate: today })) as { readonly Invoices: readonly Json[] }
    return read('invoice', Invoices[0]?.['ID'])
  }
  const invoices: Json[] = []
  for (const item of items) invoices.push(await invoiced(item))
  expect(invoices.map(({ Total }) => Total)).toEqual(['5592093.00', '3300000.00', '2200000.00'])
  const [first, second, third] = invoices.map(({ Code }) => String(Code))
  const bank = await one('house-bank', { code: 'BCA-JKT' })
  const early = await create(cashier, 'payment-received', {
    CustomerID: customer['ID'], PaymentDate: today, Method: 'TRANSFER', HouseBankID: bank['ID'], Amount: '1500000', Lines: [{ InvoiceID: invoices[1]?.['ID'], Paid: '1500000', ReasonID: (await one('reason', { code: 'R01' }))['ID'], Credits: [], Deductions: [] }],
  })
  await act(cashier, 'payment-received', early['ID'], 'post')
  const note = await approved(admin, manager, 'credit-note', 'credit_note', { CustomerID: customer['ID'], Kind: 'MANUAL', DocDate: today, Dpp: '250000', AccountID: (await one('account', { code: '414101' }))['ID'] })
  const deposit = await approved(admin, manager, 'customer-deposit', 'customer_deposit', { CustomerID: customer['ID'], Method: 'TRANSFER', HouseBankID: bank['ID'], Amount: '1000000', DocDate: today })

  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${String(customer['ID'])}`)
  await expect(page.getByRole('combobox', { name: 'Customer', exact: true })).not.toHaveValue('')
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('7900000')
  await choose(page, 'House bank', 'BCA-JKT')
  const pay = async (code: string, amount: string): Promise<void> => {
    await page.getByRole('checkbox', { name: `Pay ${code}` }).check()
    const box = page.getByRole('textbox', { name: `Paid on ${code}` })
    await box.fill(amount)
    await box.press('Tab')
  }
  const use = async (code: string, source: string, amount: string): Promise<void> => {
    await page.getByRole('button', { name: `Credits and deductions of ${code}` }).click()
    await page.getByRole('button', { name: 'Use a credit' }).click()
    await page.getByRole('combobox', { name: 'Credit note or deposit' }).selectOption(source)
    await page.getByRole('textbox', { name: 'Amount used' }).fill(amount)
    await page.getByRole('textbox', { name: 'Amount used' }).press('Tab')
  }
  await pay(String(first), '5592093')
  await pay(String(second), '1800000')
  await use(String(second), `CREDIT_NOTE:${String(note['ID'])}`, '250000')
  await page.getByRole('button', { name: `Credits and deductions of ${String(second)}` }).click()
  await pay(String(third), '1760000')
  await use(String(third), `DEPOSIT:${String(deposit['ID'])}`, '1000000')
  await page.getByRole('button', { name: 'Add a deduction' }).click()
  await page.getByRole('textbox', { name: 'Amount deducted' }).fill('2093')
  await page.getByRole('textbox', { name: 'Amount deducted' }).press('Tab')
  await page.getByRole('combobox', { name: `Reason for ${String(third)}` }).selectOption(String((await one('reason', { code: 'R03' }))['ID']))
  await page.getByRole('textbox', { name: `Explanation for ${String(third)}` }).fill('display November')
  await expect(page.getByText('Difference', { exact: true }).locator('xpath=../dd')).toHaveText('0.00')
  await page.getByRole('button', { name: 'Save and post' }).click()
  await page.waitForURL('**/finance/account-receivable/payment-received')

  const [receipt] = await admin.rows('payment-received', { filter: { customer_id: customer['ID'], amount: '7900000' }, columns: 'allocated,credit_used,deposit_used,deducted,unapplied,status', length: 1 })
  expect(receipt).toMatchObject({ Status: 1, Allocated: '9152093.00', CreditUsed: '250000.00', DepositUsed: '1000000.00', Deducted: '2093.00', Unapplied: '0.00' })
  const lines = await booked(admin, 'payment-received', receipt?.['ID'])
  expect(lines).toEqual(['111302 7900000.00 0.00', '112101 0.00 1760000.00', '112101 0.00 1800000.00', '112101 0.00 5592093.00', '112101 250000.00 0.00', '212101 1000000.00 0.00', '613102 2093.00 0.00'])
  for (const [i, left] of ['0.00', '0.00', '440000.00'].entries()) expect((await read('invoice', invoices[i]?.['ID']))['Remaining']).toBe(left)
  const [claim] = await admin.rows('cn-temporary', { filter: { ar_payment_id: receipt?.['ID'] }, columns: 'amount', length: 1 })
  expect(claim).toMatchObject({ Amount: '440000.00' })
  await act(admin, 'cn-temporary', claim?.['ID'], 'submit')
  await approve(manager, 'cn_temporary', 'submit', claim?.['ID'])
  expect(await read('invoice', invoices[2]?.['ID'])).toMatchObject({ Remaining: '0.00', Status: 3 })
  expect(await booked(admin, 'cn-temporary', claim?.['ID'])).toEqual(['112101 0.00 440000.00', '112204 440000.00 0.00'])
})

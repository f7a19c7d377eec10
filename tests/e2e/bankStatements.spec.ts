import type { APIRequestContext } from '@playwright/test'
import { Api, expect, inDays, payableInvoices, plain, signIn, signInAs, test, type Json } from './support.ts'

interface Stage {
  readonly bank: Json
  /** Receipts the bank has not shown yet. */
  readonly receipts: readonly Json[]
  readonly opening: bigint
}

/** A receipt in the bank account for all that is open of an invoice, posted. */
async function transferFor(cashier: Api, invoice: Json, bank: unknown): Promise<Json> {
  const { record: draft } = (await cashier.post('/api/v1/data/payment-received', {
    CustomerID: invoice['CustomerID'], PaymentDate: inDays(0), Method: 'TRANSFER', HouseBankID: bank, ReferenceNo: `TRF${crypto.randomUUID().slice(0, 8)}`,
    Amount: invoice['Remaining'], Lines: [{ InvoiceID: invoice['ID'], Paid: invoice['Remaining'], Credits: [], Deductions: [] }],
  })) as { readonly record: Json }
  await cashier.post(`/api/v1/data/payment-received/${Number(draft['ID'])}/post`, {}, Number(draft['Version']))
  const [posted] = await cashier.rows('payment-received', { filter: { id: Number(draft['ID']) }, columns: 'code,amount,payment_date,reference_no,customer_id', length: 1 })
  return posted ?? {}
}

/** A bank account with receipts on their way, and no statement of it that still waits. */
async function stage(request: APIRequestContext): Promise<Stage> {
  const [cashier, finance] = [await Api.as(request, 'cashier'), await Api.as(request, 'finance')]
  const [bank] = await cashier.rows('house-bank', { filter: { code: 'BCA-JKT' }, columns: 'code,name', length: 1 })
  const { rows: waiting } = (await finance.get('/api/v1/approval/bank_statement/submit', { columns: 'code,house_bank_id', length: 100 })) as { readonly rows: readonly Json[] }
  for (const { ID } of waiting.filter(({ Document }) => (Document as Json)['HouseBankCode'] === 'BCA-JKT')) await finance.post(`/api/v1/approval/${Number(ID)}/approve`, {})
  // Of its own: what the demo company has on its way differs by weekday, and others take from it.
  const invoices = await payableInvoices(cashier, { filter: { 'operating_unit_id.code': 'JKT' }, columns: 'code,customer_id,remaining', order: 'id', sort: 'desc', length: 3 })
  const receipts: Json[] = []
  for (const invoice of invoices) receipts.push(await transferFor(cashier, invoice, bank?.['ID']))
  const [last] = await cashier.rows('bank-statement', { filter: { status: 3, house_bank_id: bank?.['ID'] }, columns: 'closing_balance', order: 'doc_date', sort: 'desc', length: 1 })
  return { bank: bank ?? {}, receipts, opening: inCents(last?.['ClosingBalance']) }
}

const inCents = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''))
const decimal = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`

test.setTimeout(60_000)
test('the cashier pastes a statement, its lines find their receipts, the finance manager approves it', async ({ page, request }) => {
  const { bank, receipts, opening } = await stage(request)
  const [first, second, third] = receipts
  expect(third, 'three receipts the bank has not shown').toBeDefined()
  const closing = opening + receipts.reduce((sum, { Amount }) => sum + inCents(Amount), 0n) - 1_500_000n
  const day = (receipt: Json | undefined): string => String(receipt?.['PaymentDate']).split('-').reverse().join('/')

  await signIn(page, 'cashier', '/finance/bank-statement')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('combobox', { name: 'House bank' }).fill(String(bank['Code']))
  await page.getByRole('option').first().click()
  // Where the last one closed.
  await expect.poll(async () => plain(await page.getByRole('textbox', { name: 'Opening balance' }).inputValue())).toBe(decimal(opening))
  await page.getByRole('textbox', { name: 'Statement no.' }).fill(`E2E ${opening}`)
  await page.getByRole('textbox', { name: 'Closing balance' }).fill(decimal(closing))
  const lines = [
    [day(first), 'TRSF E-BANKING CR', first?.['ReferenceNo'], '', first?.['Amount']],
    [day(second), `TRSF ${String(second?.['ReferenceNo'])}`, '', '', second?.['Amount']],
    [day(third), 'SETORAN', '', '', third?.['Amount']],
    [day(first), 'BIAYA ADM', '', '15000', ''],
  ]
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.map((line) => line.join('\t')).join('\n'))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+v')
  const columns = ['Value date', 'Description', 'Reference', 'Debit', 'Credit', 'Balance', 'Match type', 'Customer payment', 'Customer deposit']
  const cell = (row: number, label: string) => page.locator(`[role=gridcell][data-row="${row}"]`).nth(columns.indexOf(label))
  await expect(cell(0, 'Customer payment')).toHaveText(String(first?.['Code']))
  await expect(cell(1, 'Customer payment')).toHaveText(String(second?.['Code']))
  await expect(cell(0, 'Match type')).toHaveText('Payment')
  // What the words were booked as each month before.
  await expect(cell(3, 'Match type')).toHaveText('Charge')
  await expect(cell(2, 'Match type')).toHaveText('None')

  // What is taken away is not filled in again by itself, only when asked for.
  await cell(0, 'Customer payment').click()
  await page.keyboard.press('Delete')
  await cell(1, 'Description').click()
  await page.keyboard.type('TRSF E-BANKING ')
  await page.keyboard.press('Enter')
  await expect(cell(1, 'Description')).toHaveText('TRSF E-BANKING')
  await expect(cell(0, 'Customer payment')).toHaveText('')
  await page.getByRole('button', { name: 'Fill in suggestions' }).click()
  await expect(cell(0, 'Customer payment')).toHaveText(String(first?.['Code']))

  // The rest is found by whoever knows more than the bank says: by the amount here.
  await cell(2, 'Customer payment').click()
  await page.keyboard.type(String(third?.['Amount']).replace(/\.00$/, ''))
  const option = page.getByRole('option').filter({ hasText: String(third?.['Code']) })
  await expect(option).toContainText(String(third?.['CustomerName']))
  await option.click()
  await expect(cell(2, 'Match type')).toHaveText('Payment')

  await page.getByRole('button', { name: 'Save and submit' }).click()
  await expect(page).toHaveURL(/\/finance\/bank-statement\/\d+$/)
  await expect(page.getByText('Waiting', { exact: true }).first()).toBeVisible()
  const id = Number(/\d+$/.exec(page.url())?.[0])

  await signInAs(page, 'finance', '/finance/approval-bank-statement')
  const [statement] = await (await Api.as(request, 'cashier')).rows('bank-statement', { filter: { id }, columns: 'code', length: 1 })
  await page.locator('main').getByRole('listitem').filter({ has: page.getByRole('button') }).filter({ hasText: String(statement?.['Code']) }).getByRole('button').click()
  await page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Approve', exact: true }).click()
  const cashier = await Api.as(request, 'cashier')
  await expect.poll(async () => (await cashier.rows('payment-received', { filter: { id: { in: receipts.map(({ ID }) => ID) } }, columns: 'status' })).map(({ Status }) => Status)).toEqual([3, 3, 3])
})

test('a file of the bank fills the form: told before it is taken over, its lines find their receipts, and it is saved', async ({ page, request }) => {
  const { bank, receipts, opening } = await stage(request)
  const cashier = await Api.as(request, 'cashier')
  const [house] = await cashier.rows('house-bank', { filter: { id: bank['ID'] }, columns: 'account_no', length: 1 })
  const comma = (amount: bigint): string => decimal(amount).replace('.', ',')
  const short = (day: unknown): string => String(day).slice(2).replaceAll('-', '')
  const days = receipts.map(({ PaymentDate }) => String(PaymentDate)).toSorted()
  const sum = receipts.reduce((all, { Amount }) => all + inCents(Amount), 0n)
  const file = [
    ':20:E2E', `:25:${String(house?.['AccountNo'])}`, `:28C:9${opening}/1`, `:60F:C${short(days[0])}IDR${comma(opening)}`,
    ...receipts.flatMap(({ PaymentDate, Amount, ReferenceNo }) => [`:61:${short(PaymentDate)}C${comma(inCents(Amount))},`.replace(/,$/, '') + `NTRF${String(ReferenceNo)}`, ':86:TRSF E-BANKING CR']),
    `:62F:C${short(days.at(-1))}IDR${comma(opening + sum)}`, '-', '',
  ].join('\n')
  await signIn(page, 'cashier', '/finance/bank-statement')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('button', { name: 'Read a file …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Read a file' })
  await dialog.getByLabel('File').setInputFiles({ name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing\nof a bank\n') })
  await expect(dialog.getByRole('alert')).toContainText('This is none of the files banks send')
  await dialog.getByLabel('File').setInputFiles({ name: 'BCA.sta', mimeType: 'text/plain', buffer: Buffer.from(file) })
  await expect(dialog.getByText(/^MT940 · BCA-JKT · /)).toBeVisible()
  await expect(dialog.getByText(/all lines come to the closing balance/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Take over' }).click()
  await expect(page.getByRole('combobox', { name: 'House bank' })).toHaveValue(/BCA-JKT/)
  await expect.poll(async () => plain(await page.getByRole('textbox', { name: 'Closing balance' }).inputValue())).toBe(decimal(opening + sum))
  for (const { Code } of receipts) await expect(page.getByRole('gridcell', { name: String(Code) })).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/finance\/bank-statement\/\d+/)
  // Read once more, nothing of it is new.
  await page.goto('/finance/bank-statement/create')
  await page.getByRole('button', { name: 'Read a file …' }).click()
  await dialog.getByLabel('File').setInputFiles({ name: 'BCA.sta', mimeType: 'text/plain', buffer: Buffer.from(file) })
  await expect(dialog.getByRole('alert')).toContainText(/^Every line of this file is already on .+: nothing is left to enter\.$/)
  await expect(dialog.getByRole('button', { name: 'Take over' })).toBeDisabled()
})

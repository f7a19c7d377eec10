import { Api, cents, expect, plain, settled, signInAs, test, type Json } from './support.ts'
import type { Page } from '@playwright/test'

/** A customer the credit check will stop, but whom the credit controller may let through alone: overdue, below the second level. */
async function overdueCustomer(api: Api): Promise<Json> {
  const { rows } = (await api.get('/api/v1/report/customer-limit.report', { length: 1000 })) as { rows: readonly Json[] }
  const found = rows.find((row) => row['OperatingUnitCode'] === 'JKT' && String(row['BlockCodes']) === 'CL02' && Number(row['OverdueAmount']) < 40_000_000 && Number(row['Available']) > 60_000_000)
  expect(found, 'an overdue customer in the demo company').toBeDefined()
  return found ?? {}
}

/** Item codes with plenty in the Jakarta warehouse. */
async function stockedItems(api: Api): Promise<readonly string[]> {
  const rows = await api.rows('stock-balance', { columns: 'item_id,warehouse_id,on_hand,reserved', order: 'on_hand', sort: 'desc', length: 200 })
  return rows.filter((row) => row['WarehouseCode'] === 'WH-JKT' && Number(row['OnHand']) - Number(row['Reserved']) > 500).map((row) => String(row['ItemCode']))
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(text)
  await page.waitForResponse((response) => response.url().includes(encodeURIComponent(text).replaceAll('%20', '+')) || response.url().includes(encodeURIComponent(text)))
}

/** Ticks every row found and runs a bulk action; answers its dialog if there is one. */
async function onAllRows(page: Page, action: string): Promise<void> {
  await page.locator('table').getByRole('checkbox').first().check()
  await page.getByRole('toolbar').or(page.locator('main')).getByRole('button', { name: action, exact: true }).first().click()
}

test.describe.configure({ mode: 'serial' })

test('one order from entry to cash, by the people who do it', async ({ page, request }) => {
  test.setTimeout(240_000)
  const sales = await Api.as(request, 'sales')
  const admin = await Api.as(request, 'admin')
  const customer = await overdueCustomer(sales)
  const [first = '', second = '', third = ''] = await stockedItems(await Api.as(request, 'warehouse'))
  const customerCode = String(customer['CustomerCode'])
  const customerId = Number(customer['CustomerID'])
  const openBefore = await admin.rows('invoice', { filter: { customer_id: customerId, remaining: { gt: '0' } }, columns: 'code,remaining', length: 1000 })
  let orderCode = ''
  let orderTotal = ''

  await test.step('sales: enter the order with the keyboard, paste the rest from a spreadsheet', async () => {
    await signInAs(page, 'sales', '/sales-order-form')
    await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
    await page.keyboard.type(customerCode)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
    await page.getByRole('grid').focus()
    await page.keyboard.type(first)
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${second}\t2\n${third}\t4\nNO-SUCH\t1\n`)
    await page.keyboard.press('Control+v')
    await expect(page.getByText('Refused: 1.')).toBeVisible()
    await expect(page.getByText('Row 3, Item: "NO-SUCH"')).toBeVisible()
    await page.getByText('Row 3, Item: "NO-SUCH"').click()
    await page.keyboard.press('Control+Delete')
    await expect(page.getByText('Lines: 3')).toBeVisible()
    await expect(page.getByText('Will wait for approval because:')).toBeVisible()
    // The price of all lines has come.
    await settled(page)
    orderTotal = plain(await page.locator('dl').getByText('Total', { exact: true }).locator('xpath=../dd').textContent())
    expect(Number(orderTotal)).toBeGreaterThan(0)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/sales-order-list/*')
    await expect(page.getByText(/^SO\/JKT\/\d{4}\/\d{5} saved: Waiting\.$/)).toBeVisible()
    await expect(page.getByText('Waiting', { exact: true }).first()).toBeVisible()
    orderCode = (await page.getByRole('heading', { level: 1 }).textContent())?.match(/SO\/\S+/)?.[0] ?? ''
    expect(orderCode).toMatch(/^SO\/JKT\/\d{4}\/\d{5}$/)
  })

  await test.step('credit: sees why it waits and approves', async () => {
    await signInAs(page, 'credit', '/approval/sales-order')
    await search(page, orderCode)
    await expect(page.getByText(/^Overdue [\d,.]+$/).first()).toBeVisible()
    await expect(page.getByText(orderCode).first()).toBeVisible()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByText(`${orderCode} approved`)).toBeVisible()
    const [order] = await sales.rows('sales-order', { filter: { code: orderCode }, columns: 'code,status,total' })
    expect(order).toMatchObject({ Status: 1, Total: cents(orderTotal) })
  })

  await test.step('warehouse: plans, picks and issues', async () => {
    await signInAs(page, 'warehouse', '/delivery_plan')
    await search(page, orderCode)
    await expect(page.getByText(orderCode)).toHaveCount(3)
    await onAllRows(page, 'Plan delivery')
    const dialog = page.getByRole('dialog').last()
    await dialog.getByLabel('Release').check()
    await answered(page, () => dialog.getByRole('button', { name: 'Plan delivery' }).click())

    await page.getByRole('tab', { name: 'Deliveries' }).click()
    const [delivery] = await admin.rows('delivery-order', { filter: { 'sales_order_id.code': orderCode }, columns: 'code,status' })
    await search(page, String(delivery?.['Code']))
    for (const action of ['Start picking', 'Confirm picking', 'Issue goods']) {
      await answered(page, async () => {
        await onAllRows(page, action)
        await confirmIfAsked(page, action)
      })
    }
    const [issued] = await admin.rows('delivery-order', { filter: { code: String(delivery?.['Code']) }, columns: 'code,status' })
    expect(issued).toMatchObject({ Status: 2 })
  })

  let invoice: Json = {}
  await test.step('billing: invoices what was issued', async () => {
    await signInAs(page, 'billing', '/billing')
    await search(page, orderCode)
    await answered(page, async () => {
      await onAllRows(page, 'Create invoices')
      await confirmIfAsked(page, 'Create invoices')
    })
    const [found] = await admin.rows('invoice', { filter: { 'sales_order_id.code': orderCode }, columns: 'code,total,remaining,status,due_date' })
    invoice = found ?? {}
    expect(invoice).toMatchObject({ Status: 1, Total: cents(orderTotal), Remaining: cents(orderTotal) })
    await page.goto(`/pages/invoice/${String(invoice['ID'])}`)
    const paper = page.getByRole('region', { name: 'Document' })
    await expect(paper.getByText(String(invoice['Code']), { exact: true }).filter({ visible: true }).first()).toBeVisible()
    await expect(paper.getByText(/rupiah$/).filter({ visible: true }).first()).toBeVisible()
  })

  const rest = '100000.00'
  const received = cents(Number(orderTotal) - Number(rest))
  await test.step('cashier: receives part of the money for this invoice and says why', async () => {
    await signInAs(page, 'cashier', `/finance/account-receivable/payment-received/form/${customerId}`)
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(received)
    await page.getByRole('combobox', { name: 'House bank' }).click()
    await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()
    const code = page.getByRole('textbox', { name: 'Invoice number' })
    await code.fill('INV/NONE')
    await code.press('Enter')
    await expect(page.getByText('Invoice not found')).toBeVisible()
    await code.fill(String(invoice['Code']))
    await code.press('Enter')
    const paid = page.getByRole('textbox', { name: `Paid on ${String(invoice['Code'])}` })
    await expect(paid).toBeFocused()
    expect(cents(plain(await paid.inputValue())), 'paid in full until typed otherwise').toBe(cents(orderTotal))
    await expect(page.getByText('Missing', { exact: true }).locator('xpath=../dd')).toHaveText('-100,000.00')
    await paid.fill('x9x')
    await paid.fill(received)
    await paid.press('Tab')
    await expect(page.getByText('Difference', { exact: true }).locator('xpath=../dd')).toHaveText('0.00')
    await page.getByRole('button', { name: 'Save and post' }).click()
    await expect(page.getByText('Less is paid than is open: give a reason.').first()).toBeVisible()
    const reason = page.getByRole('combobox', { name: `Reason for ${String(invoice['Code'])}` })
    await reason.selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Save and post' }).click()
    await page.waitForURL('**/finance/account-receivable/payment-received')
    const [partly] = await admin.rows('invoice', { filter: { code: String(invoice['Code']) }, columns: 'code,remaining,status,paid' })
    expect(partly).toMatchObject({ Status: 2, Remaining: rest, Paid: received })
  })

  await test.step('finance: aging, line items and journal show it to the cent', async () => {
    await signInAs(page, 'finance')
    const invoiceCode = String(invoice['Code'])
    await page.goto('/report/ar-aging')
    await search(page, invoiceCode)
    await expect(page.getByText(invoiceCode).first()).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: invoiceCode })).toContainText('100,000.00')
    const aging = await reportRows(admin, 'ar-aging.report', customerCode)
    const open = await admin.rows('invoice', { filter: { customer_id: customerId, remaining: { gt: '0' }, status: { in: [1, 2] } }, columns: 'code,remaining', length: 1000 })
    expect(sumOf(aging, 'Remaining')).toBe(sumOf(open, 'Remaining'))
    expect(sumOf(open, 'Remaining')).toBe(sumOf(openBefore, 'Remaining') + sumOf([{ Remaining: rest }], 'Remaining'))

    await page.goto('/report/fbl5n')
    await search(page, invoiceCode)
    await expect(page.getByText(invoiceCode).first()).toBeVisible()

    await page.goto('/report/journal')
    await search(page, invoiceCode)
    await expect(page.getByText(invoiceCode).first()).toBeVisible()
    const journal = await reportRows(admin, 'journal.report', invoiceCode)
    expect(sumOf(journal, 'Debit')).toBe(sumOf(journal, 'Credit'))
    expect(journal.some((line) => line['Debit'] === cents(orderTotal)), 'the receivable is debited with the total').toBe(true)
  })
})

async function reportRows(api: Api, report: string, search: string): Promise<readonly Json[]> {
  const answer = await api.get(`/api/v1/report/${report}`, { search, length: 1000 })
  return answer['rows'] as readonly Json[]
}

/** In cents, so that nothing is lost in adding. */
function sumOf(rows: readonly Json[], key: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[key]) * 100), 0)
}

/** The dialog of an action with parameters keeps its defaults. */
async function confirmIfAsked(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: action, exact: true }) })
  await dialog
    .getByRole('button', { name: action, exact: true })
    .click({ timeout: 3000 })
    .catch(() => undefined)
}

/** Waits for the answer to an action; several rows done at once leave what became of each on the page. */
async function answered(page: Page, action: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST' && /\/api\/v1\/(data|command)\//.test(response.url()))
  await action()
  expect((await answer).status()).toBe(200)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Close the results' }).click({ timeout: 2000 }).catch(() => undefined)
}

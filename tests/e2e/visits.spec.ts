import type { BrowserContext, Page } from '@playwright/test'
import { Api, expect, signIn, test } from './support.ts'

const today = '/sales-force-automation/customer-visit/today'

/** A phone held in one hand. */
async function phone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: -6.1262, longitude: 106.7836 })
}

async function reach(context: BrowserContext, isThere: boolean): Promise<void> {
  await context.setOffline(!isThere)
}

/** Opens the day and names somebody who is not on its plan, which has few customers. */
async function unplanned(page: Page, api: Api): Promise<{ readonly id: number; readonly code: string; readonly name: string }> {
  const planned = page.waitForResponse((answer) => answer.url().endsWith('/command/visit-day'))
  await signIn(page, 'field', today)
  const day = (await (await planned).json()) as { data: { Customers: { ID: number }[] } }
  const [customer] = (await api.rows('customer', { filter: { status: 1 }, columns: 'code,name', length: 50 })).filter(({ ID }) => !day.data.Customers.some((one) => one.ID === ID))
  return { id: Number(customer?.['ID']), code: String(customer?.['Code']), name: String(customer?.['Name']) }
}

async function visit(page: Page, code: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Visit another customer' }).fill(code)
  await page.keyboard.press('Tab')
}

test('a visit out of reach: checked in and out on the device, sent once by two tabs when the network is back', async ({ page, request, context }) => {
  await phone(page)
  const api = await Api.as(request, 'field')
  const before = await api.rows('customer-visit', { columns: 'code', length: 200 })
  await signIn(page, 'field', today)
  const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Check in' }) }).first()
  const name = (await card.locator('b').textContent()) ?? ''
  const other = await context.newPage()
  await other.goto(today)
  await expect(other.getByRole('heading', { name: 'Visits of today' })).toBeVisible()

  await reach(context, false)
  await card.getByRole('button', { name: 'Check in' }).click()
  const at = page.getByRole('region', { name })
  await expect(at).toBeVisible()
  await expect(page.getByText('1 to be sent')).toBeVisible()
  await at.getByRole('radio', { name: 'No order' }).check()
  // Without its reason it does not end, and nothing typed is lost.
  await at.getByRole('button', { name: 'Check out' }).click()
  await expect(at.getByRole('alert')).toHaveText('Choose a reason')
  await at.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
  await at.getByRole('button', { name: 'Check out' }).click()
  await expect(page.getByText('2 to be sent')).toBeVisible()
  await expect(other.getByText('2 to be sent')).toBeVisible()
  expect(await api.rows('customer-visit', { columns: 'code', length: 200 })).toHaveLength(before.length)

  await reach(context, true)
  await expect(page.getByText('to be sent')).toHaveCount(0)
  await expect(other.getByText('to be sent')).toHaveCount(0)
  const after = await api.rows('customer-visit', { columns: 'code,customer_id,result,distance_m', length: 200 })
  expect(after).toHaveLength(before.length + 1)
  expect(after.find((row) => row['CustomerName'] === name)).toMatchObject({ Result: 'NO_ORDER', DistanceM: expect.any(Number) })
})

test('what the server refuses is said, stays after a reload, is put right and goes on its way', async ({ page, request }) => {
  await phone(page)
  const { code, name } = await unplanned(page, await Api.as(request, 'field'))
  await visit(page, code)
  const at = page.getByRole('region', { name })
  await at.getByRole('radio', { name: 'Order', exact: true }).check()
  await at.getByRole('button', { name: 'Check out' }).click()
  // No order has been entered at this visit.
  const refusal = page.getByRole('alert').filter({ hasText: 'Not accepted' })
  await expect(refusal).toContainText('No order of this visit yet')
  await page.reload()
  await expect(refusal).toContainText(name)
  await refusal.getByRole('combobox', { name: 'Result' }).selectOption('NO_ORDER')
  await refusal.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
  await refusal.getByRole('button', { name: 'Send again' }).click()
  await expect(refusal).toHaveCount(0)
  await expect(page.getByText('to be sent')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('No order')
})

test('without a network the page opens again, keeps on working, and is gone once its salesman has signed out', async ({ page, context, request }) => {
  await phone(page)
  const api = await Api.as(request, 'field')
  await signIn(page, 'field', today)
  const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Check in' }) }).first()
  const name = (await card.locator('b').textContent()) ?? ''
  const keptPages = (): Promise<number> => page.evaluate(async () => (await (await caches.open('arus-visits')).keys()).filter(({ url }) => url.endsWith('/today')).length)
  await expect.poll(keptPages, { timeout: 20_000 }).toBe(1)
  const before = await api.rows('customer-visit', { columns: 'code', length: 200 })

  await reach(context, false)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Visits of today' })).toBeVisible()
  await expect(page.getByText(/^Out of reach/)).toBeVisible()
  await card.getByRole('button', { name: 'Check in' }).click()
  await expect(page.getByText('1 to be sent')).toBeVisible()
  // Once more, from nothing: what was done is still there.
  await page.goto(today)
  const at = page.getByRole('region', { name })
  await expect(at).toBeVisible()
  await at.getByRole('radio', { name: 'No order' }).check()
  await at.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
  await at.getByRole('button', { name: 'Check out' }).click()
  await expect(page.getByText('2 to be sent')).toBeVisible()

  // Signing out asks, and says what becomes of them.
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out before everything is sent?' })
  await expect(question).toContainText('sent when you sign in again')
  await question.getByRole('button', { name: 'Cancel' }).click()

  await reach(context, true)
  await expect(page.getByText('to be sent')).toHaveCount(0)
  expect(await api.rows('customer-visit', { columns: 'code', length: 200 })).toHaveLength(before.length + 1)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/pages\/login/)
  expect(await page.evaluate(async () => caches.keys())).toEqual([])
})

test('out of reach an order takes what the customer never took before, at his price, and is there once when the network is back', async ({ page, context, request }) => {
  await phone(page)
  const api = await Api.as(request, 'field')
  const customer = await unplanned(page, api)
  const { name } = customer
  // His prices come with him.
  const prices = page.waitForResponse(async (answer) => answer.url().endsWith('/command/visit-prices') && String(customer.id) in ((await answer.json()) as { data: { Prices: object } }).data.Prices)
  await visit(page, customer.code)
  const { data } = (await (await prices).json()) as { data: { Items: { Code: string; Name: string }[]; Prices: Record<string, (string | null)[]> } }
  const own = data.Prices[String(customer.id)] ?? []
  const usual = await api.rows('suggested-order-line', { filter: { customer_id: customer.id }, columns: 'item_id', length: 200 })
  const place = data.Items.findIndex(({ Code }, n) => own[n] != null && !Code.startsWith('PK-') && !usual.some((row) => row['ItemCode'] === Code))
  const item = data.Items[place] ?? { Code: '', Name: '' }
  const before = await api.rows('sales-order', { filter: { customer_id: customer.id }, columns: 'code', length: 500 })

  await reach(context, false)
  const at = page.getByRole('region', { name })
  await at.getByText('Take an order').click()
  await at.getByRole('searchbox', { name: 'Other items' }).fill(item.Code)
  await at.getByRole('button', { name: item.Name }).first().click()
  await page.keyboard.type('3')
  await expect(at.getByText(`${Number(own[place]).toLocaleString('en-US', { minimumFractionDigits: 2 })} / `)).toBeVisible()
  await at.getByRole('button', { name: 'Order 1 items' }).click()
  await expect(at.getByText('Order taken')).toBeVisible()
  await at.getByRole('radio', { name: 'Order', exact: true }).check()
  await at.getByRole('button', { name: 'Check out' }).click()
  await expect(page.getByText('2 to be sent')).toBeVisible()

  await reach(context, true)
  await expect(page.getByText('to be sent')).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: 'Not accepted' })).toHaveCount(0)
  const after = await api.rows('sales-order', { filter: { customer_id: customer.id }, columns: 'code', length: 500 })
  expect(after).toHaveLength(before.length + 1)
  const made = after.find((row) => !before.some(({ ID }) => ID === row['ID']))
  const { record } = (await api.get(`/api/v1/data/sales-order/${String(made?.['ID'])}`)) as { record: { Lines: { ItemCode: string; Qty: string; IsFree: boolean }[] } }
  expect(record.Lines.filter(({ IsFree }) => !IsFree)).toMatchObject([{ ItemCode: item.Code, Qty: '3.000' }])
})

test('money of a customer is received with one tap; what is no amount is asked for and stays as it was typed', async ({ page, request }) => {
  await phone(page)
  const api = await Api.as(request, 'field')
  const planned = page.waitForResponse((answer) => answer.url().endsWith('/command/visit-day'))
  await signIn(page, 'field', today)
  const day = (await (await planned).json()) as { data: { Customers: { ID: number }[] } }
  const owed = (await api.rows('invoice', { filter: { status: 1, currency: 'IDR' }, columns: 'customer_id,remaining', length: 100 })).find(({ CustomerID }) => !day.data.Customers.some(({ ID }) => ID === CustomerID))
  const receipts = { filter: { customer_id: owed?.['CustomerID'], method: 'CIT' }, columns: 'code,amount', length: 200 }
  const admin = await Api.as(request, 'admin')
  const before = await admin.rows('payment-received', receipts)

  await visit(page, String(owed?.['CustomerCode']))
  const at = page.getByRole('region').filter({ has: page.getByRole('button', { name: 'Check out' }) }).last()
  await at.locator('summary', { hasText: 'Receive a payment' }).click()
  const amount = at.getByRole('textbox', { name: 'Amount' })
  await at.getByRole('button', { name: 'Receive a payment' }).click()
  await expect(at.getByText('Enter the amount received.')).toBeVisible()
  await expect(amount).toBeFocused()
  await page.keyboard.type('150000.123')
  await at.getByRole('button', { name: 'Receive a payment' }).click()
  await expect(amount).toHaveValue('150000.123')
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill('')
  await page.keyboard.type('150000')
  await at.getByRole('button', { name: 'Receive a payment' }).click()
  await expect(at.getByText('150,000.00 received')).toBeVisible()
  await at.getByRole('radio', { name: 'Collection' }).check()
  await at.getByRole('button', { name: 'Check out' }).click()
  await expect(page.getByText('to be sent')).toHaveCount(0)
  await expect.poll(async () => (await admin.rows('payment-received', receipts)).filter(({ ID }) => !before.some((row) => row['ID'] === ID)).map((row) => row['Amount'])).toEqual(['150000.00'])
})

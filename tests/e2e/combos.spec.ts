import type { Page } from '@playwright/test'
import { Api, expect, plain, signInAs, test } from './support.ts'

/** A new order of a customer, its terms filled in. */
async function beginOrder(page: Page, customer: string): Promise<void> {
  await signInAs(page, 'sales', '/sales-order-form')
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type(customer)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
}

test('a combo is typed by its code, seen as its parts, and ordered, printed, edited and copied as what it is', async ({ page, request }) => {
  const sales = await Api.as(request, 'sales')
  const [customer] = await sales.rows('customer', { filter: { status: 1 }, columns: 'code', length: 1 })
  const [combo] = await sales.rows('item', { filter: { code: 'PK-002' }, columns: 'code,name' })
  const name = String(combo?.['Name'])
  const grid = page.getByRole('grid')
  const rows = grid.locator('[role="row"]:has([data-col="0"])')
  const marks = grid.getByTitle(`Combo: ${name}`)
  const total = page.locator('dl').getByText('Total', { exact: true }).locator('xpath=../dd')

  await beginOrder(page, String(customer?.['Code']))
  await grid.focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `PK-002\t2\n`)
  await page.keyboard.press('Control+v')
  await expect(marks).toHaveCount(3)
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(0)).toContainText(`PK-002 ${name}`)
  await expect(total).not.toHaveText('0.00')
  const shown = plain(await total.textContent())
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/sales-order-list/*')
  const id = Number(page.url().match(/\d+$/)?.[0])
  const order = (await sales.get(`/api/v1/data/sales-order/${id}`))['record'] as { readonly [key: string]: unknown; readonly Lines: readonly { readonly [key: string]: unknown }[] }
  expect(plain(String(order['Total']))).toBe(shown)
  expect(order.Lines.map((line) => [line['ComboItemCode'], line['ComboQty']])).toEqual([['PK-002', '2.000'], ['PK-002', '2.000'], ['PK-002', '2.000']])
  // The combo has a price of its own: two of them are what its parts come to.
  const { record: priced } = (await sales.post('/api/v1/command/price-order', { CustomerID: order['CustomerID'], Lines: [{ LineNo: 1, ItemID: combo?.['ID'], Uom: 'SET', Qty: '1' }] })) as { record: { Gross: string } }
  expect(Number(order['Gross'])).toBe(2 * Number(priced.Gross))

  await page.goto(`/sales-order-list/${id}?tab=lines`)
  await expect(page.getByRole('columnheader', { name: 'Combo' })).toBeVisible()
  await expect(page.locator('main').getByText('PK-002', { exact: true })).toHaveCount(3)

  await page.goto(`/sales-order-list/print/${id}?paper=a4&copies=none`)
  const paper = page.getByRole('region', { name: 'Document' })
  await expect(paper.getByRole('row').filter({ hasText: `PK-002 ${name}` }).first()).toContainText('2SET')

  // One part less and the others are ordinary lines again, at prices of their own.
  await page.goto(`/sales-order-form?record=${id}`)
  await expect(marks).toHaveCount(3)
  await expect(rows).toHaveCount(4)
  await grid.focus()
  await page.keyboard.press('Control+Delete')
  await expect(marks).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(marks).toHaveCount(3)

  await page.goto(`/sales-order-form?copy=${id}`)
  await expect(marks).toHaveCount(3)
  await expect(rows).toHaveCount(5)
  await expect(total).toHaveText(/\d/)
  await expect.poll(async () => plain(await total.textContent())).toBe(shown)
})

test('lines copied together with the parts they came to are pasted as they were typed: no part is ordered a second time', async ({ page, request }) => {
  const sales = await Api.as(request, 'sales')
  const [customer] = await sales.rows('customer', { filter: { status: 1 }, columns: 'code', length: 1 })
  const [item] = await sales.rows('item', { filter: { status: 1, is_active: true }, columns: 'code', order: 'id', sort: 'asc', length: 1 })
  const grid = page.getByRole('grid')
  const marks = grid.getByTitle(/^Combo: /)
  const codes = async (): Promise<readonly string[]> => (await grid.locator('[role=gridcell][data-col="0"]').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '')

  await beginOrder(page, String(customer?.['Code']))
  await grid.focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `PK-002\t2\n${String(item?.['Code'])}\t1\n`)
  await page.keyboard.press('Control+v')
  await expect(marks).toHaveCount(3)
  const once = await codes()
  expect(once).toHaveLength(5)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+v')
  await expect(marks).toHaveCount(6)
  expect(await codes()).toEqual([...once, ...once])
  await page.keyboard.press('Control+z')
  await expect(marks).toHaveCount(3)
  expect(await codes()).toEqual(once)
})

test('a combo is refused outside its time, at its cell', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [combo] = await admin.rows('combo', { filter: { code: 'K-004' }, columns: 'code,version' })
  const [customer] = await admin.rows('customer', { filter: { status: 1, 'operating_unit_id.code': 'JKT' }, columns: 'code', length: 1 })
  const { record } = (await admin.put(`/api/v1/data/combo/${String(combo?.['ID'])}`, Number(combo?.['Version']), { IsActive: false }, `used-combo-${String(combo?.['ID'])}`)) as { record: { Version: number } }
  await beginOrder(page, String(customer?.['Code']))
  await page.getByRole('grid').focus()
  await page.keyboard.type('PK-004')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await expect(page.getByTitle('The combo PK-004 is no longer sold.')).toBeVisible()
  await admin.put(`/api/v1/data/combo/${String(combo?.['ID'])}`, record.Version, { IsActive: true })
})

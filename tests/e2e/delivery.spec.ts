import { Api, expect, plain, settled, signIn, test, type Json } from './support.ts'
import type { APIRequestContext, Locator, Page } from '@playwright/test'

/** An order of two lines, 10 and 6 pieces, nobody had to be asked about. */
async function approvedOrder(request: APIRequestContext): Promise<Json> {
  const admin = await Api.as(request, 'admin')
  const warehouse = await Api.as(request, 'warehouse')
  const { rows } = (await admin.get('/api/v1/report/customer-limit.report', { length: 1000 })) as { rows: readonly Json[] }
  const customer = rows.find((row) => row['OperatingUnitCode'] === 'JKT' && String(row['BlockCodes']) === '' && Number(row['Available']) > 30_000_000)
  const stock = await warehouse.rows('stock-balance', { columns: 'item_id,warehouse_id,on_hand,reserved', order: 'on_hand', sort: 'desc', length: 200 })
  const [one, two] = stock.filter((row) => row['WarehouseCode'] === 'WH-JKT' && Number(row['OnHand']) - Number(row['Reserved']) > 500)
  const lines = [[one, '10'], [two, '6']] as const
  const draft = (await admin.post('/api/v1/data/sales-order', { CustomerID: customer?.['CustomerID'], Lines: lines.map(([item, Qty]) => ({ ItemID: item?.['ItemID'], Uom: 'PCS', Qty })) }))['record'] as Json
  const order = (await admin.post(`/api/v1/data/sales-order/${Number(draft['ID'])}/submit`, {}, Number(draft['Version'])))['record'] as Json
  expect(order['Status'], 'nobody had to be asked').toBe(1)
  return order
}

/** Such an order's delivery, planned and released. */
async function plannedDelivery(request: APIRequestContext): Promise<Json> {
  const order = await approvedOrder(request)
  const warehouse = await Api.as(request, 'warehouse')
  await warehouse.post('/api/v1/command/plan-delivery', { IDs: (order['Lines'] as readonly Json[]).map((line) => line['ID']), PlanDate: order['DocDate'], Release: true })
  const [delivery = {}] = await warehouse.rows('delivery-order', { filter: { 'sales_order_id.code': order['Code'] }, columns: 'code,status,sales_order_id' })
  return delivery
}

/** Something of it is drawn where it stands: the screen there looks otherwise without it. */
async function isSeen(page: Page, what: Locator): Promise<boolean> {
  const clip = (await what.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 }
  const shown = await page.screenshot({ clip })
  await what.evaluate((element) => {
    element.style.visibility = 'hidden'
  })
  return !shown.equals(await page.screenshot({ clip }))
}

test('what was picked is said line by line: the rest goes back to the order', async ({ page, request }) => {
  const delivery = await plannedDelivery(request)
  const code = String(delivery['Code'])
  const warehouse = await Api.as(request, 'warehouse')
  await signIn(page, 'warehouse', '/delivery_plan?tab=deliveries')
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(code)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.locator('tbody').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Confirm picking', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm picking' })
  const boxes = dialog.getByRole('textbox', { name: /^Quantity picked, / })
  // It begins with what was planned, and work begins in the first box.
  await expect(boxes).toHaveCount(2)
  await expect(boxes.first()).toBeFocused()
  expect([plain(await boxes.nth(0).inputValue()), plain(await boxes.nth(1).inputValue())].map(Number)).toEqual([10, 6])
  // More than was planned stays in its box and is told; nothing is sent.
  await boxes.first().fill('11')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Between 0 and 10.')).toBeVisible()
  await boxes.first().fill('7')
  // Emptied: none of it.
  await boxes.last().fill('')
  await page.keyboard.press('Tab')
  await expect(boxes.last()).toHaveValue('0')
  await boxes.last().focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await settled(page)
  const { record } = (await warehouse.get(`/api/v1/data/delivery-order/${Number(delivery['ID'])}`)) as { record: Json }
  expect(record['Status']).toBe(1)
  expect((record['Lines'] as readonly Json[]).map((line) => line['QtyPicked'])).toEqual(['7.000', '0.000'])

  // Said wrongly, it is said again: the boxes begin with what was picked, and what is not touched stays.
  await page.locator('tbody').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Correct picking', exact: true }).click()
  const correcting = page.getByRole('dialog', { name: 'Correct picking' })
  const corrected = correcting.getByRole('textbox', { name: /^Quantity picked, / })
  await expect(corrected).toHaveCount(2)
  expect([plain(await corrected.nth(0).inputValue()), plain(await corrected.nth(1).inputValue())].map(Number)).toEqual([7, 0])
  await corrected.last().fill('2')
  await page.keyboard.press('Enter')
  await expect(correcting).toHaveCount(0)
  await settled(page)
  const { record: again } = (await warehouse.get(`/api/v1/data/delivery-order/${Number(delivery['ID'])}`)) as { record: Json }
  expect((again['Lines'] as readonly Json[]).map((line) => line['QtyPicked'])).toEqual(['7.000', '2.000'])

  // From its page too, where the lines are already read; a picked delivery is issued as far as it was picked.
  await page.goto(`/delivery_plan?tab=deliveries&v=none&edit=${Number(delivery['ID'])}`)
  await page.getByRole('button', { name: 'Issue goods', exact: true }).click()
  const issuing = page.getByRole('dialog', { name: 'Issue goods' })
  await issuing.getByRole('button', { name: 'Issue goods' }).click()
  const toast = page.locator('.Toastify__toast').filter({ hasText: `${code}: Issue goods, done.` })
  await expect(toast).toBeVisible()
  await settled(page)
  expect(await isSeen(page, toast), 'what became of it is not covered by the panel it was begun in').toBe(true)
  const { record: order } = (await warehouse.get(`/api/v1/data/sales-order/${Number(delivery['SalesOrderID'])}`)) as { record: Json }
  expect((order['Lines'] as readonly Json[]).map((line) => line['DeliveredQty'])).toEqual(['7.000', '2.000'])
})

test('part of a line is planned: each line chosen begins with what can go, and what is left stays to be planned', async ({ page, request }) => {
  const order = await approvedOrder(request)
  await signIn(page, 'warehouse', '/delivery_plan')
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(String(order['Code']))
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(2)
  for (const box of await rows.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: /^Plan delivery/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Plan delivery' })
  const boxes = dialog.getByRole('textbox', { name: /^Quantity to plan, / })
  await expect(boxes).toHaveCount(2)
  expect([plain(await boxes.nth(0).inputValue()), plain(await boxes.nth(1).inputValue())].map(Number)).toEqual([10, 6])
  await boxes.first().fill('11')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Between 0 and 10.')).toBeVisible()
  await boxes.first().fill('4')
  await boxes.last().fill('0')
  await page.keyboard.press('Control+Enter')
  const results = page.getByRole('region', { name: 'Results of Plan delivery' })
  await expect(results, 'what was made is named, and stays').toContainText('1 document made:')
  await expect(results.getByRole('link', { name: /^Delivery plan / })).toHaveAttribute('href', /\/delivery_plan\?tab=plans&edit=\d+$/)
  await expect(results.getByRole('row')).toContainText([/4 of 10 .+ planned; the rest stays on the order/, /none of 6 .+ planned, as asked/])
  await settled(page)
  const { record } = (await (await Api.as(request, 'warehouse')).get(`/api/v1/data/sales-order/${Number(order['ID'])}`)) as { record: Json }
  expect((record['Lines'] as readonly Json[]).map((line) => line['PlannedQty'])).toEqual(['4.000', '0.000'])
})

test('a trip is changed until it leaves: the dialog begins with what it is, and comes back with what was typed when a warning is not accepted', async ({ page, request }) => {
  const delivery = await plannedDelivery(request)
  const warehouse = await Api.as(request, 'warehouse')
  const admin = await Api.as(request, 'admin')
  const { record } = (await warehouse.get(`/api/v1/data/delivery-order/${Number(delivery['ID'])}`)) as { record: Json }
  const planId = Number(record['DeliveryPlanID'])
  const planNow = async () => ((await warehouse.get(`/api/v1/data/delivery-plan/${planId}`)) as { record: Json }).record
  const { Code: plan, OperatingUnitID } = await planNow()
  const scooter = `T ${Date.now() % 1_000_000}`
  await admin.post('/api/v1/data/vehicle', { Code: scooter, Name: 'Scooter', OperatingUnitID, Kind: 'MOTORCYCLE', MaxWeight: '0.001' })
  await warehouse.post('/api/v1/command/change-trip', { IDs: [planId], PlanDate: (await planNow())['PlanDate'], Helper: 'Budi' })

  await signIn(page, 'warehouse', `/delivery_plan?tab=plans&q=${encodeURIComponent(String(plan))}`)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.locator('tbody').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change trip', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Change trip', exact: true })
  const helper = dialog.getByRole('textbox', { name: 'Helper' })
  await expect(helper).toHaveValue('Budi')
  await helper.fill('Sari')
  const box = dialog.getByRole('combobox', { name: 'Vehicle' })
  await box.fill(scooter)
  await page.getByRole('option').filter({ hasText: scooter }).first().click()
  await dialog.getByRole('button', { name: 'Change trip', exact: true }).click()
  const warning = page.getByRole('dialog').filter({ hasText: `${scooter} may carry 0.001 kg` })
  await expect(warning).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(warning).toHaveCount(0)
  await expect(helper, 'what was typed is there again').toHaveValue('Sari')
  await expect(box).toHaveValue(new RegExp(scooter))
  // Emptied it goes; the helper is sent as typed.
  await box.fill('')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Change trip', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  expect(await planNow()).toMatchObject({ Helper: 'Sari', VehicleID: null })
})

import { Api, expect, inDays, settled, signIn, signInAs, test, type Json } from './support.ts'

test('a price changes: proposed, compared, approved by somebody else, and the next order is priced by it', async ({ page, request }) => {
  test.setTimeout(120_000)
  const admin = await Api.as(request, 'admin')
  const sales = await Api.as(request, 'sales')
  const now = inDays(0)
  const shown = `${now.slice(8)}/${now.slice(5, 7)}/${now.slice(0, 4)}`
  const [set] = await admin.rows('price-set-row', { filter: { code: 'BASE' }, columns: 'code' })
  // An item nobody has changed today, at a price of the sales unit everybody pays.
  const rows = await admin.rows('price-row', {
    filter: { all: [{ price_set_id: Number(set?.['ID']), uom: 'CTN', valid_to: { empty: true } }, { valid_from: { lt: now } }] }, columns: 'item_id,price', order: 'item_id', sort: 'asc', length: 1,
  })
  const [row] = rows
  expect(row, 'an item with a price').toBeDefined()
  const item = String(row?.['ItemCode'])
  const old = Number(row?.['Price'])
  const next = Math.round(old * 1.05)
  const customers = await sales.rows('customer', { filter: { all: [{ status: 1 }, { price_set_id: { empty: true } }, { code: { startsWith: 'C' } }] }, columns: 'code,pricing_group_id,sales_channel_id', length: 200 })
  const customer = customers.find((one) => one['PricingGroupCode'] === 'REG' && one['SalesChannelCode'] === 'GT')
  expect(customer, 'a customer who pays the base price').toBeDefined()
  const price = (value: number) => value.toLocaleString('en-US')
  let change: Json = {}

  await test.step('master data: propose it in the grid, with what it changes beside it', async () => {
    await signInAs(page, 'admin', `/master/pricing-management/v1/list-price/partial/edit/${String(set?.['ID'])}`)
    await expect(page.getByRole('combobox', { name: 'Price set' })).toHaveValue(/BASE/)
    await page.getByRole('grid').focus()
    await page.keyboard.type(item)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('gridcell', { name: price(old), exact: true })).toBeVisible()
    // Unit and the price of today are filled in; the new one comes next.
    await page.getByRole('gridcell').nth(3).click()
    await page.keyboard.type(String(next))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Changed rows').locator('xpath=following-sibling::dd')).toHaveText('1')
    await page.getByRole('button', { name: /submit/i }).click()
    await page.waitForURL('**/v1/list-price?tab=price-changes*')
    await settled(page)
    const [latest] = await admin.rows('price-change', { filter: { status: 4 }, columns: 'code,changed_count,largest_pct,kind,scheme', order: 'id', sort: 'desc', length: 1 })
    change = latest ?? {}
    expect(change).toMatchObject({ ChangedCount: 1, Kind: 'LIST_PRICE', Scheme: 'V1' })
    await expect(page.getByText(String(change['Code'])).first()).toBeVisible()
  })

  await test.step('finance: see old beside new, and approve', async () => {
    await signInAs(page, 'finance', '/approval/sales-price')
    await page.getByText(String(change['Code'])).first().click()
    await expect(page.getByText(`1 changed, 0 new, 0 ended from ${shown}`).first()).toBeVisible()
    await expect(page.getByText(`${price(old)}.00`).first()).toBeVisible()
    await expect(page.getByText(`${price(next)}.00`).first()).toBeVisible()
    await page.getByRole('button', { name: 'Approve', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(async () => (await admin.get(`/api/v1/data/price-change/${String(change['ID'])}`))['record']).toMatchObject({ Status: 1 })
  })

  await test.step('sales: the simulation tells every step, and makes the order', async () => {
    await signInAs(page, 'sales', '/sales-order/simulation')
    await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
    await page.keyboard.type(String(customer?.['Code']))
    await page.keyboard.press('Tab')
    await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
    await page.getByRole('grid').focus()
    await page.keyboard.type(item)
    await page.keyboard.press('Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'How the prices come about' })).toBeVisible()
    const trace = page.getByRole('region', { name: 'How the prices come about' })
    await expect(trace.getByRole('row', { name: new RegExp(`List price.*BASE:BASE.*${price(next * 2)}`) })).toBeVisible()
    await page.getByRole('button', { name: 'Create order' }).click()
    await page.waitForURL('**/sales-order-form?record=*')
    const id = new URL(page.url()).searchParams.get('record') ?? ''
    const { record } = (await sales.get(`/api/v1/data/sales-order/${id}`)) as { record: { Lines: readonly Json[] } }
    expect(record.Lines[0]).toMatchObject({ ItemCode: item, Price: `${next}.0000`, PriceSource: 'BASE:BASE' })
  })
})

test('prices by file, from the desk of a front: what comes in stands among its changes', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [row] = await admin.rows('price-row', { filter: { all: [{ scheme: 'V1' }, { valid_to: { empty: true } }] }, columns: 'price_set_id,item_id,uom,price', order: 'item_id', sort: 'desc', length: 1 })
  const day = inDays(40)
  const sheet = ['Price set code,Item code,Unit,Price,Valid from', [row?.['PriceSetCode'], row?.['ItemCode'], row?.['Uom'], Number(row?.['Price']) + (Date.now() % 1000) + 1, day].join(',')].join('\n')
  await signIn(page, 'admin', '/master/pricing-management/v1/list-price')
  await settled(page)
  await page.getByRole('main').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 imported', { exact: true })).toBeVisible()
  const [draft] = await admin.rows('price-change', { columns: 'code,effective_from,changed_count', order: 'id', sort: 'desc', length: 1 })
  expect(draft).toMatchObject({ EffectiveFrom: day, ChangedCount: 1 })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await expect(page.getByRole('row').filter({ hasText: String(draft?.['Code']) })).toHaveCount(1)
})

test('a rejection that lacks the note its reason wants stays open with what was chosen', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [row] = await admin.rows('price-row', { filter: { all: [{ scheme: 'V1' }, { valid_to: { empty: true } }] }, columns: 'price_set_id,item_id,uom,price', order: 'item_id', sort: 'desc', length: 1 })
  const day = inDays(50)
  const { record: draft } = (await admin.post('/api/v1/data/price-change', {
    Kind: 'LIST_PRICE', Scheme: 'V1', IsPartial: true, PriceSetID: row?.['PriceSetID'], EffectiveFrom: day, Lines: [{ ItemID: row?.['ItemID'], Uom: row?.['Uom'], Value: String(Number(row?.['Price']) + 1) }],
  })) as { readonly record: Json }
  const { record: asked } = (await admin.post(`/api/v1/data/price-change/${String(draft['ID'])}/submit`, {}, Number(draft['Version']))) as { readonly record: Json }
  const [reason] = await admin.rows('reason', { filter: { all: [{ usage: 'REJECT' }, { needs_note: true }] }, columns: 'name', length: 1 })
  await signIn(page, 'finance', '/approval/sales-price')
  await page.getByText(String(asked['Code'])).first().click()
  await page.getByRole('button', { name: 'Reject', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Reject' })
  await dialog.getByLabel('Reason').selectOption({ label: String(reason?.['Name']) })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This reason needs a note.')
  await expect(dialog.getByLabel('Reason').locator('option:checked')).toHaveText(String(reason?.['Name']))
  await dialog.getByLabel('Note').fill('too early')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(async () => (await admin.get(`/api/v1/data/price-change/${String(draft['ID'])}`))['record']).toMatchObject({ Status: 5 })
})

test('the letter that opens a cell of choices chooses among them', async ({ page }) => {
  await signIn(page, 'admin', '/master/pricing-management/v1/discount/partial/create')
  await settled(page)
  const grid = page.getByRole('grid')
  const at = (await grid.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).indexOf('Kind')
  const cell = grid.getByRole('row').nth(1).getByRole('gridcell').nth(at - 1)
  await cell.click()
  await page.keyboard.type('p')
  await page.keyboard.press('Enter')
  await expect(cell).toHaveText('Percent')
})

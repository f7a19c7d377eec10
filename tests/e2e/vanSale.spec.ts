import { Api, expect, expectAccessible, plain, signIn, test, type Json } from './support.ts'

test('the canvasser sells from his van on a phone: goods, customer, cash, paper', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const api = await Api.as(request, 'van')
  const [goods] = await api.rows('van-stock', { filter: { qty_left: { ge: '3' } }, columns: 'canvas_request_id,van_warehouse_id,item_id,item_name,uom,base_uom,qty_left', length: 1 })
  const [sale] = await api.rows('van-sale', { columns: 'customer_id', length: 1 })
  const [buyer] = sale === undefined ? [] : await api.rows('customer', { filter: { id: sale['CustomerID'] }, columns: 'code', length: 1 })
  if (goods === undefined || sale === undefined || buyer === undefined) throw new Error('The demo company has no van with goods and sales')
  const name = String(goods['ItemName'])

  await signIn(page, 'van', '/canvas/sell')
  await expect(page.getByRole('heading', { name: 'Van sale' })).toBeVisible()
  const customer = page.getByRole('combobox', { name: 'Customer' })
  await customer.fill(String(buyer['Code']))
  await page.getByRole('option').first().click()
  const item = page.getByRole('listitem').filter({ hasText: name })
  // By the piece: a van gives what a shop can pay.
  const byPiece = item.getByRole('button', { name: `Sell by ${String(goods['BaseUom'])}` })
  if (await byPiece.isVisible()) await byPiece.click()
  await item.getByRole('button', { name: `One more of ${name}` }).click()
  await item.getByRole('button', { name: `One more of ${name}` }).click()
  await expect(item.getByRole('textbox')).toHaveValue('2')
  await item.getByRole('button', { name: `One less of ${name}` }).click()
  await expect(item.getByRole('textbox')).toHaveValue('1')
  await expectAccessible(page)
  const { record } = (await api.post('/api/v1/command/price-order', {
    CustomerID: sale['CustomerID'], WarehouseID: goods['VanWarehouseID'], Lines: [{ LineNo: 1, ItemID: goods['ItemID'], Uom: goods['BaseUom'], Qty: '1' }],
  })) as { readonly record: Json }
  await page.getByRole('button', { name: 'To payment' }).click()
  await expect(page.getByRole('button', { name: 'Cash', exact: true })).toHaveAttribute('aria-pressed', 'true')
  const received = page.getByRole('textbox', { name: 'Cash received' })
  expect(plain(await received.inputValue())).toBe(plain(String(record['Total'])))
  await expect(page.getByRole('button', { name: 'Sell', exact: true })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Sell', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sold' })).toBeVisible()

  const print = page.getByRole('link', { name: 'Print invoice' })
  const id = Number(/\d+$/.exec((await print.getAttribute('href')) ?? '')?.[0])
  const invoice = (await api.get(`/api/v1/data/invoice/${id}`))['record'] as Json
  expect([invoice['InvoiceType'], invoice['Total'], invoice['Remaining']]).toEqual(['CANVAS', record['Total'], '0.00'])
  const [after] = await api.rows('van-stock', { filter: { item_id: goods['ItemID'], canvas_request_id: goods['CanvasRequestID'] }, columns: 'qty_left', length: 1 })
  expect(Number(after?.['QtyLeft'])).toBeLessThan(Number(goods['QtyLeft']))
  await page.getByRole('button', { name: 'Next sale' }).click()
  await expect(customer).toHaveValue('')
})

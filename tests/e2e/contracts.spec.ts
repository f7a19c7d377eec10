import { Api, expect, signInAs, test, type Json } from './support.ts'

for (const desk of ['/sales-order-formv3', '/sales-order-form']) test(`an order calls on a contract at ${desk}: its line comes with the item, at the price agreed, and says what is left`, async ({ page, request }) => {
  const sales = await Api.as(request, 'sales')
  const [contract] = await sales.rows('contract', { filter: { status: 2, kind: 'QTY' }, columns: 'code,customer_id', length: 1 })
  const own = async (): Promise<Json & { readonly Lines: readonly Json[] }> => ((await sales.get(`/api/v1/data/contract/${String(contract?.['ID'])}`)) as { record: Json & { readonly Lines: readonly Json[] } }).record
  const { Lines: [line], ...header } = await own()
  const left = Number(line?.['TargetQty']) - Number(line?.['CalledQty'])

  await signInAs(page, 'sales', desk)
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type(String(header['CustomerCode']))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
  await page.getByRole('combobox', { name: 'Contract', exact: true }).focus()
  await page.keyboard.type(String(header['Code']))
  await page.keyboard.press('Tab')
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${String(line?.['ItemCode'])}\t3\n`)
  await page.keyboard.press('Control+v')
  await expect(grid.getByText(`${String(header['Code'])}-1`)).toBeVisible()
  await expect(grid.getByTitle(`${left} ${String(line?.['Uom'])}`)).toBeVisible()
  await expect(page.locator('dl').getByText('Total', { exact: true }).locator('xpath=../dd')).toHaveText(/[1-9]/)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/sales-order-list/*')
  const id = Number(page.url().match(/\d+$/)?.[0])
  const { record: order } = (await sales.get(`/api/v1/data/sales-order/${id}`)) as { record: Json & { readonly Lines: readonly Json[] } }
  expect(order).toMatchObject({ ContractID: contract?.['ID'] })
  expect(order.Lines[0]).toMatchObject({ ContractLineID: line?.['ID'], Price: line?.['Price'], PriceSource: `CONTRACT:${String(header['Code'])}`, Qty: '3.000' })
  await sales.post(`/api/v1/data/sales-order/${id}/submit`, {}, Number(order['Version']))
  const { record: sent } = (await sales.get(`/api/v1/data/sales-order/${id}`)) as { record: Json }
  if (sent['Status'] === 1) expect(Number((await own()).Lines[0]?.['CalledQty'])).toBe(Number(line?.['CalledQty']) + 3)

  await page.goto(`/contract/detail/${String(contract?.['ID'])}?tab=contract-orders`)
  await expect(page.locator('main').getByText(String(sent['Code']))).toBeVisible()
})

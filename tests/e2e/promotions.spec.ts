import { Api, expect, signInAs, test, type Json } from './support.ts'

test('a promotion is written step by step by keyboard, survives a reload on the way, is tried on real orders and sent for approval', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [item] = await admin.rows('item', { filter: { status: 1 }, columns: 'code,name', length: 1 })
  const [type] = await admin.rows('promotion-type', { filter: { is_active: true }, columns: 'code,name', length: 1 })
  await signInAs(page, 'admin', '/promotion-v2/create')
  const next = (): Promise<void> => page.getByRole('button', { name: /^Next: / }).click()
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('E2E-STEPS')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Step by step')
  await page.getByRole('combobox', { name: 'Promotion type', exact: true }).focus()
  await page.keyboard.type(String(type?.['Code']))
  await page.keyboard.press('Tab')
  await next()
  await expect(page).toHaveURL(/tab=1/)
  // What was typed comes back on the step it was left at.
  await page.reload()
  await expect(page).toHaveURL(/tab=1/)
  await next()
  await expect(page).toHaveURL(/tab=2/)
  const paste = async (text: string): Promise<void> => {
    await page.getByRole('grid').focus()
    await page.evaluate((typed) => navigator.clipboard.writeText(typed), text)
    await page.keyboard.press('Control+v')
  }
  await paste(`1\tITEM_QTY\t${String(item?.['Code'])}\t\t\t\t1\n`)
  await next()
  await expect(page).toHaveURL(/tab=3/)
  await paste('1\tPCT\t2.5\n')
  await next()
  await expect(page).toHaveURL(/tab=4/)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/promotion-v2/detail/*')
  const id = Number(page.url().match(/\d+(?=$|\?)/)?.[0])
  const read = async (): Promise<Json> => ((await admin.get(`/api/v1/data/promotion/${id}`)) as { record: Json }).record
  expect(await read()).toMatchObject({ Code: 'E2E-STEPS', Status: 0, PromotionCondition: [{ Kind: 'ITEM_QTY', ItemID: item?.['ID'], Min: '1.000' }], Lines: [{ Kind: 'PCT', Value: '2.5000' }] })

  await page.getByRole('button', { name: 'Simulate', exact: true }).click()
  await expect.poll(async () => (await read())['TrialEarning']).toEqual(expect.any(Number))
  const tried = await read()
  await page.getByRole('tab', { name: /Simulated orders/ }).click()
  await expect(page.getByRole('grid').getByRole('row')).not.toHaveCount(0)
  expect(Number(tried['TrialOrders'])).toBeGreaterThan(0)
})

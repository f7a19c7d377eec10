import { Api, expect, signInAs, test } from './support.ts'

test('a combo is refused outside its time, at its cell', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [combo] = await admin.rows('combo', { filter: { code: 'K-004' }, columns: 'code,version' })
  const [customer] = await admin.rows('customer', { filter: { status: 1, 'operating_unit_id.code': 'JKT' }, columns: 'code', length: 1 })
  const { record } = (await admin.put(`/api/v1/data/combo/${String(combo?.['ID'])}`, Number(combo?.['Version']), { IsActive: false })) as { record: { Version: number } }
  await signInAs(page, 'sales')
  await page.goto('/sales-order-form')
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type(String(customer?.['Code']))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
  await page.getByRole('grid').focus()
  await page.keyboard.type('PK-004')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await expect(page.getByTitle('The combo PK-004 is no longer sold.')).toBeVisible()
  await admin.put(`/api/v1/data/combo/${String(combo?.['ID'])}`, record.Version, { IsActive: true })
})

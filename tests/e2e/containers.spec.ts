import { Api, expect, signInAs, test } from './support.ts'

test('a crate is entered by keyboard, leaves, is handed over with its deposit, and is lost: what was held is kept', async ({ page, request }) => {
  const warehouse = await Api.as(request, 'warehouse')
  const [customer] = await warehouse.rows('customer', { filter: { status: 1 }, columns: 'code', length: 1 })
  const code = `KRAT-E${Date.now() % 100_000}`
  await signInAs(page, 'warehouse', '/inventory-container/create')
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(code)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Crate')
  await page.getByRole('combobox', { name: 'Operating unit', exact: true }).focus()
  await page.keyboard.type('JKT')
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Deposit' }).focus()
  await page.keyboard.type('60000')
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/inventory-container/detail/*')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(code)
  const step = async (name: string, ...typed: readonly (readonly [label: string, value: string])[]): Promise<void> => {
    await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    for (const [label, value] of typed) {
      await dialog.getByLabel(label).first().focus()
      await page.keyboard.type(value)
      await page.keyboard.press('Tab')
    }
    await dialog.getByRole('button').last().press('Enter')
    await expect(dialog).toBeHidden()
  }
  await step('Depart')
  await step('Hand over', ['Customer', String(customer?.['Code'])])
  await expect(page.getByText('At the customer').first()).toBeVisible()
  await step('Lost', ['Reason', 'Selisih'])
  await expect(page.getByRole('button', { name: 'Found again', exact: true })).toBeVisible()
  const [lost] = await warehouse.rows('container-move', { filter: { kind: 'LOST' }, order: 'id', sort: 'desc', columns: 'code,kind,deposit,dpp,ppn,status', length: 1 })
  // 60,000 / 1.11 in whole rupiah.
  expect(lost).toMatchObject({ Deposit: '60000.00', Dpp: '54054.00', Ppn: '5946.00', Status: 1 })
})

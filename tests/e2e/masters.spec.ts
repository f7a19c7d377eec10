import { expect, settled, signIn, test } from './support.ts'

test('a master is created, edited, found, not deleted while it is used, deactivated and deleted', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/master/sales-channel')
  await settled(page)
  const code = `CH${Date.now() % 1_000_000}`
  const panel = page.getByRole('dialog')
  const search = page.getByRole('searchbox', { name: 'Search', exact: true })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })

  await page.getByRole('button', { name: /^New/ }).click()
  await panel.getByRole('textbox', { name: 'Code' }).fill(code)
  await panel.getByRole('textbox', { name: 'Name' }).fill('Kiosks')
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await search.fill(code)
  await expect(row('Kiosks')).toHaveCount(1)

  await row('Kiosks').getByText(code).click()
  await expect(panel.getByRole('textbox', { name: 'Name' })).toHaveValue('Kiosks')
  await panel.getByRole('textbox', { name: 'Name' }).fill('Kiosks and stalls')
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await expect(row('Kiosks and stalls')).toHaveCount(1)

  await test.step('one that customers have is not deleted; the refusal says where it is used', async () => {
    await search.fill('General trade')
    await expect(row('General trade')).toHaveCount(1)
    await row('General trade').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText(/Used in: .*Customer \(\d+\+?\)/)).toBeVisible()
    await expect(row('General trade')).toHaveCount(1)
  })

  await test.step('deactivated it leaves the active ones, and comes back', async () => {
    await search.fill(code)
    await expect(row('Kiosks and stalls')).toHaveCount(1)
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await expect(page.getByText(/can no longer be chosen/)).toBeVisible()
    await expect(row('Kiosks and stalls')).toHaveCount(0)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect(row('Kiosks and stalls')).toHaveCount(1)
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await expect(page.getByText(/can be chosen again/)).toBeVisible()
  })

  await test.step('unused it is deleted', async () => {
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(row('Kiosks and stalls')).toHaveCount(0)
  })
})

test('what an event would book stays in the list until it is closed; an address without a record starts none', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/setting/posting-rule')
  await page.locator('tbody tr[data-row] button').first().click()
  await page.getByRole('menuitem', { name: 'What would this event book?' }).click()
  const answer = page.getByRole('region', { name: /What would this event book/ })
  await expect(answer).toContainText(/books debit .*, credit /)
  await answer.getByRole('button', { name: 'Close' }).click()
  await expect(answer).toBeHidden()
  await page.goto('/master/customers/edit/abc')
  await expect(page.getByText('This form could not be opened')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})

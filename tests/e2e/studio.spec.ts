import fs from 'node:fs'
import { expect, expectAccessible, settled, signIn, signInAs, test } from './support.ts'

test('a report is composed from words to a proposal, tried by a colleague, and nobody else gets in', async ({ page }) => {
  await signIn(page, 'analyst', '/studio')
  await page.getByLabel('Ask in words').fill('net sales per brand and month')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/studio\/\d+$/)

  // Words have become rows, columns and a measure; the renderer shows them, the sentence says them.
  const preview = page.getByRole('region', { name: 'Preview' })
  const shelf = (name: string) => page.getByRole('list', { name: `${name} of the report`, exact: true })
  await expect(shelf('Rows').getByRole('listitem')).toHaveText([/Brand/])
  await expect(preview.locator('table tbody tr').first()).toBeVisible()
  await expect(preview.getByText(/Net sales.* from .* to .*Grouped by Brand/)).toBeVisible()

  // By keyboard: a measure more, and it moves before the other one.
  await page.getByRole('button', { name: 'Add Margin to Measures' }).press('Enter')
  const measures = shelf('Measures').getByRole('listitem')
  await expect(measures).toHaveText([/DPP/, /Margin/])
  await measures.nth(1).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(measures).toHaveText([/Margin/, /DPP/])
  await expect(preview.getByRole('columnheader', { name: /Margin/ }).first()).toBeVisible()

  // A mistake in the JSON is named with its place and taken back.
  const json = page.getByRole('region', { name: 'JSON of the report' })
  await json.locator('.cm-content').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('?')
  await expect(json.getByRole('button', { name: /1:1 error/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Propose' })).toBeDisabled()
  await page.keyboard.press('Control+z')
  await expect(json.getByText('No findings')).toBeVisible()
  await settled(page)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Share' }).click()
  const share = page.getByRole('dialog')
  await share.getByRole('searchbox').fill('finance')
  await share.locator('label', { hasText: 'Finance manager' }).first().click()
  await share.getByRole('button', { name: 'Share' }).click()
  await expect(share).toHaveCount(0)
  const trial = `/report-trial/${page.url().split('/').at(-1)}`

  await page.getByRole('button', { name: 'Propose' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('group', { name: 'Title' }).getByLabel('English').fill('Brands by month')
  await dialog.getByRole('group', { name: 'Title' }).getByLabel('Chinese').fill('品牌月度')
  await dialog.getByRole('group', { name: 'Title' }).getByLabel('Indonesian').fill('Merek per bulan')
  await dialog.getByLabel('Put it on the dashboard too').check()
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(dialog.getByText(/waits for review/)).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Patch' }).click()])
  const patch = fs.readFileSync(await download.path(), 'utf8')
  for (const file of ['messages/cn.json', 'home/dashboard/dashboard.dashboard.json']) expect(patch).toContain(`+++ b/schemas/${file}`)

  await signInAs(page, 'finance', trial)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Net sales per brand')
  await expect(page.locator('table tbody tr').first()).toBeVisible()
  await page.goto('/studio')
  await expect(page).toHaveURL(/error-404/)
})

test('a published report is changed where it stands: what is proposed is its file alone', async ({ page }) => {
  await signIn(page, 'analyst', '/studio')
  await page.getByLabel('From a report that is there').selectOption({ label: 'Stock by territory' })
  await page.getByRole('button', { name: 'Change it' }).click()
  await expect(page).toHaveURL(/\/studio\/\d+$/)
  await expect(page.getByRole('region', { name: 'JSON of the report' }).getByText('No findings')).toBeVisible()
  await page.getByRole('list', { name: 'Measures of the report', exact: true }).getByRole('button', { name: /^Remove/ }).last().click()
  await page.getByRole('button', { name: 'Propose' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This report is published at')
  await expect(dialog.getByLabel('Path')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(dialog.getByText(/waits for review/)).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText([/^schemas\/.*\.report\.json$/])
})

test('days in a question are the days of the report', async ({ page }) => {
  await signIn(page, 'analyst', '/studio')
  await page.getByLabel('Ask in words').fill('remaining per customer as of end of last month')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/studio\/\d+$/)
  const preview = page.getByRole('region', { name: 'Preview' })
  const today = new Date(Date.now() + 7 * 3_600_000)
  const lastDay = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0)).toISOString().slice(0, 10).split('-').toReversed().join('/')
  await expect(preview.getByRole('textbox', { name: 'As of' })).toHaveValue(lastDay)
  await expect(preview.locator('table tbody tr').first()).toBeVisible()
  await expect(page.getByText(/^Not understood:/)).toHaveCount(0)
})

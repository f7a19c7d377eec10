import { expect, expectAccessible, settled, signIn, test } from './support.ts'
import type { Page } from '@playwright/test'

const tiles = (page: Page) => page.getByRole('main').locator('section[aria-labelledby]')
const tile = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true })

test('the dashboard says its figures, draws its charts, and each tile leads to where its number comes from', async ({ page }) => {
  await signIn(page, 'finance', '/dashboard')
  const receivables = tile(page, 'Receivables')
  await expect(receivables).toContainText(/\d{1,3}(,\d{3})+/)
  const figure = /\d{1,3}(?:,\d{3})+/.exec(await receivables.innerText())?.[0] ?? ''
  await expect(receivables).toContainText('a month earlier')
  await expect(page.getByRole('main').locator('svg[aria-label]').first()).toBeVisible()
  await settled(page)
  const byDay = tile(page, 'Net sales by day')
  await byDay.getByRole('button', { name: 'Show the numbers' }).click()
  await expect(byDay.getByRole('table').getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)

  await receivables.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/report\/ar-aging/)
  await expect(page.locator('table[aria-label="AR aging"] tfoot')).toContainText(figure)
  await page.goBack()
  await expect(tile(page, 'Receivables')).toContainText(figure)
})

test('marks of a chart lead to the rows they stand for, by mouse and by keyboard', async ({ page }) => {
  await signIn(page, 'finance', '/dashboard')
  await settled(page)
  const mark = tile(page, 'Collected today by method').getByRole('link', { name: /^Transfer/ })
  const value = /[\d,]+\.\d\d/.exec((await mark.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  expect(value).not.toBe('')
  await mark.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/report\/payment\?/)
  await expect(page.getByText('Method: Transfer')).toBeVisible()
  await expect(page.locator('table[aria-label="Receipts"] tfoot')).toContainText(value)
  await page.goBack()
  await tile(page, 'Stock by warehouse').getByRole('link', { name: /^WH-BDG/ }).click()
  await expect(page).toHaveURL(/\/report\/stock-territory\?.*warehouse_code/)
})

test('the warehouse sees no receivables; a tile that cannot be read says so and offers another try; a phone has figures side by side and all else under each other', async ({ page }) => {
  await signIn(page, 'warehouse')
  await page.route('**/api/v1/dashboard/*/fill-rate', (route) => route.fulfill({ status: 422, json: { code: 422, status: 'VALIDATION_FAILED', message: 'Not now', data: {} } }), { times: 1 })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  const fill = tile(page, 'Fill rate, 7 days')
  await expect(fill.getByRole('button')).toBeVisible()
  await expect(tile(page, 'Receivables')).toHaveCount(0)
  await fill.getByRole('button').click()
  await expect(fill).toContainText('%')
  const widths = await tiles(page).evaluateAll((tiles) => tiles.map((one) => ({ name: one.querySelector('h2')?.textContent ?? '', width: Math.round(one.getBoundingClientRect().width) })))
  const full = Math.max(...widths.map(({ width }) => width))
  expect(widths.filter(({ width }) => width < full).map(({ name }) => name)).toEqual(['Orders this month', 'Fill rate, 7 days'])
  expect(full).toBeGreaterThan(340)
})

test('who enters orders sees what waits for him, and each number leads to as many rows', async ({ page }) => {
  await signIn(page, 'sales', '/dashboard')
  await expect(tile(page, 'Orders this month')).toContainText('a month earlier')
  const waiting = tile(page, 'Orders').getByRole('link', { name: /^Waiting for delivery/ })
  const count = /\d[\d,]*/.exec(await waiting.innerText())?.[0] ?? ''
  await expect(tile(page, 'Ten customers most overdue').getByRole('table').getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)
  await waiting.click()
  await expect(page).toHaveURL(/\/sales-order-list/)
  await expect(page.getByText(new RegExp(`of ${count}$`)).first()).toBeVisible()
})

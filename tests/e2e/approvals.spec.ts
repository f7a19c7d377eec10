import { expect, signIn, test } from './support.ts'

test('approvals by keyboard: j and k walk the queue, a asks before it approves', async ({ page }) => {
  await signIn(page, 'credit')
  await page.goto('/approval/sales-order')
  const cards = page.locator('li').filter({ has: page.locator('button[aria-current], button') }).filter({ hasText: /SO\/|DRAFT-/ })
  await expect(cards.first()).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/id=\d+/)
  const second = page.url()
  await page.keyboard.press('k')
  await expect.poll(() => page.url()).not.toBe(second)
  const count = page.getByRole('tab', { name: /Waiting/ })
  const before = await count.textContent()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await count.textContent()).toBe(before)
})

test('each waiting request says how much of its time is left', async ({ page }) => {
  await signIn(page, 'credit')
  await page.goto('/approval/sales-order')
  await expect(page.getByText(/^(Due in \d+ [hd]|\d+ [hd] late)$/).first()).toBeVisible()
})

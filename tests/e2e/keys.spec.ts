import type { Page } from '@playwright/test'
import { expect, signIn, test } from './support.ts'

const help = (page: Page) => page.getByRole('dialog', { name: 'Keys' })
const told = (page: Page) => help(page).getByRole('heading', { level: 3 })

test('a page tells the keys that work on it, also while something is typed', async ({ page }) => {
  await signIn(page, 'admin')
  await test.step('a form with lines, from within a field; the field keeps what was typed and the focus', async () => {
    await page.goto('/sales-order-form')
    const number = page.getByLabel('PO number')
    await number.pressSequentially('PO?')
    await expect(number).toHaveValue('PO?')
    await page.keyboard.press('Control+/')
    await expect(help(page)).toBeVisible()
    await expect(told(page)).toHaveText(['In the form', 'In the lines', 'Everywhere'])
    await expect(help(page).getByText('Save and submit, where that is offered')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(number).toBeFocused()
  })
  await test.step('a document opened from its list, and the lines it shows', async () => {
    await page.goto('/sales-order-list')
    await page.locator('tbody tr[data-row]').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/sales-order-list\/\d+/)
    await expect(page.getByRole('navigation', { name: 'Records of the list' })).toBeVisible()
    await page.keyboard.press('?')
    await expect(told(page)).toHaveText(['From record to record', 'Everywhere'])
    await page.keyboard.press('Escape')
  })
  await test.step('the queue of approvals', async () => {
    await page.goto('/approval/sales-order')
    await expect(page.getByRole('tab', { name: /Waiting/ })).toBeVisible()
    await page.keyboard.press('?')
    await expect(told(page).first()).toHaveText('In the queue')
    await page.keyboard.press('Escape')
  })
  await test.step('a panel over its list tells its own keys; anywhere the account menu leads there', async () => {
    await page.goto('/master/payment-term?edit=new')
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
    await page.keyboard.press('Control+/')
    await expect(help(page)).toBeVisible()
    await expect(told(page)).toHaveText(['In the form', 'Everywhere'])
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Keys' }).click()
    await expect(told(page)).toHaveText(['Everywhere'])
  })
})

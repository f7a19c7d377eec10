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
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()
  })
  await test.step('a report, whose rows are searched as those of a list', async () => {
    await page.goto('/report/ar-aging')
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    await page.keyboard.press('?')
    await expect(told(page)).toHaveText(['In the report', 'Everywhere'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()
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

test('the keyboard never loses its place: from the search to the rows, after an action, back from a paper', async ({ page }) => {
  const row = (n: number) => page.locator(`tbody tr[data-row="${n}"]`)
  await test.step('the arrow down leads from the search to the rows; what an action was chosen with is gone, the row is not', async () => {
    await signIn(page, 'finance', '/master/accounting-period?v=none&f.module=eq%3A%22AP%22&f.period=eq%3A%22202610%22&view=standard')
    await expect(row(0)).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await expect(row(0)).toBeFocused()
    await page.keyboard.press(' ')
    for (const [action, asks] of [['Begin closing', true], ['Open', false]] as const) {
      await page.getByRole('toolbar').getByRole('button', { name: action, exact: true }).focus()
      await page.keyboard.press('Enter')
      if (asks) {
        await expect(page.getByRole('dialog').getByRole('button', { name: action, exact: true })).toBeFocused()
        await page.keyboard.press('Enter')
      }
      await expect(page.getByRole('toolbar')).toHaveCount(0)
      await expect(row(0)).toBeFocused()
      await page.keyboard.press(' ')
    }
  })
  await test.step('a report, an invoice on paper, and back on the row it was opened from', async () => {
    await page.goto('/report/ar-aging?f.item_kind=eq%3A%22INVOICE%22')
    await expect(row(1)).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await expect(row(0)).toBeFocused()
    // Between them stands the sum of a customer who owes one invoice only.
    await page.keyboard.press('ArrowDown')
    if (!(await row(1).evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown')
    await expect(row(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Document' })).toBeVisible()
    await page.goBack()
    await expect(row(1)).toBeFocused()
  })
})

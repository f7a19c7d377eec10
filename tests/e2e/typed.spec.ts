import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { Api, expect, signIn, test } from './support.ts'

/** Somebody ends the session meanwhile, as from the list of sessions in the profile. */
async function endSession(page: Page, request: APIRequestContext): Promise<void> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
  expect((await request.post('/api/v1/logout', { headers: { Authorization: `Bearer ${token}` } })).status()).toBe(200)
}

/** The page may have noticed by itself that the session is over, and have gone to sign in. */
async function pressIfThere(button: Locator): Promise<void> {
  await button.click({ timeout: 2_000 }).catch(() => undefined)
}

async function signInAgain(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/pages\/login$/)
  await page.getByLabel('E-mail').fill('finance@arus.example')
  await page.getByLabel('Password', { exact: true }).fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/\/pages\/login$/)
}

test('what is typed into the schedule of a report outlives the session that is lost with it', async ({ page, request }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=customer_code')
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await page.getByRole('button', { name: 'Send by mail at certain times' }).click()
  const open = () => page.getByRole('button', { name: 'New schedule' }).click()
  await open()
  await form.getByLabel('Name').fill('Aging on Friday')
  await form.getByLabel('As of').selectOption('now:last-month-end')
  await form.getByRole('checkbox', { name: 'Fri' }).check()
  await form.getByLabel('Find people who may open the report').fill('Analyst')
  await form.getByRole('checkbox', { name: /^Maya Halim/ }).check()
  await endSession(page, request)
  await pressIfThere(form.getByRole('button', { name: 'Save' }))
  await signInAgain(page)
  // The address knows that the schedules were open.
  await open()
  await expect(form.getByLabel('Name')).toHaveValue('Aging on Friday')
  await expect(form.getByLabel('As of')).toHaveValue('now:last-month-end')
  await expect(form.getByRole('checkbox', { name: 'Fri' })).toBeChecked()
  await expect(form.getByRole('checkbox', { name: /^Maya Halim/ })).toBeChecked()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await expect(form.getByLabel('Name'), 'left on purpose').toHaveValue('AR aging')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
})

test('what is typed into the name of a view outlives the session that is lost with it', async ({ page, request }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=customer_code')
  const open = async () => {
    await page.getByRole('button', { name: /^View: Standard view/ }).click()
    await page.getByRole('button', { name: 'Save as …' }).click()
  }
  const named = page.getByRole('textbox', { name: 'Name', exact: true })
  await open()
  await named.fill('Receivables of the week')
  await endSession(page, request)
  await page.keyboard.press('Enter')
  await signInAgain(page)
  await expect(page).toHaveURL(/by=customer_code/)
  await open()
  await expect(named).toHaveValue('Receivables of the week')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('what is typed into a delegation outlives the session that is lost with it', async ({ page, request }) => {
  await signIn(page, 'finance', '/approval/delegation')
  const dialog = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: 'Hand over approvals' }).click()
  await open()
  const people = dialog.getByLabel(/To whom/)
  await people.selectOption({ index: 1 })
  const chosen = await people.inputValue()
  await dialog.getByRole('checkbox', { name: 'Sales order' }).check()
  await dialog.getByLabel('Note').fill('On leave')
  await endSession(page, request)
  await pressIfThere(dialog.getByRole('button', { name: 'Hand over', exact: true }))
  await signInAgain(page)
  await open()
  await expect(people).toHaveValue(chosen)
  await expect(dialog.getByRole('checkbox', { name: 'Sales order' })).toBeChecked()
  await expect(dialog.getByLabel('Note')).toHaveValue('On leave')
  await page.keyboard.press('Escape')
  await open()
  await expect(dialog.getByLabel('Note'), 'left on purpose').toHaveValue('')
})

test('what is typed into a comment being changed outlives the session that is lost with it', async ({ page, request }) => {
  const finance = await Api.as(request, 'finance')
  const [order] = await finance.rows('sales-order', { length: 1, columns: 'code' })
  await finance.post(`/api/v1/data/sales-order/${String(order?.['ID'])}/comments`, { Text: 'Pays late' })
  await signIn(page, 'finance', `/sales-order-list/${String(order?.['ID'])}`)
  const box = page.getByRole('list', { name: 'Comments' }).getByRole('combobox')
  const open = async () => {
    await page.getByRole('tab', { name: /^Comments/ }).click()
    await page.getByRole('button', { name: 'Edit comment' }).last().click()
  }
  await open()
  await box.fill('Pays late, asked twice')
  await endSession(page, request)
  await page.keyboard.press('Control+Enter')
  await signInAgain(page)
  await open()
  await expect(box).toHaveValue('Pays late, asked twice')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('Pays late, asked twice')
})

import type { Locator } from '@playwright/test'
import { Api, endSession, expect, pressIfThere, settled, signIn, signInAgain, test } from './support.ts'

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
  await signInAgain(page, 'finance')
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
  await signInAgain(page, 'finance')
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
  await signInAgain(page, 'finance')
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
  await signInAgain(page, 'finance')
  await open()
  await expect(box).toHaveValue('Pays late, asked twice')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('Pays late, asked twice')
})

test('a cell being mended outlives the session that is lost with it; of a file on its way the name is told', async ({ page, request }) => {
  const heads = ['Code', 'Name', 'Territory']
  const send = () => page.getByLabel('File', { exact: true }).setInputFiles({ name: 'areas.csv', mimeType: 'text/csv', buffer: Buffer.from([heads, [`TY${Date.now() % 1_000_000}`, '', 'BDG-K']].map((row) => row.join(',')).join('\r\n')) })
  const told = page.getByText('Sending “areas.csv” was cut off.', { exact: false })
  await signIn(page, 'admin', '/import/master')
  // A page whose session ends before it is there has nothing to send.
  await expect(page.getByLabel('File', { exact: true })).toBeAttached()
  await settled(page)
  // What the page asks for by itself waits: it would learn of the end before the file is on its way.
  let on = (): void => undefined
  const sent = new Promise<void>((resolve) => { on = resolve })
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().method() === 'GET') await sent
    await route.continue()
  })
  await endSession(page, request)
  await send()
  on()
  await signInAgain(page, 'admin')
  await page.unrouteAll()
  await expect(told).toBeVisible()
  await send()
  await expect(page.getByText('1 wrong')).toBeVisible()

  const open = () => page.getByRole('button', { name: /Name of row 2/ }).click()
  const box = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await open()
  await box.fill('Area tiga')
  await page.getByRole('dialog').getByRole('checkbox').check()
  await endSession(page, request)
  await pressIfThere(page.getByRole('button', { name: 'Mend', exact: true }))
  await signInAgain(page, 'admin')
  await expect(page).toHaveURL(/batch=\d+/)
  await open()
  await expect(box).toHaveValue('Area tiga')
  await expect(page.getByRole('dialog').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('Escape')
  await open()
  await expect(box, 'left on purpose').toHaveValue('')
  await page.keyboard.press('Escape')
  await page.goto('/import/master')
  await expect(page.getByRole('button', { name: 'areas.csv' }).first()).toBeVisible()
  await expect(told, 'it came through').toHaveCount(0)
})

test('a text pasted into a dialog that is longer than it takes is not cut: it is told, and not sent', async ({ page, request }) => {
  const finance = await Api.as(request, 'finance')
  const [order] = await finance.rows('sales-order', { length: 1, columns: 'code' })
  const sent: string[] = []
  page.on('request', (call) => call.method() !== 'GET' && call.url().includes('/api/v1/') && sent.push(call.url()))
  /** Pastes more than the box takes and sends it by key: nothing goes, the box keeps all of it and the focus. */
  const refuses = async (box: Locator, n: number, limit: string, how: string) => {
    await box.fill('')
    await box.focus()
    await page.keyboard.insertText('x'.repeat(n))
    await page.keyboard.press(how)
    await expect(page.getByText(`At most ${limit} characters. These are ${n}.`)).toBeVisible()
    await expect(box).toHaveValue('x'.repeat(n))
    await expect(box).toBeFocused()
    expect(sent.filter((url) => !/trail|log|seen|recent/.test(url))).toEqual([])
  }
  const dialog = page.getByRole('dialog')
  await signIn(page, 'credit', '/approval/delegation')
  await page.getByRole('button', { name: 'Hand over approvals' }).click()
  await dialog.getByLabel(/To whom/).selectOption({ index: 1 })
  sent.length = 0
  await refuses(dialog.getByLabel('Note'), 700, '500', 'Control+Enter')
  await page.keyboard.press('Escape')
  await page.goto('/approval/sales-order')
  await page.locator('main').getByRole('listitem').getByRole('button').first().click()
  await page.getByRole('button', { name: 'Return', exact: true }).first().click()
  sent.length = 0
  await refuses(dialog.getByLabel('Note'), 700, '500', 'Control+Enter')
  await page.keyboard.press('Escape')
  await page.goto(`/sales-order-list/${String(order?.['ID'])}`)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  sent.length = 0
  await refuses(page.getByRole('combobox', { name: 'Write a comment' }), 4_500, '4000', 'Control+Enter')
  await page.goto('/sales-order-list')
  await page.getByRole('button', { name: /^View: / }).click()
  await page.getByRole('button', { name: 'Save as …' }).click()
  sent.length = 0
  await refuses(page.getByRole('textbox', { name: 'Name', exact: true }), 90, '80', 'Enter')
  await page.keyboard.press('Escape')
  await page.goto('/profile/edit')
  sent.length = 0
  await refuses(page.getByRole('textbox', { name: 'Phone' }), 50, '40', 'Enter')
})

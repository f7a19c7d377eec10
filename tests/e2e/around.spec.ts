import type { Page } from '@playwright/test'
import { Api, expect, expectAccessible, settled, signIn, signInAs, test, type Json } from './support.ts'

// What stands around every page: palette, starred pages, the way back, and what is said when server or program cannot be had.

async function openPalette(page: Page) {
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Go to …' })
  await expect(search).toBeFocused()
  return search
}

test('palette: Enter before the answer opens what was typed, not what was found for less of it', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const orders = await api.rows('sales-order', { filter: { status: 3 }, columns: 'code', order: 'id', sort: 'desc', length: 30 })
  const { Code: code, ID: id } = orders.at(-1) ?? {}
  await signIn(page, 'admin')
  await openPalette(page)
  await page.keyboard.type(String(code).slice(0, -2))
  await expect(page.getByRole('option').first()).toContainText(String(code).slice(0, -2))
  await page.keyboard.type(String(code).slice(-2))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/sales-order-list/${String(id)}$`))
})

test('palette: pages, documents by number, customers by name, actions; only what the user may see; keys alone', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [order] = await api.rows('sales-order', { filter: { status: 1 }, columns: 'code', length: 1 })
  const [customer] = await api.rows('customer', { columns: 'code,name', length: 1 })
  await signIn(page, 'sales')
  const search = await openPalette(page)
  const found = page.getByRole('listbox', { name: 'Go to …' })
  await expectAccessible(page)

  await search.fill(String(order?.['Code']))
  await expect(found.getByRole('option').filter({ hasText: String(order?.['Code']) }).first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/sales-order-list/${String(order?.['ID'])}`))

  // A page is visited when one stays there for a moment.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recent:')).map((key) => localStorage.getItem(key)).join())).toContain(String(order?.['Code']))
  await page.goto('/home')
  await openPalette(page)
  await expect(found.getByRole('group', { name: 'Visited last' })).toBeVisible()
  await search.fill('Users')
  await settled(page)
  await expect(found.getByRole('option', { name: 'Users', exact: true }), 'of a screen that is not in the menu').toHaveCount(0)
  await search.fill('dark')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await found.getByRole('option').filter({ hasText: /Theme: Dark/i }).first().click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await openPalette(page)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('theme'))

  // Whose role may open customers finds them by name.
  await signInAs(page, 'admin')
  await openPalette(page)
  await search.fill(String(customer?.['Name']))
  await expect(found.getByRole('option').filter({ hasText: String(customer?.['Code']) }).first()).toBeVisible()
})

test('starred pages are arranged with buttons, arrow keys and a name of one’s own, and stay so', async ({ page }) => {
  await signIn(page, 'finance')
  for (const path of ['/report/ar-aging', '/report/journal', '/report/fbl5n']) {
    await page.goto(path)
    const star = page.getByRole('button', { name: 'Keep on my home page' })
    await expect(star.or(page.getByRole('button', { name: 'Take off my home page' }))).toBeVisible()
    if (await star.isVisible()) await star.click()
    await expect(page.getByRole('button', { name: 'Take off my home page' })).toBeVisible()
  }
  await page.goto('/home')
  const card = page.getByRole('region', { name: 'My pages' })
  const order = () => card.getByRole('textbox').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  await card.getByRole('button', { name: 'Arrange' }).click()
  const before = await order()
  expect(before.length).toBeGreaterThanOrEqual(3)
  const [one = '', two = '', ...rest] = before
  await card.getByRole('button', { name: `Move ${one} down`, exact: true }).click()
  await expect.poll(order).toEqual([two, one, ...rest])
  await expect(card.getByRole('status')).toContainText(`${one} is now 2 of ${before.length}.`)
  await card.getByRole('button', { name: `Move ${one}`, exact: true }).focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(order).toEqual(before)
  await expectAccessible(page)
  await card.getByRole('textbox', { name: `Name of ${one}` }).fill('Month end')
  await page.keyboard.press('Enter')
  await card.getByRole('button', { name: 'Done' }).click()
  await expect(card.getByRole('link', { name: 'Month end' })).toBeVisible()
  await settled(page)
  await page.reload()
  await expect(card.getByRole('link').first()).toHaveText('Month end')
  await card.getByRole('button', { name: 'Arrange' }).click()
  for (let left = before.length; left > 0; left--) {
    await card.getByRole('button', { name: /^Take .* off$/ }).first().click()
    await expect(card.getByRole('textbox')).toHaveCount(left - 1)
  }
})

test('whose role leads nowhere any more is told so, and is offered no star that would lead to nothing', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [biller] = await admin.rows('user', { filter: { email: 'billing@arus.example' }, columns: 'email,role_id', length: 1 })
  const give = async (role: unknown): Promise<void> => {
    const [{ Version } = {}] = await admin.rows('user', { filter: { email: 'billing@arus.example' }, columns: 'email', length: 1 })
    await admin.put(`/api/v1/data/user/${String(biller?.['ID'])}`, Number(Version), { RoleID: role })
  }
  const { record } = (await admin.post('/api/v1/data/role', { Code: `NONE${Date.now() % 1_000_000}`, Name: 'Leads nowhere' })) as { readonly record: Json }
  await give(record['ID'])
  try {
    await signIn(page, 'billing')
    await expect(page.locator('main').getByText('Your role leads to no pages yet. Ask your administrator for them.')).toBeVisible()
    const card = page.getByRole('region', { name: 'My pages' })
    await expect(card).toContainText('Your role no longer leads to the pages you starred.')
    await expect(card.getByRole('link')).toHaveCount(0)
    await card.getByRole('button', { name: 'Arrange' }).click()
    await expect(card.getByRole('textbox').first(), 'it can still be taken off').toBeVisible()
    await expect(page.getByText('Nothing found.')).toHaveCount(0)
    await expectAccessible(page)
  } finally {
    await give(biller?.['RoleID'])
  }
})

test('Back comes to the place of the list one left, with its page and its search', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?n=50')
  const rows = page.locator('tbody tr[data-row]')
  await expect(rows.first()).toBeVisible()
  await settled(page)
  const frame = page.locator('div').filter({ has: page.getByRole('grid') }).last()
  const top = () => frame.evaluate((element) => element.scrollTop)
  await frame.evaluate((element) => element.scrollTo({ top: 600 }))
  await expect.poll(top).toBe(600)
  // A row of those on view, so that opening it scrolls nothing.
  const row = await rows.evaluateAll((all) => all.findIndex((element) => element.getBoundingClientRect().top > 300))
  await rows.nth(row).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/sales-order-list\/\d+/)
  await page.goBack()
  await expect(page).toHaveURL(/\/sales-order-list\?n=50$/)
  await expect.poll(top).toBe(600)
})

test('without a network the page says so and goes on when it is back', async ({ page, context }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await settled(page, 1_500)
  await context.setOffline(true)
  await expect(page.getByText('The server cannot be reached. What you type is kept; trying again …')).toBeVisible()
  await page.getByRole('button', { name: 'Reload' }).click()
  await context.setOffline(false)
  await expect(page.getByText('Connected again.')).toBeVisible()
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await expect(page).toHaveURL(/\/sales-order-list/)
})

test('a part of the program that does not come offers another try where it belongs: a panel, a tab, the document beside the queue', async ({ page }) => {
  const parts = /\/assets\/screens-[\w-]+\/[\w.-]+\.(detail|form|list)\.js$/
  await signIn(page, 'credit')
  await page.route(parts, (route) => route.abort())
  await page.goto('/approval/sales-order')
  const failed = page.getByText('This part could not be loaded')
  await expect(failed).toBeVisible()
  await expect(page.getByText('A part of the program did not arrive.')).toBeVisible()
  await page.unroute(parts)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /^Lines/ }).or(page.getByRole('button', { name: 'Approve' })).first()).toBeVisible()
})

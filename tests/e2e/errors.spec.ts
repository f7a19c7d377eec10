import type { Page } from '@playwright/test'
import { expect, nextAsksForRows, signIn, test } from './support.ts'

const reportCode = /\/assets\/ReportPage-.*\.js/
const lists = '**/api/v1/data/sales-order?*'
const token = async (page: Page) => (await page.context().cookies()).find((cookie) => cookie.name === 'token')

/** Types a purchase order number into a new order, as somebody does who is then interrupted. */
async function typeOrder(page: Page, text: string): Promise<void> {
  await page.goto('/sales-order-form')
  await page.getByLabel('PO number', { exact: false }).first().fill(text)
}

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel(/mail/i).fill('sales@arus.example')
  await page.locator('input[type="password"]').fill('Arus-demo-1')
  await page.keyboard.press('Enter')
}

const envelope = (status: number, body: object) => ({ status, contentType: 'application/json', body: JSON.stringify(body) })

test('"Response status 500 goes to /pages/error-500": with the number for support, and back again', async ({ page }) => {
  await signIn(page, 'sales')
  await page.route(lists, (route) => route.fulfill(envelope(500, { code: 500, status: 'INTERNAL', message: 'Something went wrong', data: { hostname: 'x', incident: 'abc-123' } })))
  await nextAsksForRows(page)
  await page.goto('/sales-order-list?v=open')
  await expect(page).toHaveURL(/\/pages\/error-500$/)
  await expect(page.getByText('abc-123')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await token(page)).toBeDefined()
  await page.unroute(lists)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/sales-order-list\?v=open$/)
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
})

test('a part of a page the server fails at says so in its place and is asked for anew there: the page stays', async ({ page }) => {
  const failing = envelope(500, { code: 500, status: 'INTERNAL', message: 'Something went wrong', data: { hostname: 'x', incident: 'abc-123' } })
  const parts = ['**/api/v1/data/sales-order/counts?*', '**/api/v1/data/sales-order/groups?*', '**/api/v1/data/sales-order/*/around?*', '**/api/v1/data/sales-order/*/flow', '**/api/v1/dashboard/*/*', '**/api/v1/home/counts', '**/api/v1/data/starred-page?*']
  for (const part of parts) await page.route(part, (route) => route.fulfill(failing))
  const mend = async () => {
    for (const part of parts) await page.unroute(part)
  }
  const spoil = async () => {
    for (const part of parts) await page.route(part, (route) => route.fulfill(failing))
  }
  await signIn(page, 'admin')
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today.getByText('Something went wrong')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await mend()
  // It goes by itself after a while.
  await page.getByRole('alert').filter({ hasText: 'This could not be loaded' }).getByRole('button', { name: 'Try again' }).click()
  await today.getByRole('button', { name: 'Try again' }).click()
  await expect(today.getByRole('link').first()).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await spoil()
  await page.goto('/sales-order-list')
  const rows = page.locator('tbody tr[data-row]')
  await expect(rows.first()).toBeVisible()
  const recount = page.getByRole('button', { name: 'Counts missing: try again' })
  await expect(recount).toBeVisible()
  await mend()
  await recount.click()
  await expect(page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /\d/ }).first()).toBeVisible()
  await expect(recount).toHaveCount(0)

  await spoil()
  await rows.first().getByRole('link').first().click()
  const around = page.getByRole('button', { name: 'The record before and the one after are not known. Try again' })
  await expect(around).toBeVisible()
  await page.getByRole('tab', { name: 'Document flow' }).click()
  await expect(page.getByRole('tabpanel').getByText('Something went wrong')).toBeVisible()
  await expect(page).toHaveURL(/\/sales-order-list\/\d+/)
  await mend()
  await around.click()
  await expect(page.getByRole('button', { name: 'Next record (J)' })).toBeVisible()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tabpanel').getByText('Something went wrong')).toHaveCount(0)

  await spoil()
  await page.goto('/sales-order-list?g=status')
  await expect(page.getByText('Something went wrong')).toBeVisible()
  await mend()
  // Not the one beside the counts.
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(page.locator('tr[data-group]').first()).toBeVisible()

  await spoil()
  await page.goto('/dashboard')
  await expect(page.getByText('Something went wrong').first()).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

for (const code of [400, 401]) {
  test(`"Body status 400 or 401 removes the token cookie and goes to the login page": ${code} inside an answer`, async ({ page }) => {
    await signIn(page, 'sales')
    for (const said of [{ code, status: 'BAD_REQUEST' }, { code: 200, status: code }]) {
      await page.route(lists, (route) => route.fulfill(envelope(200, { ...said, message: 'No', data: { hostname: 'x' } })))
      await nextAsksForRows(page)
      await page.goto('/sales-order-list')
      await expect(page).toHaveURL(/\/pages\/login$/)
      expect(await token(page)).toBeUndefined()
      await expect(page.getByText('The server no longer accepts your session.')).toBeVisible()
      await page.unroute(lists)
      await signIn(page, 'sales')
    }
  })
}

test('"A 401 on any call other than login removes the token and goes to login": typing is kept and offered again, on the page one was on', async ({ page }) => {
  await signIn(page, 'sales')
  await typeOrder(page, 'PO-KEPT-1')
  await page.context().addCookies([{ name: 'token', value: 'x'.repeat(43), url: page.url() }])
  // Anything that asks the server will do: the form itself may do so first; otherwise the search of the palette does.
  const search = page.getByRole('combobox', { name: 'Go to …' })
  const login = page.getByLabel(/mail/i)
  await page.keyboard.press('Control+k')
  await expect(search.or(login).first()).toBeVisible()
  if (await search.isVisible()) await search.fill('makmur', { timeout: 5_000 }).catch(() => undefined)
  await expect(page).toHaveURL(/\/pages\/login$/)
  expect(await token(page)).toBeUndefined()
  await signInAgain(page)
  await expect(page).toHaveURL(/\/sales-order-form$/)
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(page.getByLabel('PO number', { exact: false }).first()).toHaveValue('PO-KEPT-1')
})

test('"A network error with no response removes the token and goes to login": read as, after the call was repeated in vain while the server answers others', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  let sent = 0
  await page.route(lists, (route) => {
    sent++
    return route.abort()
  })
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await expect(page).toHaveURL(/\/pages\/login$/)
  expect(sent).toBeGreaterThan(2)
  expect(await token(page)).toBeUndefined()
  await expect(page.getByText('The server could not be reached, so your session has ended.')).toBeVisible()
})

test('"Menu or profile load failure sends the user to /pages/login"', async ({ page }) => {
  // The page brings these answers along: without them it asks by itself.
  await page.route('**/sales-order-list', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/<script type="application\/json".*<\/script>/, '') })
  })
  for (const path of ['/api/v1/menu', '/api/v1/setting/user-personal']) {
    for (const [code, status] of [[503, 'SERVICE_UNAVAILABLE'], [500, 'INTERNAL']] as const) {
      await signIn(page, 'sales')
      await page.route(`**${path}`, (route) => route.fulfill(envelope(code, { code, status, message: 'No', data: { hostname: 'x' } })))
      await page.goto('/sales-order-list')
      await expect(page, `${path} ${code}`).toHaveURL(/\/pages\/login$/)
      await expect(page.getByLabel(/mail/i)).toBeVisible()
      await expect(page.getByText('Your profile and menu could not be loaded.')).toBeVisible()
      expect(await token(page)).toBeUndefined()
      await page.unroute(`**${path}`)
    }
  }
})

test('"Other errors return the response body to the caller": the list says what the server said', async ({ page }) => {
  await signIn(page, 'sales')
  await page.route(lists, (route) => route.fulfill(envelope(422, { code: 422, status: 'VALIDATION_FAILED', message: 'The filter is not right.', data: { hostname: 'x' } })))
  await nextAsksForRows(page)
  await page.goto('/sales-order-list')
  await expect(page.getByText('The filter is not right.')).toBeVisible()
  await expect(page).toHaveURL(/\/sales-order-list$/)
})

test('after an upgrade the old window offers the new version', async ({ page }) => {
  await signIn(page, 'sales')
  await page.waitForTimeout(2_500)
  await page.route(reportCode, (route) => route.fulfill(envelope(404, { code: 404 })))
  await page.route((url) => url.pathname === '/', (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }))
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('searchbox').fill('Order to billing')
  await menu.getByRole('link', { name: 'Order to billing' }).click()
  await expect(page.getByText('Arus has been updated')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load the new version' })).toBeVisible()
})

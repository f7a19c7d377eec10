import type { Page } from '@playwright/test'
import { addPerson, expect, settled, signIn, signInByHand, test } from './support.ts'

// Lines of the specification that only a browser can show, each quoted; tests/specification.json tells which test proves which line.

const refused = (status: number, code: string, message: string) => ({ status, contentType: 'application/json', body: JSON.stringify({ code: status, status: code, message, data: { hostname: 'x' } }) })

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** The toast with this text, once it is there: title, milliseconds on screen, colour, and whether it stands top right. */
async function toastWith(page: Page, text: string) {
  const toast = page.locator('.Toastify__toast', { hasText: text })
  await expect(toast).toBeVisible()
  return toast.evaluate((element) => {
    const bar = element.querySelector<HTMLElement>('.Toastify__progress-bar')
    const box = element.getBoundingClientRect()
    return {
      title: element.querySelector('strong')?.textContent ?? undefined,
      lasts: Number.parseFloat(bar?.style.animationDuration ?? ''),
      tone: /Toastify__toast--(\w+)/.exec(element.className)?.[1],
      isTopRight: box.top < 120 && box.right > window.innerWidth - 60,
    }
  })
}

test('"/pages/login, /pages/change-log, /pages/forgot-password, /pages/reset-password/{id}, /version, /term-of-service, /pages/privacy-police, /privacy-police, /pages/error-404, /auth/callback.": each opens for anybody, and "After each navigation the initial loading overlay is hidden."', async ({ page }) => {
  const pages = [
    ['/pages/login', 'Sign in'],
    ['/pages/change-log', 'Change log'],
    ['/pages/forgot-password', 'Forgot your password?'],
    [`/pages/reset-password/${'x'.repeat(43)}`, 'Set a new password'],
    ['/version', 'Version'],
    ['/term-of-service', 'Terms of service'],
    ['/pages/privacy-police', 'Privacy policy'],
    ['/privacy-police', 'Privacy policy'],
    ['/pages/error-404', 'Page not found'],
    ['/pages/error-500', 'Something went wrong'],
  ] as const
  for (const [path, heading] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading }).first(), path).toBeVisible()
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
    await expect(page.locator('#overlay'), path).toBeHidden()
    await expect(page, path).toHaveTitle(`${heading} · Arus`)
  }
  await page.goto('/auth/callback')
  await expect(page, '"Callback failure goes to /.", which is the sign-in page for somebody who is not signed in').toHaveURL(/\/pages\/login$/)
})

test('"Any unknown path redirects to /pages/error-404." and "A user who is not authenticated is sent to /pages/login", in an address or by a link', async ({ page }) => {
  for (const path of ['/no/such/page', '/sales-order-list//', '/%', '/nothing.html']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/pages\/error-404$/)
  }
  for (const path of ['/', '/home', '/sales-order-list', '/setting/user/edit/1', '/profile']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/pages\/login$/)
    await expect(page.getByLabel('E-mail')).toBeVisible()
  }
})

test('"Signed-in users who visit forgot-password or reset-password go to /home." with "Warning: You are already logged in!."', async ({ page }) => {
  await signIn(page, 'sales')
  for (const path of ['/pages/forgot-password', `/pages/reset-password/${'x'.repeat(43)}`, '/pages/login']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/home$/)
    expect(await toastWith(page, 'You are already logged in!'), path).toMatchObject({ tone: 'warning' })
  }
})

test('"Login failure: a danger toast titled Error with the server message (3.5 s). Network failure during login: a toast with the error message (2.5 s)." and "Login success toast: Login Berhasil."', async ({ page }) => {
  await page.goto('/pages/login')
  await fillSignIn(page, 'sales@arus.example', 'wrong-1')
  expect(await toastWith(page, 'The e-mail or the password is not right.')).toEqual({ title: 'Error', lasts: 3500, tone: 'error', isTopRight: true })
  await page.route('**/api/v1/login', (route) => route.abort())
  await fillSignIn(page, 'sales@arus.example', 'Arus-demo-1')
  expect(await toastWith(page, 'The server cannot be reached')).toMatchObject({ lasts: 2500, tone: 'error' })
  await page.unroute('**/api/v1/login')
  await fillSignIn(page, 'sales@arus.example', 'Arus-demo-1')
  expect(await toastWith(page, 'Login Berhasil')).toMatchObject({ lasts: 3500, tone: 'success' })
})

test('"Reset password success toast: Request Reset Password Successfully. Failure: a toast with the message."', async ({ page }) => {
  const reset = '**/api/account/v1/auth/reset-password'
  await page.goto('/pages/forgot-password')
  await page.getByLabel('E-mail').fill('nobody@arus.example')
  await page.route(reset, (route) => route.fulfill(refused(503, 'SERVICE_UNAVAILABLE', 'Mail is being moved to another house.')))
  await page.getByRole('button', { name: 'Send mail' }).click()
  expect(await toastWith(page, 'Mail is being moved to another house.')).toMatchObject({ tone: 'error', lasts: 2500 })
  await page.unroute(reset)
  await page.getByRole('button', { name: 'Send mail' }).click()
  expect(await toastWith(page, 'Request Reset Password Successfully')).toMatchObject({ tone: 'success', lasts: 3500 })
})

test('"Profile, menu and permissions are loaded once per session and cached. Logging out clears them and resets the customer lists and selection to the All default."', async ({ page }) => {
  const asked = new Map<string, number>()
  const sent: Readonly<Record<string, string>>[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    if (pathname.startsWith('/api/')) sent.push({ ...request.headers(), of: `${request.method()} ${pathname}`, at: String(Date.now()) })
  })
  const counts = () => ['/api/v1/setting/user-personal', '/api/v1/menu', '/api/v1/permission'].map((path) => asked.get(path) ?? 0)
  await signInByHand(page, 'sales')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  for (const name of ['Sales orders', 'Order to billing', 'Home']) {
    await menu.getByRole('searchbox').fill(name)
    await menu.getByRole('link', { name, exact: true }).click()
    await settled(page)
  }
  expect(counts()).toEqual([1, 1, 1])
  await menu.getByRole('searchbox').fill('New order')
  await menu.getByRole('link', { name: 'New order', exact: true }).click()
  await page.getByLabel('PO number').first().fill('PO-77')
  const signOut = async () => {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signOut()
  // What was typed goes with the session: that is asked first.
  const question = page.getByRole('dialog', { name: 'Sign out and lose what is not saved?' })
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/pages\/login$/)
  expect(await page.evaluate(() => [localStorage, sessionStorage].flatMap((kept) => Object.keys(kept)).filter((key) => !/^(theme|density|language|device-id|menu-collapsed|menu-groups|page-size|layouts|grid:.*)$/.test(key)))).toEqual([])
  await signInByHand(page, 'cashier')
  expect(counts()).toEqual([2, 2, 2])
  await expect(menu.getByRole('link', { name: 'Sales orders', exact: true }), 'of the one before').toHaveCount(0)

  // "Every request carries these headers", as it leaves the browser.
  expect(sent.length).toBeGreaterThan(15)
  for (const { of: what, at, ...all } of sent) {
    expect(all, what).toMatchObject({
      'content-type': what === 'POST /api/v1/login' ? expect.stringMatching(/^multipart\/form-data; boundary=/) : 'application/json',
      'x-app-id': 'arus', 'x-app-name': 'oms', 'x-platform': 'web', 'x-app-version': expect.stringMatching(/^\d+\.\d+\.\d+/), 'x-timezone': expect.stringMatching(/^\w+/), 'x-device-id': sent[0]?.['x-device-id'],
    })
    expect(Math.abs(Date.parse(all['x-timestamp'] ?? '') - Number(at)), what).toBeLessThan(60_000)
  }
  const bare = sent.filter((all) => all['authorization'] === undefined).map((all) => all['of'])
  expect([...new Set(bare)].sort()).toEqual(['GET /api/v1/auth/providers', 'POST /api/v1/login'])
})

test('"When the route changes (except on the change-password route) and the user\'s is_show_tos flag is set, a popup opens. It shows the terms text, an agree checkbox and a Submit button. Submit sends the agreement and the page reloads after 2 seconds."', async ({ page, request }) => {
  const person = await addPerson(request, 'agreeing')
  await page.goto('/pages/login')
  await fillSignIn(page, person.email, person.password)
  const terms = page.getByRole('dialog', { name: 'Terms of service' })
  await expect(terms).toBeVisible()
  await page.goto('/profile/change-password')
  await expect(page.getByLabel('Present password')).toBeVisible()
  await settled(page)
  await expect(terms).toHaveCount(0)
  await page.goto('/home')
  await expect(terms.getByRole('region')).toContainText('ISO/IEC 27001')
  await expect(terms.getByRole('button', { name: 'Submit' })).toBeDisabled()
  await terms.getByRole('checkbox').check()
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/setting/tos') && answer.request().method() === 'PUT')
  const loaded = page.waitForEvent('load')
  await terms.getByRole('button', { name: 'Submit' }).click()
  expect((await sent).status()).toBe(200)
  const agreed = Date.now()
  await loaded
  expect(Date.now() - agreed).toBeGreaterThan(1_500)
  await expect(terms).toHaveCount(0)
})

test('"Theme choices: dark, semi-dark and default.", "Default theme light, primary color #7367F0.", "Stored language default en. The product ships en and cn placeholder messages."', async ({ page }) => {
  await signIn(page, 'sales')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand').trim().toLowerCase())).toBe('#7367f0')
  await page.getByRole('button', { name: 'Theme' }).click()
  for (const [label, theme] of [['Semi-dark', 'semi-dark'], ['Dark', 'dark'], ['Light', 'default']] as const) {
    if (theme !== 'semi-dark') await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: label, exact: true }).click()
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(theme)
  }
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '中文' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh')
  await expect(page.getByRole('navigation', { name: '菜单' })).toBeVisible()
})

test('"Data table: a page-size selector, a Search box, sortable column headers, a \'start - end of total\' counter and pagination." "Also a card, a breadcrumb, a list and an icon widget."', async ({ page }) => {
  await signIn(page, 'admin', '/master/customers')
  const size = page.getByRole('combobox', { name: 'Rows per page' })
  await expect(size.locator('option')).toHaveText(['5', '10', '25', '50', '100'])
  await expect(size).toHaveValue('5')
  await expect(page.getByRole('searchbox', { name: /search/i }).last()).toBeVisible()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(5)
  const counter = page.getByText(/^1 - 5 of \d+$/)
  await expect(counter).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^6 - 10 of \d+$/)).toBeVisible()
  const head = page.locator('thead th[aria-sort]').first()
  await head.getByRole('button').first().click()
  await expect(head).toHaveAttribute('aria-sort', /ascending|descending/)
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('Customers')
  await page.goto('/profile')
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('list', { name: 'Sessions' }).getByRole('listitem').first()).toBeVisible()
  await page.goto('/home')
  for (const name of ['Waiting for me', 'My pages', 'Visited last']) await expect(page.getByRole('region', { name: name }).getByRole('heading').locator('svg').first(), name).toBeVisible()
})

test("Default table page size: 5. Main table limits: 5, 10, 25, 50, 100. Other tables add 250, 1000 and All.", async ({ page }) => {
  await signIn(page, 'admin', '/report/ar-aging')
  const size = page.getByRole('combobox', { name: 'Rows per page' })
  await expect(size).toHaveValue('5')
  await expect(size.locator('option')).toHaveText(['5', '10', '25', '50', '100', '250', '1000', 'All'])
  await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible()
  await size.selectOption('10')
  await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible()
  // What was chosen last holds for the other tables.
  await page.goto('/master/customers')
  await expect(size).toHaveValue('10')
  await expect(size.locator('option')).toHaveText(['5', '10', '25', '50', '100'])
  await page.goto('/report/fbl5n')
  await expect(size).toHaveValue('10')
})

import type { Locator } from '@playwright/test'
import { Api, expect, nextAsksForRows, signIn, signInAs, signInByHand, test } from './support.ts'

test('signing in: refusals say why, success greets and opens home', async ({ page }) => {
  await page.goto('/setting/user')
  await expect(page).toHaveURL(/\/pages\/login$/)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible()
  await page.getByLabel('E-mail').fill('sales@arus.example')
  await page.getByLabel('Password', { exact: true }).fill('wrong-1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Login Berhasil')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  // The keyboard goes on at the page, not in the middle of the menu.
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeFocused()
  const cookies = await page.context().cookies()
  const days = (name: string) => ((cookies.find((cookie) => cookie.name === name)?.expires ?? 0) - Date.now() / 1000) / 86_400
  for (const name of ['token', 'log_login_id', 'hostname-api']) expect(Math.round(days(name)), name).toBe(7)

  await page.goto('/pages/login')
  await expect(page.getByText('You are already logged in!')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/pages\/login$/)
  await page.goto('/home')
  await expect(page).toHaveURL(/\/pages\/login$/)
})

test('a page names the files it will need, and the large ones are compiled while they arrive', async ({ page }) => {
  await signIn(page, 'sales')
  const { request } = page
  const answer = await request.get('/sales-order-list')
  const named = [...(answer.headers()['link'] ?? '').matchAll(/<([^>]+\.js)>; rel=modulepreload/g)].map(([, file]) => `${file}`)
  const large = (await Promise.all(named.map(async (file) => ({ file, text: await (await request.get(file)).text() })))).filter(({ text }) => text.length > 20_000)
  expect(large.map(({ file }) => /\/(\w+)-[^/]*$/.exec(file)?.[1]).toSorted()).toEqual(['base', 'shell', 'table'])
  for (const { file, text } of large) expect(text.startsWith('//# allFunctionsCalledOnLoad\n'), file).toBe(true)

  // Every style is there before a script asks for it: none is put into the head, and waited for, afterwards.
  const html = await answer.text()
  const sent = [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, file]) => `${file}`)
  expect(sent.map((file) => /\/(\w+)-[^/]*$/.exec(file)?.[1])).toEqual(['base', 'shell', 'table'])
  await page.goto('/sales-order-list?n=5')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  const used = await page.evaluate(() => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => new URL(href).pathname))
  expect(used.slice(0, sent.length)).toEqual(sent)
  expect(new Set(used).size).toBe(used.length)
})

test('paths: unknown, unserved and not in the menu all lead to the not-found page', async ({ page }) => {
  await signIn(page, 'cashier')
  for (const path of ['/no-such-page', '/reservation', '/setting/user']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/pages\/error-404$/)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
})

test('a session that ended elsewhere leads back to the sign-in page', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await page.context().addCookies([{ name: 'token', value: 'x'.repeat(43), url: page.url() }])
  // What the page asks by itself may have led there before.
  await page.getByRole('button', { name: 'Reload' }).click({ timeout: 5_000 }).catch(() => undefined)
  await expect(page).toHaveURL(/\/pages\/login$/)
})

test('menu, palette, theme, language, starred page', async ({ page }) => {
  await signIn(page, 'sales')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('searchbox').fill('order to')
  await expect(menu.getByRole('link', { name: 'Sales orders' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'Order to billing' }).click()
  await expect(page).toHaveURL(/\/report\/so-do-gi-bill$/)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Go to …' })).toBeFocused()
  await page.keyboard.type('sales ord')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sales-order-list$/)
  await expect(menu.getByRole('link', { name: 'Sales orders' })).toHaveAttribute('aria-current', 'page')

  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await page.evaluate(() => localStorage.setItem('language', 'en'))
  await page.reload()

  await page.getByRole('button', { name: 'Keep on my home page' }).click()
  await expect(page.getByRole('button', { name: 'Take off my home page' })).toBeVisible()
  await page.goto('/home')
  await expect(page.getByRole('main').getByRole('link', { name: 'Sales orders' }).first()).toBeVisible()
  await page.goto('/sales-order-list')
  await page.getByRole('button', { name: 'Take off my home page' }).click()
  await expect(page.getByRole('button', { name: 'Keep on my home page' })).toBeVisible()
})

test('a server error leads to its page', async ({ page }) => {
  await signIn(page, 'sales')
  await page.route('**/api/v1/data/sales-order?*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ code: 500, status: 'INTERNAL', message: 'Something went wrong', data: { hostname: 'x' } }) }),
  )
  await nextAsksForRows(page)
  await page.goto('/sales-order-list')
  await expect(page).toHaveURL(/\/pages\/error-500$/)
})

test('what waits for me stands on the home page with its number', async ({ page, request }) => {
  const api = await Api.as(request, 'credit')
  const waiting = (await api.get('/api/v1/approval/mine'))['records'] as readonly { readonly DocType: string; readonly Count: number }[]
  const mine = waiting.filter(({ DocType }) => DocType === 'sales_order')
  await signIn(page, 'credit')
  const link = page.getByRole('main').getByRole('link', { name: new RegExp(`Sales order ${mine[0]?.Count}`) })
  await link.click()
  await expect(page).toHaveURL(/\/approval\/sales-order\?mine=1$/)
  await expect(page.getByRole('button', { name: `My turn ${mine[0]?.Count}` })).toHaveAttribute('aria-pressed', 'true')
})

test('a page outside the menu names the window after itself, never after home', async ({ page }) => {
  for (const [path, name] of [['/pages/change-log', 'Change log'], ['/version', 'Version'], ['/term-of-service', 'Terms of service'], ['/pages/error-404', 'Page not found'], ['/pages/login', 'Sign in']] as const) {
    await page.goto(path)
    await expect(page, path).toHaveTitle(`${name} · Arus`)
  }
  await signIn(page, 'sales', '/sales-order-form/abc')
  await expect(page).toHaveTitle('Page not found · Arus')
  await page.getByRole('link', { name: /home/i }).click()
  await expect(page).toHaveTitle('Home · Arus')
})

test('the greeting stands below the heading with its actions and the bar of the page', async ({ page }) => {
  for (const [width, height] of [[1440, 900], [390, 844]] as const) {
    await page.setViewportSize({ width, height })
    await page.context().clearCookies()
    await signInByHand(page, 'sales')
    const toast = page.locator('.Toastify__toast')
    await expect(toast).toBeVisible()
    await expect(page.locator('main h1')).toBeVisible()
    // It slides in.
    await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
    const [notice, heading] = [await toast.boundingBox(), await page.locator('main h1').boundingBox()]
    expect(notice?.y ?? 0, `upper edge at ${width}`).toBeGreaterThanOrEqual((heading?.y ?? 0) + (heading?.height ?? 0))
  }
})

test('where the system gives all colours the chosen tab, card, step, preset, page of the menu and the deed that goes on are told apart', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const shades = (places: Locator) => places.evaluateAll((all) => all.map((one) => `${getComputedStyle(one).backgroundColor} ${getComputedStyle(one).color}`))
  /** The one that is chosen looks like none of the others. */
  const standsOut = async (chosen: Locator, others: Locator, what: string) => {
    await expect(chosen.first(), what).toBeVisible()
    await expect(others.first(), what).toBeVisible()
    const [look] = await shades(chosen.first())
    expect(await shades(others), what).not.toContain(look)
    const [background, text] = String(look).split(/ (?=rgb)/)
    expect(text, what).not.toBe(background)
  }
  await signIn(page, 'credit', '/approval/sales-order')
  const cards = page.locator('main').getByRole('listitem')
  await standsOut(page.getByRole('tab', { selected: true }), page.getByRole('tab', { selected: false }), 'tab')
  await standsOut(cards.locator('button[aria-current=true]'), cards.locator('button:not([aria-current])'), 'card')
  await standsOut(page.locator('li[aria-current=step]'), page.locator('ol > li:not([aria-current])'), 'state')
  await standsOut(page.locator('nav a[aria-current=page]'), page.locator('nav a:not([aria-current])'), 'page of the menu')
  await signInAs(page, 'admin', '/import/master')
  await standsOut(page.locator('button[aria-current=step]'), page.locator('ol button:not([aria-current])'), 'step')
  await page.goto('/master/customers')
  const presets = page.getByRole('group', { name: 'Views' })
  await standsOut(presets.locator('[aria-pressed=true]'), presets.locator('[aria-pressed=false]'), 'preset')
  await standsOut(page.getByRole('button', { name: 'New', exact: true }), page.getByRole('button', { name: 'Import', exact: true }), 'the deed that goes on')
})

test('"As the system has it": the page is dark where the system is, until somebody chooses, and again once that is taken back', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const html = page.locator('html')
  await signIn(page, 'sales')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Light', exact: true }).click()
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.goto('/profile/edit')
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await theme.selectOption('Dark')
  await theme.selectOption('As the system has it (light or dark)')
  await page.getByRole('button', { name: 'Save', exact: false }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('a layer that closes while nothing in it has the keyboard any more gives it back to what opened it', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  const loseFocus = () => page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  const layer = page.locator('[popover]:popover-open')
  for (const opener of [page.getByRole('button', { name: 'Columns' }), page.getByRole('button', { name: 'Actions' }).first(), page.getByRole('button', { name: 'Theme' })]) {
    await opener.click()
    await expect(layer.first()).toBeVisible()
    await loseFocus()
    await page.keyboard.press('Escape')
    await expect(layer).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
})

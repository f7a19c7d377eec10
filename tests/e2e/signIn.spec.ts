import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { addPerson, Api, expect, expectAccessible, firstPassword, signIn, test, type Person } from './support.ts'

/** Data folder of the server under test: without a mail server its mail is there. */
const outbox = path.join(process.env['E2E_DATA'] ?? 'data', 'outbox')

const chosen = 'Chosen-word-22'

async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function agree(page: Page): Promise<void> {
  const terms = page.getByRole('dialog', { name: 'Terms of service' })
  await expect(terms.getByText('ISO/IEC 27001')).toBeAttached()
  await expect(terms.getByRole('button', { name: 'Submit' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await terms.getByRole('checkbox').check()
  const reloaded = page.waitForEvent('load')
  await terms.getByRole('button', { name: 'Submit' }).click()
  await reloaded
  await expect(terms).toHaveCount(0)
}

/** Code of the newest mail to somebody: this server has not been told its address, so that it sends no link. */
async function codeFor(email: string): Promise<string> {
  let code: string | undefined
  await expect.poll(() => {
    const files = fs.existsSync(outbox) ? fs.readdirSync(outbox).sort().reverse() : []
    const mail = files.map((file) => fs.readFileSync(path.join(outbox, file), 'utf8')).find((text) => text.includes(email))
    code = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/m.exec(mail?.replaceAll('\r', '') ?? '')?.[0]
    return code
  }).toBeDefined()
  return code ?? ''
}

test('wrong password, lock told with its minutes, a new password by mail, and in', async ({ page, request }) => {
  const person = await addPerson(request, 'forgetful')
  await page.goto('/pages/login')
  for (let i = 0; i < 5; i++) {
    const answered = page.waitForResponse('**/api/v1/login')
    await fillSignIn(page, { ...person, password: 'wrong-1' })
    await answered
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  }
  await expect(page.getByText('Error', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Too many failed sign-ins. Try again in 15 minutes.')).toBeVisible()
  await expect(page.locator('#overlay')).toBeHidden()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/pages\/forgot-password$/)
  await page.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByText('Enter your e-mail address.', { exact: true })).toBeVisible()
  await page.getByLabel('E-mail').fill(person.email)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByText('Request Reset Password Successfully')).toBeVisible()

  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Enter the code from the mail.')).toBeVisible()
  await expectAccessible(page)
  const code = await codeFor(person.email)
  await page.getByLabel('Code from the mail').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  const link = `/pages/reset-password/${code}`
  await expect(page).toHaveURL(link.toLowerCase())
  await page.getByLabel('New password', { exact: true }).fill('short')
  await expect(page.getByText('Strength: weak')).toBeVisible()
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('The password does not meet the rules below yet.')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(firstPassword)
  await page.getByLabel('New password again').fill(firstPassword)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('one of your last three passwords')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('The two passwords differ.')).toBeVisible()
  await page.getByLabel('New password again').fill(chosen)
  await page.getByRole('button', { name: 'Set password' }).click()

  await expect(page).toHaveURL(/\/pages\/login$/)
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await fillSignIn(page, { ...person, password: chosen })
  await expect(page.getByText('Login Berhasil')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto(link)
  await expect(page.getByText('You are already logged in!')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByText('This link or code is wrong, was used already')).toBeVisible()
})

test('a first sign-in: terms, password alert, change of password, profile, sessions, sign-out', async ({ page, request }) => {
  const person = await addPerson(request, 'newcomer')
  await page.goto('/pages/login')
  await fillSignIn(page, person)
  await expect(page).toHaveURL(/\/home$/)
  await agree(page)

  const alert = page.getByRole('dialog', { name: 'Change Password' })
  await expect(alert).toContainText('Please change your password for Arus')
  await page.keyboard.press('Escape')
  await expect(alert).toBeVisible()
  await expectAccessible(page)
  for (const elsewhere of ['/report/ar-aging', '/dashboard', '/profile', '/profile/edit']) {
    await page.goto(elsewhere)
    await expect(page, '"forced toward /home"').toHaveURL(/\/home$/)
    await expect(alert, elsewhere).toBeVisible()
  }
  await alert.getByRole('button', { name: 'Change Password' }).click()
  await expect(page).toHaveURL(/\/profile\/change-password$/)
  await expect(alert).toHaveCount(0)

  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Enter your present password.')).toBeVisible()
  await page.getByLabel('Present password').fill('wrong-1')
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('New password again').fill(chosen)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await page.getByLabel('Present password').fill(person.password)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('Your password is changed.')).toBeVisible()

  for (let i = 0; i < 3; i++) await request.post('/api/v1/login', { multipart: { email: person.email, password: chosen, user_agent: `Firefox/13${i}.0 Linux` } })
  await page.reload()
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(4)
  await expect(sessions.getByRole('listitem').first()).toContainText('This one')
  await expectAccessible(page)
  await sessions.getByRole('button', { name: 'End the session Firefox 130 on Linux' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)

  await page.getByRole('link', { name: 'Edit profile' }).click()
  await page.getByLabel('Name').fill('Dewi Lama')
  await page.getByLabel('Dates').selectOption('YYYY-MM-DD')
  await page.getByLabel('Language', { exact: true }).last().selectOption('id')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Dewi Lama' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await expect(page.getByText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/).first()).toBeVisible()

  await page.getByRole('button', { name: /^Akun/ }).click()
  await page.getByRole('menuitem', { name: 'Keluar' }).click()
  await expect(page).toHaveURL(/\/pages\/login$/)
  expect((await page.context().cookies()).filter((cookie) => cookie.name === 'token')).toEqual([])
})

test('a session ended elsewhere says so; one about to end can be kept', async ({ page, request }) => {
  await page.clock.install()
  await signIn(page, 'analyst')
  await page.clock.fastForward((7 * 24 * 60 - 10) * 60_000)
  const bar = page.getByText(/^Your session ends at \d\d:\d\d/)
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stay signed in' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong-1')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The e-mail or the password is not right.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You stay signed in for seven more days.')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const analyst = await Api.as(request, 'analyst')
  await page.goto('/profile')
  await expect(page.getByRole('region', { name: 'Sessions' })).toBeVisible()
  await analyst.delete('/api/v1/profile/sessions')
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/pages\/login$/)
  await expect(page.getByText('Your session was ended from another device')).toBeVisible()
  // Whoever sat here comes back to where he was, also after loading a page anew; somebody else does not.
  await fillSignIn(page, { email: 'analyst@arus.example', password: 'Arus-demo-1' })
  await expect(page).toHaveURL(/\/profile$/)
})

test('single sign-on: a button only where there is a provider, and a failure leads to / with a word about it', async ({ page }) => {
  await page.goto('/pages/login')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Sign in with/ })).toHaveCount(0)
  await page.route('**/api/v1/auth/providers', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 200, status: 'success', message: 'OK', data: { records: [{ name: 'Example', url: '/api/v1/auth/start' }], hostname: 'x' } }) }),
  )
  await page.reload()
  await expect(page.getByRole('link', { name: 'Sign in with Example' })).toHaveAttribute('href', '/api/v1/auth/start')
  await page.goto('/auth/callback?code=invented&state=x')
  await expect(page).toHaveURL(/\/pages\/login$/)
  await expect(page.getByText('The sign-in with the other account did not succeed.')).toBeVisible()
})

test('pages for anybody, in three languages', async ({ page }) => {
  const pages = [
    ['/term-of-service', 'Terms of service', 'ISO/IEC 27001'],
    ['/pages/privacy-police', 'Privacy policy', 'Law No. 27 of 2022'],
    ['/privacy-police', 'Privacy policy', 'Law No. 27 of 2022'],
    ['/pages/change-log', 'Change log', 'Version 0.1.0'],
    ['/version', 'Version', 'Migration number'],
  ] as const
  for (const [address, heading, text] of pages) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(page.getByText(text).first()).toBeVisible()
    await expectAccessible(page)
  }
  await page.goto('/term-of-service')
  await page.getByLabel('Language').selectOption('cn')
  await expect(page.getByRole('heading', { name: '服务条款', level: 1 })).toBeVisible()
  await page.goto('/pages/login')
  await page.getByLabel('语言').selectOption('id')
  await expect(page.getByRole('heading', { name: 'Masuk', level: 1 })).toBeVisible()
})

test('the notice before a session ends is within reach over the foot of a form', async ({ page }) => {
  await page.clock.install()
  await signIn(page, 'sales', '/sales-order-form')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  await page.clock.fastForward((7 * 24 * 60 - 10) * 60_000)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page.getByRole('dialog', { name: 'Stay signed in' })).toBeVisible()
})

test('a browser that stores nothing is no hindrance: choices hold as long as the page', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get: () => { throw new DOMException('The operation is insecure.', 'SecurityError') } })
    }
  })
  await signIn(page, 'sales')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('searchbox').fill('Sales orders')
  await menu.getByRole('link', { name: 'Sales orders', exact: true }).click()
  const rows = page.locator('tbody tr[data-row]')
  await expect(rows).toHaveCount(5)
  await page.getByLabel('Rows per page').selectOption('25')
  await expect(rows).toHaveCount(25)
  await rows.first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/sales-order-list\/\d+$/)
  await page.goBack()
  await expect(rows).toHaveCount(25)
})

test('signing in leaves the form to be seen, greets where nothing is covered, and takes keys typed before the box was there', async ({ page }) => {
  await page.route(/signIn[-.]/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  const asked = page.waitForRequest(/signIn[-.]/)
  await page.goto('/pages/login', { waitUntil: 'commit' })
  await asked
  await page.keyboard.type('sales@arus.example')
  await expect(page.getByLabel('E-mail')).toHaveValue('sales@arus.example')
  await page.getByLabel('Password', { exact: true }).fill('Arus-demo-1')
  let on = (): void => undefined
  const held = new Promise<void>((resolve) => (on = resolve))
  await page.route('**/api/v1/login', async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('Enter')
  const overlay = page.locator('#overlay')
  await expect(overlay).toBeVisible()
  expect(await overlay.evaluate((one) => getComputedStyle(one).backgroundColor)).toMatch(/ 0\.4\)$/)
  on()
  const toast = page.locator('.Toastify__toast').filter({ hasText: 'Login Berhasil' })
  await expect(toast).toBeVisible()
  // It slides in from below.
  await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  // Whatever of the page lies under it can be pressed.
  const { x, y, width, height } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  expect(y).toBeGreaterThan(450)
  expect(await page.evaluate(([left, top]) => document.elementFromPoint(left ?? 0, top ?? 0)?.closest('.Toastify__toast') === null, [x + width / 2, y + height / 2])).toBe(true)
})

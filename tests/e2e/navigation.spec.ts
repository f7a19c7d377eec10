import type { Page } from '@playwright/test'
import { Api, expect, expectAccessible, follow, settled, signIn, signInByHand, test } from './support.ts'

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const inMain = (page: Page) => page.getByRole('main')

test('the side menu by keyboard alone: arrows, Home, End, letters, groups, search, Escape', async ({ page }) => {
  await signIn(page, 'admin')
  const menu = menuOf(page)
  // A long menu begins with its groups closed.
  for (const name of ['Sales', 'Books', 'Billing']) {
    const group = menu.getByRole('button', { name, exact: true })
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
  }
  await menu.getByRole('link', { name: 'Home' }).last().focus()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  const sales = menu.getByRole('button', { name: 'Sales', exact: true })
  await expect(sales).toBeFocused()
  await expect(sales).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowLeft')
  await expect(sales).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(sales).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(menu.getByRole('link', { name: 'New order' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(sales).toBeFocused()
  await page.keyboard.type('accounting')
  await expect(menu.getByRole('link', { name: 'Accounting periods' })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(menu.getByRole('link', { name: 'Home' }).last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(menu.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('aging')
  await expect(menu.getByRole('link', { name: 'AR aging', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu.getByRole('searchbox')).toHaveValue('')
  await page.keyboard.type('aging')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/report\/ar-aging$/)
  await expect(menu.getByRole('link', { name: 'AR aging', exact: true })).toHaveAttribute('aria-current', 'page')
  // The keyboard goes on in the page, not in the menu.
  await expect(inMain(page).getByRole('heading', { level: 1 })).toBeFocused()

  // What was closed stays closed, and the current page's group is open again after a reload.
  await menu.getByRole('button', { name: 'Billing', exact: true }).click()
  await page.reload()
  await expect(menu.getByRole('button', { name: 'Billing', exact: true })).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveTitle('AR aging · Arus')
})

test('the side menu follows the page: by link, by address, back and forward, and into the form of a list', async ({ page, request }) => {
  const [customer] = await (await Api.as(request, 'admin')).rows('customer', { filter: { is_active: true }, columns: 'code', length: 1 })
  await signIn(page, 'admin')
  const menu = menuOf(page)
  const isOn = async (name: string, group: string) => {
    await expect(inMain(page).getByRole('heading', { level: 1 })).toBeVisible()
    await expect(menu.locator('[aria-current=page]')).toHaveText([name])
    await expect(menu.getByRole('button', { name: group, exact: true })).toHaveAttribute('aria-expanded', 'true')
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  }
  await follow(page, '/master/customers')
  await isOn('Customers', 'Customers')
  await follow(page, `/master/customers/edit/${Number(customer?.['ID'])}`)
  await expect(inMain(page).getByRole('heading', { level: 1 })).toContainText(String(customer?.['Code']))
  await isOn('Customers', 'Customers')
  await menu.getByRole('searchbox').fill('aging')
  await page.keyboard.press('Enter')
  await isOn('AR aging', 'Receivable reports')
  await page.goBack()
  await isOn('Customers', 'Customers')
  await page.goForward()
  await isOn('AR aging', 'Receivable reports')
})

test('what is typed into the search of the menu the moment a page is there stays; Enter without anything typed leads nowhere', async ({ page }) => {
  await signIn(page, 'admin', '/master/sku-view')
  const box = menuOf(page).getByRole('searchbox')
  await expect(menuOf(page).locator('[aria-current=page]')).toHaveText('SKU view')
  await box.focus()
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(page).toHaveURL(/sku-view$/)
  await box.evaluate((input: HTMLInputElement) => {
    new MutationObserver((_, observer) => {
      observer.disconnect()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'aging')
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }).observe(input.closest('nav') ?? input, { subtree: true, childList: true, attributeFilter: ['aria-current'] })
  })
  await follow(page, '/master/customers')
  await expect(page).toHaveURL(/\/master\/customers$/)
  await settled(page)
  await expect(box).toHaveValue('aging')
  await box.press('Enter')
  await expect(page).toHaveURL(/ar-aging/)
  await expect(box).toHaveValue('')
})

test('a heading drawn anew while its page arrives has the keyboard like the first', async ({ page }) => {
  await signIn(page, 'admin')
  const menu = menuOf(page)
  await menu.getByRole('searchbox').fill('aging')
  await page.keyboard.press('Enter')
  const heading = inMain(page).getByRole('heading', { level: 1, name: 'AR aging', exact: true })
  await expect(heading).toBeFocused()
  await heading.evaluate((first) => first.replaceWith(first.cloneNode(true)))
  await expect(heading).toBeFocused()
})

test('the palette keeps the keyboard while other parts of the program still arrive', async ({ page }) => {
  let isThere = false
  await page.route(/\/assets\/Companion-.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue()
    isThere = true
  })
  await signIn(page, 'admin')
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Go to …' })
  await expect(search).toBeFocused()
  await expect.poll(() => isThere).toBe(true)
  await page.keyboard.type('aging')
  await expect(search).toHaveValue('aging')
  await expect(search).toBeFocused()
})

test('the menu as a rail: a group opens beside its icon, Left comes back', async ({ page }) => {
  await signIn(page, 'admin')
  await page.getByRole('button', { name: 'Collapse the menu' }).click()
  const group = menuOf(page).getByRole('button', { name: 'Receivable reports' })
  await group.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('link', { name: 'AR aging', exact: true }).first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  await expect(group).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'AR aging', exact: true }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/report\/ar-aging$/)
  await page.getByRole('button', { name: 'Expand the menu' }).click()
})

test('a layer closed and opened again at once has the keyboard as it had the first time', async ({ page }) => {
  await signIn(page, 'admin')
  await page.getByRole('button', { name: 'Collapse the menu' }).click()
  const group = menuOf(page).getByRole('button', { name: 'Receivable reports' })
  await group.click()
  const first = page.getByRole('link', { name: 'AR aging', exact: true }).first()
  await expect(first).toBeFocused()
  // In one go: the browser tells both as one change.
  await group.evaluate((button) => {
    if (!(button instanceof HTMLButtonElement) || !(button.popoverTargetElement instanceof HTMLElement)) return
    button.popoverTargetElement.hidePopover()
    button.focus()
    button.click()
  })
  await expect(first).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Expand the menu' }).click()
})

test('on a phone the menu is a drawer that keeps the focus until it is left', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByHand(page, 'sales')
  const opener = page.getByRole('button', { name: 'Open the menu' })
  await expect(menuOf(page)).toBeHidden()
  // The greeting leaves the bar free.
  const greeting = page.getByText('Login Berhasil')
  await expect(greeting).toBeVisible()
  await opener.click()
  await expect(menuOf(page)).toBeVisible()
  // Notices can be reached by Tab from anywhere, as long as they stand.
  await expect(greeting).toBeHidden()
  await expectAccessible(page, 'drawer')
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(() => (document.activeElement === document.body || document.activeElement?.closest('nav') != null ? undefined : document.activeElement?.outerHTML))
    expect(outside).toBe(undefined)
  }
  await page.keyboard.press('Escape')
  await expect(menuOf(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await menuOf(page).getByRole('link', { name: 'Sales orders' }).click()
  await expect(page).toHaveURL(/\/sales-order-list$/)
  await expect(menuOf(page)).toBeHidden()
})

test('prices are one entry with a switch of kind and scope, every address behind it', async ({ page }) => {
  await signIn(page, 'admin', '/master/pricing-management/v3/list-price')
  const menu = menuOf(page)
  const variants = page.getByRole('navigation', { name: 'Variants of this screen' })
  await expect(menu.locator('[aria-current=page]')).toHaveText(['Prices and discounts'])
  await variants.getByRole('link', { name: 'Customers and groups' }).click()
  await expect(page).toHaveURL(/\/v2\/list-price$/)
  await variants.getByRole('link', { name: 'Discount sets' }).click()
  await expect(page).toHaveURL(/\/v2\/discount-set$/)
  await expect(menu.locator('[aria-current=page]')).toHaveText(['Prices and discounts'])
  await expect(variants.locator('[aria-current]')).toHaveText(['Discount sets', 'Customers and groups'])
  await expectAccessible(page)
})

test('approvals are one inbox over all kinds that leads to each queue and back', async ({ page, request }) => {
  const mine = (await (await Api.as(request, 'finance')).get('/api/v1/approval/mine')) as { readonly records: readonly { readonly Count: number }[]; readonly requests: readonly { readonly DocCode: string }[] }
  const waiting = mine.records.reduce((sum, { Count }) => sum + Count, 0)
  await signIn(page, 'finance', '/approval')
  await expect(inMain(page).getByRole('heading', { level: 2 })).toHaveText(`Waiting for me (${waiting})`)
  await expect(inMain(page).getByRole('list', { name: /^Waiting for me/ }).getByRole('link')).toHaveText(mine.requests.map(({ DocCode }) => DocCode))
  await expectAccessible(page)
  await inMain(page).getByRole('link', { name: /^Write-off approval/ }).click()
  await expect(page).toHaveURL(/\/finance\/write-off\/approval/)
  await expect(menuOf(page).locator('[aria-current=page]')).toHaveText(['Approvals'])
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Approvals' }).click()
  await expect(page).toHaveURL(/\/approval$/)
})

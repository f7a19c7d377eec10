import type { Page, Request } from '@playwright/test'
import { routes } from '#generated/routes.ts'
import { Api, expect, settled, signIn, test, type Who } from './support.ts'

// Hundreds of pages: a recording of them costs more than the pages.
test.use({ trace: 'off' })

const served = routes.filter((route) => route.screen !== undefined || route.page !== undefined || route.redirect !== undefined)

/** What every page asks for, whichever it is: who is signed in, and what stands around each page. */
const aroundPages = ['/api/v1/setting/user-personal', '/api/v1/menu', '/api/v1/permission', '/api/v1/notifications', '/api/v1/starred-page', '/api/v1/health', '/api/v1/export']

/** Goes there as a link does, without loading the program anew. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    // Of the first entry nothing has been written.
    const index = (history.state as { readonly index: number } | null)?.index ?? 0
    history.pushState({ usr: null, key: to, index: index + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

for (const who of ['cashier', 'warehouse'] satisfies readonly Who[]) {
  test(`"A route missing from the menu goes to the page-error-404 screen": every hidden screen as ${who}, and nothing is asked for it`, async ({ page, request }) => {
    test.setTimeout(300_000)
    const { records } = (await (await Api.as(request, who)).get('/api/v1/menu')) as { readonly records: readonly { readonly name: string; readonly submenu: readonly { readonly url: string }[] }[] }
    const inMenu = new Set(records.flatMap((parent) => parent.submenu.map(({ url }) => `${parent.name} ${url}`)))
    const guarded = served.filter((route) => typeof route.guard === 'object')
    const hidden = guarded.filter(({ guard }) => typeof guard === 'object' && !inMenu.has(`${guard.parent} ${guard.url}`)).map((route) => route.path.replace(/\{\w+\}/g, '1'))
    expect(hidden.length).toBeGreaterThan(5)
    expect(hidden.length).toBeLessThan(guarded.length)

    await signIn(page, who)
    await settled(page, 1_500)
    const asked: string[] = []
    const listen = (sent: Request): void => {
      const { pathname } = new URL(sent.url())
      const isData = pathname.startsWith('/api/') && !aroundPages.some((path) => pathname.startsWith(path))
      if (isData) asked.push(pathname)
    }
    // The not-found page first: its own code and whatever it asks is no matter of the pages that follow.
    await navigate(page, '/no-such-page')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await settled(page, 500)
    page.on('request', listen)
    for (const path of hidden) {
      await navigate(page, path)
      await page.waitForURL('**/pages/error-404')
      expect(asked, path).toEqual([])
    }
    // The same from a link in a mail: the program starts at the hidden page.
    for (const path of hidden.filter((_, i) => i % Math.ceil(hidden.length / 3) === 0)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
      await settled(page)
      expect(asked, path).toEqual([])
    }
    // And without anything remembered of the menu.
    await page.evaluate(() => localStorage.removeItem('menu'))
    await page.goto(hidden[0] ?? '')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await settled(page)
    expect(asked).toEqual([])
  })
}

test('"dashboard, home and change-password are always allowed. The main route goes to /home.": and /change-log, /profile, /profile/edit, for somebody with one screen only', async ({ page }) => {
  await signIn(page, 'analyst')
  for (const path of ['/home', '/dashboard', '/profile', '/profile/edit', '/profile/change-password', '/change-log']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading').first(), path).toBeVisible()
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
    await expect(page.locator('#overlay'), '"After each navigation the initial loading overlay is hidden."').toBeHidden()
  }
  await page.goto('/')
  await expect(page).toHaveURL(/\/home$/)
})

import type { APIRequestContext, Page } from '@playwright/test'
import { routes } from '#generated/routes.ts'
import { expectWhole, looks, prepareScan, wear } from '../support/scan.ts'
import { Api, expect, follow, screenOf, settled, signIn, test } from './support.ts'

/** The `{id}` of a route is a record of its screen's own resource; these mean another, or have no screen. */
const resources: Readonly<Record<string, string>> = {
  '/sales-order-list/print/{id}': 'sales-order',
  '/pages/invoice/{id}': 'invoice',
  '/master/customer-address/{id}': 'customer',
  '/setting/role-menu/edit/{id}': 'role',
  '/finance/account-receivable/payment-received/form/{id}': 'customer',
}

type Part = 'forms' | 'lists' | 'others'

const parts: Readonly<Record<string, Part>> = { form: 'forms', list: 'lists', workbench: 'lists' }

const served = routes.filter((route) => route.screen !== undefined || (route.page !== undefined && route.page !== 'login'))

/** The resource whose records the `{id}` of a route means, if it has one. */
function resourceOf(route: (typeof routes)[number]): string | undefined {
  if (!route.path.includes('{id}')) return undefined
  const known = resources[route.path]
  if (known !== undefined || route.screen === undefined) return known
  return screenOf(route.screen).resource
}

/** So many screens are walked in one test: fewer than its time is enough for, also on a busy machine, and few enough to walk again. */
const screensAtOnce = 60

/**
 * Every screen of one part shows itself, and axe finds nothing serious. Each part is a file of its own, so that the walk can be shared out between
 * the halves of the browser tests. E2E_SCREENS names the only screens wanted.
 */
export function walkThrough(part: Part): void {
  const wanted = process.env['E2E_SCREENS']?.split(',')
  const own = served.filter(({ kind, screen }) => (parts[kind ?? ''] ?? 'others') === part && (wanted === undefined || wanted.includes(screen ?? '')))
  if (wanted === undefined && own.length <= 70) throw new Error(`Only ${own.length} screens are ${part}`)
  const walks = Math.ceil(own.length / screensAtOnce)
  for (let walk = 0; walk < walks; walk++) {
    const walked = own.filter((_, at) => at % walks === walk)
    test(`${walk + 1} of ${walks}`, async ({ page, request }) => {
      test.setTimeout(400_000)
      await walkScreens(walked, page, request)
    })
  }
}

async function walkScreens(own: typeof served, page: Page, request: APIRequestContext): Promise<void> {
  const api = await Api.as(request, 'admin')
  await prepareScan(page)
  await signIn(page, 'admin')
  for (const [nth, route] of own.entries()) {
    const resource = resourceOf(route)
    const [record] = resource === undefined ? [] : await api.rows(resource, { length: 1 })
    // Five rows look like a hundred: a list that reads `n` shows that many.
    const path = `${route.path.replace('{id}', String(record?.['ID'] ?? ''))}?n=5`
    await page.setViewportSize(looks[0])
    await follow(page, path)
    for (const look of looks) {
      await test.step(`${path}, ${look.name}`, async () => {
        await wear(page, look)
        await expect(page.locator('main').first(), path).toBeVisible()
        await (look === looks[0] ? filled(page) : settled(page, 100))
        // Menu and bar are the same around every screen.
        await expectWhole(page, `${path}, ${look.name}`, nth === 0 ? [] : [`nav[aria-label="Menu"]`, 'header:not(main header)'])
      })
    }
  }
}

/** Everything a page asks for when it opens has come. */
async function filled(page: Page): Promise<void> {
  await settled(page)
  // Sums are asked for a moment after their form is there, and fainter until they have come.
  if ((await page.locator('main dl[class*="totals"]').count()) > 0) await settled(page, 600)
}

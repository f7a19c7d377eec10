import { AxeBuilder } from '@axe-core/playwright'
import { routes } from '#generated/routes.ts'
import { Api, expect, settled, signIn, test } from './support.ts'

/** An id for the `{id}` of each route: any record of the screen's own kind. */
const resources: Readonly<Record<string, string>> = {
  '/sales-order-list/{id}': 'sales-order',
  '/sales-order-list/print/{id}': 'sales-order',
  '/pages/invoice/{id}': 'invoice',
  '/master/customers/edit/{id}': 'customer',
  '/master/customer-address/{id}': 'customer',
  '/setting/user/edit/{id}': 'user',
  '/setting/role/edit/{id}': 'role',
  '/setting/role-menu/edit/{id}': 'role',
  '/finance/account-receivable/payment-received/form/{id}': 'customer',
  '/finance/account-receivable/payment-received/edit/{id}': 'payment-received',
}

const served = routes.filter((route) => route.screen !== undefined || (route.page !== undefined && route.page !== 'login'))

const looks = [
  { name: 'light, 1440 wide', theme: 'light', width: 1440, height: 900 },
  { name: 'dark, 390 wide', theme: 'dark', width: 390, height: 844 },
]

// A recording of hundreds of pages costs more than the pages.
test.use({ trace: 'off' })

test('every screen shows itself, and axe finds nothing serious: light and wide, dark and narrow', async ({ page, request }) => {
  test.setTimeout(900_000)
  const api = await Api.as(request, 'admin')
  await signIn(page, 'admin')
  for (const route of served) {
    const resource = resources[route.path]
    const [record] = resource === undefined ? [] : await api.rows(resource, { length: 1 })
    const path = route.path.replace('{id}', String(record?.['ID'] ?? ''))
    await page.setViewportSize(looks[0] ?? { width: 1440, height: 900 })
    await page.goto(path)
    for (const look of looks) {
      await test.step(`${path}, ${look.name}`, async () => {
        await page.setViewportSize({ width: look.width, height: look.height })
        await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), look.theme)
        await expect(page.locator('main').first(), path).toBeVisible()
        await settled(page)
        const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect.soft(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`), `${path}, ${look.name}`).toEqual([])
        // Nothing pushes the page itself sideways; wide tables scroll inside their frame.
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${path}, ${look.name}, is not wider than the window`).toBe(true)
      })
    }
  }
})

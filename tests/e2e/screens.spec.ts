import { AxeBuilder } from '@axe-core/playwright'
import { routes } from '#generated/routes.ts'
import { Api, expect, signIn, test } from './support.ts'

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

for (const look of [
  { name: 'light, 1440 wide', theme: 'default', width: 1440, height: 900 },
  { name: 'dark, 390 wide', theme: 'dark', width: 390, height: 844 },
]) {
  test(`every screen shows itself and axe finds nothing serious: ${look.name}`, async ({ page, request }) => {
    test.setTimeout(600_000)
    const api = await Api.as(request, 'admin')
    await page.setViewportSize({ width: look.width, height: look.height })
    await page.addInitScript((theme) => localStorage.setItem('theme', theme), look.theme)
    await signIn(page, 'admin')
    for (const route of served) {
      const resource = resources[route.path]
      const [record] = resource === undefined ? [] : await api.rows(resource, { length: 1 })
      const path = route.path.replace('{id}', String(record?.['ID'] ?? ''))
      await test.step(path, async () => {
        await page.goto(path)
        await expect(page.locator('main').first()).toBeVisible()
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`), path).toEqual([])
        // Nothing pushes the page itself sideways; wide tables scroll inside their frame.
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${path} is not wider than the window`).toBe(true)
      })
    }
  })
}

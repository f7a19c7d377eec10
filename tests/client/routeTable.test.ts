import { expect, test } from 'vitest'
import { isAllowed } from '#api/menuAccess.ts'
import { isServedPath, matchRoute } from '#client/app/routeTable.ts'
import type { MenuEntry } from '#api/session.ts'

test('a path leads to its screen with the parameters of path and route', () => {
  expect(matchRoute('/sales-order-list')?.route.screen).toBe('sales-order.list')
  expect(matchRoute('/sales-order-list/17/')).toMatchObject({ route: { screen: 'sales-order.detail' }, params: { id: '17' } })
  expect(matchRoute('/setting/user/edit/3')?.params).toEqual({ id: '3', record: '3' })
  expect(matchRoute('/finance/account-receivable/payment-received/form/9')?.params).toMatchObject({ customer_id: '9', record: '' })
})

test('what nothing serves is not found, whatever it looks like', () => {
  const paths = ['/reservations', '/sales-order-list/17/18', '/no-such', '/sales-order-list/', '/../etc/passwd']
  expect(paths.map(isServedPath)).toEqual([false, false, false, true, false])
})

test('a guarded route needs its entry under its own parent', () => {
  const menu: readonly MenuEntry[] = [{ name: 'Sales', url: '', icon: 'cart', order: 1, submenu: [{ name: 'Sales orders', url: '/sales-order-list', icon: '', order: 1, submenu: [] }] }]
  const route = (guard: Parameters<typeof isAllowed>[0]['guard']) => isAllowed(guard === undefined ? {} : { guard }, menu)
  expect(route('always')).toBe(true)
  expect(route({ parent: 'Sales', url: '/sales-order-list' })).toBe(true)
  expect(route({ parent: 'Setting', url: '/sales-order-list' })).toBe(false)
  expect(route({ parent: 'Sales', url: '/billing' })).toBe(false)
})

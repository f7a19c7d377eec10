import { routes } from '#generated/routes.ts'
import { Api, expect, follow, inDays, screenOf, settled, signIn, test } from './support.ts'

test('whom a rule of the approval matrix asks is chosen, among roles or among users as the kind says; a position is typed', async ({ page }) => {
  await signIn(page, 'admin', '/setting/approval/form')
  await settled(page)
  const kind = page.getByLabel('Approver kind')
  const approver = page.getByRole('combobox', { name: 'Approver', exact: true })
  await approver.fill('finance man')
  await page.getByRole('option', { name: /FIN_MGR/ }).click()
  await expect(approver).toHaveValue(/^FIN_MGR\s+Finance manager$/)
  // What stood there names no user.
  await kind.selectOption('USER')
  await expect(approver).toHaveValue('')
  await approver.fill('finance@')
  await page.getByRole('option', { name: /finance@arus\.example/ }).click()
  await expect(approver).toHaveValue(/^finance@arus\.example\s+\S/)
  await approver.fill('nobody at all')
  await approver.press('Tab')
  await expect(page.locator('[data-field="ApproverRef"]')).toContainText('nobody at all')
  await kind.selectOption('POSITION')
  await expect(approver).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Approver', exact: true })).toHaveValue('')
})

test('a master is created, edited, found, not deleted while it is used, deactivated and deleted', async ({ page }) => {
  await signIn(page, 'admin', '/master/sales-channel')
  await settled(page)
  const code = `CH${Date.now() % 1_000_000}`
  const panel = page.getByRole('dialog')
  const search = page.getByRole('searchbox', { name: 'Search', exact: true })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })

  await page.getByRole('button', { name: /^New/ }).click()
  await panel.getByRole('textbox', { name: 'Code' }).fill(code)
  await panel.getByRole('textbox', { name: 'Name' }).fill('Kiosks')
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await search.fill(code)
  await expect(row('Kiosks')).toHaveCount(1)

  await row('Kiosks').getByText(code).click()
  await expect(panel.getByRole('textbox', { name: 'Name' })).toHaveValue('Kiosks')
  await panel.getByRole('textbox', { name: 'Name' }).fill('Kiosks and stalls')
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await expect(row('Kiosks and stalls')).toHaveCount(1)

  await test.step('one that customers have is not deleted; the refusal says where it is used', async () => {
    await search.fill('General trade')
    await expect(row('General trade')).toHaveCount(1)
    await row('General trade').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('It is in use. Deactivate it instead of deleting it.')).toBeVisible()
    await expect(row('General trade')).toHaveCount(1)
  })

  await test.step('deactivated it leaves the active ones, and comes back', async () => {
    await search.fill(code)
    await expect(row('Kiosks and stalls')).toHaveCount(1)
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await expect(page.getByText(/can no longer be chosen/)).toBeVisible()
    await expect(row('Kiosks and stalls')).toHaveCount(0)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect(row('Kiosks and stalls')).toHaveCount(1)
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await expect(page.getByText(/can be chosen again/)).toBeVisible()
  })

  await test.step('unused it is deleted', async () => {
    await row('Kiosks and stalls').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(row('Kiosks and stalls')).toHaveCount(0)
  })
})

test('what an event would book stays in the list until it is closed; an address without a record starts none', async ({ page }) => {
  await signIn(page, 'admin', '/setting/posting-rule')
  await page.locator('tbody tr[data-row] button').first().click()
  await page.getByRole('menuitem', { name: 'What would this event book?' }).click()
  const answer = page.getByRole('region', { name: /What would this event book/ })
  await expect(answer).toContainText(/books debit .*, credit /)
  await answer.getByRole('button', { name: 'Close' }).click()
  await expect(answer).toBeHidden()
  await page.goto('/master/customers/edit/abc')
  await expect(page.getByText('Not found', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})

test('a receipt in cash goes to the desk the unit names', async ({ page }) => {
  await signIn(page, 'cashier', '/finance/account-receivable/payment-received/create')
  await page.getByLabel(/^Method/).selectOption('CASH')
  await expect(page.getByRole('combobox', { name: /Cash account/ })).toHaveValue(/^KAS-JKT/)
})

test('taking off what is used leads to where it is used', async ({ page }) => {
  await signIn(page, 'admin', '/master/payment-term')
  await page.locator('tbody tr[data-row]').filter({ hasText: 'COD' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('checkbox', { name: 'Active' }).uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  const link = page.getByRole('dialog', { name: 'Please check' }).getByRole('link', { name: /^Customer \(\d+\)$/ })
  await expect(link).toHaveAttribute('target', '_blank')
  const [beside] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(beside).toHaveURL(/\/master\/customers\?.*payment_term_id/)
  await beside.close()
})

test('a record opened by its address is saved and left at once; a value of behaviour is chosen in its words and stands so in the history', async ({ page }) => {
  await signIn(page, 'admin', '/setting/setting-oms')
  await settled(page)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('backorder')
  const row = page.locator('tbody tr[data-row]').filter({ hasText: 'backorder' })
  const panel = page.getByRole('dialog')
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  const change = async (from: string, to: string) => {
    await expect(row).toContainText(from)
    await row.click()
    await settled(page)
    await panel.getByLabel('Value').selectOption({ label: to })
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await settled(page)
    await expect(panel).toHaveCount(0)
    await expect(page).not.toHaveURL(/edit=/)
    await expect(row).toContainText(to)
  }
  await change('Kept as a backorder', 'Cut from the order')
  await change('Cut from the order', 'Kept as a backorder')
  await row.click()
  await panel.getByRole('button', { name: 'History' }).click()
  await expect(page.getByText('Cut from the order → Kept as a backorder').first()).toBeVisible()
})

test('closing a module says what stands in the way, the period called by its month and module', async ({ page }) => {
  // The month that runs: one that has not begun is not closed whatever stands in its way.
  const [year, of] = inDays(0).split('-')
  const month = `${of}/${year}`
  await signIn(page, 'finance', `/master/accounting-period?v=none&f.period=eq%3A%22${year}${of}%22&f.module=eq%3A%22GL%22&view=standard`)
  await expect(page.getByText(`Period: ${month}`)).toBeVisible()
  await page.locator('tbody tr[data-row]').first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(`For ${month} General ledger.`)
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  const told = page.getByRole('region', { name: 'Results of Close' })
  await expect(told.getByRole('rowheader')).toHaveText(`${month} General ledger`)
  await expect(told).toContainText(`General ledger ${month} cannot be closed yet.`)
  await expect(told.getByRole('listitem').filter({ hasText: 'Sales is still open' })).toHaveCount(1)
})

test('months of a list are filtered as they are read', async ({ page }) => {
  await signIn(page, 'finance', '/master/accounting-period?v=none&view=standard')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Period', exact: true }).first().click()
  await page.getByPlaceholder('MM/YYYY').fill('10/2026')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Period: 10/2026')).toBeVisible()
  await expect(page.locator('tbody tr[data-row]').first()).toContainText('10/2026')
  // What is asked about several of them names them: which modules are closed is what matters.
  await page.locator('tbody tr[data-row]').filter({ hasText: 'Receivables' }).getByRole('checkbox').check()
  await page.locator('tbody tr[data-row]').filter({ hasText: 'Cash and bank' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('10/2026 Receivables, 10/2026 Cash and bank')
})

test('the split of a target says what is missing while it is typed, and agrees again', async ({ page, request }) => {
  // Of which months there are some depends on the day: that of the month before is agreed.
  const targets = await (await Api.as(request, 'admin')).rows('sales-target', { order: 'id', sort: 'desc', columns: 'code', length: 50 })
  const target = targets.filter(({ Code }) => String(Code).endsWith('-BDG'))[1]
  await signIn(page, 'admin', '/master/target-management?active=2')
  await page.getByText(String(target?.['Code'])).first().waitFor()
  await page.goto(`/master/target-management/distribute/${String(target?.['ID'])}`)
  const sums = page.getByRole('status').filter({ hasText: 'of 2,700,000,000.00' })
  await expect(sums).toContainText('The parts agree.')
  await page.getByRole('gridcell', { name: '900,000,000.00' }).first().click()
  await page.keyboard.type('800000000')
  await page.keyboard.press('Enter')
  await expect(sums).toContainText('Difference: 100,000,000.00')
  await page.keyboard.press('Control+z')
  await expect(sums).toContainText('The parts agree.')
})

test('the menu is put in order with the mouse, several places at once either way, and everybody has it so', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const order = async () => {
    const [group] = await admin.rows('menu', { filter: { all: [{ name: 'Receivables' }, { parent_id: { empty: true } }] }, columns: 'name' })
    return (await admin.rows('menu', { filter: { parent_id: group?.['ID'] }, columns: 'name', order: 'sort_order', sort: 'asc', length: 100 })).map((row) => row['Name'])
  }
  const before = await order()
  const [first, second, third, ...rest] = before as [string, string, string, ...string[]]
  await signIn(page, 'admin', '/setting/sort-menu')
  await settled(page)
  const entries = page.getByRole('region', { name: 'Receivables' }).getByRole('button')
  const drag = async (from: number, to: number) => {
    await entries.nth(from).scrollIntoViewIfNeeded()
    const [a, b] = [await entries.nth(from).boundingBox(), await entries.nth(to).boundingBox()]
    if (a === null || b === null) throw new Error('not shown')
    await page.mouse.move(a.x + 20, a.y + a.height / 2)
    await page.mouse.down()
    await page.mouse.move(b.x + 20, b.y + b.height * (to > from ? 0.9 : 0.1), { steps: 12 })
    const kept = page.waitForResponse((answer) => answer.url().includes('/command/order-menu'))
    await page.mouse.up()
    expect((await kept).status()).toBe(200)
  }
  await drag(0, 2)
  await expect(entries).toHaveText([second, third, first, ...rest])
  expect(await order()).toEqual([second, third, first, ...rest])
  await drag(2, 0)
  await expect(entries).toHaveText(before as string[])
  expect(await order()).toEqual(before)
})

/** Lists whose form stands in a panel beside them, each with its resource. */
function panels(): readonly { readonly path: string; readonly resource: string }[] {
  return routes.flatMap((route) => {
    if (route.screen === undefined || route.path.includes('{')) return []
    const screen = screenOf(route.screen)
    return screen.kind === 'list' && screen.order === undefined && screen.panel?.endsWith('.form') === true && screen.resource !== undefined ? [{ path: route.path, resource: screen.resource }] : []
  })
}

test('every field of every form beside a list can be entered or read, and what stands beside the form is there', async ({ page, request }) => {
  test.setTimeout(400_000)
  const api = await Api.as(request, 'admin')
  const missing: string[] = []
  page.on('response', (answer) => void (answer.status() >= 400 && missing.push(`${answer.status()} ${answer.url()}`)))
  await signIn(page, 'admin')
  expect(panels().length).toBeGreaterThan(25)
  for (const { path: list, resource } of panels()) {
    const [record] = await api.rows(resource, { length: 1 })
    if (record === undefined) continue
    const url = `${list}?edit=${String(record['ID'])}`
    // The form before this one goes first: what is looked at below is the new one.
    await page.evaluate(() => document.querySelectorAll('[data-field]').forEach((field) => field.setAttribute('data-before', '')))
    await follow(page, url)
    await expect(page.locator('[data-before]'), url).toHaveCount(0)
    await expect(page.locator('[data-field]').first(), url).toBeVisible()
    await settled(page)
    const empty = page.locator('[data-field]').filter({ hasNot: page.locator('input, select, textarea, button, output') })
    expect(await empty.evaluateAll((fields) => fields.map((field) => field.getAttribute('data-field'))), url).toEqual([])
  }
  expect(missing).toEqual([])
})

test('what a partner is to the company is ticked, kept and shown', async ({ page }) => {
  await signIn(page, 'admin', '/master/business-partner?edit=new')
  const panel = page.getByRole('dialog')
  const code = `V${Date.now() % 1_000_000}`
  await panel.getByRole('textbox', { name: 'Code' }).fill(code)
  await panel.getByRole('textbox', { name: 'Name' }).fill('PT Angkut Cepat')
  await panel.getByRole('checkbox', { name: 'Transporter' }).check()
  await panel.getByRole('checkbox', { name: 'Vendor' }).check()
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(code)
  const row = page.getByRole('row').filter({ hasText: 'PT Angkut Cepat' })
  await expect(row).toContainText('VendorTransporter')
  await row.getByText(code).click()
  await panel.getByRole('checkbox', { name: 'Vendor' }).uncheck()
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await expect(row).not.toContainText('Vendor')
  await expect(row).toContainText('Transporter')
})

test('a list of what belongs to one record says which: heading, window and breadcrumb', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  for (const [resource, path] of [['item', '/master/item-unit'], ['customer', '/master/customer-address'], ['work-team', '/master/work-team-personal']] as const) {
    const [record] = await admin.rows(resource, { columns: 'code', length: 1 })
    if (record === undefined) continue
    const code = String(record['Code'])
    if (page.url() === 'about:blank') await signIn(page, 'admin', `${path}/${String(record['ID'])}`)
    else await page.goto(`${path}/${String(record['ID'])}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(` ${code}$`))
    await expect(page).toHaveTitle(new RegExp(`^${code} · .+ · Arus$`))
    await expect(page.getByRole('navigation', { name: 'Where you are' }).locator('[aria-current]')).toHaveText(code)
  }
})

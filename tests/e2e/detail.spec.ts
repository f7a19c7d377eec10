import type { Page } from '@playwright/test'
import { Api, expect, expectAccessible, settled, signIn, test, type Json } from './support.ts'

const place = (page: Page) => page.getByRole('navigation', { name: 'Records of the list' }).getByRole('link')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('Back from a document opened out of the flow is on the box one left by, by key and by click, on a page, in a panel and on a phone', async ({ page, request }) => {
  test.setTimeout(120_000)
  const admin = await Api.as(request, 'admin')
  // One with more documents than a screen shows: where Back scrolls to is seen.
  let order = 0
  let most = 0
  for (const row of await admin.rows('sales-order', { filter: { status: 3 }, order: 'id', sort: 'desc', columns: 'code', length: 12 })) {
    const nodes = (await admin.get(`/api/v1/data/sales-order/${Number(row['ID'])}/flow`))['records'] as readonly Json[]
    if (nodes.length > most) [order, most] = [Number(row['ID']), nodes.length]
  }
  await signIn(page, 'admin')
  const box = (key: string) => page.locator(`[data-key="${key}"]`)
  const thereAndBack = async (key: string, open: () => Promise<void>) => {
    const before = page.url()
    await open()
    await expect(page).not.toHaveURL(before)
    await expect(box(key)).toHaveCount(0)
    await settled(page)
    await page.goBack()
    await expect(box(key)).toBeFocused()
    await expect(box(key)).toBeInViewport({ ratio: 0.9 })
    // And stays there once everything has come.
    await settled(page)
    await expect(box(key)).toBeFocused()
  }
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport)
    await page.goto(`/sales-order-list/${order}?tab=flow`)
    const links = page.locator('a[data-key]')
    await expect(links.first()).toBeVisible()
    const keys = await links.evaluateAll((all) => all.map((one) => one.dataset['key'] ?? ''))
    const [first, last] = [keys.find((key) => key.startsWith('delivery_order:')) ?? '', keys.at(-1) ?? '']
    await thereAndBack(first, async () => {
      await box(first).focus()
      await page.keyboard.press('Enter')
    })
    // A finger that opens a box does not focus it everywhere.
    await thereAndBack(last, () => box(last).evaluate((link: HTMLElement) => link.click()))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  const nodes = (await admin.get(`/api/v1/data/sales-order/${order}/flow`))['records'] as readonly Json[]
  await page.goto(String(nodes.find((node) => node['DocType'] === 'invoice')?.['Url']))
  const panel = page.getByRole('dialog')
  await panel.getByRole('tab', { name: 'Document flow' }).click()
  const flowKey = (await panel.locator('a[data-key^="sales_order:"]').first().getAttribute('data-key')) ?? ''
  await thereAndBack(flowKey, () => panel.locator(`[data-key="${flowKey}"]`).click())
  // A panel opened out of another begins with its own first tab.
  await panel.locator('a[data-key^="delivery_order:"]').first().click()
  await expect(page).toHaveURL(/\/delivery_plan\?/)
  await expect(panel.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true')
})

test('a document: neighbours of its list, flow to the bank line, journal, history, what cannot be done and why', async ({ page, request }) => {
  test.setTimeout(120_000)
  const admin = await Api.as(request, 'admin')
  const closed = await admin.rows('sales-order', { filter: { status: 3 }, order: 'doc_date,id', sort: 'asc,asc', columns: 'code', length: 30 })
  let paid: Json | undefined
  for (const row of closed) {
    const nodes = (await admin.get(`/api/v1/data/sales-order/${Number(row['ID'])}/flow`))['records'] as readonly Json[]
    if (nodes.some((node) => node['DocType'] === 'bank_statement_line')) paid = row
    if (paid !== undefined) break
  }
  expect(paid, 'a paid order of the demo company').toBeDefined()
  const id = Number(paid?.['ID'])
  await signIn(page, 'admin')

  await test.step('previous and next follow the list one came from, over its pages, by key; the way back keeps the filter', async () => {
    await page.goto(`/sales-order-list?s=doc_date,id&n=5&v=none&f.status=${encodeURIComponent('in:[3]')}`)
    await page.getByRole('link', { name: String(closed[4]?.['Code']) }).first().click()
    await expect(heading(page)).toContainText(String(closed[4]?.['Code']))
    await expect(place(page)).toHaveText(/^5 \/ [\d,]+$/)
    await page.keyboard.press('j')
    await expect(heading(page)).toContainText(String(closed[5]?.['Code']))
    await expect(place(page)).toHaveText(/^6 \//)
    await page.getByRole('button', { name: /^Previous record/ }).click()
    await expect(heading(page)).toContainText(String(closed[4]?.['Code']))
    await page.reload()
    await expect(place(page)).toHaveText(/^5 \//)
    await page.goBack()
    await expect(page).toHaveURL(/\/sales-order-list\?.*f\.status=/)
  })

  await test.step('a closed order is duplicated: customer and goods are taken over, number and status are not', async () => {
    await page.goto(`/sales-order-list/${id}`)
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await expect(page).toHaveURL(new RegExp(`/sales-order-form\\?copy=${id}$`))
    const { record } = (await admin.get(`/api/v1/data/sales-order/${id}`)) as { readonly record: Json }
    await expect(page.locator('[data-field="CustomerID"] input').first()).toHaveValue(new RegExp(String(record['CustomerCode'])))
    const bought = (record['Lines'] as readonly Json[]).filter((line) => line['IsFree'] !== true)
    await expect(page.getByRole('grid').getByRole('gridcell').filter({ hasText: String(bought[0]?.['ItemCode']) }).first()).toBeVisible()
    await expect(page.locator('h1')).not.toContainText('SO/')
  })

  await test.step('the flow is a picture that arrows walk and Enter opens', async () => {
    await page.goto(`/sales-order-list/${id}?tab=flow`)
    // Numbers differ at their ends: whatever gives way to a narrow box, these are in sight.
    const numbers = page.getByRole('tabpanel').locator('[data-key] strong')
    await expect(numbers.last()).toBeVisible()
    const cutAtTheirEnds = await numbers.evaluateAll((all) =>
      all.filter((one) => {
        const text = document.createRange()
        text.selectNodeContents(one)
        return text.getBoundingClientRect().right > one.getBoundingClientRect().right + 0.5
      }).length,
    )
    expect(cutAtTheirEnds).toBe(0)
    const nodes = page.locator('[data-key]')
    // To the last: the line at the bank leads to itself in the bank statements.
    await expect(page.locator('[data-key^="bank_statement_line:"]').first()).toHaveAttribute('href', /^\/report\/bank-statement\?.*f\.line_id=eq%3A\d+/)
    for (const type of ['sales_order', 'delivery_plan', 'delivery_order', 'goods_issue', 'invoice', 'ar_payment']) await expect(page.locator(`[data-key^="${type}:"]`).first()).toBeVisible()
    const here = page.locator('[data-key][aria-current="page"]')
    await expect(here).toHaveAttribute('data-key', `sales_order:${id}`)
    await here.focus()
    for (const type of ['delivery_plan', 'delivery_order', 'goods_issue', 'invoice']) {
      await page.keyboard.press('ArrowRight')
      await expect(page.locator(':focus')).toHaveAttribute('data-key', new RegExp(`^${type}:`))
    }
    await page.keyboard.press('ArrowLeft')
    await expect(page.locator(':focus')).toHaveAttribute('data-key', /^goods_issue:/)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(nodes.first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('[data-key^="invoice:"]').first().focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/billing\?.*edit=\d+/)
  })

  await test.step('the journal balances and leads into the ledger', async () => {
    const panel = page.getByRole('dialog')
    await panel.getByRole('tab', { name: 'Document flow' }).click()
    // The picture is wider than the panel.
    await expect(panel.locator('[data-key][aria-current="page"]')).toBeInViewport({ ratio: 1 })
    await panel.getByRole('tab', { name: 'Journal' }).click()
    await expect(panel.getByText('Balanced').first()).toBeVisible()
    const sums = panel.locator('tfoot').first().getByRole('cell')
    expect(await sums.nth(0).textContent()).toBe(await sums.nth(1).textContent())
    const number = panel.getByRole('heading', { level: 2 }).filter({ hasText: /\w+\/\w+\// }).getByRole('link').first()
    const code = (await number.textContent()) ?? ''
    await number.click()
    await expect(page).toHaveURL(/\/report\/journal\?/)
    await settled(page)
    await expect(page.getByText(code).first()).toBeVisible()
  })

  await test.step('the history says who changed what from what to what, lines included; what cannot be done says why', async () => {
    const [customer] = await admin.rows('sales-order', { filter: { id }, columns: 'customer_id', length: 1 })
    const lines = ((await admin.get(`/api/v1/data/sales-order/${id}`))['record'] as Json)['Lines'] as readonly Json[]
    const [one, two] = lines.filter((line) => line['IsFree'] !== true)
    const entered = (line: Json | undefined, qty: string) => ({ ItemID: line?.['ItemID'], Uom: line?.['Uom'], Qty: qty })
    const draft = (await admin.post('/api/v1/data/sales-order', { CustomerID: customer?.['CustomerID'], PoNumber: 'PO-OLD', Note: 'by the back gate\nnot before nine', Lines: [entered(one, '1'), entered(two ?? one, '2')] }))['record'] as Json
    const [kept] = draft['Lines'] as readonly Json[]
    await admin.put(`/api/v1/data/sales-order/${Number(draft['ID'])}`, Number(draft['Version']), { PoNumber: 'PO-NEW', RequestedDate: '2027-01-31', Lines: [{ ID: kept?.['ID'], ...entered(one, '12') }] })
    await page.goto(`/sales-order-list/${Number(draft['ID'])}?tab=history`)
    const history = page.getByRole('tabpanel')
    await expect(history.getByText('PO-OLD')).toBeVisible()
    await expect(history.getByText('PO-NEW')).toBeVisible()
    await expect(history.getByText('31/01/2027')).toBeVisible()
    await expect(history.getByRole('heading', { name: 'Line 1' })).toBeVisible()
    await expect(history.getByText('Removed').first()).toBeVisible()
    await page.getByRole('button', { name: 'Not possible now' }).click()
    await expect(page.getByText(/“Recall” needs it to be Waiting/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect.poll(() => page.locator('dd', { hasText: 'by the back gate' }).first().innerText(), { message: 'a note keeps its lines' }).toBe('by the back gate\nnot before nine')
  })

  await test.step('a document that can no longer be edited is a page of its own, under the path of its form', async () => {
    const [payment] = await admin.rows('payment-received', { filter: { status: { in: [1, 3] } }, columns: 'code', length: 1 })
    await page.goto(`/finance/account-receivable/payment-received/edit/${Number(payment?.['ID'])}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(String(payment?.['Code']))
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveCount(0)
    await expect(page.locator('main td').getByRole('link', { name: /^INV\// }).first(), 'the invoices it pays').toHaveAttribute('href', /^\/pages\/invoice\/\d+$/)
    await page.getByRole('tab', { name: 'Document flow' }).click()
    await expect(page.locator('[data-key^="ar_payment:"]').first()).toBeVisible()
    await page.getByRole('tab', { name: 'Journal' }).click()
    await expect(page.getByText('Balanced').first()).toBeVisible()
    await expect(page, 'its tab is in the address').toHaveURL(/tab=journal/)
    const [order] = await admin.rows('sales-order', { filter: { status: { in: [1, 2, 3] } }, columns: 'code', length: 1 })
    await page.goto(`/sales-order-form?record=${Number(order?.['ID'])}`)
    await expect(page.getByRole('tab', { name: 'Document flow' })).toBeVisible()
  })

  await test.step('and steps through the list it was opened from', async () => {
    await page.goto(`/finance/account-receivable/payment-received?v=none&f.status=${encodeURIComponent('in:[1]')}`)
    await page.getByRole('main').getByRole('link', { name: /^PAY\// }).first().click()
    await expect(place(page)).toHaveText(/^1 \//)
    await page.keyboard.press('j')
    await expect(place(page)).toHaveText(/^2 \//)
    await expect(page).toHaveURL(/payment-received\/edit\/\d+$/)
    await expect(page.getByRole('tab', { name: 'Journal' })).toBeVisible()
  })
})

test('what a list offers for one row is offered where the record is looked at, asked for and done from there', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [plan] = await admin.rows('delivery-plan', { filter: { status: { in: [0, 1] } }, order: 'id', sort: 'asc', columns: 'code', length: 1 })
  const asked = (await admin.rows('invoice-cancel-request', { columns: 'invoice_id', length: 100 })).map(({ InvoiceID }) => InvoiceID)
  const invoices = await admin.rows('invoice', { filter: { status: 1, invoice_type: 'SALES', currency: 'IDR', pending_transition: { empty: true } }, order: 'id', sort: 'desc', columns: 'code', length: 100 })
  const invoice = invoices.find(({ ID }) => !asked.includes(ID))
  await signIn(page, 'admin')
  await page.goto(`/delivery_plan?tab=plans&v=none&edit=${Number(plan?.['ID'])}`)
  const panel = page.getByRole('dialog', { name: 'Delivery plan' })
  await panel.getByRole('button', { name: 'Change trip' }).click()
  const asking = page.getByRole('dialog', { name: 'Change trip' })
  const route = `By the bridge ${Number(plan?.['ID'])}`
  await asking.getByLabel('Route').fill(route)
  await asking.getByLabel('Route').press('Enter')
  await expect(asking).toBeHidden()
  await panel.getByRole('tab', { name: 'Overview' }).click()
  await expect(panel.getByText(route)).toBeVisible()

  // A form beside the record: Escape leaves the form, not the record.
  await page.goto(`/billing?tab=invoices&v=none&edit=${Number(invoice?.['ID'])}`)
  const looked = page.getByRole('dialog', { name: 'Invoice', exact: true })
  await looked.getByRole('button', { name: 'Request cancellation' }).click()
  const form = page.getByRole('dialog', { name: 'Cancel an invoice' })
  await expect(form.getByRole('combobox', { name: 'Invoice' })).toHaveValue(String(invoice?.['Code']))
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await expect(looked).toBeVisible()

  await test.step('asked for, the form leaves and the record stays', async () => {
    await looked.getByRole('button', { name: 'Request cancellation' }).click()
    await form.getByRole('combobox', { name: 'Reason', exact: true }).click()
    await page.getByRole('listbox', { name: 'Reason', exact: true }).getByRole('option').first().click()
    await form.getByRole('button', { name: 'Save and submit' }).click()
    await expect(form).toBeHidden()
    await expect(looked).toBeVisible()
    await expect.poll(async () => (await admin.rows('invoice-cancel-request', { filter: { invoice_id: Number(invoice?.['ID']) }, columns: 'status', length: 5 })).length).toBe(1)
  })

  await test.step('an order is let past its limit from its page, with the reason', async () => {
    // The oldest: those of other tests are his own.
    const [order] = await admin.rows('sales-order', { filter: { status: { in: [1, 2] }, credit_hold: false }, order: 'id', sort: 'asc', columns: 'code', length: 1 })
    const offered = page.getByRole('button', { name: 'Override credit' })
    // Whatever his customer owes, it is the credit controller who decides.
    await signIn(page, 'credit', `/sales-order-list/${Number(order?.['ID'])}`)
    await expect(page.getByRole('button', { name: 'Not possible now' })).toBeVisible()
    await expect(offered).toBeHidden()
    // The demo company holds no order: the page is told that this one is, where it asks for itself.
    await page.route(new RegExp(`/api/v1/data/sales-order/${Number(order?.['ID'])}(\\?|$)`), async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { readonly data: { readonly record: Json } }
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, record: { ...body.data.record, CreditHold: true } } } })
    })
    await page.goto(`/sales-order-list?q=${encodeURIComponent(String(order?.['Code']))}`)
    await page.locator('main tbody tr').filter({ hasText: String(order?.['Code']) }).click()
    await offered.click()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Paid this morning')
    await dialog.getByRole('textbox').press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: /override/i }).first()).toBeVisible()
  })
})

test('on a phone the accounts of a journal stand over their amounts, and nothing has to be scrolled sideways', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [invoice] = await admin.rows('invoice', { filter: { status: 1, invoice_type: 'SALES', currency: 'IDR' }, order: 'id', sort: 'desc', columns: 'code', length: 1 })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'admin', `/billing?tab=invoices&v=none&edit=${Number(invoice?.['ID'])}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('tab', { name: 'Journal' }).click()
  const table = panel.getByRole('table').first()
  await expect(table.getByRole('columnheader')).toHaveText(['Account', 'Debit', 'Credit'])
  await expect(table.locator('tbody tr').first()).toContainText(/\d{6}/)
  await expect(table.locator('tbody tr').nth(1).getByRole('cell')).toHaveCount(2)
  const { overhang, room } = await table.evaluate((drawn) => {
    const frame = drawn.parentElement
    return { overhang: (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0), room: Math.min(...[...drawn.querySelectorAll<HTMLElement>('tbody td[colspan]')].map((cell) => cell.clientWidth / (frame?.clientWidth ?? 1))) }
  })
  expect(overhang).toBe(0)
  expect(room, 'names have the whole width').toBeGreaterThan(0.95)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(table.getByRole('columnheader')).toHaveText(['Account', 'Memo', 'Debit', 'Credit'])
})

import { Api, expect, settled, signIn, signInAs, test } from './support.ts'
import { scrollThrough } from '../support/scrolling.ts'
import type { Locator, Page } from '@playwright/test'

const rows = (page: Page) => page.locator('tbody tr[data-row]')

test.describe('Complaint 14: Back button and URL state', () => {
  test('search, sort, filter and page live in the URL, and Back undoes them one by one', async ({ page }) => {
    await signIn(page, 'admin', '/sales-order-list')
    await expect(rows(page)).toHaveCount(5)
    await page.getByLabel('Rows per page').selectOption('25')
    await expect(rows(page)).toHaveCount(25)

    await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
    await expect(page).toHaveURL(/s=total/)
    await page.getByRole('columnheader', { name: 'Date', exact: true }).getByRole('button').click({ modifiers: ['Shift'] })
    await expect(page).toHaveURL(/s=total%2Cdoc_date/)
    await expect(page.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'ascending')

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByLabel('Waiting', { exact: true }).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status: Waiting')
    await expect(rows(page).first()).toContainText('Waiting')
    const counter = page.getByText(/^1 - \d+ of [\d,]+$/)
    const narrowed = await counter.textContent()

    await page.goBack()
    await expect(page).not.toHaveURL(/f\.status/)
    await expect(counter).not.toHaveText(narrowed ?? '')
    await page.goBack()
    await expect(page).toHaveURL(/s=total(&|$)/)

    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText(/^26 - 50 of/)).toBeVisible()
    await page.reload()
    await expect(page.getByText(/^26 - 50 of/)).toBeVisible()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Sales orders' }).click()
    await expect(page).toHaveURL(/\/sales-order-list$/)
  })

  test('a search is one step however slowly it is typed: Back comes from the row to it, from it to the whole list, from there to the page before', async ({ page }) => {
    await signIn(page, 'admin')
    await page.goto('/sales-order-list')
    await expect(rows(page).first()).toBeVisible()
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    await search.fill('SO')
    await expect(page).toHaveURL(/\?q=SO$/)
    await search.fill('SO/')
    await expect(page).toHaveURL(/\?q=SO%2F$/)
    await settled(page)
    await rows(page).first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/sales-order-list\/\d+/)
    await page.goBack()
    await expect(page).toHaveURL(/\?q=SO%2F$/)
    await expect(search).toHaveValue('SO/')
    await page.goBack()
    await expect(page).toHaveURL(/\/sales-order-list$/)
    await expect(search).toHaveValue('')
    // Begun and given up, it is no step at all.
    await search.fill('nothing')
    await expect(page).toHaveURL(/\?q=nothing$/)
    await search.press('Escape')
    await expect(page).toHaveURL(/\/sales-order-list$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/home$/)
  })
})

test('the rows a list shows first come with its page, as long as its columns stand as the server knows them', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/api\/v1\/data\/sales-order\?/.test(request.url())) asked.push(request.url())
  })
  await signIn(page, 'admin', '/sales-order-list')
  await page.getByLabel('Rows per page').selectOption('25')
  await expect(rows(page)).toHaveCount(25)
  await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
  await expect(page).toHaveURL(/s=total/)
  await settled(page)
  const shown = await rows(page).allTextContents()
  asked.length = 0

  await page.reload()
  await expect(rows(page)).toHaveCount(25)
  expect(await rows(page).allTextContents()).toEqual(shown)
  await settled(page)
  expect(asked).toEqual([])

  await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').first().focus()
  await page.keyboard.press('Control+ArrowRight')
  await settled(page)
  asked.length = 0
  await page.reload()
  await expect(rows(page)).toHaveCount(25)
  await settled(page)
  expect(asked).toHaveLength(1)
})

test('a second heading clicked before the rows of the first have come adds to it', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list')
  await expect(rows(page)).toHaveCount(5)
  await page.evaluate(async () => {
    const heading = (name: string) => [...document.querySelectorAll<HTMLElement>('thead th button')].find((button) => button.textContent.trim() === name)
    heading('Total')?.click()
    // The address has changed by then; the rows are still on their way.
    await new Promise((resolve) => setTimeout(resolve))
    heading('Date')?.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }))
  })
  await expect(page).toHaveURL(/s=total%2Cdoc_date/)
})

test('what is opened while a search waits for its last letter stays open, and the search goes on', async ({ page }) => {
  await signIn(page, 'admin', '/master/sales-channel')
  await settled(page)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('trade')
  // At once: a click of the test's own takes its time.
  await rows(page).filter({ hasText: 'General trade' }).getByText('GT', { exact: true }).dispatchEvent('click')
  await expect(page).toHaveURL(/edit=\d+$/)
  await expect(page).toHaveURL(/q=trade/)
  await expect(page).toHaveURL(/edit=\d+/)
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toHaveValue('General trade')
})

test('where a search leaves fewer rows, none of those before stays behind them', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?n=100')
  await expect(rows(page)).toHaveCount(100)
  const [code = ''] = await rows(page).first().getByRole('link').allTextContents()
  await page.evaluate(() => {
    const gaps: string[] = []
    Reflect.set(globalThis, 'gaps', gaps)
    // Looked at after every change, however short it is on view.
    new MutationObserver(() => {
      const places = [...document.querySelectorAll<HTMLElement>('tbody tr[data-row]')].map((row) => Number(row.dataset['row']))
      if (places.some((place, i) => place !== i)) gaps.push(places.join())
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(code)
  await expect(rows(page)).toHaveCount(1)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'gaps') as unknown)).toEqual([])
})

test('rows that did not arrive are asked for again when they are scrolled to', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?n=10')
  await expect(rows(page)).toHaveCount(10)
  let isDown = true
  await page.route('**/api/v1/data/sales-order?*page=3&*', (route) => (isDown ? route.fulfill({ status: 503, json: {} }) : route.continue()))
  await page.goto('/sales-order-list?n=10000')
  await expect(page.getByText(/^1 - [\d,]{5,} of/)).toBeVisible()
  const wrapper = page.getByRole('grid').locator('..')
  const look = async (share: number) => wrapper.evaluate((element, at) => element.scrollTo({ top: (element.scrollHeight - element.clientHeight) * at }), share)
  const missing = page.locator('tbody tr[aria-busy="true"]')
  // The list may not be as high yet as it will be.
  await expect(async () => {
    await look(0.9)
    await expect(missing.first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await look(0.1)
  await expect(missing).toHaveCount(0)
  isDown = false
  await look(0.9)
  await expect(missing).toHaveCount(0)
  await expect(page.locator('tbody tr[data-row]').nth(5)).toContainText('SO/')
})

test('a page there is none of any more leads to the last one there is', async ({ page }) => {
  await signIn(page, 'admin', '/master/customers')
  await page.goto('/master/customers?n=100&p=999')
  await expect(rows(page).first()).toBeVisible()
  const [, end, total] = /- ([\d,]+) of ([\d,]+)/.exec((await page.getByText(/^[\d,]+ - [\d,]+ of [\d,]+$/).textContent()) ?? '') ?? []
  expect(end).toBe(total)
  expect(new URL(page.url()).searchParams.get('p')).toBe(String(Math.ceil(Number(total?.replaceAll(',', '')) / 100)))
})

test('Search waits 700 ms after the last letter', async ({ page }) => {
  await signIn(page, 'admin', '/master/customers')
  await expect(rows(page).first()).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('search=')) asked.push(new URL(request.url()).searchParams.get('search') ?? '')
  })
  await page.getByRole('searchbox', { name: 'Search', exact: true }).pressSequentially('Toko S', { delay: 60 })
  await page.waitForTimeout(500)
  expect(asked).toEqual([])
  await expect.poll(() => asked).toEqual(['Toko S'])
})

test('the keyboard walks, selects and opens; ? tells how', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()
  await rows(page).first().focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sales-order-list\/\d+$/)
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
})

test.describe('Complaint 3: totals for the page only', () => {
  test('the totals row sums the whole filter, not the page', async ({ page, request }) => {
    const api = await Api.as(request, 'admin')
    const answer = await api.get('/api/v1/data/invoice', { filter: JSON.stringify({ status: { in: [1, 2] } }), totals: 'remaining', length: 1 })
    const sums = answer['currencies'] as readonly { readonly currency: string; readonly count: number; readonly totals: Readonly<Record<string, string>> }[]
    const rupiah = sums.find(({ currency }) => currency === 'IDR')
    await signIn(page, 'admin', '/billing?tab=invoices&v=unpaid')
    await expect(page.locator('tfoot')).toContainText(`All ${Number(rupiah?.count).toLocaleString('en-US')} · IDR`)
    await expect(page.locator('tfoot')).toContainText(String(rupiah?.totals['remaining']).replace(/\B(?=(\d{3})+\.)/g, ','))
  })
})

test('sums of several currencies stand in a line each, and a first column keeps its sum beside the label', async ({ page }) => {
  await page.route('**/api/v1/data/sales-order?*', async (route) => {
    const response = await route.fetch()
    const body: { data: { recordsTotal: number } } = await response.json()
    const currencies = [{ currency: 'IDR', count: body.data.recordsTotal - 2, totals: { total: '1389.50' } }, { currency: 'USD', count: 2, totals: { total: '15.25' } }]
    await route.fulfill({ response, json: { ...body, data: { ...body.data, totals: {}, currencies } } })
  })
  await signIn(page, 'admin', '/sales-order-list')
  const lines = page.locator('tfoot tr')
  await expect(lines).toHaveCount(2)
  await expect(lines.first()).toContainText(/All [\d,]+ · IDR\s+1,389\.50/)
  await expect(lines.nth(1)).toContainText(/All 2 · USD\s+15\.25/)
  // A narrow first column does not cut off the currency.
  await page.locator('thead th[data-column="doc_date"] button').first().focus()
  await page.keyboard.press('Control+ArrowLeft')
  await expect(page.locator('thead th[data-column]').first()).toHaveAttribute('data-column', 'doc_date')
  const label = lines.first().locator('th')
  const [overflow, far] = await label.evaluate((cell) => [getComputedStyle(cell).overflowX, cell.scrollWidth - cell.clientWidth])
  expect(far).toBeGreaterThan(0)
  expect(overflow).toBe('visible')
  const head = page.locator('thead th[data-column="total"] button').first()
  await head.focus()
  for (let left = 3; left > 0; left--) await page.keyboard.press('Control+ArrowLeft')
  await expect(page.locator('thead th[data-column]').first()).toHaveAttribute('data-column', 'total')
  await expect(lines.nth(1).locator('th')).toContainText(/All 2 · USD\s+15\.25/)
  // The list may still be asking for its columns in their new order.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test.describe('Complaint 7: slow wide tables', () => {
  test('thousands of rows with more columns scroll from end to end without a blank frame, few of them drawn at a time', async ({ page }) => {
    await signIn(page, 'admin', '/sales-order-list?n=10000')
    await expect(page.getByText(/^1 - [\d,]{5,} of/)).toBeVisible()
    await page.getByRole('button', { name: 'Columns' }).click()
    const hidden = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { checked: false })
    // The first that is hidden is another one as soon as it is ticked.
    for (let left = await hidden.count(), most = left - 4; left > Math.max(0, most); left--) {
      await hidden.first().click()
      await expect(hidden).toHaveCount(left - 1)
    }
    await page.keyboard.press('Escape')
    await expect(rows(page).first()).toBeVisible()
    expect(await rows(page).count()).toBeLessThan(200)
    const seen = await scrollThrough(page, 40)
    expect(seen).toEqual({ ...seen, blank: 0 })
    const last = Number((await page.getByText(/^1 - [\d,]{5,} of/).innerText()).replace(/^1 - ([\d,]+) of.*$/, '$1').replaceAll(',', '')) - 1
    await expect(page.locator(`tbody tr[data-row="${last}"]`)).toContainText('SO/')
  })

  test('all rows of a page are selected and copied before all of them have come', async ({ page }) => {
    await signIn(page, 'admin')
    // The first rows are there, the others never come.
    await page.route(/\/data\/sales-order\?.*page=[2-9]/, () => undefined)
    await page.goto('/sales-order-list?v=none&n=10000')
    await expect(rows(page).first()).toBeVisible()
    const total = /of ([\d,]+)$/.exec((await page.getByText(/^1 - [\d,]+ of [\d,]+$/).textContent()) ?? '')?.[1] ?? ''
    const box = page.getByRole('checkbox', { name: 'Select all on this page' })
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy rows' }).click()
    await expect(page.getByText(/rows copied/)).toBeVisible()
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
    expect(lines).toHaveLength(Number(total.replace(',', '')) + 1)
    await box.click()
    await expect(bar).toContainText(`${total} selected`)
    await expect(box).toBeChecked()
    await rows(page).first().getByRole('checkbox').uncheck()
    await expect(box).toHaveJSProperty('indeterminate', true)
    await box.click()
    await expect(bar).toContainText(`${total} selected`)
    await box.click()
    await expect(bar).toHaveCount(0)
  })

  test('10,000 rows scroll from end to end without a blank frame on a computer a fourth as fast', async ({ page }) => {
    const all = 10_000
    let delivered = 0
    // The demo company has fewer orders: its first ones stand for the rest.
    await page.route('**/api/v1/data/sales-order?*', async (route) => {
      const url = new URL(route.request().url())
      const length = Number(url.searchParams.get('length'))
      const start = (Number(url.searchParams.get('page') ?? 1) - 1) * length
      url.searchParams.set('page', '1')
      const response = await route.fetch({ url: url.toString() })
      const body: { data: { rows: readonly object[] } } = await response.json()
      const some = body.data.rows
      const made = Array.from({ length: Math.min(length, all - start) }, (_, i) => ({ ...some[i % some.length], ID: start + i + 1, Code: `SO/${start + i}` }))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, recordsTotal: all, rows: made } } })
      delivered += made.length
    })
    await signIn(page, 'admin', `/sales-order-list?n=${all}`)
    await expect(page.getByText('1 - 10,000 of 10,000')).toBeVisible()
    await expect.poll(() => delivered).toBe(all)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const seen = await scrollThrough(page, 100)
    expect(seen).toEqual({ ...seen, frames: 100, blank: 0 })
    expect(seen.drawn).toBeLessThan(200)
    await expect(page.locator(`tbody tr[data-row="${all - 1}"]`)).toContainText(`SO/${all - 1}`)
  })
})

test.describe('Complaint 13: bulk actions against the workflow', () => {
  test('an action offers itself for the rows it fits, tells what became of each, and the list stays on its page', async ({ page, request }) => {
    const api = await Api.as(request, 'sales')
    const drafts = await api.rows('sales-order', { filter: { status: 0 }, columns: 'code', length: 100 })
    expect(drafts.length, 'the demo company has drafts').toBeGreaterThan(1)
    await signIn(page, 'sales')
    // Drafts stand among orders that are through: the action is for the drafts alone.
    await page.goto('/sales-order-list?v=none&n=25&s=status,code&f.status=in:[0,3]')
    await expect(rows(page).first()).toContainText('Draft')
    const code = await rows(page).first().getByRole('link').first().innerText()
    await rows(page).first().getByRole('checkbox').check()
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await expect(bar.getByRole('button', { name: 'Cancel the rest' })).toHaveCount(0)
    await expect(bar.getByRole('button', { name: 'Submit', exact: true })).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await expect(bar).toContainText('25 selected')
    await expect(bar.getByRole('button', { name: /^Submit \(\d+\)$/ })).toBeVisible()
    await bar.getByRole('button', { name: 'Clear the selection' }).click()
    await rows(page).first().getByRole('checkbox').check()
    await rows(page).nth(1).getByRole('checkbox').click({ modifiers: ['Shift'] })
    await bar.getByRole('button', { name: 'Submit', exact: true }).click()
    const results = page.getByRole('region', { name: 'Results of Submit' })
    const warned = page.getByRole('dialog', { name: 'Please check' })
    await expect(results.or(warned)).toBeVisible()
    if (await warned.isVisible()) await warned.getByRole('button').last().click()
    await expect(results.getByRole('row')).toHaveCount(2)
    await expect(results.getByRole('row').filter({ hasText: code })).toContainText(/Done|Refused/)
    await expect(results.getByRole('region')).toBeFocused()
    // The list may have moved on: each number leads to its record.
    await expect(results.getByRole('row').filter({ hasText: code }).getByRole('link', { name: code })).toHaveAttribute('href', /\/sales-order-list\/\d+$/)
    await expect(page).toHaveURL(/s=status/)
  })

  test('all that match are selected only while their number is the one shown', async ({ page }) => {
    await signIn(page, 'admin', '/sales-order-list?v=drafts')
    await rows(page).first().getByRole('checkbox').check()
    await page.route('**/sales-order/selection', async (route) => {
      const body: { count: number } = route.request().postDataJSON()
      await route.continue({ postData: { ...body, count: body.count + 1 } })
    }, { times: 1 })
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await bar.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
    await expect(page.getByText('Not selected')).toBeVisible()
    await expect(bar).toHaveCount(0)
    await rows(page).first().getByRole('checkbox').check()
    const all = bar.getByRole('button', { name: /^Select all \d+ that match$/ })
    const number = /\d+/.exec(await all.innerText())?.[0] ?? ''
    await all.click()
    await expect(bar).toContainText(`${number} selected`)
  })

  test('all that match are those of the question asked last: narrowed meanwhile, the rows ticked since stay', async ({ page, request }) => {
    const [draft] = await (await Api.as(request, 'admin')).rows('sales-order', { filter: { status: 0 }, columns: 'customer_id', length: 1 })
    await signIn(page, 'admin', '/sales-order-list?v=none&n=25&f.status=in:[0]')
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    let answer = (): void => undefined
    const narrowed = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/sales-order/selection', async (route) => {
      await narrowed
      await route.continue()
    }, { times: 1 })
    await rows(page).first().getByRole('checkbox').check()
    await bar.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
    const few = page.waitForResponse((response) => response.url().includes('/data/sales-order?'))
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(String(draft?.['CustomerCode']))
    await few
    await expect(bar).toHaveCount(0)
    await rows(page).first().getByRole('checkbox').check()
    await expect(bar).toContainText('1 selected')
    const all = page.waitForResponse('**/sales-order/selection')
    answer()
    await all
    await settled(page)
    await expect(bar).toContainText('1 selected')
  })

  test('stopped or left midway it says what was done, what was refused and what was not begun, and goes on with the rest', async ({ page, context }) => {
    // The server is not asked to do it: how the page tells of it is what is looked at.
    let calls = 0
    await context.route('**/bulk/block', async (route) => {
      calls += 1
      const { IDs }: { IDs: readonly number[] } = JSON.parse(route.request().postData() ?? '{}')
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.fulfill({ json: { code: 200, status: 'success', message: 'OK', data: { results: IDs.map((ID, i) => (i === 0 ? { ID, ok: false, text: 'Refused by the test.' } : { ID, ok: true, text: '' })) } } })
    })
    await signIn(page, 'admin', '/master/customers')
    const block = async (): Promise<void> => {
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
      // Their numbers are asked for first.
      await expect(page.getByRole('toolbar')).toContainText(/\d{3} selected/)
      await page.getByRole('toolbar').getByRole('button', { name: 'Block' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').selectOption({ index: 1 })
      await dialog.getByRole('button', { name: 'Block' }).click()
    }
    await block()
    const running = page.getByRole('region', { name: 'Block', exact: true })
    await expect(running).toContainText(/Block: [2-9]0 of/)
    await running.getByRole('button', { name: 'Stop' }).click()
    const results = page.getByRole('region', { name: 'Results of Block' })
    await expect(results).toContainText(/Block: \d+ done, \d refused, \d+ not begun\./)
    await expect(results.getByRole('row').first()).toContainText('Refused by the test.')
    await expect(results).toContainText('Not begun')
    const before = calls
    await page.waitForTimeout(1000)
    expect(calls).toBe(before)

    await results.getByRole('button', { name: 'Go on with the rest' }).click()
    await expect(running).toBeVisible()
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    const leave = page.getByRole('dialog', { name: 'Leave while Block is under way?' })
    await leave.getByRole('button', { name: 'Cancel' }).click()
    await expect(running).toBeVisible()
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await leave.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL(/\/home$/)
    const left = calls
    await page.waitForTimeout(1500)
    expect(calls).toBe(left)
  })
})

test('an action with a reason asks for it; a refusal leaves the row as it was', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list?f.status=in:[1]')
  await expect(rows(page).first()).toBeVisible()
  await rows(page).first().getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the rest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the rest' })
  await expect(dialog.getByRole('combobox', { name: /^Reason/ })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
  await expect(dialog.getByText('Fill this in.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rows(page).first()).toContainText('Open')
})

test.describe('Complaint 1: personal views with columns, filters and sort together', () => {
  test('a view holds all of it under a name, is changed in place, shared with a role, opens first, and says what it no longer finds', async ({ page }) => {
    const name = `Big ones ${Date.now()}`
    await signIn(page, 'admin', '/sales-order-list?s=-total&f.status=in:[3]&g=')
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Order type' }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^View: Standard view/ }).click()
    await page.getByRole('button', { name: 'Save as …' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Open first with it').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/\?view=\d+$/)

    await page.goto('/sales-order-list')
    const menu = page.getByRole('button', { name: new RegExp(`^View: ${name}`) })
    await expect(menu).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Order type' })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status: Closed')

    await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
    await expect(menu).toHaveAccessibleName(`View: ${name}, modified`)
    await menu.click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(menu).toHaveAccessibleName(`View: ${name}`)
    await page.reload()
    await expect(page.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'ascending')

    await page.goto('/sales-order-list?view=987654')
    await expect(page.getByText('The view this address names is no longer there.')).toBeVisible()
    // What does not fit is left out and told by its name, and the list stands.
    for (const [query, names] of [
      ['f.ghost=eq:1', 'ghost'],
      ['DateFrom=2026-01-01', 'DateFrom'],
      ['f.doc_date=ge:"2026-1"&f.status=in:["x"]', 'Date, Status'],
      ['f.total=ge:"100', 'Total'],
      // A field that has gone has a word still.
      ['f.risk_class=eq:"A"', 'Risk class'],
      ['g=ghost', 'ghost'],
      ['g=status:month', 'Status'],
    ] as const) {
      await page.goto(`/sales-order-list?${query}`)
      await expect(page.getByText(`Not known here, or the value does not fit: ${names}.`)).toBeVisible()
      await expect(rows(page).first()).toBeVisible()
    }
    const remove = async (one: string) => {
      await page.getByRole('button', { name: `Delete "${one}"` }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
    }
    await menu.click()
    await remove(name)
    await expect(page.getByRole('button', { name: /^View: Standard view/ })).toBeVisible()

    // Shared with a role, it is what that role sees first until somebody there chooses otherwise.
    const shared = `Of the role ${Date.now()}`
    await page.goto('/sales-order-list?s=-total&f.status=in:[3]')
    await page.getByRole('button', { name: /^View: Standard view/ }).click()
    await page.getByRole('button', { name: 'Save as …' }).click()
    await page.getByLabel('Name', { exact: true }).fill(shared)
    await page.getByRole('combobox', { name: /^For/ }).selectOption({ label: 'Everybody of the role Sales administrator' })
    await page.getByRole('checkbox', { name: /first/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/\?view=\d+$/)
    await signInAs(page, 'sales', '/sales-order-list')
    await expect(page.getByRole('button', { name: `View: ${shared}` })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status: Closed')
    await page.getByRole('button', { name: `View: ${shared}` }).click()
    await expect(page.getByRole('button', { name: `Delete "${shared}"` })).toHaveCount(0)
    await page.getByRole('button', { name: 'Standard view', exact: true }).click()
    await expect(page).toHaveURL(/view=standard/)
    // Whoever prefers the standard view has it first from then on, until he takes that back.
    await page.getByRole('button', { name: 'View: Standard view' }).click()
    await page.getByRole('button', { name: 'Open first with "Standard view"' }).click()
    await expect(page.getByRole('button', { name: /"Standard view"/ })).toHaveAttribute('aria-pressed', 'true')
    await page.goto('/sales-order-list')
    await page.getByRole('button', { name: 'View: Standard view' }).click()
    await expect(page.getByRole('button', { name: shared })).toHaveCount(1)
    await page.getByRole('button', { name: /"Standard view"/ }).click()
    await settled(page)
    await page.goto('/sales-order-list')
    await expect(page.getByRole('button', { name: `View: ${shared}` })).toBeVisible()
    await signInAs(page, 'admin', '/sales-order-list')
    await page.getByRole('button', { name: /^View:/ }).click()
    await remove(shared)
  })
})

test('a name of a view that is taken is refused beside it, where it is typed anew', async ({ page }) => {
  const taken = `Taken ${Date.now()}`
  await signIn(page, 'analyst', '/report/stock-territory')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await saveViewAs(page, taken)
  await expect(page.getByRole('button', { name: `View: ${taken}` })).toBeVisible()
  await saveViewAs(page, taken)
  await nameFreed(page, name)
  await expect(page.getByRole('button', { name: `View: ${taken} too` })).toBeVisible()
})

/** A name refused as taken says so at its field, not in a notice; typing on takes that back. */
async function nameFreed(page: Page, name: Locator): Promise<void> {
  await expect(name).toHaveAccessibleDescription('This value is already taken.')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toBeFocused()
  await expect(page.getByText('The view was not saved')).toHaveCount(0)
  await page.keyboard.press('End')
  await page.keyboard.type(' too')
  await expect(name).toHaveAccessibleDescription('')
  await page.keyboard.press('Enter')
}

async function saveViewAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('button', { name: 'Save as …' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.keyboard.press('Enter')
}

test('a view renamed to a name that is taken is refused beside it, and the pencil begins with the name of today', async ({ page }) => {
  const [one, other] = [`One ${Date.now()}`, `Other ${Date.now()}`]
  await signIn(page, 'analyst', '/report/stock-territory')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  for (const typed of [one, other]) {
    await saveViewAs(page, typed)
    await expect(page.getByRole('button', { name: `View: ${typed}` })).toBeVisible()
  }
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('button', { name: `Name and sharing of "${other}"` }).click()
  await name.fill(one)
  await page.keyboard.press('Enter')
  await nameFreed(page, name)
  await expect(page.getByRole('button', { name: `View: ${one} too` })).toBeVisible()
  await page.getByRole('button', { name: `Name and sharing of "${one} too"` }).click()
  await expect(name).toHaveValue(`${one} too`)
})

test('a range the wrong way round in an address is told beside its chip and turned with one press, in lists and reports', async ({ page }) => {
  for (const [path, field, from, to] of [['/sales-order-list', 'doc_date', '"2026-01-01"', '"2020-01-01"'], ['/report/ar-aging', 'remaining', '"900000000"', '"5"']] as const) {
    await signIn(page, 'admin', `${path}?f.${field}=${encodeURIComponent(`between:[${from},${to}]`)}`)
    const turn = page.getByRole('button', { name: /The wrong way round/ })
    await turn.click()
    await expect(turn).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`f\\.${field}=${encodeURIComponent(`between:[${to},${from}]`)}`.replaceAll('%3A', '(:|%3A)').replaceAll('%2C', '(,|%2C)')))
    await expect(page.getByRole('table').or(page.getByRole('grid')).getByRole('row').nth(1)).toBeVisible()
  }
})

test('a code typed into a filter is looked up when the filter is applied: Enter narrows to it, or says that it names nothing', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  const customer = /C\d{7}/.exec((await rows(page).first().textContent()) ?? '')?.[0] ?? ''
  for (const [code, isKnown] of [['NOWHERE', false], [customer, true]] as const) {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search fields' }).fill('Customer')
    await page.keyboard.press('Enter')
    await expect(page.getByPlaceholder('Type a code or name')).toBeFocused()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    if (isKnown) {
      await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0)
      await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Customer: ')
      await expect(rows(page).filter({ hasNotText: customer })).toHaveCount(0)
      await expect(rows(page).first()).toContainText(customer)
    } else {
      await expect(page.getByText('Nothing has the code or name "NOWHERE".')).toBeVisible()
      await page.reload()
    }
  }
})

test('a code typed into the dialog of an action and confirmed at once is looked up first: nothing is done without it', async ({ page }) => {
  await signIn(page, 'warehouse', '/delivery_plan')
  const planned: string[] = []
  page.on('request', (call) => {
    if (call.url().includes('plan-delivery')) planned.push(call.url())
  })
  await rows(page).first().getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Plan delivery/ }).first().click()
  const vehicle = page.getByRole('dialog').getByRole('combobox', { name: 'Vehicle' })
  for (const confirm of [() => page.keyboard.press('Control+Enter'), () => page.getByRole('dialog').getByRole('button', { name: 'Plan delivery', exact: true }).click()]) {
    await vehicle.fill('NOSUCH')
    await confirm()
    await expect(page.getByRole('dialog').getByText('Nothing has the code or name "NOSUCH".')).toBeVisible()
    await vehicle.fill('')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('dialog').getByText('Nothing has the code')).toHaveCount(0)
  }
  expect(planned).toEqual([])
})

test('a shared view renamed or deleted by its owner is so for whoever has it open as soon as he looks at the views', async ({ page, browser }) => {
  const [name, renamed] = [`Of the team ${Date.now()}`, `Of all of us ${Date.now()}`]
  await signIn(page, 'admin', '/sales-order-list?s=-total&f.status=in:[3]')
  const menu = (of: Page) => of.getByRole('button', { name: /^View:/ })
  await menu(page).click()
  await page.getByRole('button', { name: 'Save as …' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('combobox', { name: /^For/ }).selectOption({ label: 'Everybody of the role Sales administrator' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\?view=\d+$/)
  const address = new URL(page.url())

  const second = await browser.newContext()
  const seller = await second.newPage()
  await signIn(seller, 'sales', `${address.origin}${address.pathname}${address.search}`)
  await expect(menu(seller)).toHaveAccessibleName(`View: ${name}`)
  await menu(page).click()
  await page.getByRole('button', { name: `Name and sharing of "${name}"` }).click()
  await page.getByLabel('Name', { exact: true }).fill(renamed)
  await page.keyboard.press('Enter')
  await expect(menu(page)).toHaveAccessibleName(`View: ${renamed}`)
  await menu(seller).click()
  await expect(menu(seller)).toHaveAccessibleName(`View: ${renamed}`)
  await expect(seller.getByRole('group', { name: 'Filters' })).toContainText('Status: Closed')
  await seller.keyboard.press('Escape')

  await page.getByRole('button', { name: `Delete "${renamed}"` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(menu(page)).toHaveAccessibleName('View: Standard view')
  await menu(seller).click()
  await expect(seller.getByText('The view this address names is no longer there.')).toBeVisible()
  await expect(menu(seller)).toHaveAccessibleName('View: Standard view')
  await expect(rows(seller).first()).toBeVisible()
  await second.close()
})

test('a view is shared, and taken back, where it is renamed; a keeper who takes one back no longer has it', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const name = `Mine first ${Date.now()}`
  await api.post('/api/v1/view', { Screen: 'sales-order.list', Name: name, Definition: { filters: [{ field: 'status', op: 'in', value: [77, 3] }] } })
  await signIn(page, 'sales', '/sales-order-list')
  const menu = page.getByRole('button', { name: /^View:/ })
  const change = async () => {
    await menu.click()
    await page.getByRole('button', { name: `Name and sharing of "${name}"` }).click()
  }
  const row = page.getByRole('listitem').filter({ hasText: name })
  const whom = page.getByRole('combobox', { name: /^For/ })
  await change()
  await expect(whom).toHaveValue('')
  await whom.selectOption({ label: 'Everybody of the role Sales administrator' })
  // What a role sees first is not for him to say.
  await expect(page.getByRole('checkbox', { name: 'Open first with it' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(row).toContainText('Sales administrator')
  await page.keyboard.press('Escape')

  // What narrows the rows and is offered no more can be seen, and taken off.
  await menu.click()
  await row.getByRole('button', { name }).first().click()
  await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status: 77, Closed')
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('checkbox', { name: '77 (no longer offered)' }).uncheck()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('group', { name: 'Filters' })).not.toContainText('77')

  await signInAs(page, 'admin', '/sales-order-list')
  await change()
  await expect(whom.getByRole('option', { name: 'Sari Wijaya alone' })).toHaveCount(1)
  await whom.selectOption('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(row).toHaveCount(0)
  await signInAs(page, 'sales', '/sales-order-list')
  await change()
  await expect(whom).toHaveValue('')
  await expect(page.getByRole('checkbox', { name: 'Open first with it' })).not.toBeChecked()
})

test('the panels of columns and of views go on with the keyboard wherever it has pressed something', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const name = `By keys ${Date.now()}`
  await api.post('/api/v1/view', { Screen: 'sales-order.list', Name: name, Definition: {} })
  await signIn(page, 'sales', '/sales-order-list')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search columns' })).toBeVisible()
  for (let i = 0; i < 2; i++) await page.keyboard.press('Tab')
  await expect(page.getByRole('checkbox', { name: 'Code', exact: true })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.locator('thead th[data-column="code"]')).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Date', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()

  await page.getByRole('button', { name: /^View:/ }).press('Enter')
  await page.getByRole('button', { name: `Name and sharing of "${name}"` }).press('Enter')
  await page.getByLabel('Name', { exact: true }).press('End')
  await page.keyboard.type(' too')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Name and sharing of "${name} too"` })).toBeFocused()
  const remove = page.getByRole('button', { name: `Delete "${name} too"` })
  await remove.press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Standard view' })).toBeFocused()
})

test.describe('Complaint 2: choose, widen, order and freeze columns, remembered', () => {
  test('by mouse and by keyboard, still there after a reload, copied as a spreadsheet reads them', async ({ page }) => {
    await signIn(page, 'admin', '/sales-order-list')
    const head = (name: string) => page.locator(`thead th[data-column="${name}"]`)
    const order = async () => (await page.locator('thead th[data-column]').evaluateAll((cells) => cells.map((cell) => (cell instanceof HTMLElement ? (cell.dataset['column'] ?? '') : '')))).slice(0, 4)
    await expect(head('total')).toBeVisible()
    expect(await order()).toEqual(['code', 'doc_date', 'customer_id', 'total'])

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Order type' }).check()
    await expect(head('order_type')).toBeVisible()
    await page.getByRole('button', { name: 'Keep Total in sight at the left' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(order).toEqual(['code', 'total', 'doc_date', 'customer_id'])

    // With Control and an arrow a heading moves, with Shift it grows; its menu opens with Alt.
    await head('doc_date').getByRole('button').first().focus()
    await page.keyboard.press('Control+ArrowRight')
    await expect.poll(order).toEqual(['code', 'total', 'customer_id', 'doc_date'])
    const width = async () => (await head('doc_date').boundingBox())?.width ?? 0
    const before = await width()
    await head('doc_date').getByRole('button').first().focus()
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(width).toBeGreaterThan(before + 40)
    await head('total').getByRole('button').first().focus()
    await page.keyboard.press('Shift+Enter')
    await expect(page).toHaveURL(/s=-doc_date.*total/)

    await head('doc_date').getByRole('button').first().dragTo(head('customer_id'), { targetPosition: { x: 4, y: 10 } })
    await expect.poll(order).toEqual(['code', 'total', 'doc_date', 'customer_id'])
    const wide = await width()
    await page.reload()
    await expect(head('order_type')).toBeVisible()
    expect(await order()).toEqual(['code', 'total', 'doc_date', 'customer_id'])
    expect(Math.abs((await width()) - wide)).toBeLessThan(2)

    await page.getByRole('region', { name: 'Sales orders' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy rows' }).click()
    await expect(page.getByText(/rows copied/)).toBeVisible()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text.split('\n')[0]).toContain('Code\tTotal\tDate\tCustomer')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'As delivered' }).click()
    await expect.poll(order).toEqual(['code', 'doc_date', 'customer_id', 'total'])
  })
})

test('rows stand in groups with their sums, a group opens to its rows, chips of typed filters go one by one, and print shows every row', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const answer = await api.get('/api/v1/data/sales-order/groups', { by: 'status', totals: 'total' })
  interface Sums { readonly count: number; readonly totals: Readonly<Record<string, string>> }
  const groups = answer['groups'] as readonly (Sums & { readonly currencies?: readonly (Sums & { readonly currency: string })[] })[]
  await signIn(page, 'admin', '/sales-order-list')
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await page.getByLabel('Group by').selectOption('status')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/g=status/)
  const lines = page.locator('tbody tr').filter({ hasText: /^\s*Status:/ })
  await expect(lines).toHaveCount(groups.length)
  for (const [i, { count, totals, currencies }] of groups.entries()) {
    await expect(lines.nth(i)).toContainText(`(${count.toLocaleString('en-US')})`)
    for (const { currency, totals: sums } of currencies ?? [{ currency: '', totals }]) {
      await expect(lines.nth(i)).toContainText(`${currency} ${Number(sums['total']).toLocaleString('en-US', { minimumFractionDigits: 2 })}`.trim())
    }
  }
  // The arrow keys walk heads of groups and rows alike; what stands open stays open when the list is asked for anew.
  await page.locator('thead th[data-column="code"] button').first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(lines.first().getByRole('button')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(rows(page).first()).toContainText('Draft')
  const opened = await rows(page).count()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(lines.first().getByRole('button')).toBeFocused()
  const again = page.waitForResponse((response) => response.url().includes('/sales-order/groups'))
  await page.getByRole('button', { name: 'Reload' }).click()
  await again
  await expect(rows(page)).toHaveCount(opened)
  // On paper there is nothing to tick; sums stay under the heads of their columns all the same.
  await page.emulateMedia({ media: 'print' })
  const right = (cell: Locator) => cell.evaluate((element) => Math.round(element.getBoundingClientRect().right))
  const sum = lines.first().locator('td').filter({ hasText: Number(groups[0]?.totals['total']).toLocaleString('en-US', { minimumFractionDigits: 2 }) })
  expect(await right(sum)).toBe(await right(page.locator('thead th[data-column="total"]')))
  await page.emulateMedia({ media: 'screen' })
  // Who opens a row and comes back finds the group open.
  await rows(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/sales-order-list\/\d+/)
  await page.goBack()
  await expect(rows(page)).toHaveCount(opened)
  await page.locator('thead th[data-column="total"] button').first().focus()
  for (let left = 3; left > 0; left--) await page.keyboard.press('Control+ArrowLeft')
  await expect(page.locator('thead th[data-column]').first()).toHaveAttribute('data-column', 'total')
  await expect(lines.first().locator('th')).toContainText(Number(groups[0]?.totals['total']).toLocaleString('en-US', { minimumFractionDigits: 2 }))

  await page.goto('/sales-order-list?f.doc_date=within:"thisMonth"&f.total=gt:"1000000"')
  const chips = page.getByRole('group', { name: 'Filters' })
  await expect(chips).toContainText('Date: This month')
  await expect(rows(page).first()).toBeVisible()
  await chips.getByRole('button', { name: /Remove the filter Date/ }).click()
  await expect(page).not.toHaveURL(/f\.doc_date/)
  await expect(page).toHaveURL(/f\.total/)

  await page.goto('/sales-order-list?n=250')
  await expect(page.getByText(/^1 - 250 of/)).toBeVisible()
  // The browser's own menu prints what is there.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByText(/250 of [\d,]+ rows are printed\./)).toHaveCount(1)
  await expect(rows(page)).toHaveCount(250)
  // Heads stand on every page; the browser repeats them without the buttons in them.
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('thead')).toHaveCSS('display', 'table-header-group')
  await expect(page.getByRole('columnheader', { name: 'Customer' }).locator('button').first()).toHaveCSS('display', 'contents')
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect.poll(() => rows(page).count()).toBeLessThan(250)
})

test('groups stand in the order asked for, also on their second page, and Back leads to that page as it was left', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const heads = page.locator('tbody tr[data-group]')
  const named = async (order: object) => {
    const { groups } = (await api.get('/api/v1/data/sales-order/groups', { by: 'customer_id', totals: 'total', length: 100, ...order })) as { groups: readonly { readonly record: { readonly Code: string } }[] }
    return groups.map(({ record }) => record.Code)
  }
  const [byTotal, second] = [await named({ order: 'total', sort: 'asc' }), await named({ page: 2, sort: 'asc' })]
  await signIn(page, 'admin', '/sales-order-list?g=customer_id')
  await expect(heads).toHaveCount(100)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(heads.first()).toContainText(second[0] ?? '')
  await heads.nth(1).getByRole('button').click()
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
  for (const at of [0, 1, 2]) await expect(heads.nth(at)).toContainText(byTotal[at] ?? '')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^Groups 101 /)).toBeVisible()
  await page.goBack()
  await expect(heads.first()).toContainText(second[0] ?? '')
  await expect(rows(page).first()).toBeVisible()
})

test('rows ticked in any order are copied in the order in which they stand', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?v=none&n=25&s=-total')
  await expect(rows(page)).toHaveCount(25)
  const codes = await rows(page).evaluateAll((all) => all.map((row) => row.querySelector('a')?.textContent ?? ''))
  for (const at of [7, 2, 4]) await rows(page).nth(at).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy rows' }).click()
  await expect(page.getByText('3 rows copied')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text.split('\n').slice(1).map((line) => line.split('\t')[0])).toEqual([codes[2], codes[4], codes[7]])
})

test('rows ticked on several pages are copied in the order of the list, with the columns it shows by now; those no longer there are not left out in silence', async ({ page }) => {
  const copied = async (): Promise<readonly string[]> => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy rows' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
    await expect(page.getByText('3 rows copied').last()).toBeVisible()
    return (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.trim())
  }
  const code = async (at: number) => (await rows(page).nth(at).getByRole('link').first().textContent()) ?? ''
  await signIn(page, 'admin', '/sales-order-list?v=none&n=25&s=-total&p=2')
  const [later] = [await code(3)]
  await rows(page).nth(3).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText(/^1 - 25 of /)).toBeVisible()
  await settled(page)
  const [first, second] = [await code(1), await code(5)]
  await rows(page).nth(5).getByRole('checkbox').check()
  await rows(page).nth(1).getByRole('checkbox').check()
  expect((await copied()).slice(1).map((line) => line.split('\t')[0])).toEqual([first, second, later])

  // A column shown only now was not read with the row of the other page.
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'VAT (PPN)' }).check()
  await page.keyboard.press('Escape')
  await settled(page)
  const [heads = '', ...lines] = await copied()
  const at = heads.split('\t').indexOf('VAT (PPN)')
  expect(at).toBeGreaterThan(0)
  expect(lines.map((line) => line.split('\t')[at] ?? '')).toEqual(lines.map(() => expect.stringMatching(/\d/)))
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await rows(page).nth(1).focus()
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.trim())).toEqual([heads, ...lines])

  await page.route('**/sales-order/selection', (route) => route.fulfill({ status: 409, json: { code: 409, status: 'CONFLICT', message: 'The list has changed.', data: { code: 'SELECTION_CHANGED', key: 'problem.SELECTION_CHANGED' } } }))
  await page.keyboard.press('Control+c')
  await expect(page.getByText('Not copied')).toBeVisible()
})

test('cells marked beyond the rows that have come are copied whole, and rows ticked so are ticked whole', async ({ page }) => {
  await signIn(page, 'admin')
  // The first rows are there, the others never come.
  await page.route(/\/data\/sales-order\?.*page=[2-9]/, () => undefined)
  await page.goto('/sales-order-list?v=none&n=10000')
  await expect(rows(page).first()).toBeVisible()
  const total = Number((await page.getByRole('grid').first().getAttribute('aria-rowcount')) ?? 0) - 1
  expect(total).toBeGreaterThan(1_500)
  // As tall as all of its rows.
  await expect(page.locator('tbody tr[aria-hidden="true"]')).toHaveCount(1)
  await rows(page).nth(0).focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await expect(page.locator(`tbody tr[data-row="${total - 1}"]`)).toBeFocused()
  await page.keyboard.press('Control+c')
  await expect(page.getByText(new RegExp(`^${total} × \\d+ cells copied`))).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n')).toHaveLength(total + 1)
  const box = (at: number) => page.locator(`tbody tr[data-row="${at}"]`).getByRole('checkbox')
  await page.getByRole('grid').first().evaluate((grid) => grid.parentElement?.scrollTo(0, 0))
  await box(2).click()
  await page.keyboard.press('Control+End')
  await expect(page.locator(`tbody tr[data-row="${total - 1}"]`).locator('td:focus')).toBeVisible()
  await page.keyboard.press('Shift+Space')
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toContainText(`${(total - 2).toLocaleString('en')} selected`)
})

test('a list on paper holds all rows of its filter, of a long one the first thousand, and says so; the screen stays as it is', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?v=drafts')
  await expect(rows(page)).toHaveCount(5)
  const total = Number(/of (\d+)$/.exec((await page.getByText(/^1 - 5 of \d+$/).textContent()) ?? '')?.[1])
  expect(total).toBeGreaterThan(5)
  const onSecond = Math.min(5, total - 5)
  await page.evaluate(() => Object.assign(window, { print: () => window.dispatchEvent(new Event('beforeprint')) }))
  const seen = page.locator('tbody tr[data-row]:visible')
  const printed = page.getByText(/rows are printed/)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page).first()).toHaveAttribute('aria-rowindex', '7')
  await settled(page)
  const first = await rows(page).first().textContent()
  await page.keyboard.press('Control+p')
  await expect(rows(page)).toHaveCount(onSecond + total)
  await expect(seen).toHaveCount(onSecond)
  await expect(seen.first()).toHaveText(first ?? '')
  await expect(printed).toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await expect(seen).toHaveCount(total)
  await expect(page.locator('tfoot:visible')).toContainText(`All ${total}`)
  await expect(page.locator('thead:visible')).toHaveCSS('display', 'table-header-group')
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(rows(page)).toHaveCount(onSecond)
  await expect(rows(page).first()).toHaveText(first ?? '')

  await page.getByRole('group', { name: 'Views', exact: true }).getByRole('button', { name: 'All', exact: true }).click()
  await expect(page.getByText(/^1 - 5 of [\d,]{5,}$/)).toBeVisible()
  await page.keyboard.press('Control+p')
  await expect(rows(page)).toHaveCount(1005)
  await expect(page.locator('p').filter({ hasText: /The first 1,000 of [\d,]+ rows are printed\./ })).not.toHaveCount(0)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(rows(page)).toHaveCount(5)
  // As many as are shown already are not asked for once more.
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/sales-order-list?v=drafts&n=100')
  await expect(rows(page)).toHaveCount(total)
  await settled(page)
  asked.length = 0
  await page.evaluate(() => Object.assign(window, { print: () => window.dispatchEvent(new Event('beforeprint')) }))
  await page.keyboard.press('Control+p')
  await expect(page.locator('p').filter({ hasText: new RegExp(`^${total} rows · `) })).toHaveCount(1)
  expect(asked.filter((url) => url.includes('/data/sales-order?'))).toEqual([])
  await expect(rows(page)).toHaveCount(total)
})

test('a filter is added with the keyboard alone: the field by its name, a period, Enter; its chip is taken off', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search fields' })).toBeFocused()
  await page.keyboard.type('Date')
  await page.keyboard.press('Enter')
  const period = page.getByRole('combobox', { name: 'Period' })
  await expect(period).toBeFocused()
  await expect(page.getByRole('searchbox', { name: 'Search fields' })).toHaveCount(0)
  await period.selectOption({ label: 'Last 30 days' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const chip = page.getByRole('button', { name: 'Date: Last 30 days', exact: true })
  await expect(chip).toBeVisible()
  await expect(page).toHaveURL(/f\.doc_date/)
  await page.getByRole('button', { name: /Remove the filter Date/ }).focus()
  await page.keyboard.press('Enter')
  await expect(chip).toHaveCount(0)
  await page.goBack()
  await expect(chip).toBeVisible()
})

test('what is typed right after a press of Filter is the name of the field, every letter of it', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await expect(rows(page).first()).toBeVisible()
  const add = page.getByRole('button', { name: 'Filter', exact: true })
  const search = page.getByRole('searchbox', { name: 'Search fields' })
  // Whoever comes near has the code of it loaded.
  await add.hover()
  await add.click()
  await expect(search).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  // The next key can come no sooner than this: the press has been handled, nothing else has run.
  const focused = await add.evaluate(async (button: HTMLElement) => {
    button.click()
    await Promise.resolve()
    return document.activeElement?.getAttribute('placeholder')
  })
  expect(focused).toBe('Search fields')
  await page.keyboard.type('Total')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').locator('input').first()).toBeFocused()
  await page.keyboard.type('9000000')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/f\.total=ge/)
  // A second press of a button closes what it has opened.
  await add.click()
  await expect(search).toBeFocused()
  await add.click()
  await expect(search).toHaveCount(0)
})

test('a filter that cannot be read or says nothing tells why, and none is set', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Total', exact: true }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Fill this in.')
  await dialog.locator('input').first().pressSequentially('5.0.0')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Enter a number')
  await expect(page).not.toHaveURL(/f\.total/)
  await dialog.locator('input').first().fill('5000000')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/f\.total=ge/)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await dialog.getByRole('button', { name: 'Date', exact: true }).click()
  await dialog.getByLabel('Period', { exact: true }).selectOption({ label: 'A number of days …' })
  await dialog.getByLabel('Number of days').fill('0')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Enter how many days: 1 to 9999.')
  await dialog.getByLabel('Number of days').fill('３０')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/f\.doc_date=within.*30d/)
  // Two days stand beside one another whole.
  await page.getByRole('button', { name: /^Date: / }).click()
  const comparison = dialog.getByLabel('Comparison')
  await expect(comparison.getByRole('option')).toContainText(['within', 'between', 'from', 'up to', 'is'])
  await comparison.selectOption('between')
  for (const box of await dialog.getByRole('textbox').all()) {
    await box.fill('20260610')
    await box.press('Tab')
    await expect(box).toHaveValue('10/06/2026')
    expect(await box.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0)
  }
  await page.keyboard.press('Escape')
  // Beside the list, Esc closes what P has opened.
  await rows(page).first().focus()
  await page.keyboard.press('p')
  await expect(page.getByRole('complementary', { name: /^Preview/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: /^Preview/ })).toHaveCount(0)
})

test('rows are copied where the page is not given the clipboard, as on a plain http address; where nothing can be copied it is said', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'clipboard')
  })
  await signIn(page, 'sales', '/sales-order-list')
  const rows = page.locator('tbody tr[data-row]')
  await expect(rows.first()).toBeVisible()
  const copy = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy rows' }).click()
  }
  await copy()
  await expect(page.getByText(/copied\. Paste/)).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search', exact: true })
  await search.focus()
  await page.keyboard.press('Control+v')
  await expect(search).toHaveValue(/^Code\tDate\t/)
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await copy()
  await expect(page.getByText('Nothing was copied')).toBeVisible()
})

test('the row beside its preview is framed whole, also where it bears a mark', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?f.status=in:[5]')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Quick preview' }).click()
  const shown = page.locator('tbody tr[aria-current="true"]')
  await expect(shown).toHaveCount(1)
  expect(await shown.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid')
})

test('the frame of the focused row goes around its pinned columns too, with the table scrolled sideways', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  await signIn(page, 'admin', '/sales-order-list')
  await settled(page)
  await rows(page).nth(1).focus()
  await page.keyboard.press('ArrowDown')
  const row = rows(page).nth(2)
  await expect(row).toBeFocused()
  const edge = async (x: number) => (await page.screenshot({ clip: { x, y: ((await row.boundingBox())?.y ?? 0), width: 4, height: 4 } })).toString('base64')
  const { x = 0 } = (await row.boundingBox()) ?? {}
  const framed = await edge(x + 300)
  await page.mouse.move(600, 250)
  await page.mouse.wheel(300, 0)
  const table = page.locator('[data-scrolled]').filter({ has: page.locator('table') })
  await expect(table).toHaveCount(1)
  const { x: left = 0 } = (await table.boundingBox()) ?? {}
  await page.mouse.move(600, 690)
  await expect(async () => expect(await edge(left + 90)).toBe(framed)).toPass({ timeout: 5000 })
})

test('Esc closes the preview also when other rows have come meanwhile', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list')
  const first = rows(page).first()
  const before = (await first.textContent()) ?? ''
  await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
  await expect(first).not.toHaveText(before)
  const sorted = (await first.textContent()) ?? ''
  await first.focus()
  await page.keyboard.press('p')
  const preview = page.getByRole('complementary', { name: /^Preview/ })
  await expect(preview).toBeVisible()
  await page.goBack()
  await expect(first).not.toHaveText(sorted)
  await first.focus()
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
})

test('a phone shows cards, and a record beside the list fills the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'admin', '/billing?tab=invoices&q=INV%2F')
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'INV/' }).first()
  await expect(card).toBeVisible()
  await expect(page.locator('table')).toHaveCount(0)
  await card.getByRole('button', { name: /INV\// }).click()
  await expect(page.getByRole('dialog', { name: 'Invoice' })).toContainText('Remaining')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a card is named by its record, not by what that stands under', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'admin', '/setting/menu?n=100&q=sales-order-form')
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: '/sales-order-form' }).first()
  await expect(card.getByRole('button').first()).toHaveText('New order')
  await expect(card).toContainText(/Parent\s*Sales/)
})

test('in a column too narrow for name and code the name is cut off, the code stays readable; fitted, both are in every row', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?n=50')
  const cells = rows(page).locator('td', { hasText: /C\d{7}/ })
  await expect(cells.first().getByText(/^C\d{7}$/)).toBeVisible()
  const head = page.getByRole('columnheader', { name: 'Customer' })
  const width = () => head.evaluate((th) => th.getBoundingClientRect().width)
  // Of every row, in pixels: how far the code stands out of its cell, how much of the code is cut (a tenth is enough for an ellipsis), how much of the name.
  const cut = () => cells.evaluateAll((all) => all.map((td) => {
    const [name, code] = [...td.querySelectorAll('span > span')]
    if (name === undefined || code === undefined) throw new Error(`no name and code in ${td.innerHTML}`)
    const text = document.createRange()
    text.selectNodeContents(code)
    const box = code.getBoundingClientRect()
    return {
      outside: Math.max(0, box.right - td.getBoundingClientRect().right),
      code: Math.max(0, text.getBoundingClientRect().width - box.width - 0.01),
      name: Math.max(0, name.scrollWidth - name.clientWidth),
    }
  }))
  await head.getByRole('button').first().focus()
  for (let left = 20; left > 0 && (await width()) > 150; left--) await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(width).toBeLessThan(180)
  const narrow = await cut()
  expect(narrow.length).toBeGreaterThan(5)
  expect(Math.max(...narrow.map((row) => row.outside))).toBe(0)
  expect(Math.max(...narrow.map((row) => row.code))).toBe(0)
  expect(Math.max(...narrow.map((row) => row.name))).toBeGreaterThan(0)
  await head.locator('span[aria-hidden="true"]').last().dblclick()
  await expect.poll(async () => Math.max(...(await cut()).map((row) => row.name))).toBe(0)
})

test('a column fitted shows the whole of its heading and of its rows', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?n=50')
  await expect(rows(page).first()).toBeVisible()
  const heads = page.locator('thead th[data-column]')
  const count = await heads.count()
  expect(count).toBeGreaterThan(5)
  for (let at = 0; at < count; at++) {
    const head = heads.nth(at)
    await head.getByRole('button').first().focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByRole('menuitem', { name: 'Fit the width' }).click()
    const name = await head.getAttribute('data-column')
    // By how many pixels the contents of the fullest cell are wider than the room within its padding.
    const overflow = () => head.evaluate((th: HTMLTableCellElement) => Math.max(...[...(th.closest('table')?.rows ?? [])].flatMap((row) => {
      const cell = row.cells[th.cellIndex]
      if (cell === undefined || cell.colSpan > 1) return []
      const label = cell.querySelector('button > span')
      if (cell.tagName === 'TH') return label === null ? [] : label.scrollWidth - label.clientWidth
      const range = document.createRange()
      range.selectNodeContents(cell)
      const style = getComputedStyle(cell)
      return range.getBoundingClientRect().width - cell.getBoundingClientRect().width + parseFloat(style.paddingInlineStart) + parseFloat(style.paddingInlineEnd)
    })))
    await expect.poll(overflow, name ?? '').toBeLessThanOrEqual(0)
  }
})

test('in groups the rows of those that stand open are selected, copied and looked at, all levels open at once, and a bulk action finds its rows', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'admin', '/sales-order-list?g=status')
  const heads = page.locator('tbody tr[data-group]')
  const preview = page.getByRole('button', { name: 'Quick preview' })
  await expect(preview).toBeDisabled()
  await heads.first().getByRole('button').click()
  await expect(rows(page).first()).toContainText('Draft')
  await rows(page).nth(1).getByRole('checkbox').check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await rows(page).nth(1).focus()
  await page.keyboard.press('Control+a')
  const shown = await rows(page).count()
  await expect(page.getByRole('toolbar', { name: 'Actions' }).getByText(`${shown} selected`)).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Submit' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy rows' }).click()
  await expect(page.getByText(new RegExp(`^${shown} .*copied`))).toBeVisible()
  const first = (await rows(page).first().getByRole('link').first().textContent()) ?? ''
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')[1]).toContain(first)
  await preview.click()
  await expect(page.getByRole('complementary', { name: new RegExp(`^Preview.*${first}`) })).toBeVisible()

  await page.goto('/sales-order-list?g=status,doc_date:year')
  await expect(heads.first()).toBeVisible()
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await page.getByRole('button', { name: 'Open all' }).click()
  await expect(page.locator('tbody tr[data-group="2"] [aria-expanded="true"]').first()).toBeVisible()
  await expect(page.locator('tbody [aria-expanded="false"]')).toHaveCount(0)
  // More than can be asked for at once stay closed, and it is said.
  await page.goto('/sales-order-list?g=customer_id,doc_date:month')
  await expect(heads).toHaveCount(100)
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await page.getByRole('button', { name: 'Open all' }).click()
  await expect(page.getByText('The first 200 groups are open')).not.toHaveCount(0)
})

test('a box selects all rows of a group, those not loaded too, by mouse and by Space; it says some where only some are; refused where their number is another by now', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list?g=status,doc_date:year')
  const heads = page.locator('tbody tr[data-group="1"]')
  const inner = page.locator('tbody tr[data-group="2"]')
  const bar = page.getByRole('toolbar', { name: 'Actions' })
  const numberOf = async (head: Locator) => /\(([\d,]+)\)/.exec((await head.textContent()) ?? '')?.[1] ?? ''
  const count = await numberOf(heads.nth(1))
  await heads.nth(1).getByRole('checkbox').check()
  await expect(bar).toContainText(`${count} selected`)
  await expect(heads.nth(0).getByRole('checkbox')).not.toBeChecked()

  // One row of it less: some of the outer and of the inner group.
  await heads.nth(1).getByRole('button').click()
  await expect(inner.first().getByRole('checkbox')).toBeChecked()
  await inner.first().getByRole('button').click()
  await rows(page).first().getByRole('checkbox').uncheck()
  for (const head of [heads.nth(1), inner.first()]) await expect(head.getByRole('checkbox')).toHaveJSProperty('indeterminate', true)
  // Who opens a row and comes back finds the boxes as they were.
  await rows(page).nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/list\/\d+/)
  await page.goBack()
  await expect(heads.nth(1).getByRole('checkbox')).toHaveJSProperty('indeterminate', true)
  await inner.first().getByRole('checkbox').check()
  await expect(heads.nth(1).getByRole('checkbox')).toBeChecked()
  await expect(bar).toContainText(`${count} selected`)

  // Space selects and takes back; Enter opens.
  await heads.nth(1).getByRole('button').focus()
  await page.keyboard.press('Space')
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('Space')
  await expect(bar).toContainText(`${count} selected`)
  await expect(heads.nth(1).getByRole('button')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Enter')
  await expect(heads.nth(1).getByRole('button')).toHaveAttribute('aria-expanded', 'false')

  // All that match are all of every group.
  await bar.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click()
  await expect(heads.nth(0).getByRole('checkbox')).toBeChecked()
  await expect(heads.last().getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Clear the selection' }).click()

  await page.route('**/sales-order/selection', async (route) => {
    const body: { count: number } = route.request().postDataJSON()
    await route.continue({ postData: { ...body, count: body.count + 1 } })
  }, { times: 1 })
  await heads.nth(0).getByRole('checkbox').click()
  await expect(page.getByText('Not selected')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await heads.nth(0).getByRole('checkbox').check()
  await expect(bar).toContainText(`${await numberOf(heads.nth(0))} selected`)
})

test('the focus stays with the filters as chips go and come, in the panel of columns after "As delivered", and at the search after all rows are shown', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-list?f.customer_id=in:[3]&f.salesman_id=in:[3]&f.code=contains:"zzz"')
  const chips = page.getByRole('group', { name: 'Filters' })
  const all = page.getByRole('button', { name: 'Show all rows' })
  await expect(all).toBeVisible()
  // The same number is another record for another field.
  const names = await Promise.all([/^Customer: /, /^Salesman: /].map(async (name) => ((await chips.getByRole('button', { name }).textContent()) ?? '').split(': ')[1]))
  expect(names[0]).not.toMatch(/^#/)
  expect(names[0]).not.toBe(names[1])
  await page.getByRole('button', { name: /^Remove the filter Customer/ }).focus()
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: /^Salesman: / })).toBeFocused()
  await page.getByRole('button', { name: /^Remove the filter Salesman/ }).focus()
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: /^Code / })).toBeFocused()
  await all.focus()
  await page.keyboard.press('Enter')
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()

  await chips.getByRole('button', { name: 'Filter', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Date')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Period' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: 'Date: This month', exact: true })).toBeFocused()
  await page.getByRole('button', { name: /^Remove the filter Date/ }).focus()
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('listitem').nth(1).getByRole('checkbox').uncheck()
  await columns.getByRole('button', { name: 'As delivered' }).focus()
  await page.keyboard.press('Enter')
  await expect(columns.getByRole('checkbox').first()).toBeFocused()
})

test('walked to by keys a cell stands clear of the pinned columns; columns pinned beyond most of the frame go with the rest', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 })
  await signIn(page, 'admin', '/sales-order-list')
  await settled(page)
  const frame = page.locator('div').filter({ has: page.locator(':scope > table[role=grid]') }).last()
  const edges = (cell: Locator) => cell.evaluate((element) => ({ left: element.getBoundingClientRect().left, right: element.getBoundingClientRect().right }))
  await rows(page).first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await expect(frame).toHaveAttribute('data-scrolled', '')
  const pinned = await edges(rows(page).first().locator('td').nth(1))
  for (let left = 4; left > 0; left--) {
    await page.keyboard.press('ArrowLeft')
    const cell = await edges(page.locator('td:focus'))
    expect(cell.left).toBeGreaterThanOrEqual(pinned.right - 1)
  }
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  for (let place = 1; place < 6; place++) await columns.getByRole('listitem').nth(place).getByRole('button', { name: /left/ }).click()
  await page.keyboard.press('Escape')
  await frame.evaluate((element) => (element.scrollLeft = element.scrollWidth))
  const width = await frame.evaluate((element) => element.clientWidth)
  const { left } = await edges(frame)
  const held = await Promise.all([1, 2, 3, 4, 5, 6].map(async (place) => await edges(rows(page).first().locator('td').nth(place))))
  expect(held.filter((cell) => cell.right > left && cell.left < left + width * 0.6).every((cell) => cell.right <= left + width * 0.6 + 1)).toBe(true)
  expect((held[0]?.left ?? 0)).toBeGreaterThanOrEqual(left)
  expect((held[5]?.left ?? 0)).toBeLessThan(left)
})

test('Back from a record is on its row, where the list was scrolled to: in a page, in a thousand rows, in groups; so is who closes the preview, which follows the pages', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list')
  await expect(rows(page).first()).toBeVisible()
  await page.goto('/sales-order-list?n=2000')
  const frame = page.locator('div').filter({ has: page.locator(':scope > table[role=grid]') }).last()
  await expect(rows(page).first()).toBeVisible()
  const row = page.locator('tr[data-row="255"]')
  await expect(async () => {
    await frame.evaluate((element) => (element.scrollTop = 255 * 36))
    await expect(row.getByRole('link').first()).toBeVisible({ timeout: 500 })
  }).toPass()
  await row.getByRole('link').first().click()
  await expect(page).toHaveURL(/list\/\d+/)
  const { top } = await page.evaluate(() => ({ top: 255 * 36 }))
  await page.goBack()
  await expect(row).toBeFocused()
  expect(Math.abs((await frame.evaluate((element) => element.scrollTop)) - top)).toBeLessThan(80)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('tr[data-row="256"]')).toBeFocused()

  await page.goto('/sales-order-list?g=status')
  await page.locator('tbody tr[data-group] button').nth(1).click()
  await expect(rows(page).nth(3)).toBeVisible()
  await rows(page).nth(3).getByRole('link').first().click()
  await expect(page).toHaveURL(/list\/\d+/)
  await page.goBack()
  await expect(rows(page).nth(3)).toBeFocused()

  await page.goto('/sales-order-list')
  await rows(page).first().focus()
  await page.keyboard.press('p')
  const preview = page.getByRole('complementary', { name: /^Preview/ })
  await expect(preview).toBeVisible()
  const before = (await rows(page).first().getByRole('link').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page).first()).not.toContainText(before)
  const after = (await rows(page).first().getByRole('link').first().textContent()) ?? ''
  await expect(page.getByRole('complementary', { name: `Preview of ${after}` })).toBeVisible()
  await preview.getByRole('button', { name: 'Next row' }).click()
  await preview.getByRole('button', { name: 'Close the preview' }).click()
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Previous page' }).focus()
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
})

test('Back from a record is on its card on a phone: among few, in groups, and far down among thousands, which are drawn as they come into view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'admin', '/sales-order-list?n=25')
  const cards = page.getByRole('main').locator('li[data-key]')
  const there = async (card: Locator) => {
    const id = (await card.getAttribute('data-key')) ?? ''
    const link = page.locator(`li[data-key="${id}"]`).getByRole('link').first()
    await link.click()
    await expect(page).toHaveURL(/list\/\d+/)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sales orders')
    await page.goBack()
    await expect(link).toBeFocused()
    await expect(link).toBeInViewport()
  }
  await there(cards.nth(17))

  await page.goto('/sales-order-list?g=status')
  await page.getByRole('button', { name: /^Status:/ }).nth(1).click()
  await there(cards.nth(9))

  await page.goto('/sales-order-list?n=5000')
  await expect(page.getByText(/^1 - 5,000 of/)).toBeVisible()
  await settled(page)
  expect(await cards.count()).toBeLessThan(200)
  const seen = await page.locator('#main').evaluate(async (main) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const [list] = main.querySelectorAll('ul:has(> li[data-key])')
    const ends: number[] = []
    let blank = 0
    // As a finger flicks: a screen each time, then a leap to the end and back to the middle.
    const steps = [...Array.from({ length: 40 }, (_, i) => i * 700), main.scrollHeight - 3000, main.scrollHeight / 2]
    for (const top of steps) {
      main.scrollTop = top
      const isLeap = Math.abs(top - (ends.at(-1) ?? 0)) > 1000
      for (let wait = isLeap ? 12 : 2; wait > 0; wait--) await frame()
      ends.push(top)
      if (document.elementFromPoint(195, 420)?.closest('ul') === list && document.elementFromPoint(195, 420)?.closest('li')?.hasAttribute('data-key') === false) blank++
    }
    return { blank, drawn: main.querySelectorAll('li[data-key]').length }
  })
  expect(seen.blank).toBe(0)
  expect(seen.drawn).toBeLessThan(600)
  // Between two cards there is a gap.
  const middle = page.locator(`li[data-key="${await page.evaluate(() => [420, 432].flatMap((y) => document.elementFromPoint(195, y)?.closest('li')?.dataset['key'] ?? [])[0] ?? '')}"]`)
  await there(middle)
  expect(await cards.count()).toBeLessThan(600)
})

test('rows selected stay so for who opens one and comes back; presets count what a click on them shows; a number is filtered by in either form', async ({ page }) => {
  await signIn(page, 'admin', '/sales-order-list')
  await rows(page).nth(0).getByRole('checkbox').check()
  await rows(page).nth(2).getByRole('checkbox').check()
  await rows(page).nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/list\/\d+/)
  await page.goBack()
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toContainText('2 selected')
  await expect(rows(page).nth(2).getByRole('checkbox')).toBeChecked()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Total', exact: true }).click()
  await expect(page.getByRole('dialog').locator('input').first()).toBeFocused()
  await page.keyboard.type('1.000.000,5')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Total ≥ 1,000,000.50', exact: true })).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toHaveCount(0)
  // Found by the names of their customers, as the rows are.
  await page.keyboard.press('/')
  await page.keyboard.type('toko')
  await page.keyboard.press('Enter')
  const presets = page.getByRole('group', { name: 'Views', exact: true })
  const counted = presets.getByRole('button', { name: /This month [1-9]/ })
  await expect(async () => {
    const [count = ''] = /[\d,]+\+?$/.exec((await counted.textContent()) ?? '') ?? []
    await counted.click()
    await expect(page.getByText(new RegExp(`^1 - \\d+ of ${count.replace('+', '')}$`))).toBeVisible({ timeout: 2000 })
  }).toPass()
})

test('a preset in which nothing matches says in which others it stands and leads there with the search kept; keys go on at the search', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const [draft] = await api.rows('sales-order', { filter: { status: 0 }, columns: 'code', length: 1 })
  const code = String(draft?.['Code'])
  const asked: string[] = []
  page.on('request', (one) => {
    if (one.url().includes('/sales-order/counts')) asked.push(one.url())
  })
  await signIn(page, 'admin', `/sales-order-list?v=waiting&q=${encodeURIComponent(code)}`)
  await expect(page.getByText('Nothing matches in Waiting for approval.')).toBeVisible()
  const all = page.getByRole('button', { name: 'All (1)', exact: true })
  await expect(all).toBeVisible()
  await expect(page.getByRole('button', { name: 'Drafts (1)', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /\(0\)$/ })).toHaveCount(0)
  await all.focus()
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText(code)
  await expect(page).toHaveURL(/v=none/)
  await expect(page).toHaveURL(/q=/)
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()
  // Found by the name of a customer, too.
  const waiting = new Set((await api.rows('sales-order', { filter: { status: 4 }, columns: 'customer_id', length: 100 })).map((row) => String(row['CustomerName'])))
  const names = (await api.rows('sales-order', { filter: { status: 3 }, columns: 'customer_id', length: 100 })).map((row) => String(row['CustomerName']))
  const name = names.find((one) => ![...waiting].some((other) => other.includes(one))) ?? ''
  await page.goto(`/sales-order-list?v=waiting&q=${encodeURIComponent(name)}`)
  await expect(page.getByText('Nothing matches in Waiting for approval.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^All \([1-9]/ })).toBeVisible()
  await page.goto(`/sales-order-list?v=none&q=${encodeURIComponent(code)}`)
  await expect(rows(page)).toHaveCount(1)
  // Where rows are found nothing is asked beside the counts of the presets.
  await page.getByRole('group', { name: 'Views', exact: true }).getByRole('button').nth(1).locator('span').waitFor()
  const before = asked.length
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('')
  await expect(page).not.toHaveURL(/q=/)
  await expect.poll(() => asked.length).toBe(before + 1)
  await settled(page)
  expect(asked.length).toBe(before + 1)
})

test('what can be done with cards ticked far down a phone stays in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [who, path] of [['sales', '/sales-order-list'], ['credit', '/approval/sales-order']] as const) {
    if (who === 'sales') await signIn(page, who, path)
    else await signInAs(page, who, path)
    await page.getByRole('checkbox', { name: /Select row/ }).last().check()
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await expect(bar).toBeVisible()
    await page.getByRole('checkbox', { name: /Select row/ }).last().scrollIntoViewIfNeeded()
    await expect(bar).toBeInViewport({ ratio: 1 })
    if (who !== 'sales') continue
    const last = bar.getByRole('button', { name: 'Clear the selection' })
    await last.scrollIntoViewIfNeeded()
    await last.click()
    await expect(bar).toHaveCount(0)
  }
})

test('the cards of a phone are put in order by a choice above them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'admin', '/sales-order-list')
  const order = page.getByLabel('Sort by')
  await order.selectOption({ label: 'Total descending' })
  await expect(page).toHaveURL(/s=-total/)
  await expect(order.locator('option:checked')).toHaveText('Total descending')
})

test('a list is drawn by the texts that come with its page, in any language and width; what opens later waits for the others', async ({ page, context }) => {
  await signIn(page, 'admin')
  await settled(page)
  const keys = /\b(ui|field|screen|menu|action|status|enum|preset|empty|entity|section)\.[a-z][\w-]*/
  for (const [language, width, columns] of [['en', 1440, 'Columns'], ['id', 1440, 'Kolom'], ['en', 390, undefined]] as const) {
    // The browser has told the server its language by the time its page is left.
    await page.evaluate((wanted) => localStorage.setItem('language', wanted), language)
    await page.goto('/home')
    await settled(page)
    const opened = await context.newPage()
    await opened.setViewportSize({ width, height: 900 })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await opened.route(/\/assets\/(en|id)-[\w-]+\.json/, async (route) => {
      await held
      await route.continue()
    })
    for (const path of ['/sales-order-list', '/sales-order-list?q=nothingofthekind', '/master/customers']) {
      await opened.goto(path)
      await expect(opened.locator('tbody tr[data-row], li[data-key]').first().or(opened.getByRole('button', { name: /^(Show all rows|Tampilkan semua baris)$/ }))).toBeVisible()
      const said = await opened.evaluate(() => [document.body.innerText, ...Array.from(document.querySelectorAll('[aria-label], [title], [placeholder]'), (one) => ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '').join(' '))].join('\n'))
      expect(said, path).not.toMatch(keys)
    }
    if (columns !== undefined) {
      await opened.getByRole('button', { name: columns, exact: true }).click()
      const panel = opened.getByRole('dialog', { name: columns, exact: true })
      await expect(panel.getByRole('checkbox')).toHaveCount(0)
      release()
      await expect(panel.getByRole('checkbox').first()).toBeVisible()
      await expect(panel).not.toContainText(keys)
    }
    release()
    await opened.close()
  }
})

test('what is chosen above a list is a filter like any other: in the address, the chips and "Clear filters"; an empty list says that it holds', async ({ page, request }) => {
  const cashier = await Api.as(request, 'cashier')
  const receiptsOf = async (id: unknown) => cashier.rows('payment-received', { filter: { customer_id: Number(id) }, columns: 'code', length: 1 })
  const customers = await cashier.rows('customer', { columns: 'code,name', length: 60 })
  const payer = (await Promise.all(customers.slice(0, 20).map(async (one) => ((await receiptsOf(one['ID'])).length > 0 ? [one] : [])))).flat()[0]
  const billing = await Api.as(request, 'billing')
  const due = new Set((await billing.rows('billing-due', { columns: 'customer_id', length: 1000 })).map((row) => row['CustomerID']))
  const stranger = (await billing.rows('customer', { columns: 'code,name', length: 100 })).find(({ ID }) => !due.has(ID))
  const name = String(payer?.['Name'])
  const filters = page.getByRole('group', { name: 'Filters' })
  const counter = page.getByText(/^1 - \d+ of [\d,]+$/)

  await signIn(page, 'cashier', '/finance/account-receivable/payment-received?v=none')
  await expect(rows(page).first()).toBeVisible()
  const all = (await counter.textContent()) ?? ''
  await page.getByRole('group', { name: 'What is shown' }).getByRole('button').click()
  const box = page.getByRole('dialog', { name: 'Choose customers' })
  await box.getByRole('searchbox').fill(String(payer?.['Code']))
  await box.getByLabel(name).check()
  await expect(page).toHaveURL(new RegExp(`customers=${String(payer?.['ID'])}(&|$)`))
  await page.keyboard.press('Escape')
  await expect(filters).toContainText(`Customer: ${name}`)
  await expect(counter).not.toHaveText(all)

  // A reload and a sent link bring it back, Back takes it off, as with any filter.
  await page.reload()
  await expect(filters).toContainText(`Customer: ${name}`)
  await page.goBack()
  await expect(counter).toHaveText(all)
  await expect(filters).not.toContainText('Customer:')
  await page.goForward()
  await expect(filters).toContainText(`Customer: ${name}`)
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/customers=/)
  await expect(counter).toHaveText(all)
  await expect(page.getByRole('group', { name: 'What is shown' }).getByRole('button')).toHaveText('All')

  // Who is not there to be chosen is chosen no longer, in the address either.
  await page.goto(`/finance/account-receivable/payment-received?v=none&customers=${String(payer?.['ID'])},999999999`)
  await expect(filters).toContainText(`Customer: ${name}`)
  await expect(page).toHaveURL(new RegExp(`customers=${String(payer?.['ID'])}$`))

  await signInAs(page, 'billing', `/billing?tab=due&v=none&customers=${String(stranger?.['ID'])}`)
  await expect(filters).toContainText(`Customer: ${String(stranger?.['Name'])}`)
  await expect(page.getByText('Nothing matches')).toBeVisible()
  // What is chosen on one list stands on the next, and in its address.
  await page.getByRole('tab', { name: 'Invoices' }).click()
  await expect(page).toHaveURL(new RegExp(`tab=invoices&customers=${String(stranger?.['ID'])}$`))
  await page.getByRole('tab').first().click()
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await expect(page).not.toHaveURL(/customers=/)
  await expect(rows(page).first()).toBeVisible()
})

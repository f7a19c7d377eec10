import fs from 'node:fs'
import path from 'node:path'
import { readSheet } from 'read-excel-file/node'
import { Api, expect, expectAccessible, settled, signIn, test } from './support.ts'
import type { Page } from '@playwright/test'

const layout = (page: Page) => page.getByRole('group', { name: 'How the report is put together' })
const summary = (page: Page) => page.locator('table[aria-label="AR aging"]')
const total = (page: Page) => summary(page).locator('tfoot tr').first()

/** Head of each column of figures with what stands in its foot. */
async function totals(page: Page): Promise<ReadonlyMap<string, string>> {
  const heads = await summary(page).locator('thead tr').last().locator('th').allInnerTexts()
  const feet = await total(page).locator('th, td').allInnerTexts()
  return new Map(heads.map((head, i) => [head.trim(), (feet[i] ?? '').trim()]))
}

test('a report is grouped, its total stays, a figure leads to its rows, and Back undoes step by step', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging')
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
  const single = await totals(page)

  await layout(page).getByRole('button', { name: 'Summary' }).click()
  await expect(page).toHaveURL(/by=customer_code/)
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toHaveCount(0)
  await expect(page.getByText(/Grouped by Customer/)).toBeVisible()
  await expect(summary(page).locator('tbody th a').first()).toBeVisible()
  const grouped = await totals(page)
  const shared = [...grouped].filter(([head]) => single.has(head) && /Remaining|Not due/.test(head))
  expect(shared.length).toBeGreaterThan(0)
  for (const [head, figure] of shared) expect(figure, head).toBe(single.get(head))

  await layout(page).getByLabel('Group by').selectOption('territory_code')
  await layout(page).getByLabel('Then by').first().selectOption('customer_code')
  await expect(page).toHaveURL(/by=territory_code%2Ccustomer_code/)
  const outer = summary(page).locator('tbody button[aria-expanded="true"]').first()
  await expect(outer).toBeVisible()
  const rows = summary(page).locator('tbody tr')
  const open = await rows.count()
  await outer.click()
  await expect.poll(() => rows.count()).toBeLessThan(open)
  await summary(page).locator('tbody button[aria-expanded="false"]').first().press('Enter')
  await expect(rows).toHaveCount(open)

  const figure = rows.nth(1).locator('td a').first()
  const expected = await figure.innerText()
  await figure.click()
  await expect(page).toHaveURL(/f\.territory_code=.*f\.customer_code=/)
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
  await expect(total(page)).toContainText(expected)
  await page.goBack()
  await expect(page).toHaveURL(/by=territory_code%2Ccustomer_code/)
  await expect(rows).toHaveCount(open)
  await page.goBack()
  await expect(page).toHaveURL(/by=territory_code(&|$)/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/\/report\/ar-aging$/)
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
})

test('Back from the rows behind a figure finds the summary where it was left', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=territory_code,customer_code&basis=INVOICE')
  const place = () => summary(page).evaluate((table) => [table.parentElement?.scrollTop, table.parentElement?.scrollLeft])
  await expect(summary(page).locator('tbody tr').nth(40)).toBeVisible()
  await summary(page).evaluate((table) => table.parentElement?.scrollTo(120, 900))
  await expect.poll(place).toEqual([900, 120])
  await settled(page)
  await summary(page).evaluate((table) => {
    const top = (table.parentElement?.getBoundingClientRect().top ?? 0) + 120
    const seen = [...table.querySelectorAll<HTMLElement>('tbody td a')].find((link) => link.getBoundingClientRect().top > top)
    seen?.click()
  })
  await expect(page).toHaveURL(/f\.territory_code=/)
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/by=territory_code,customer_code&basis=INVOICE$/)
  await expect.poll(place).toEqual([900, 120])
})

test('groups stand across and beside an earlier period, are sorted and drawn; axe finds nothing serious', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=customer_code&across=territory_code')
  await expect(summary(page).locator('thead tr')).toHaveCount(2)
  await expect(summary(page).getByRole('columnheader', { name: 'All', exact: true })).toBeVisible()

  await layout(page).getByLabel('Across').selectOption('')
  await layout(page).getByLabel('Compare with').selectOption('month')
  await expect(page).toHaveURL(/compare=month/)
  await expect(page.getByText(/Compared with a month earlier \(\d\d\/\d\d\/\d{4}\)/)).toBeVisible()
  await expect(summary(page).getByRole('columnheader', { name: 'Difference' }).first()).toBeVisible()

  await layout(page).getByRole('button', { name: 'Both' }).click()
  await expect(page.locator('svg[aria-label="Chart: AR aging"]')).toBeVisible()
  await summary(page).getByRole('columnheader', { name: 'Now' }).first().getByRole('button').click()
  await expect(page).toHaveURL(/s=-remaining/)
  await settled(page)
  await expectAccessible(page)

  await layout(page).getByRole('button', { name: 'Rows' }).click()
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
})

test('a row leads to what stands behind it in the same days and the same unit', async ({ page }) => {
  await signIn(page, 'finance', '/report/monitoring-coa?date_from=2026-10-01&date_to=2026-10-31&q=112101')
  await page.getByText('112101').first().click()
  await expect(page).toHaveURL(/\/report\/journal\?date_from=2026-10-01&date_to=2026-10-31&account_from=112101&account_to=112101&f\.operating_unit_id=eq%3A\d+/)
  await expect(page.getByText('This could not be loaded')).toHaveCount(0)
  // Each to its own document, whichever that is.
  await page.goto('/report/journal?f.source_doc_type=eq:goods_issue')
  await page.locator('tbody tr[data-row]').first().getByRole('link', { name: /^GI\// }).click()
  await expect(page).toHaveURL(/\/delivery_plan\?tab=issues&edit=\d+$/)
  await page.goto('/report/payment?f.doc_kind=in:[PAYMENT]')
  await page.locator('tbody tr[data-row]').first().getByRole('link', { name: /^PAY\// }).click()
  await expect(page).toHaveURL(/\/payment-received\/edit\/\d+$/)
})

test('a report asks only for what changes what it shows, and its sentence says what that is', async ({ page }) => {
  await signIn(page, 'finance', '/report/fbl5n')
  const asked = page.getByRole('group', { name: 'Parameters' })
  await expect(asked.getByRole('textbox', { name: 'Key date' })).toBeVisible()
  await expect(asked.getByRole('textbox', { name: 'From' })).toHaveCount(0)
  await expect(page.getByText(/^Line items of customer accounts open at /)).toBeVisible()
  await asked.getByRole('combobox', { name: 'Items' }).selectOption({ label: 'Cleared in period' })
  await expect(asked.getByRole('textbox', { name: 'From' })).toBeVisible()
  await expect(page.getByText(/^Line items of customer accounts cleared from /)).toBeVisible()
})

test('what is below nothing is drawn below it: bars on one another grow either way from a line at nothing', async ({ page }) => {
  await signIn(page, 'analyst', '/report/monitoring-coa?by=account_type&across=operating_unit_code&show=chart')
  const drawing = page.locator('svg[aria-label="Chart: Account balances"]')
  const nothing = drawing.locator('.recharts-reference-line-line')
  await expect(nothing).toHaveCount(1)
  await settled(page)
  const line = await nothing.evaluate((drawn) => drawn.getBoundingClientRect().top)
  const bars = await drawing.locator('.recharts-bar-rectangle path').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  expect(bars.filter(({ top }) => top < line - 3).length).toBeGreaterThan(2)
  expect(bars.filter(({ bottom }) => bottom > line + 3).length).toBeGreaterThan(2)
  expect(bars.filter(({ top, bottom }) => top < line - 3 && bottom > line + 3)).toEqual([])

  // All of it below nothing: bars still begin there, and not where the least of them ends.
  await page.goto(`/report/monitoring-coa?by=account_type&show=chart&f.account_type=${encodeURIComponent('in:["LIABILITY","EQUITY","REVENUE"]')}`)
  await expect(nothing).toHaveCount(1)
  await settled(page)
  const from = await nothing.evaluate((drawn) => drawn.getBoundingClientRect().top)
  const ends = await drawing.locator('.recharts-bar-rectangle path').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  expect(ends).toHaveLength(3)
  expect(ends.filter(({ top, bottom }) => Math.abs(top - from) > 3 || bottom < from + 3)).toEqual([])
})

test('groups along a calendar are drawn as bars, lines or stacks, also beside single rows; a day without rows leaves its place free', async ({ page }) => {
  await signIn(page, 'analyst', '/report/zdr-bill?by=bill_date:month,territory_code&show=chart&date_from=2026-06-01')
  const drawing = page.locator('svg[aria-label="Chart: Billing register"]')
  const drawn = (name: string) => layout(page).getByRole('button', { name, exact: true })
  await expect(drawing.locator('.recharts-bar')).toHaveCount(1)
  await drawn('Stacked').click()
  await expect(drawing.locator('.recharts-bar').nth(1)).toBeVisible()
  await drawn('Lines').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/draw=line/)
  await expect(drawing.locator('.recharts-line').nth(1)).toBeVisible()
  await expect(drawing.locator('.recharts-bar')).toHaveCount(0)
  await page.goBack()
  await expect(drawn('Stacked')).toHaveAttribute('aria-pressed', 'true')
  await drawn('Bars').click()
  await expect(page).not.toHaveURL(/draw=/)

  // Along customers there are no lines to draw.
  await layout(page).getByLabel('Group by').selectOption('customer_code')
  await expect(drawn('Lines')).toHaveCount(0)
  await layout(page).getByRole('button', { name: 'Rows' }).click()
  await drawn('Lines').click()
  await expect(drawing.locator('.recharts-line')).toHaveCount(1)
})

test('a bar leads to the rows it stands for as its group does, by mouse, by finger and by keys; beside what stands across the earlier period is in the table only', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, 'analyst', '/report/zdr-bill?by=customer_code&show=both&date_from=2026-06-01&s=-dpp')
  const drawing = page.locator('svg[aria-label="Chart: Billing register"]')
  const bars = drawing.getByRole('link')
  await expect(bars).toHaveCount(20)
  await settled(page)
  await expect(bars.first()).toHaveAccessibleName(/^.+: [\d,]+\.00; to its rows$/)
  await expect(bars.first()).toHaveCSS('cursor', 'pointer')
  const [first, second] = [await bars.first().getAttribute('href'), await bars.nth(1).getAttribute('href')]
  await expect(page.locator('table[aria-label="Billing register"]').locator(`tbody th a[href="${first}"]`)).toHaveCount(1)
  await bars.first().hover()
  await expect(page.locator('.recharts-tooltip-wrapper').getByText('Click: the rows behind it')).toBeVisible()

  // One stop for Tab, arrows from there; figures are shown where the keys are.
  await bars.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(bars.nth(1)).toBeFocused()
  await expect(drawing.locator('a[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === second)
  await expect(page.getByRole('grid', { name: 'Billing register' }).locator('tbody tr').first()).toBeVisible()
  await page.goBack()
  // What is still growing is drawn anew.
  await expect(bars).toHaveCount(20)
  await settled(page)
  // The first touch shows the figures, as pointing does.
  const touch = () => bars.first().evaluate((bar) => bar.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true, cancelable: true })))
  await touch()
  await expect(page).toHaveURL(/show=both/)
  await touch()
  await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === first)
  await page.goBack()
  await bars.first().click()
  await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === first)

  await page.goto('/report/zdr-bill?by=customer_code&across=sales_channel_code&compare=month&show=chart')
  await expect(page.getByText('The earlier period is in the table only.')).toBeVisible()
  await page.goto('/report/customer-limit?by=customer_code&compare=month')
  await expect(page.getByText(/compare=month/)).toBeVisible()
})

/** Pixels of the table that lie beyond its frame. */
function overhang(page: Page): Promise<number> {
  return summary(page).evaluate((table) => Math.max(0, Math.floor(table.getBoundingClientRect().width - (table.parentElement?.clientWidth ?? 0))))
}

test('on a phone the figures come before how they are put together; on paper every column fits', async ({ page }) => {
  await signIn(page, 'analyst')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/report/ar-aging?by=territory_code')
  await expect(page.locator('main').getByRole('heading', { name: /^All \d+/ })).toBeVisible()
  await expect(summary(page)).toHaveCount(0)
  await expect(layout(page).getByLabel('Group by')).toHaveCount(0)
  await layout(page).getByRole('button', { name: 'How the report is put together' }).click()
  await expect(layout(page).getByLabel('Group by')).toHaveValue('territory_code')

  // A4 on its side less its margins.
  await page.setViewportSize({ width: 1062, height: 720 })
  expect(await overhang(page)).toBeGreaterThan(0)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  expect(await overhang(page)).toBe(0)
  await expect(page.getByText('Not all columns fit on the paper')).toBeHidden()
  // A button would be missing from the head of the second page.
  expect(await summary(page).locator('thead button').evaluateAll((buttons) => [...new Set(buttons.map((button) => getComputedStyle(button).display))])).toEqual(['contents'])

  // The paper has pages of its own, and says when it was taken; no group ends one by its name.
  await expect(page.getByText(/^Groups 1 - /)).toBeHidden()
  await expect(page.getByText(/Grouped by Territory\. · \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)).toBeVisible()

  // Too many columns to be read on paper: it says so.
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/report/ar-aging?by=territory_code&across=item_kind&compare=month')
  await expect(summary(page).locator('tbody tr').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByText('Not all columns fit on the paper')).toBeVisible()
})

test('on a phone rows and groups of a report are cards: nothing is scrolled sideways, groups keep their sums, figures lead to their rows', async ({ page, request }) => {
  const analyst = await Api.as(request, 'analyst')
  const answer = (await analyst.get('/api/v1/report/ar-aging.report', { basis: 'DUE', level: 'DETAIL', order: 'customer_code,due_date', sort: 'asc,asc', length: 5 })) as { readonly groups: readonly { readonly count: number; readonly totals: Readonly<Record<string, string>> }[]; readonly totals: Readonly<Record<string, string>> }
  const shown = (amount: string | undefined) => Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'analyst', '/report/ar-aging?n=5')
  const main = page.locator('main')
  await expect(main.getByText(shown(answer.totals['remaining'])).first()).toBeVisible()
  const several = answer.groups.find(({ count }) => count > 1)
  if (several !== undefined) await expect(main.getByRole('heading', { name: `(${several.count})` }).locator('..').getByText(shown(several.totals['remaining'])).first()).toBeVisible()
  for (const query of ['', 'by=operating_unit_code,customer_code', 'by=territory_code&across=operating_unit_code', 'by=item_kind&show=both']) {
    await page.goto(`/report/ar-aging?n=5&${query}`)
    await expect(main.getByText(shown(answer.totals['remaining'])).first()).toBeVisible()
    expect(await main.evaluate((all) => [all, ...all.querySelectorAll('*')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto').length), query).toBe(0)
  }
  const inner = page.locator('main section section section').first()
  await page.goto('/report/ar-aging?n=5&by=operating_unit_code,customer_code')
  await expect(inner).toBeVisible()
  const count = await page.locator('main section section section').count()
  await main.getByRole('button', { name: /^What .* is made of/ }).first().click()
  expect(await page.locator('main section section section').count()).toBeLessThan(count)
  await expectAccessible(page)
  await page.goto('/report/ar-aging?by=customer_code')
  await expect(main.locator('dd a').nth(40)).toBeVisible()
  await settled(page)
  const top = () => main.evaluate((frame) => frame.scrollTop)
  await main.evaluate((frame) => frame.scrollTo(0, 1200))
  expect(await top()).toBe(1200)
  await settled(page)
  await main.locator('dd a').nth(40).evaluate((link: HTMLElement) => link.click())
  await expect(page).toHaveURL(/f\.customer_code=/)
  await expect(main.getByRole('link', { name: /^INV/ }).first()).toBeVisible()
  await expect.poll(top, 'a new question begins at the top').toBe(0)
  // Also where the answer takes its time.
  await page.route('**/api/v1/report/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await page.goBack()
  await expect.poll(top).toBe(1200)
})

test('on paper stands the whole report, with its totals; on screen the page that was shown', async ({ page }) => {
  await signIn(page, 'analyst')
  await page.addInitScript(() => {
    Object.assign(window, { papers: [], print: () => (window as unknown as { papers: number[] }).papers.push(document.querySelectorAll('main tbody tr').length) })
  })
  await page.goto('/report/ar-aging?n=5&q=C00001')
  const lines = page.locator('main tbody tr')
  const counter = page.getByText(/^1 - \d+ of [\d,]+$/)
  await expect(counter).toHaveText(/^1 - 5 of/)
  const shown = await lines.count()
  const total = Number((await counter.textContent())?.replaceAll(',', '').split(' of ')[1])
  expect(total).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => page.evaluate(() => (window as unknown as { papers: number[] }).papers.length)).toBe(1)
  expect(await page.evaluate(() => (window as unknown as { papers: number[] }).papers[0])).toBeGreaterThanOrEqual(Math.min(total, 5_000))
  await expect(page.locator('main tfoot')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(counter).toHaveText(/^1 - 5 of/)
  await expect(lines).toHaveCount(shown)

  // The key does what the button does; what the browser prints by itself says how much of the report it is.
  await page.keyboard.press('Control+p')
  await expect.poll(() => page.evaluate(() => (window as unknown as { papers: number[] }).papers)).toHaveLength(2)
  expect(await page.evaluate(() => (window as unknown as { papers: number[] }).papers[1])).toBeGreaterThanOrEqual(Math.min(total, 5_000))
  const part = page.getByText(/^5 of [\d,]+ rows are printed\.$/)
  await expect(part).toBeHidden()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(lines).toHaveCount(shown)
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(part).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(part).toBeHidden()
})

test('what is grouped by days is not compared, and the arrow keys walk the figures', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=due_date:month&compare=month')
  await expect(layout(page).getByLabel('Compare with')).toBeDisabled()
  const first = summary(page).locator('tbody th a').first()
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(summary(page).locator('tbody tr').first().locator('td a').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/f\.due_date=between/)
})

test('a report has views: grouped, sorted and with its parameters under a name, the default first, exported as it stands', async ({ page }) => {
  const name = `Aging by territory ${Date.now()}`
  await signIn(page, 'finance', '/report/ar-aging?basis=INVOICE&by=territory_code')
  await summary(page).getByRole('columnheader', { name: 'Remaining' }).getByRole('button').click()
  await expect(page).toHaveURL(/s=-remaining/)
  const rows = summary(page).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  await settled(page)
  const shown = await rows.first().locator('td').first().innerText()

  await page.getByRole('button', { name: /^View: Standard view/ }).click()
  await page.getByRole('button', { name: 'Save as …' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Open first with it').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: `View: ${name}` })).toBeVisible()
  await expect(page).toHaveURL(/\?view=\d+$/)
  await expect(rows.first().locator('td').first()).toHaveText(shown)

  // The default view opens by itself; single rows are a change of it, which undoing takes back.
  await page.goto('/report/ar-aging')
  await expect(page.getByRole('button', { name: `View: ${name}` })).toBeVisible()
  await expect(page.getByLabel('Aged by')).toHaveValue('INVOICE')
  await layout(page).getByRole('button', { name: 'Rows' }).click()
  await expect(page.getByRole('columnheader', { name: 'Due date' })).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^View: ${name}, modified`) }).click()
  await page.getByRole('button', { name: 'Undo the changes' }).click()
  await expect(rows.first().locator('td').first()).toHaveText(shown)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Excel, columns shown' }).click()
  const [head = [], ...lines] = await readSheet(fs.readFileSync(await (await downloading).path()))
  const heads = (await summary(page).locator('thead th').allInnerTexts()).map((text) => text.trim())
  expect(head).toEqual(heads)
  expect(lines).toHaveLength((await rows.count()) + 1)
  expect(Number(lines[0]?.[1]).toLocaleString('en-US', { minimumFractionDigits: 2 })).toBe(shown)

  await page.getByRole('button', { name: `View: ${name}` }).click()
  await page.getByRole('button', { name: `Delete "${name}"` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('button', { name: /^View: Standard view/ })).toBeVisible()
})

test('a report goes out by mail at certain times; sent at once it arrives as a workbook, and all of them have a page', async ({ page }) => {
  const name = `Aging ${Date.now()}`
  await signIn(page, 'finance', '/report/ar-aging?by=customer_code')
  await expect(summary(page).locator('tbody tr').first()).toBeVisible()
  await page.getByRole('button', { name: 'Send by mail at certain times' }).click()
  await page.getByRole('button', { name: 'New schedule' }).click()
  const form = page.getByRole('dialog', { name: 'New schedule' })
  // What is missing is said where it is missing.
  await form.getByLabel('Name').fill(' ')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('A name of 1 to 80 characters is expected.')).toBeVisible()
  await expect(form.getByText(/recipients are expected/)).toBeVisible()
  await form.getByLabel('Name').fill(name)
  await expect(form.getByLabel('As of')).toHaveValue('now:date')
  await form.getByLabel('As of').selectOption('now:last-month-end')
  await form.getByRole('checkbox', { name: 'Fri' }).check()
  await form.getByLabel('Find people who may open the report').fill('Analyst')
  await form.getByRole('checkbox', { name: /Analyst and auditor/ }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  const listed = page.getByRole('dialog', { name: 'AR aging by mail' }).getByRole('listitem').filter({ hasText: name })
  await expect(listed).toContainText('Every Monday, Friday at 07:00')
  await listed.getByRole('button', { name: 'Send now' }).click()

  const outbox = path.join(process.env['E2E_DATA'] ?? '', 'outbox')
  const mails = () => (fs.existsSync(outbox) ? fs.readdirSync(outbox) : []).map((file) => fs.readFileSync(path.join(outbox, file), 'utf8')).filter((mail) => mail.includes(`Report: ${name}`))
  await expect.poll(() => mails().length).toBe(1)
  expect(mails()[0]).toContain('To: analyst@arus.example')
  expect(mails()[0]).toMatch(/filename="?AR aging \d{4}-\d\d-\d\d\.xlsx/)

  await page.getByRole('button', { name: 'All my scheduled reports' }).click()
  await expect(page.getByRole('heading', { name: 'Scheduled reports' })).toBeVisible()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Last sent')
  await row.getByRole('button', { name: 'Stop' }).click()
  await expect(row).toContainText('Stopped')
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog', { name: 'Change the schedule' }).getByLabel('Name')).toHaveValue(name)
  await expect(page.getByRole('dialog', { name: 'Change the schedule' }).getByLabel('As of')).toHaveValue('now:last-month-end')
  await settled(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await row.getByRole('button', { name: 'Delete' }).click()
  await row.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
})

test('days turned round are told where they stand; nothing offers to try the same again', async ({ page }) => {
  await signIn(page, 'analyst', '/report/zdr-bill?date_from=2026-12-31&date_to=2026-01-01')
  const last = page.getByRole('textbox', { name: 'To', exact: true })
  await expect(last).toHaveAccessibleDescription('Not before the first day.')
  await expect(page.getByText('Choose To to see the report.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await expect(page.getByText(/^Every line billed from/)).toHaveCount(0)
  await last.fill('31/12/2026')
  await page.keyboard.press('Enter')
  await expect(last).toHaveAccessibleDescription('')
  await expect(page.getByText(/^Every line billed from 31\/12\/2026 to 31\/12\/2026/)).toBeVisible()
})

test('days and months are read by the names of months, in the three languages', async ({ page }) => {
  await signIn(page, 'finance', '/report/zdr-bill')
  const from = page.getByRole('textbox', { name: 'From' })
  for (const [typed, shown] of [['10 Mar 2026', '10/03/2026'], ['5 Mei 2026', '05/05/2026'], ['2026年三月一日', '01/03/2026']] as const) {
    await from.fill(typed)
    await from.press('Tab')
    await expect(from).toHaveValue(shown)
  }
})

import { Api, expect, expectAccessible, settled, signIn, test, type Json } from './support.ts'
import { pixel } from '../support/pictures.ts'

/** Boxes of the pages in a PDF, in points, in the order of the pages. */
function pagesOf(pdf: Buffer): readonly (readonly [width: number, height: number])[] {
  const pages = pdf.toString('latin1').split(/\/Type \/Page\b/).slice(1)
  return pages.map((page) => {
    const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page)
    return [Number(box?.[1]), Number(box?.[2])]
  })
}

test('an order of 120 lines on paper: pages with numbers and heads, totals with their rows, copies, a roll of 80 mm, the PDF as seen', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [some] = await api.rows('sales-order', { filter: { status: 3, order_type: 'REG' }, columns: 'code', length: 1 })
  const like = (await api.get(`/api/v1/data/sales-order/${String(some?.['ID'])}`))['record'] as Json
  const lines = (like['Lines'] as readonly Json[]).filter((line) => line['IsFree'] !== true)
  const header = Object.fromEntries(['CustomerID', 'ShipToID', 'BillToID', 'SalesChannelID', 'PaymentTermID', 'WarehouseID', 'SalesmanID', 'OperatingUnitID', 'OrderType'].map((key) => [key, like[key]]))
  const body = { ...header, Lines: Array.from({ length: 120 }, (_, i) => ({ LineNo: i + 1, ItemID: lines[i % lines.length]?.['ItemID'], Uom: lines[i % lines.length]?.['Uom'], Qty: i === 0 ? '99999' : String(1 + (i % 7)) })) }
  const order = (await api.post('/api/v1/data/sales-order', body))['record'] as Json

  await signIn(page, 'sales', `/sales-order-list/print/${String(order['ID'])}?paper=a4`)
  const sheets = page.getByRole('region', { name: 'Document' }).locator('section')
  await expect(sheets.first()).toContainText('PT Arus Niaga Nusantara')
  const count = await sheets.count()
  expect(count).toBeGreaterThan(3)
  const seen = await sheets.evaluateAll((pages) => pages.map((one) => ({ foot: one.querySelector('footer span:last-child')?.textContent, heads: one.querySelectorAll('thead th').length, rows: one.querySelectorAll('tbody tr').length, hasTotal: one.querySelector('[class*="grand"]') !== null })))
  expect(seen.map(({ foot }) => foot)).toEqual(seen.map((_, i) => `${i + 1} / ${count}`))
  expect(seen.map(({ heads }) => heads)).toEqual(seen.map(() => 7))
  expect(seen.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(120)
  expect(seen.map(({ hasTotal }) => hasTotal)).toEqual(seen.map((_, i) => i === count - 1))
  expect(seen.at(-1)?.rows).toBeGreaterThanOrEqual(2)
  // Head, lines and foot begin at one edge.
  const edges = await sheets.first().locator('header, table, footer').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().left)))
  expect(edges.length).toBeGreaterThanOrEqual(3)
  expect(new Set(edges).size).toBe(1)
  // Amounts of billions too stay within their columns.
  const tooWide = () => page.locator('section td').evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent))
  expect(await tooWide()).toEqual([])
  const ends = await page.locator('section tbody td:last-child').evaluateAll((cells) =>
    cells.filter((cell) => cell.textContent !== '').map((cell) => {
      const written = document.createRange()
      written.selectNodeContents(cell)
      return Math.round(cell.getBoundingClientRect().right - written.getBoundingClientRect().right)
    }))
  expect(new Set(ends).size, 'amounts end at one edge').toBe(1)
  const a4 = pagesOf(await page.pdf({ preferCSSPageSize: true }))
  expect(a4.map(([width, height]) => [Math.round(width), Math.round(height)])).toEqual(seen.map(() => [595, 842]))
  await expectAccessible(page)
  await expect(page.locator('main')).toHaveCount(1)

  await page.getByLabel('Paper').selectOption('roll')
  await page.getByLabel('Copies').selectOption('both')
  await expect(page).toHaveURL(/paper=roll&copies=both/)
  await expect(sheets.last()).toContainText('Copy')
  expect(await tooWide()).toEqual([])
  const roll = pagesOf(await page.pdf({ preferCSSPageSize: true }))
  expect(roll).toHaveLength(await sheets.count())
  // 80 mm are 226.8 points.
  for (const [width] of roll) expect(Math.round(width)).toBe(227)

  // What fits on one sheet comes out on one.
  await page.goto(`/sales-order-list/print/${String(some?.['ID'])}?paper=a4&copies=none`)
  await expect(sheets).toHaveCount(1)
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toHaveLength(1)
})

test('a roll of 80 mm holds the longest names and amounts: nothing runs off the paper', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [some] = await api.rows('sales-order', { filter: { status: 3, order_type: 'REG' }, columns: 'code', length: 1 })
  await page.route('**/api/v1/data/sales-order/*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { readonly data: { readonly record: Json } }
    const lines = data.record['Lines'] as readonly Json[]
    const long = lines.map((line) => ({ ...line, ItemName: `${'Kecapmanispedasgurih'.repeat(4)} 135 ml`, Price: '1234567890.50', ManualDiscount: '123456.50', Dpp: '12345678901234.56', Uom: 'KARTON' }))
    await route.fulfill({ response, json: { ...rest, data: { ...data, record: { ...data.record, Lines: long } } } })
  })
  await signIn(page, 'sales', `/sales-order-list/print/${String(some?.['ID'])}?paper=roll`)
  const sheet = page.getByRole('region', { name: 'Document' }).locator('section').first()
  await expect(sheet).toContainText('12,345,678,901,234.56')
  const outside = await sheet.evaluate((paper) => [...paper.querySelectorAll('strong, dd, td, span')].filter((part) => part.getBoundingClientRect().right > paper.getBoundingClientRect().right).map((part) => part.textContent))
  expect(outside).toEqual([])
})

test('invoices selected in their list are printed together: each with its own pages, copies and accounts to pay to; too many or none are refused', async ({ page, request }) => {
  const api = await Api.as(request, 'billing')
  // Debit memos stand before them.
  await signIn(page, 'billing', '/billing?tab=invoices&q=INV%2F')
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') })
  await expect(rows.nth(2)).toBeVisible()
  const codes: string[] = []
  for (const i of [0, 1, 2]) {
    await rows.nth(i).getByRole('checkbox').check()
    codes.push((await rows.nth(i).getByText(/^INV\//).first().innerText()).trim())
  }
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Print' }).click()
  await expect(page).toHaveURL(/\/billing\/print-invoice\?ids=\d+%2C\d+%2C\d+$/)
  await page.getByLabel('Paper').selectOption('a4')
  await page.getByLabel('Copies').selectOption('both')
  for (const code of codes) {
    const sheets = page.getByRole('region', { name: `Document ${code}` }).locator('section')
    await expect(sheets.first().locator('footer')).toContainText(`${code}Original`)
    await expect(sheets.last().locator('footer')).toContainText(`${code}Copy`)
    // The bill says where to pay, also when the clerk of billing prints it.
    await expect(sheets.first()).toContainText('Please pay to:')
    await expect(sheets.first()).toContainText('In words:')
  }
  await expect(page.getByRole('status').filter({ hasText: 'Documents: 3' })).toBeVisible()
  const count = await page.locator('section footer').count()
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toHaveLength(count)
  await expectAccessible(page)

  // A paper that misses something says so before it is printed; one that is not there at all keeps the others back.
  const [last] = await api.rows('invoice', { length: 1, order: 'id', sort: 'desc' })
  await page.goto(`/billing/print-invoice?ids=${String(last?.['ID'])},999999999`)
  await expect(page.getByText('This document could not be read')).toBeVisible()
  await page.goto(`/billing/print-invoice?ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`)
  await expect(page.getByText('101 documents are too many to print at once; at most 100')).toBeVisible()
  await page.goto('/billing/print-invoice')
  await expect(page.getByText('No documents were chosen')).toBeVisible()
})

test('the company’s mark: chosen in its form, refused if it is no picture, kept with the record, at the head of its papers', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const [company] = await api.rows('company', { length: 1 })
  const [order] = await api.rows('sales-order', { filter: { status: 3 }, length: 1 })
  const form = `/setting/company/edit/${String(company?.['ID'])}`
  await signIn(page, 'admin', form)
  const input = page.locator('input[type=file]')
  await page.getByRole('button', { name: /file: Logo/ }).waitFor()
  await input.setInputFiles({ name: 'mark.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByText('This field does not take mark.txt', { exact: false })).toBeVisible()
  // Saved while the file is on its way, the record is saved with it.
  await page.route('**/api/v1/general/upload', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await input.setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer: pixel })
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/setting/company')
  await page.goto(`/sales-order-list/print/${String(order?.['ID'])}?paper=a4`)
  await expect(page.getByRole('region', { name: 'Document' }).locator('section img')).toBeVisible()
  await page.goto(form)
  await page.getByRole('button', { name: 'Remove mark.png' }).click()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/setting/company')
  await settled(page)
  expect((await api.rows('company', { length: 1, columns: 'logo_id' }))[0]?.['LogoID']).toBeNull()
})

test('what is printed in the dark theme is dark on white, texts, lines and charts', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging?by=territory_code&show=both')
  const inks = () => page.evaluate(() => {
    const ink = (selector: string, property: 'color' | 'fill' | 'stroke' | 'borderBottomColor') => [...document.querySelectorAll(selector)].map((element) => `${selector}: ${getComputedStyle(element)[property]}`)
    return [...new Set([
      ...ink('main h1', 'color'), ...ink('table[aria-label="AR aging"] :is(th, td)', 'color'), ...ink('table[aria-label="AR aging"] :is(th, td)', 'borderBottomColor'),
      ...ink('main svg text', 'fill'), ...ink('main svg line', 'stroke'), ...ink('main svg rect', 'fill'), ...ink('main svg path', 'fill'),
    ])].toSorted()
  })
  await expect(page.locator('table[aria-label="AR aging"] tbody tr').first()).toBeVisible()
  await expect(page.locator('main svg text').first()).toBeVisible()
  await settled(page)
  await page.emulateMedia({ media: 'print' })
  const wanted = await inks()
  expect(wanted.length).toBeGreaterThan(5)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect.poll(inks).not.toEqual(wanted)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(inks).toEqual(wanted)
})

test('debit notes on paper: one by hand, several from their list, and the tax return of goods sent back, final and as a draft', async ({ page, request }) => {
  const api = await Api.as(request, 'payables')
  const [byHand] = await api.rows('dn', { filter: { kind: 'MANUAL', status: { in: [1, 2, 3] } }, columns: 'code,total', length: 1 })
  expect(byHand).toBeDefined()
  const [sentBack] = await api.rows('dn', { filter: { kind: 'RETURN', status: { in: [1, 2, 3] }, ppn: { gt: 0 } }, columns: 'code,total,vendor_id', length: 1 })
  await signIn(page, 'payables', `/account-payable/dn-manual/${String(byHand?.['ID'])}/detail/1`)
  await page.getByRole('link', { name: 'Print', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/pages/dn-manual/${String(byHand?.['ID'])}$`))
  const sheets = page.getByRole('region', { name: 'Document' }).locator('section')
  await expect(sheets.first()).toContainText(String(byHand?.['Code']))
  await expect(sheets.first()).toContainText('Debit note')
  await expectAccessible(page)

  await page.goto(`/account-payable/dn-po/${String(sentBack?.['ID'])}`)
  await page.getByRole('link', { name: 'Tax return', exact: true }).click()
  await expect(sheets.first()).toContainText('Tax return (nota retur)')
  await expect(sheets.first()).toContainText(String(sentBack?.['VendorName']))
  await expect(sheets.first()).not.toContainText('Draft')
  await page.goto(`/account-payable/dn-with-or-without-po-ref-draft/print-tax-return/${String(sentBack?.['ID'])}`)
  await expect(sheets.first()).toContainText('Draft')

  await page.goto('/account-payable/dn-manual')
  await settled(page)
  await page.getByRole('checkbox', { name: /Select/ }).nth(1).check()
  await page.getByRole('checkbox', { name: /Select/ }).nth(2).check()
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect(page).toHaveURL(/\/pages\/dn-manual-all\?ids=\d+(,|%2C)\d+/)
  await expect(page.getByRole('region', { name: /^Document / })).toHaveCount(2)
})

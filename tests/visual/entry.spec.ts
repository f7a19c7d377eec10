import { expect, test, type Locator, type Page } from '@playwright/test'
import { followRequests, settled } from '../support/settled.ts'

test.use({ actionTimeout: 8_000, viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] })

async function open(page: Page, path: string): Promise<void> {
  followRequests(page.context())
  await page.clock.setFixedTime(new Date('2026-06-15T03:00:00Z'))
  await page.goto(`/studio/catalogue/${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 60_000 })
  await settled(page)
}

/** The input of a field by its wire key: its label may end in an asterisk. */
function field(within: Page | Locator, wire: string): Locator {
  return within.locator(`[data-field="${wire}"] input`).first()
}

test('a form follows what is typed: computed, dependent, conditional, and the summary leads across its tabs', async ({ page }) => {
  await open(page, 'form')
  await page.getByLabel('Quantity').fill('12')
  await page.getByLabel('Price').fill('1,500.5')
  await page.getByLabel('Discount').fill('12')
  await page.getByLabel('Discount').press('Tab')
  await expect(page.getByLabel('Amount')).toHaveValue('15,845.28')

  const month = page.getByLabel('Month', { exact: true })
  await month.fill('9')
  await month.press('Enter')
  await expect(month).toHaveValue('09/2026')
  await month.press('ArrowUp')
  await expect(month).toHaveValue('10/2026')
  await month.fill('99')
  await month.press('Tab')
  await expect(page.getByText('Type a month as MM/YYYY.')).toBeVisible()
  await month.fill('10/2026')
  await page.getByLabel('Requested at', { exact: true }).fill('1/7/2026')
  await page.getByLabel('Requested at: time').fill('930')
  await page.getByLabel('Requested at: time').press('Tab')
  await expect(page.getByLabel('Requested at: time')).toHaveValue('09:30')
  await field(page, 'Name').fill('')

  await page.getByRole('tab', { name: 'Choices' }).click()
  await page.getByRole('radio', { name: 'High' }).check()
  await expect(page.getByRole('switch')).toBeChecked()
  await page.getByRole('radio', { name: /^Delivered at place/ }).check()
  await expect(field(page, 'ExportNo')).toHaveCount(0)
  await page.getByRole('radio', { name: /^Free carrier/ }).check()
  await expect(field(page, 'ExportNo')).toHaveValue('')
  const tags = page.locator('[data-field="Tags"]')
  await tags.getByRole('textbox').fill('cold')
  await tags.getByRole('textbox').press('Enter')
  await tags.getByRole('button', { name: 'Remove fragile' }).click()
  await expect(tags).toContainText('exportcold')
  await field(page, 'RegionID').click()
  await page.getByRole('dialog').getByRole('searchbox').fill('SP-1007')
  await page.getByRole('dialog').getByRole('searchbox').press('Enter')
  await expect(field(page, 'RegionID')).toHaveValue(/SP-1007/)

  await page.getByRole('tab', { name: 'Ticks' }).click()
  await page.getByRole('checkbox', { name: /SP-1009/ }).uncheck()
  await page.keyboard.press('Control+s')
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('Name')
  await expect(summary).toContainText('Export permit')
  await summary.getByRole('button', { name: /Name/ }).click()
  await expect(field(page, 'Name')).toBeFocused()
  await page.keyboard.type('Whole again')
  // Straight from the field: its problem goes as it is left, and the click still lands.
  await summary.getByRole('button', { name: /Export permit/ }).click()
  await expect(field(page, 'ExportNo')).toBeFocused()
  await page.keyboard.type('EXP-1')
  const saved = page.waitForRequest((request) => request.method() === 'PUT')
  await page.keyboard.press('Control+s')
  const body = (await saved).postDataJSON() as Record<string, unknown>
  expect(body).toMatchObject({
    Name: 'Whole again', Qty: '12', Price: '1500.5', DiscountPct: '12', MonthFrom: '202610', RequestedAt: '2026-07-01T02:30:00.000Z', Priority: 'HIGH', IsUrgent: true,
    DeliveryTerms: 'FCA', ExportNo: 'EXP-1', Tags: ['export', 'cold'], RegionID: 7, PartnerIDs: [1, 5],
  })
  expect((body['Contacts'] as readonly unknown[]).length).toBe(3)
})

test('a record that is missing is made from the lookup, and a duplicate takes over what the form names', async ({ page }) => {
  await open(page, 'form')
  await field(page, 'PartnerID').click()
  await page.getByRole('button', { name: 'New Partner …' }).click()
  const panel = page.getByRole('dialog')
  await field(panel, 'Code').fill('NEW-1')
  await field(panel, 'Name').fill('Toko Baru')
  await field(panel, 'Name').press('Control+s')
  await expect(field(page, 'PartnerID')).toHaveValue(/Toko Baru/)
  // The key saved the panel alone.
  await expect(page.getByRole('button', { name: 'Undo all changes' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo all changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo all changes' }).click()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await settled(page)
  await expect(field(page, 'Name')).not.toHaveValue('')
  await expect(field(page, 'Email')).toHaveValue('')
})

test('a record that is missing is made from a cell of the line grid, and the grid goes on where it was', async ({ page }) => {
  await open(page, 'line-grid')
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Control+Home')
  const cell = page.locator('[role=gridcell][data-row="0"][data-col="0"]')
  const before = await cell.innerText()
  // What was typed and found nobody is dropped once somebody new is made; whoever changes his mind finds the cell as it was.
  await page.keyboard.type('Toko Baru')
  await page.getByRole('button', { name: 'New Partner …' }).click()
  const panel = page.getByRole('dialog')
  await expect(field(panel, 'Code')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: /^Partner, / })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(cell).toHaveText(before)
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Toko Baru')
  await page.getByRole('button', { name: 'New Partner …' }).click()
  await field(panel, 'Code').fill('NEW-2')
  await field(panel, 'Name').fill('Toko Baru')
  await field(panel, 'Name').press('Control+s')
  await expect(panel).toHaveCount(0)
  await expect(cell).toContainText('Toko Baru')
  await expect(grid).toHaveAttribute('aria-rowcount', /\d+/)
})

test('Complaint 11: a paste from a spreadsheet keeps its rows, asks once for all codes, lists what it refuses and is undone in one step', async ({ page }) => {
  await open(page, 'line-grid')
  const grid = page.getByRole('grid')
  const lookups: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/lookup/')) lookups.push(request.url())
  })
  const before = await grid.getAttribute('aria-rowcount')
  await grid.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  const rows = Array.from({ length: 1000 }, (_, i) => `${i === 499 ? 'NONE' : `SP-${1001 + (i % 20)}`}\t${i === 700 ? 'many' : i + 1}\t1500`)
  await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'))
  await page.keyboard.press('Control+v')
  const report = page.getByRole('status').filter({ hasText: 'NONE' })
  await expect(report.getByRole('listitem')).toHaveText([/500.*Partner.*NONE/, /701.*Quantity.*many/])
  expect(lookups).toHaveLength(1)
  await expect(grid).toHaveAttribute('aria-rowcount', String(Number(before) + 1000))
  await report.getByRole('button', { name: /Quantity/ }).click()
  await expect(page.locator('[role=gridcell][aria-invalid]').or(grid)).not.toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(grid).toHaveAttribute('aria-rowcount', String(before))
  await page.keyboard.press('Control+y')
  await expect(grid).toHaveAttribute('aria-rowcount', String(Number(before) + 1000))
})

test('Complaint 6: a key in a grid of 2,000 lines costs what it costs on an empty page', async ({ page }) => {
  await open(page, 'line-grid')
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await page.evaluate((text) => navigator.clipboard.writeText(text), Array.from({ length: 1985 }, (_, i) => `SP-${1001 + (i % 20)}\t${i + 1}\t1500`).join('\n'))
  await page.keyboard.press('Control+v')
  await expect(grid).toHaveAttribute('aria-rowcount', /^199\d|^200\d/)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  const inGrid = await keyCost(page)
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    const box = document.createElement('input')
    document.body.replaceChildren(box)
    box.focus()
  })
  const plain = await keyCost(page)
  // A frame at a fourth of the speed, or as much as the page without anything plus a third of a frame.
  expect(inGrid).toBeLessThan(Math.max(16, plain + 6))
})

/** Median milliseconds from key to painted frame at a fourth of the speed. */
async function keyCost(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.evaluate(() => {
    const costs: number[] = []
    Object.assign(window, { costs })
    window.addEventListener('keydown', (event) => {
      // Work of the handlers and of the frame that follows, not the wait for the frame to begin.
      const started = event.timeStamp
      const channel = new MessageChannel()
      requestAnimationFrame(() => {
        const frame = performance.now()
        channel.port1.onmessage = () => costs.push(performance.now() - frame + Math.max(0, frame - started - 16.7))
        channel.port2.postMessage(0)
      })
    }, { capture: true })
  })
  for (let i = 0; i < 25; i++) await page.keyboard.press(String(i % 10), { delay: 40 })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const costs = await page.evaluate(() => (window as unknown as { costs: number[] }).costs)
  const sorted = costs.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity
}

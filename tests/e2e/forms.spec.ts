import { Api, endSession, expect, follow, inDays, pressIfThere, settled, signIn, signInAgain, signInAs, test, type Json, type Who } from './support.ts'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { pixel } from '../support/pictures.ts'

async function openOrderForm(page: Page, who: Who): Promise<void> {
  await signIn(page, who, '/sales-order-form')
  await expect(page.getByRole('grid')).toBeVisible()
}

async function chooseCustomer(page: Page, code: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type(code)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
}

/** The grid, or the box in it, where the keyboard is. */
function inGrid(page: Page): Locator {
  return page.locator('[aria-activedescendant]:focus')
}

/** Of the demo company, whatever other tests have added since. */
async function anyCustomer(api: Api): Promise<Json> {
  const [customer] = await api.rows('customer', { filter: { status: 1, is_active: true, 'operating_unit_id.code': 'JKT' }, columns: 'code,name', order: 'id', sort: 'asc', length: 1 })
  return customer ?? {}
}

async function anyItems(api: Api): Promise<readonly string[]> {
  const rows = await api.rows('item', { filter: { status: 1, is_active: true }, columns: 'code', order: 'id', sort: 'asc', length: 5 })
  return rows.map((row) => String(row['Code']))
}

test('what is typed on and left at once is the record of that code, never one found for less of it', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const customers = await api.rows('customer', { filter: { status: 1, is_active: true, 'operating_unit_id.code': 'JKT' }, columns: 'code', order: 'code', sort: 'asc', length: 5 })
  const code = String(customers.at(-1)?.['Code'])
  await openOrderForm(page, 'admin')
  const box = page.getByRole('combobox', { name: 'Customer', exact: true })
  await box.focus()
  await page.keyboard.type(code.slice(0, 3))
  await expect(page.getByRole('option', { selected: true })).toBeVisible()
  await page.keyboard.type(code.slice(3))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
  await expect(box).toHaveValue(new RegExp(`^${code} `))

  await test.step('what several begin with is none of them, however soon it is left, unless an arrow went to one', async () => {
    const start = code.slice(0, 3)
    const type = async () => {
      await box.focus()
      await page.keyboard.type(start)
    }
    for (const isListed of [false, true]) {
      await type()
      if (isListed) await expect(page.getByRole('option', { selected: true })).toBeVisible()
      await page.keyboard.press('Tab')
      await expect(box).toHaveAttribute('aria-invalid', 'true')
      await expect(box).toHaveValue(start)
    }
    await type()
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    const chosen = await page.getByRole('option', { selected: true }).innerText()
    await page.keyboard.press('Tab')
    await expect(box).not.toHaveAttribute('aria-invalid', 'true')
    await expect(box).toHaveValue(new RegExp(`^${chosen.split(/\s/)[0] ?? ''} `))
  })

  await test.step('in the search window too', async () => {
    const other = String(customers.at(-2)?.['Code'])
    await box.focus()
    await page.keyboard.press('F4')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill(other.slice(0, 3))
    await expect(dialog.getByRole('row').nth(1)).toBeVisible()
    await dialog.getByRole('searchbox').fill(other)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(box).toHaveValue(new RegExp(`^${other} `))
  })
})

test('an arrow opens what a lookup offers and goes to the first of it', async ({ page }) => {
  await openOrderForm(page, 'sales')
  const box = page.getByRole('combobox', { name: 'Customer', exact: true })
  await box.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box).not.toHaveValue('')
})

test('a valid form validates and saves under a policy without eval; an invalid one says what is wrong', async ({ page }) => {
  await signIn(page, 'admin')
  const response = await page.goto('/master/payment-term')
  expect(response?.headers()['content-security-policy']).toMatch(/script-src 'self'/)
  expect(response?.headers()['content-security-policy']).not.toMatch(/unsafe-eval|unsafe-inline/)
  await page.getByRole('button', { name: /^(New|Add)/ }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('alert')).toContainText('Not saved')
  await expect(panel.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await expect(panel.getByRole('textbox', { name: 'Code' })).toHaveAttribute('aria-invalid', 'true')
  const code = `T${Date.now() % 100_000}`
  await panel.getByRole('textbox', { name: 'Code' }).fill(code)
  await panel.getByRole('textbox', { name: 'Name' }).fill('Net nine')
  await panel.getByRole('textbox', { name: 'Net days' }).fill('9.5')
  await panel.getByRole('textbox', { name: 'Name' }).focus()
  await expect(panel.getByText('Enter a whole number.').first()).toBeVisible()
  await panel.getByRole('textbox', { name: 'Net days' }).fill('9')
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(code)
  await expect(page.getByText('Net nine')).toBeVisible()
})

test('an order is entered and submitted with the keyboard alone', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const customer = await anyCustomer(api)
  const [first = '', second = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String(customer['Code']))
  const grid = page.getByRole('grid')
  for (let i = 0; i < 30 && (await inGrid(page).count()) === 0; i++) await page.keyboard.press('Tab')
  await expect(inGrid(page)).toBeFocused()
  await page.keyboard.type(first.toLowerCase())
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.keyboard.type(second)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(grid.getByRole('row').nth(1)).toContainText(first)
  await expect(grid.getByRole('row').nth(2)).toContainText(second)
  // Edit, give up, undo, redo, fill down.
  await page.keyboard.press('F2')
  await page.keyboard.type('77')
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(1)).toHaveText('2')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(1)).toHaveText('5')
  await page.keyboard.press('Control+z')
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(1)).toHaveText('2')
  await page.keyboard.press('Control+y')
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(1)).toHaveText('5')
  await page.keyboard.press('Control+d')
  await expect(grid.getByRole('row').nth(2).getByRole('gridcell').nth(1)).toHaveText('5')
  // Insert a line and take it away again; leave the grid with Escape and Tab.
  await page.keyboard.press('Insert')
  await expect(page.getByText('Lines: 3')).toBeVisible()
  await page.keyboard.press('Control+Delete')
  await expect(page.getByText('Lines: 2')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(inGrid(page)).toHaveCount(0)
  // Back into it, and out of it to what stands before it.
  await page.keyboard.press('Shift+Tab')
  await expect(inGrid(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Redo' }).or(page.getByRole('button', { name: 'Undo' })).and(page.locator(':focus'))).toHaveCount(1)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/sales-order-list/*')
  await expect(page.getByText('Draft', { exact: true }).first()).toBeVisible()
})

test('what is available stands in the unit of the line, more of it and a delivery before today are told while the order is typed', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const customer = await anyCustomer(api)
  const [unit] = await api.rows('item-uom', { filter: { 'item_id.status': 1, 'item_id.is_active': true, factor: { gt: '1' } }, columns: 'item_id,uom,factor', order: 'id', sort: 'asc', length: 1 })
  await openOrderForm(page, 'admin')
  await chooseCustomer(page, String(customer['Code']))
  await page.getByRole('textbox', { name: 'Requested date' }).fill('01/02/2026')
  await page.getByRole('grid').focus()
  await page.keyboard.type(String(unit?.['ItemCode']))
  await page.keyboard.press('Tab')
  await page.keyboard.type('900000')
  await page.keyboard.press('Tab')
  await page.keyboard.type(String(unit?.['Uom']))
  await page.keyboard.press('Enter')
  const told = page.getByRole('status').filter({ hasText: 'To be known:' })
  await expect(told).toContainText('The rest is kept as a backorder.')
  await expect(told).toContainText('The requested delivery date 01/02/2026 lies before the day of the order.')
  const available = page.locator('[role=gridcell][data-row="0"][data-col="8"]')
  await expect(available).toHaveAttribute('title', /^[\d,.]+ [A-Z]+$/)
  const base = Number((await available.getAttribute('title'))?.split(' ')[0]?.replaceAll(',', ''))
  const shown = Number((await available.textContent())?.replaceAll(',', ''))
  expect(Math.abs(shown * Number(unit?.['Factor']) - base)).toBeLessThan(Number(unit?.['Factor']))
})

test('a key that a number does not take is said and gone for good: what stands in the box while typing stands there afterwards', async ({ page, request }) => {
  const said = 'Commas stand between thousands (1,500); decimals follow a dot (1.5).'
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('1,5')
  const box = page.getByRole('textbox', { name: 'Qty, line 1' })
  const cell = page.locator('[role=gridcell][data-row="0"][data-col="1"]')
  await expect(box).toHaveValue('15')
  // What is said stands until something else is typed.
  await page.keyboard.press('Backspace')
  await page.keyboard.press(',')
  await expect(box).toHaveJSProperty('validationMessage', ', is not taken: digits only, with a dot before decimals.')
  await page.keyboard.type('.5')
  await expect(box).toHaveJSProperty('validationMessage', '')
  await page.keyboard.press('Enter')
  await expect(cell).toHaveText('1.5')
  for (const [keys, shown] of [['1,500', '1,500'], ['15,', '15'], ['1,234,567.5', '1,234,567.5'], ['12a34', '1,234'], ['-5', '5'], ['1e3', '13'], ['x12y', '12'], [' 12', '12'], ['50k', '50'], ['1.500', '1.500']] as const) {
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type(keys)
    await page.keyboard.press('Enter')
    await expect(cell).toHaveText(shown)
  }
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  // Typed, not opened by F2, arrows go on to the cell beside it.
  await page.keyboard.type('7')
  await page.keyboard.press('ArrowRight')
  await expect(cell).toHaveText('7')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('1.500')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('"1.500" may be one number or a thousand times as much: type 1500 if thousands are meant, 1.5000 if not.').first()).toBeVisible()
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+a')
  await page.evaluate(() => navigator.clipboard.writeText('1,5'))
  await page.keyboard.press('Control+v')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await expect(cell, 'pasted, it stands as it is').toHaveText('1,5')
  await expect(page.getByText(said).first()).toBeVisible()

  await test.step('a field of a form', async () => {
    const id = Number((await anyCustomer(await Api.as(request, 'admin')))['ID'])
    await signInAs(page, 'admin', `/master/customers/edit/${id}`)
    await page.getByRole('tab', { name: 'Tax' }).click()
    const rate = page.getByRole('textbox', { name: 'PPh 22 rate' })
    for (const [keys, shown] of [['1,5', '15'], ['12a34', '1234'], ['-5', '5'], ['1e1', '11'], ['x12y', '12']] as const) {
      await rate.focus()
      await page.keyboard.type(keys)
      await expect(rate).toHaveValue(shown)
      await page.keyboard.press('Tab')
      await expect(rate).toHaveValue(shown === '1234' ? '1,234' : shown)
    }
    await rate.fill('1,5')
    await rate.press('Tab')
    await expect(rate).toHaveValue('1,5')
    await expect(page.getByText(said)).toBeVisible()
    // The 'between' rule removes everything except digits and the dot from what was pasted.
    for (const [pasted, shown] of [['12a', '12'], ['-5', '5'], ['12.5 %', '12.5'], ['many', 'many']] as const) {
      await rate.fill(pasted)
      await rate.press('Tab')
      await expect(rate).toHaveValue(shown)
    }
    await expect(page.getByText(said)).toHaveCount(0)
    // Over a number that is selected a key that is not taken changes nothing.
    await rate.fill('17')
    await rate.press('Tab')
    await rate.focus()
    await page.keyboard.type('k')
    await page.keyboard.press('Tab')
    await expect(rate).toHaveValue('17')
  })
})

test('wide digits are digits, typed without an input method and pasted', async ({ page, request }) => {
  const [item = ''] = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  const cell = (col: number) => page.locator(`[role=gridcell][data-row="0"][data-col="${col}"]`)
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${item}\t１，２００`)
  await page.keyboard.press('Control+v')
  await expect(cell(1)).toHaveText('1,200')
  await page.keyboard.press('ArrowRight')
  const key = (text: string) => page.evaluate((one) => {
    const at = document.activeElement
    if (at?.dispatchEvent(new KeyboardEvent('keydown', { key: one, bubbles: true, cancelable: true })) === true) document.execCommand('insertText', false, one)
  }, text)
  for (const one of ['１', '２', '．', '５']) await key(one)
  await page.keyboard.press('Enter')
  await expect(cell(1)).toHaveText('12.5')
  const date = page.getByRole('textbox', { name: 'Requested date' })
  await date.fill('０１／０２／２０２７')
  await date.press('Tab')
  await expect(date).toHaveValue('01/02/2027')
})

test('what nobody sees in a pasted text is not taken with it: marks of direction, of no width, hard blanks', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const customer = await anyCustomer(api)
  const [code, name] = [String(customer['Code']), String(customer['Name'])]
  const paste = async (text: string) => {
    await page.evaluate((one) => navigator.clipboard.writeText(one), text)
    await page.keyboard.press('Control+v')
  }
  await openOrderForm(page, 'sales')
  // What cleans a paste comes a moment after the page, before a hand is there.
  await settled(page)
  const lookup = page.getByRole('combobox', { name: 'Customer', exact: true })
  await lookup.focus()
  await paste(`\u202a${code.slice(0, 4)}\u200b${code.slice(4)}\u202c`)
  await page.keyboard.press('Tab')
  await expect(lookup).toHaveValue(new RegExp(name.replaceAll(/[^\w ]/g, '.')))
  const text = page.getByRole('textbox', { name: 'PO number' })
  await text.focus()
  await paste('\ufeffPO\u00a07\u200e')
  await expect(text).toHaveValue('PO 7')
  // One step back takes it away again, like every paste.
  await page.keyboard.press('Control+z')
  await expect(text).toHaveValue('')
  await page.goto('/sales-order-list')
  await settled(page)
  await page.getByRole('searchbox').first().focus()
  await paste(`\u2068${code}\u2069`)
  await expect(page.getByRole('searchbox').first()).toHaveValue(code)
})

test('what an input method composes over a closed cell opens it, whole and once', async ({ page }) => {
  await openOrderForm(page, 'sales')
  const method = await page.context().newCDPSession(page)
  const compose = (text: string) => method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  const choose = (text: string) => method.send('Input.insertText', { text })
  const hasBox = () => expect(page.locator('input[aria-activedescendant]:focus')).toHaveCount(1)
  await page.getByRole('grid').focus()
  await hasBox()
  const item = page.getByRole('combobox', { name: 'Item, line 1' })
  for (const text of ['n', 'ni', 'ni h', 'ni hao']) await compose(text)
  // Nothing takes the keyboard from it while it composes.
  await expect(item).toHaveCount(0)
  await choose('你好，')
  await expect(item).toBeFocused()
  await expect(item).toHaveValue('你好，')
  await page.keyboard.type('x')
  await expect(item).toHaveValue('你好，x')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(item).toHaveCount(0)
  // Given up, it leaves nothing behind; letters that compose nothing open the cell with the first.
  await hasBox()
  await compose('ni')
  await compose('')
  await page.keyboard.type('ab')
  await expect(item).toHaveValue('ab')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await hasBox()
  // Wide digits in a cell of numbers are digits.
  await page.keyboard.press('ArrowRight')
  await compose('１２')
  await choose('１２')
  await expect(page.getByRole('textbox', { name: 'Qty, line 1' })).toHaveValue('12')
  await page.keyboard.press('Escape')
  await hasBox()
  // A word begun before the one before it has opened the cell, and one that is left for another field.
  await page.keyboard.press('ArrowRight')
  await compose('ㅎ')
  await Promise.all([choose('한'), compose('ㄱ')])
  await choose('글')
  const unit = page.locator('[role=gridcell][data-row="0"][data-col="2"]')
  await expect(page.getByRole('textbox', { name: /, line 1$/ }).or(page.getByRole('combobox', { name: /, line 1$/ }))).toHaveValue('한글')
  await page.keyboard.press('Escape')
  await hasBox()
  await compose('箱')
  await page.getByRole('textbox', { name: 'PO number' }).click()
  await expect(unit).toHaveText('箱')
  await expect(page.getByRole('textbox', { name: 'PO number' })).toBeFocused()
})

test('compact rows are compact in the line grid too, its cursor and its window with them', async ({ page, request }) => {
  const items = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), Array.from({ length: 60 }, (_, i) => `${items[i % items.length]}\t1`).join('\r\n'))
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Lines: 60')).toBeVisible()
  const top = (row: number) => page.locator(`[role=gridcell][data-row="${row}"][data-col="1"]`).evaluate((cell) => cell.getBoundingClientRect().top)
  await page.keyboard.press('Control+Home')
  expect((await top(1)) - (await top(0))).toBe(34)
  const compact = async () => {
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
  }
  await compact()
  await expect.poll(async () => (await top(1)) - (await top(0))).toBe(28)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowUp')
  const last = page.locator('[role=gridcell][data-row="59"][data-col="1"]')
  await expect(last).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  const [box, cell] = await Promise.all([page.getByRole('textbox', { name: 'Qty, line 2' }), page.locator('[role=gridcell][data-row="1"][data-col="1"]')].map((one) => one.boundingBox()))
  expect(Math.abs((box?.y ?? 0) - (cell?.y ?? 9))).toBeLessThanOrEqual(1)
  expect(box?.height).toBeLessThanOrEqual(28)
  await compact()
  await expect.poll(async () => (await top(1)) - (await top(0))).toBe(34)
})

test('the cursor of the lines stays in view of the page, below their headings and above the bar of buttons', async ({ page, request }) => {
  const [item = ''] = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), Array.from({ length: 40 }, () => `${item}\t1`).join('\n'))
  await page.keyboard.press('Control+v')
  await expect(page.locator('[role=gridcell][data-row="39"][data-col="1"]')).toHaveText('1')
  const bar = page.locator('main footer')
  const isSeen = async () => {
    const [at, foot, head] = await Promise.all([inGrid(page).boundingBox(), bar.boundingBox(), page.getByRole('grid').getByRole('columnheader').first().boundingBox()])
    return at !== null && foot !== null && head !== null && at.y >= head.y + head.height - 1 && head.y > 0 && at.y + at.height <= foot.y
  }
  await test.step('numbers and items stay in view where the lines are wider than the page', async () => {
    await page.setViewportSize({ width: 800, height: 900 })
    await page.keyboard.press('Control+Home')
    const item0 = page.locator('[role=gridcell][data-row="0"][data-col="0"]')
    const left = async (at: Locator) => Math.round((await at.boundingBox())?.x ?? 0)
    const [number, first] = [page.locator('[role=rowheader][data-row="0"]'), await left(item0)]
    const start = await left(number)
    // The ring of the first cell stays with it.
    await page.getByRole('grid').hover()
    await page.mouse.wheel(400, 0)
    await expect.poll(() => page.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollLeft ?? 0)).toBeGreaterThan(100)
    expect([await left(number), await left(item0), await left(inGrid(page))]).toEqual([start, first, first])
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    // Going back, the focused cell comes out from under them.
    const edge = await item0.boundingBox()
    await expect.poll(() => left(inGrid(page))).toBeGreaterThanOrEqual(Math.round((edge?.x ?? 0) + (edge?.width ?? 0)) - 1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  for (const [key, times] of [['Control+Home', 1], ['ArrowDown', 16], ['Control+End', 1], ['ArrowUp', 25], ['Control+Home', 1]] as const) {
    for (let i = 0; i < times; i++) await page.keyboard.press(key)
    await expect.poll(isSeen, { message: key }).toBe(true)
  }
})

test('lines are selected by their numbers, from one to another with Shift', async ({ page, request }) => {
  const items = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), items.map((code, i) => `${code}\t${i + 1}`).join('\r\n'))
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Lines: 5')).toBeVisible()
  const number = (row: number) => page.locator(`[role=rowheader][data-row="${row}"]`)
  await number(1).click()
  await number(3).click({ modifiers: ['Shift'] })
  await page.keyboard.press('Control+c')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').map((line) => line.split('\t')[0])).toEqual(items.slice(1, 4))
  await page.keyboard.press('Control+Delete')
  await expect(page.getByText('Lines: 2')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a line shows all it holds under its headings, and a finger opens its cells', async ({ page, request }) => {
    const api = await Api.as(request, 'sales')
    const [customer, [item]] = await Promise.all([anyCustomer(api), anyItems(api)])
    await openOrderForm(page, 'sales')
    await page.getByRole('combobox', { name: 'Customer', exact: true }).fill(String(customer['Code']))
    await page.keyboard.press('Tab')
    await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
    const cell = (name: string) => page.locator(`[role=gridcell][data-row="0"][data-label="${name}"]`)
    await cell('Item').tap()
    await page.keyboard.type(String(item))
    await page.keyboard.press('Tab')
    await cell('Qty').tap()
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await expect(cell('Price')).toHaveText(/\d/)
    const [width, cells] = await page.evaluate(() => [
      document.documentElement.clientWidth,
      [...document.querySelectorAll('[role=gridcell][data-row="0"]')].map((one) => ({ right: one.getBoundingClientRect().right, isCut: one.scrollWidth > one.clientWidth })),
    ] as const)
    expect(cells.length).toBeGreaterThan(5)
    expect(cells.filter(({ right }) => right > width)).toEqual([])
    // The name of an item may be longer than the page is wide; figures are whole.
    expect(cells.slice(1).filter(({ isCut }) => isCut)).toEqual([])
    // Two cells beside one another are selected as two cells, not as the whole line.
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    const [qty, unit, marked] = await Promise.all([cell('Qty').boundingBox(), page.locator('[role=gridcell][data-row="0"][data-col="2"]').boundingBox(), page.locator('[class*=range]').boundingBox()])
    expect(marked).toEqual({ x: qty?.x, y: qty?.y, width: (unit?.x ?? 0) + (unit?.width ?? 0) - (qty?.x ?? 0), height: qty?.height })
  })
})

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('several lines are selected by their numbers, taken away together and brought back', async ({ page, request }) => {
    const items = await anyItems(await Api.as(request, 'sales'))
    await openOrderForm(page, 'sales')
    const number = (row: number) => page.locator(`[role=rowheader][data-row="${row}"]`)
    const counted = page.getByRole('status').filter({ hasText: /^Lines: / })
    await page.locator('[role=gridcell][data-row="0"][data-label="Item"]').tap()
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, items.map((code, i) => `${code}\t${i + 1}`).join('\n'))
    await expect(counted).toContainText(`Lines: ${items.length}`)
    await expect(page.getByText('tap the number of a line')).toBeVisible()
    await number(1).tap()
    await expect(page.getByRole('button', { name: 'Delete line', exact: true })).toBeVisible()
    await number(3).tap()
    await expect(page.getByRole('button', { name: 'Delete 3 lines' })).toBeVisible()
    // A line of the selection begins a new one; what was one line grows upwards too.
    await number(2).tap()
    await number(1).tap()
    await page.getByRole('button', { name: 'Delete 2 lines' }).tap()
    await expect(counted).toContainText(`Lines: ${items.length - 2}`)
    await page.getByRole('button', { name: /^Undo/ }).tap()
    await expect(counted).toContainText(`Lines: ${items.length}`)
  })
})

test('copied cells paste back, and one undo takes a whole paste away', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const items = await anyItems(api)
  await openOrderForm(page, 'sales')
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), items.map((code, i) => `${code}\t${i + 1}`).join('\r\n'))
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Lines: 5')).toBeVisible()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${items[0]}\t1\n${items[1]}\t2`)
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Lines: 0')).toBeVisible()
})

test('cells pasted while one is being edited go into the grid from that cell on', async ({ page, request }) => {
  const items = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('Control+v')
  }
  await paste(items.map((code) => `${code}\t1`).join('\r\n'))
  await expect(page.getByText('Lines: 5')).toBeVisible()
  const quantities = async () => (await page.getByRole('grid').locator('[role=gridcell][data-col="1"]').allInnerTexts()).filter((text) => text !== '')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await expect(page.locator('input:focus')).toHaveValue('1')
  await paste('100\r\n200\r\n300\r\n')
  await expect.poll(quantities).toEqual(['100', '200', '300', '1', '1'])
  await expect(inGrid(page)).toBeFocused()
  // A single value goes where one types.
  await page.keyboard.press('F2')
  await paste('7\r\n')
  await page.keyboard.press('Enter')
  await expect.poll(quantities).toContain('7')
})

test('what a paste could not take is told as long as the paste stands', async ({ page, request }) => {
  const [item = ''] = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${item}\t1\r\nNOBODY\t2`)
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Nothing has the code NOBODY', { exact: false })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Lines: 0')).toBeVisible()
  await expect(page.getByText('Nothing has the code NOBODY', { exact: false })).toHaveCount(0)
})

test('what is typed into a cell and is no value stays there, blocks saving and survives a reload; nothing is saved without it', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [item = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String((await anyCustomer(api))['Code']))
  const cell = (row: number, col: number) => page.locator(`[role=gridcell][data-row="${row}"][data-col="${col}"]`)
  await page.getByRole('grid').focus()
  for (const text of [item, '5', 'CTN']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await expect(cell(0, 0)).toContainText(item)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await expect(cell(0, 3)).not.toHaveText('')
  await page.keyboard.type('1.2.3')
  await page.keyboard.press('Enter')
  // Nor does it cost what it cost before.
  await expect(cell(0, 3)).toHaveText('')
  // A line of which nothing but a code that names nothing is there.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('NOBODY')
  await page.keyboard.press('Tab')
  const stands = async () => {
    await expect(cell(0, 1)).toHaveText('1.2.3')
    await expect(cell(1, 0)).toHaveText('NOBODY')
    await expect(page.getByText('Lines: 2')).toBeVisible()
  }
  await stands()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('button', { name: /Line 1/ }).or(page.getByText(/Line 1/)).first()).toBeVisible()
  await stands()
  await page.reload()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await stands()
})

test('a code typed into a reference and saved at once, by key or by button, is looked up first: nothing is saved with the record of before', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [item = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String((await anyCustomer(api))['Code']))
  await page.getByRole('grid').focus()
  for (const text of [item, '5', 'CTN']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  const term = page.getByRole('combobox', { name: 'Payment term' })
  const before = (await term.inputValue()).split(' ')[0]
  const refusal = page.getByText('Nothing has the code or name "NOWHERE".', { exact: false })
  const ways = { key: () => page.keyboard.press('Control+s'), button: () => page.getByRole('button', { name: 'Save', exact: true }).click() }
  for (const save of Object.values(ways)) {
    await term.fill('NOWHERE')
    await save()
    await expect(refusal.first()).toBeVisible()
    await expect(term).toHaveValue('NOWHERE')
    await expect(page).toHaveURL(/sales-order-form/)
    await term.fill('')
    await page.keyboard.press('Tab')
    await expect(refusal).toHaveCount(0)
  }
  const [other] = await (await Api.as(request, 'admin')).rows('payment-term', { filter: { is_active: true, code: { ne: before } }, columns: 'code', length: 1 })
  await term.fill(String(other?.['Code']))
  await ways.button()
  await expect(page).toHaveURL(/sales-order-list\/\d+/)
  await expect(page.getByText(String(other?.['Code'])).first()).toBeVisible()
})

test('codes pasted while the server is away come once it is back; refused, nothing is pasted and nothing called unknown', async ({ page, request }) => {
  const [item = ''] = await anyItems(await Api.as(request, 'sales'))
  await openOrderForm(page, 'sales')
  const busy = { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'Busy.', data: { key: 'problem.SERVICE_UNAVAILABLE.collision' } }
  await page.route('**/lookup/item/resolve', (route) => route.fulfill({ status: 503, json: busy }))
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${item}\t3`)
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Nothing has been pasted: try again.', { exact: false })).toBeVisible()
  await expect(page.getByText('Lines: 0')).toBeVisible()

  await page.unroute('**/lookup/item/resolve')
  await page.route('**/lookup/item/resolve', (route) => route.abort('connectionrefused'), { times: 2 })
  await page.keyboard.press('Control+v')
  await expect(page.getByRole('gridcell', { name: item, exact: false }).first()).toBeVisible()
  await expect(page.getByText('Lines: 1')).toBeVisible()
  await expect(page.getByText('Nothing has been pasted', { exact: false })).toHaveCount(0)
})

test('a unit the item does not have is listed with what a paste could not take, and the cell offers those it has, by key and by mouse', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const customer = await anyCustomer(api)
  const [item = '', other = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String(customer['Code']))
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${item}\t1\tXXX\r\n${other}\tabc\tCTN`)
  await page.keyboard.press('Control+v')
  const refusals = page.getByRole('listitem').filter({ hasText: /^Row \d/ })
  await expect(refusals).toHaveText([/^Row 1, Unit: "XXX"/, /^Row 2, Qty: "abc"/])
  // A line put above leads the way to the right one still.
  await page.keyboard.press('Insert')
  await refusals.first().getByRole('button').click()
  const cell = page.getByRole('gridcell').and(page.locator('[data-row="1"][data-col="2"]'))
  await expect(cell).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(/^The item is sold by/)).toBeVisible()

  await page.keyboard.press('F2')
  const units = page.getByRole('listbox', { name: /^Unit/ }).getByRole('option')
  await expect(units.filter({ hasText: 'CTN' })).toHaveCount(1)
  expect(await units.count()).toBeGreaterThan(1)
  await page.keyboard.press('Escape')
  await expect(cell).toHaveText('XXX')
  await page.keyboard.type('ct')
  await expect(units).toHaveText(['CTN'])
  await page.keyboard.press('Tab')
  await expect(cell).toHaveText('CTN')
  await expect(refusals).toHaveText([/^Row 2/])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('F2')
  await units.filter({ hasText: 'PCS' }).click()
  await expect(cell).toHaveText('PCS')
})

test('a record that does not exist leads to its list instead of another try', async ({ page }) => {
  await signIn(page, 'sales')
  for (const [address, list] of [['/sales-order-list/99999999', 'To Sales orders'], ['/sales-order-form?id=99999999', 'To Sales orders'], ['/master/customers/edit/99999999', 'To Customers']] as const) {
    await page.goto(address)
    await expect(page.getByRole('alert').getByText('Not found', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await page.getByRole('alert').getByRole('link', { name: list }).click()
    await expect(page.getByRole('heading', { level: 1, name: list.slice(3) })).toBeVisible()
  }
})

test('what a lookup does not find is made with the keyboard alone, under the name typed; Alt and down opens a calendar', async ({ page }) => {
  const name = `Grup ${Date.now()}`
  await signIn(page, 'admin', '/master/customers')
  await page.getByRole('button', { name: /^New/ }).click()
  const group = page.getByRole('combobox', { name: 'Customer group' })
  await group.focus()
  await page.keyboard.type(name)
  await expect(page.getByRole('button', { name: 'New Customer group …' })).toBeVisible()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Customer group' })
  await expect(panel.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
  await panel.getByRole('textbox', { name: 'Code' }).fill(`G${Date.now()}`.slice(0, 12))
  await page.keyboard.press('Control+s')
  await expect(panel).toHaveCount(0)
  await expect(group).toHaveValue(new RegExp(name))
  await page.getByRole('textbox', { name: 'Opened on' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('dialog', { name: /calendar|Opened on/i })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a panel begun from a field and the page under it, both unsaved: Back asks once for each, and neither text is lost', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  await signIn(page, 'admin', '/master/customers')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate((to) => {
    history.pushState({ usr: null, key: 'k', index: 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/master/customers/edit/${id}`)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await phone.fill('0811 22')
  const group = page.getByRole('combobox', { name: 'Customer group' })
  const begin = async () => {
    await group.fill('Grup baru')
    await page.getByRole('button', { name: 'New Customer group …' }).click()
  }
  await begin()
  const panel = page.getByRole('dialog', { name: 'Customer group' })
  await panel.getByRole('textbox', { name: 'Code' }).fill('GB-1')
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: 'Leave without saving?' }))
  await page.goBack()
  await expect(question).toHaveCount(1)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(question).toHaveCount(0)
  await expect(panel).toHaveCount(0)
  await expect(phone).toHaveValue('0811 22')
  expect(page.url()).toContain(`/edit/${id}`)
  // What was typed in the panel is offered again.
  await begin()
  await panel.getByRole('button', { name: 'Take it up again' }).click()
  await expect(panel.getByRole('textbox', { name: 'Code' })).toHaveValue('GB-1')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(panel).toHaveCount(0)
  await page.goBack()
  await expect(question).toHaveCount(1)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL('**/master/customers')
  await expect(question).toHaveCount(0)
  // Left for good, not only on the way.
  await expect(phone).toHaveCount(0)
  await page.goForward()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(phone).toHaveValue('0811 22')
})

test('pasted as an Indonesian spreadsheet writes it, repeated over a selection, refused where it may mean two things; what was chosen last is offered first', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const customer = await anyCustomer(api)
  const [first = '', second = '', third = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String(customer['Code']))
  const grid = page.getByRole('grid')
  const column = async (at: number) => (await grid.locator(`[role=gridcell][data-col="${at}"]`).allInnerTexts()).filter((text) => text !== '')
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('Control+v')
  }
  await grid.focus()
  // The unit follows from the item although its cell was copied empty; 2,5 proves what 1.000 means.
  await paste(`${first}\t1.000\t\r\n${second}\t2,5\t\r\nNOPE\t7\t\r\n${third}\t3\t\r\n`)
  await expect(page.getByText('Lines: 4')).toBeVisible()
  expect(await column(1)).toEqual(['1,000', '2.5', '7', '3'])
  expect(await column(2)).toHaveLength(3)
  await page.getByRole('button', { name: /Row 3, Item: "NOPE"/ }).click()
  await page.keyboard.type(first)
  await page.keyboard.press('Tab')
  await expect(grid.getByRole('row').nth(3)).toContainText(first)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowDown')
  await paste('12')
  await expect.poll(() => column(1)).toEqual(['12', '12', '12', '12'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => column(1)).toEqual(['1,000', '2.5', '7', '3'])
  await paste('1.500')
  await expect(page.getByText(/Row 1, Qty: "1.500"/)).toBeVisible()
  const box = page.getByRole('combobox', { name: 'Customer', exact: true })
  await box.fill('')
  await expect(page.getByRole('option').first()).toContainText(String(customer['Code']))
})

test('the next record is asked about while a field is still typed in; a bank account keeps a file in its cell', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [account] = await admin.rows('customer-payment-account', { length: 1, columns: 'customer_id' })
  const form = `/master/customers/edit/${String(account?.['CustomerID'])}`
  await signIn(page, 'admin', '/master/customers')
  await page.locator('tbody tr').nth(1).click()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/master/customers/edit/*')
  const at = page.url()
  await expect(page.getByRole('button', { name: 'Next record (J)' })).toBeEnabled()
  await page.getByRole('textbox', { name: 'Phone' }).fill('0812')
  await page.keyboard.press('Alt+PageDown')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  expect(page.url()).toBe(at)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await expect(phone).toHaveValue('0812')
  await test.step('undoing all of it asks too', async () => {
    const undo = (answer: string) => page.getByRole('dialog', { name: 'Undo all changes?' }).getByRole('button', { name: answer }).click()
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await undo('Cancel')
    await expect(phone).toHaveValue('0812')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await undo('Undo all changes')
    await expect(phone).not.toHaveValue('0812')
    await phone.fill('0812')
  })
  await page.keyboard.press('Alt+PageDown')
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).not.toHaveURL(at)

  await page.goto(form)
  await page.getByRole('tab', { name: 'Bank accounts' }).click()
  const cell = page.getByRole('grid').locator('[role=gridcell][data-row="0"][data-col="5"]')
  await cell.click()
  await page.keyboard.press('F2')
  const dialog = page.getByRole('dialog', { name: 'Proof of account, line 1' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'book.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(dialog.getByText('This field does not take book.txt', { exact: false })).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'book.png', mimeType: 'image/png', buffer: pixel })
  await expect(dialog).toHaveCount(0)
  await expect(cell).toHaveText('book.png')
  await expect(inGrid(page)).toBeFocused()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(form)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
})

test('a panel beside a list closes at once while nothing is typed, and asks from the first letter on, whichever way it is closed', async ({ page }) => {
  await signIn(page, 'admin', '/master/sales-channel')
  const panel = page.getByRole('dialog').filter({ has: page.locator('[data-field]') })
  const name = panel.getByRole('textbox', { name: 'Name' })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const ways = { Escape: () => page.keyboard.press('Escape'), cross: () => panel.getByRole('button', { name: 'Close', exact: true }).click(), cancel: () => panel.getByRole('button', { name: 'Cancel', exact: true }).click() }
  const opened = { 'a new record': () => page.getByRole('button', { name: /^New/ }).click(), 'a record of the list': () => page.locator('tbody tr[data-row]').first().click() }
  for (const [what, open] of Object.entries(opened)) {
    for (const [way, close] of Object.entries(ways)) {
      await test.step(`${what}, closed by ${way}`, async () => {
        await open()
        await expect(name).toBeEditable()
        await close()
        await expect(panel).toHaveCount(0)
        await expect(question).toHaveCount(0)
        await open()
        await name.focus()
        const before = await name.inputValue()
        await page.keyboard.press('End')
        await page.keyboard.press('q')
        await close()
        await expect(question).toBeVisible()
        await question.getByRole('button', { name: 'Cancel' }).click()
        await expect(question).toHaveCount(0)
        await expect(name).toHaveValue(`${before}q`)
        await close()
        await question.getByRole('button', { name: 'Leave' }).click()
        await expect(panel).toHaveCount(0)
      })
    }
  }
})

test('leaving with something unsaved asks; the draft is offered again and brings everything back', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const customer = await anyCustomer(api)
  const [first = ''] = await anyItems(api)
  await openOrderForm(page, 'sales')
  await chooseCustomer(page, String(customer['Code']))
  await page.getByRole('textbox', { name: 'PO number' }).fill('PO-DRAFT-1')
  await page.getByRole('grid').focus()
  await page.keyboard.type(first)
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Draft kept/)).toBeVisible()
  await page.getByRole('link', { name: 'Sales orders' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/sales-order-form/)
  // Opened by its address, the form has no page of ours before it: Cancel leads to its list, not out of the program.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/sales-order-list')

  // A lost session: the token is gone, the draft is not.
  await signInAs(page, 'sales', '/sales-order-form')
  await expect(page.getByRole('grid')).toBeVisible()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(page.getByRole('textbox', { name: 'PO number' })).toHaveValue('PO-DRAFT-1')
  await expect(page.getByRole('combobox', { name: 'Customer', exact: true })).toHaveValue(new RegExp(String(customer['Code'])))
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toContainText(first)
  await page.getByRole('link', { name: 'Sales orders' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/sales-order-list')

  // Somebody else at this computer does not see it.
  await signInAs(page, 'admin', '/sales-order-form')
  await expect(page.getByRole('grid')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take it up again' })).toHaveCount(0)
})

test('letters typed into a cell are letters: J and K lead to no other record', async ({ page, request }) => {
  const sales = await Api.as(request, 'sales')
  const customer = await anyCustomer(sales)
  const [item = ''] = await anyItems(sales)
  const [found] = await sales.rows('item', { filter: { code: item }, columns: 'code' })
  for (let n = 0; n < 2; n++) await sales.post('/api/v1/data/sales-order', { CustomerID: customer['ID'], Lines: [{ ItemID: found?.['ID'], Uom: 'PCS', Qty: '1' }] })
  await signIn(page, 'sales', '/sales-order-list?v=drafts')
  await page.getByRole('grid').getByRole('row').nth(1).click()
  await page.getByRole('button', { name: 'Next record' }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).or(page.getByRole('button', { name: 'Edit', exact: true })).first().click({ timeout: 5_000 })
  await page.waitForURL(/record=\d+/)
  const here = page.url()
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await page.keyboard.type('KIN')
  await expect(page.getByRole('combobox', { name: /Item/ })).toHaveValue('KIN')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  // Into a cell of numbers no letter goes, and it leads nowhere either.
  await page.keyboard.type('jk')
  await expect(grid).toBeVisible()
  expect(page.url()).toBe(here)
})

test('text that is no value comes back with the draft as it was typed, and a code among it is looked up again', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const date = page.getByRole('textbox', { name: 'Requested date' })
  const salesman = page.getByRole('combobox', { name: 'Salesman', exact: true })
  await openOrderForm(page, 'admin')
  const before = await date.inputValue()
  await date.fill('45/45/2026')
  await salesman.focus()
  await page.keyboard.type('NOBODY-9')
  // Not left before the page is: what is still being typed counts as well.
  await page.reload()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(date).toHaveValue('45/45/2026')
  await expect(page.getByText('"45/45/2026" could not be read.')).toBeVisible()
  await expect(salesman).toHaveValue('NOBODY-9')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Enter a day as DD/MM/YYYY.').first()).toBeVisible()
  await expect(page.getByText('Nothing has the code or name "NOBODY-9".').first()).toBeVisible()
  // Put right by hand, it is a value like any other.
  await date.fill(before)
  await page.keyboard.press('Tab')
  await expect(date).toHaveValue(before)
  await expect(page.getByText('Enter a day as DD/MM/YYYY.')).toHaveCount(0)

  await test.step('a number of a record that is there', async () => {
    const id = Number((await anyCustomer(admin))['ID'])
    await page.goto(`/master/customers/edit/${id}`)
    await page.getByRole('tab', { name: 'Tax' }).click()
    const rate = page.getByRole('textbox', { name: 'PPh 22 rate' })
    const now = await rate.inputValue()
    await rate.fill('1.2.3')
    await page.reload()
    await page.getByRole('button', { name: 'Take it up again' }).click()
    await page.getByRole('tab', { name: 'Tax' }).click()
    await expect(rate).toHaveValue('1.2.3')
    await rate.fill(now)
    await page.keyboard.press('Tab')
    await expect(page.getByText(/could not be read|Enter a number/)).toHaveCount(0)
  })
})

test('a code still being typed into a line when its form is left for another page comes back with the draft', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [item = ''] = await anyItems(api)
  const first = page.locator('[role=gridcell][data-row="0"][data-col="0"]')
  await openOrderForm(page, 'sales')
  for (const code of ['NOBODY-7', item]) {
    await page.getByRole('grid').focus()
    await page.keyboard.type(code)
    // A press on the link takes the keyboard from the cell; the question does the same.
    await page.getByRole('link', { name: 'Sales orders' }).first().dispatchEvent('click')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/sales-order-list')
    await page.goBack()
    await page.getByRole('button', { name: 'Take it up again' }).click()
    await expect(first).toContainText(code)
    await page.getByRole('link', { name: 'Sales orders' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/sales-order-list')
    await page.evaluate(() => localStorage.clear())
    await page.goBack()
    await expect(page.getByRole('grid')).toBeVisible()
  }
})

test('a form gone back to has its own record: values, no problems of before, its own draft, and the keyboard in the page', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [one, other] = await admin.rows('customer', { filter: { status: 1, is_active: true }, columns: 'code,email', order: 'code', sort: 'desc', length: 2 })
  const email = page.getByRole('textbox', { name: 'Email' })
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  const offer = page.getByRole('button', { name: 'Take it up again' })
  const isAt = async (record: Json | undefined, value: string) => {
    await expect(heading).toContainText(String(record?.['Code']))
    await expect(email).toHaveValue(value)
    await expect(email).not.toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: /Not saved yet|Draft kept/ })).toHaveCount(0)
  }
  const own = String(one?.['Email'] ?? '')
  await signIn(page, 'admin', `/master/customers/edit/${Number(one?.['ID'])}`)
  await isAt(one, own)
  await email.fill('nowhere')
  await page.keyboard.press('Control+s')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(/Draft kept/)).toBeVisible()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Customers', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/master/customers')

  await follow(page, `/master/customers/edit/${Number(other?.['ID'])}`)
  await isAt(other, String(other?.['Email'] ?? ''))
  await expect(offer).toHaveCount(0)
  await page.goBack()
  await page.waitForURL('**/master/customers')
  await page.goBack()
  await isAt(one, own)
  await expect(heading).toBeFocused()

  await offer.click()
  await expect(email).toHaveValue('nowhere')
  const mended = `somewhere${Date.now()}@arus.example`
  await email.fill(mended)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  await page.goBack()
  await isAt(one, mended)
  await expect(offer).toHaveCount(0)
})

test('a key in a box of a form lays out that box, not the page', async ({ page }) => {
  await openOrderForm(page, 'sales')
  // What comes to every page once it has settled is laid out by itself, whatever key is pressed then.
  await expect(page.locator('p[aria-live="polite"]')).toBeAttached()
  const session = await page.context().newCDPSession(page)
  for (const name of ['PO number', 'Requested date']) {
    const box = page.getByRole('textbox', { name, exact: true })
    await box.focus()
    await page.keyboard.type('1')
    await settled(page)
    expect(await layouts(session, () => page.keyboard.type('2')), name).toEqual([true])
  }
})

/** For each layout while `work` goes on: was it of a part of the page alone? */
async function layouts(session: CDPSession, work: () => Promise<void>): Promise<readonly boolean[]> {
  const seen: boolean[] = []
  const collect = ({ value }: { value: object[] }): void => {
    for (const { name, ph, args } of value as readonly TraceEvent[]) {
      if (name === 'Layout' && ph === 'X') seen.push(args?.beginData?.partialLayout === true)
    }
  }
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline'] } })
  await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  return seen
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly args?: { readonly beginData?: { readonly partialLayout?: boolean } }
}

test('what is pressed stays under the pointer until it is released: messages come and go after the click', async ({ page }) => {
  await signIn(page, 'admin', '/master/customers/edit/1')
  const [wrong, below] = ['Latitude', 'Longitude'].map((wire) => page.locator(`main [data-field="${wire}"]`))
  if (wrong === undefined || below === undefined) throw new Error('no fields')
  await settled(page)
  const heightOf = async () => Math.round((await below.boundingBox())?.y ?? 0)
  const text = wrong.getByText('Enter a number', { exact: false })
  for (const [typed, isTold] of [['1.2.3', true], ['1.2', false]] as const) {
    await wrong.getByRole('textbox').fill(typed)
    await below.getByRole('textbox').hover()
    const before = await heightOf()
    await page.mouse.down()
    await page.waitForTimeout(100)
    expect(await heightOf(), 'pressed').toBe(before)
    await page.mouse.up()
    await expect(text).toHaveCount(isTold ? 1 : 0)
    expect(Math.sign((await heightOf()) - before), 'released').toBe(isTold ? 1 : -1)
  }
})

test('a tick in the first moment of a panel is taken: what comes beside the record moves nothing under the pointer', async ({ page }) => {
  let come = () => {}
  const coming = new Promise<void>((resolve) => (come = resolve))
  await page.route(/\/assets\/NotesButton-/, async (route) => {
    await coming
    await route.continue()
  })
  await signIn(page, 'admin', '/master/business-partner?edit=1')
  const panel = page.getByRole('dialog')
  const box = panel.getByRole('checkbox', { name: 'Block payment' })
  await box.hover()
  const isTicked = await box.isChecked()
  await page.mouse.down()
  come()
  await expect(panel.getByRole('button', { name: 'History' })).toBeVisible()
  await page.mouse.up()
  expect(await box.isChecked()).toBe(!isTicked)
})

test('cards stand as far from the tabs of a form as from one another', async ({ page, request }) => {
  const customer = await anyCustomer(await Api.as(request, 'admin'))
  await signIn(page, 'admin', `/master/customers/edit/${String(customer['ID'])}`)
  await expect(page.getByRole('textbox', { name: 'Phone' })).toBeVisible()
  const [tabs, first, second] = await page.locator('[role=tablist], [role=tabpanel] section').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  expect(Math.round((first?.top ?? 0) - (tabs?.bottom ?? 0))).toBe(Math.round((second?.top ?? 0) - (first?.bottom ?? 0)))
})

test('two people change one customer: both keep their work', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const customer = await anyCustomer(admin)
  const id = Number(customer['ID'])
  const now = String(Date.now())
  await signIn(page, 'admin', `/master/customers/edit/${id}`)
  await expect(page.getByRole('textbox', { name: 'Phone' })).toBeVisible()
  const before = (await admin.get(`/api/v1/data/customer/${id}`))['record'] as Json
  await admin.put(`/api/v1/data/customer/${id}`, Number(before['Version']), { LegalName: `Legal ${now}`, Email: `theirs${now}@arus.example` })
  await page.getByRole('textbox', { name: 'Phone' }).fill(now)
  await page.getByRole('textbox', { name: 'Email' }).fill(`mine${now}@arus.example`)
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  // Here the other one is the same person: he is not told his own name.
  await expect(dialog).toContainText(/You saved this record elsewhere at \d\d\/\d\d\/\d{4} \d\d:\d\d, after opening it here\./)
  await expect(dialog).toContainText('Legal name')
  await expect(dialog.getByRole('row').filter({ hasText: `theirs${now}@arus.example` })).toContainText(`mine${now}@arus.example`)
  // On a phone too nothing is pressed into a column a letter wide.
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await dialog.locator('tbody td:nth-child(2)').evaluateAll((cells) => cells.map((cell) => {
    const written = document.createRange()
    written.selectNodeContents(cell)
    return new Set([...written.getClientRects()].map(({ top }) => top)).size
  }))).toEqual([1])
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('button', { name: 'Go on with these' }).click()
  await expect(page.getByRole('textbox', { name: 'Legal name' })).toHaveValue(`Legal ${now}`)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(`mine${now}@arus.example`)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  const after = (await admin.get(`/api/v1/data/customer/${id}`))['record'] as Json
  expect(after).toMatchObject({ Phone: now, Email: `mine${now}@arus.example`, LegalName: `Legal ${now}` })
})

test('what is typed while the form is being saved stays, caret and all; the rest is saved, and the form open for it', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  const path = `/api/v1/data/customer/${id}`
  const now = String(Date.now())
  await signIn(page, 'admin', `/master/customers/edit/${id}`)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  const email = page.getByRole('textbox', { name: 'Email' })
  await phone.fill(`1${now}`)
  let answer: () => void = () => undefined
  await page.route(`**${path}`, async (route) => {
    await new Promise<void>((resolve) => (answer = resolve))
    await route.continue()
  })
  const sent = page.waitForRequest((asked) => asked.method() === 'PUT' && asked.url().endsWith(path))
  await page.keyboard.press('Control+s')
  await sent
  await email.fill('')
  await email.pressSequentially(`late${now}`)
  answer()
  await expect(page.getByText('saved', { exact: false }).first()).toBeVisible()
  await page.unroute(`**${path}`)
  // Still in the box it was typed into: what comes next goes on there.
  await page.keyboard.type('@arus.example')
  await expect(email).toHaveValue(`late${now}@arus.example`)
  await expect(page.getByText('not saved', { exact: false }).or(page.getByText('Unsaved', { exact: false })).first()).toBeVisible()
  expect((await admin.get(path))['record']).toMatchObject({ Phone: `1${now}` })
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  expect((await admin.get(path))['record']).toMatchObject({ Phone: `1${now}`, Email: `late${now}@arus.example` })
})

test('a new record that is saved while more is typed has its own address from then on: nothing is lost, and read again it opens with the rest', async ({ page, request }) => {
  const code = `WO${Date.now()}`
  await signIn(page, 'admin', '/setting/write-off-parameters')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/setting/write-off-parameters-create')
  const evidence = page.getByRole('textbox', { name: 'Evidence required' })
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Rest of ${code}`)
  await page.getByRole('combobox', { name: 'Account' }).fill('1')
  await page.getByRole('option').filter({ visible: true }).first().click()
  const entries = await page.evaluate(() => history.length)
  const path = '/api/v1/data/write-off-parameter'
  let answer: () => void = () => undefined
  await page.route(`**${path}`, async (route) => {
    await new Promise<void>((resolve) => (answer = resolve))
    await route.continue()
  })
  const sent = page.waitForRequest((asked) => asked.method() === 'POST' && asked.url().endsWith(path))
  await page.keyboard.press('Control+s')
  await sent
  await evidence.pressSequentially('A letter')
  await page.keyboard.press('Home')
  answer()
  await page.waitForURL(/write-off-parameters-edit\/\d+$/)
  await page.unroute(`**${path}`)
  // Where it was, caret and all.
  await page.keyboard.type('> ')
  await expect(evidence).toHaveValue('> A letter')
  await expect(evidence).toBeFocused()
  expect(await page.evaluate(() => history.length)).toBe(entries)
  await page.keyboard.press('Tab')
  await expect(page.getByText('not saved', { exact: false }).or(page.getByText('Unsaved', { exact: false })).first()).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(evidence).toHaveValue('> A letter')
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/setting/write-off-parameters')
  const [saved, ...others] = await (await Api.as(request, 'admin')).rows('write-off-parameter', { filter: { code }, columns: 'code,required_evidence', length: 2 })
  expect([saved?.['RequiredEvidence'], others]).toEqual(['> A letter', []])
})

test('what is typed in the very moment the inputs appear is known: saving sends it', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  const path = `/api/v1/data/customer/${id}`
  const phone = `2${Date.now()}`
  // Before anything that follows the drawing has run, as for somebody who types while the machine is busy.
  await page.addInitScript((typed) => {
    new MutationObserver((_, observer) => {
      const box = [...document.querySelectorAll('label')].find((label) => label.textContent.startsWith('Phone'))?.control
      if (!(box instanceof HTMLInputElement)) return
      observer.disconnect()
      box.value = typed
      box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
    }).observe(document, { childList: true, subtree: true })
  }, phone)
  await signIn(page, 'admin', '/home')
  await page.goto(`/master/customers/edit/${id}`)
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue(phone)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  expect((await admin.get(path))['record']).toMatchObject({ Phone: phone })
})

test('a text longer than its field is not cut when it is pasted: it is told, and stays', async ({ page }) => {
  await signIn(page, 'admin', '/master/payment-term')
  await page.getByRole('button', { name: 'New' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.click()
  await page.keyboard.insertText('L'.repeat(300))
  await page.keyboard.press('Tab')
  await expect(name).toHaveValue('L'.repeat(300))
  await expect(page.locator('[data-field="Name"]')).toContainText('At most 255 characters.')
})

test('a panel with something unsaved asks when Back would close it, and stands open again after signing in anew', async ({ page, request }) => {
  await signIn(page, 'admin', '/master/payment-term')
  await page.getByRole('button', { name: 'New' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await page.getByRole('textbox', { name: 'Code' }).fill('N20')
  await page.getByRole('textbox', { name: 'Net days' }).fill('20')
  await name.fill('Twenty days')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).last().click()
  await expect(name).toHaveValue('Twenty days')
  await endSession(page, request)
  await pressIfThere(page.getByRole('button', { name: 'Save' }))
  await signInAgain(page, 'admin')
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(name).toHaveValue('Twenty days')
  // Asked once: what is left by its own Cancel is not asked about by the address that changes with it.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/payment-term$/)
})

test('another record at the same address is another form: one is asked before it takes the place of what is unsaved', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [first] = await admin.rows('sales-order', { filter: { status: 0 }, length: 1 })
  await signIn(page, 'admin', `/sales-order-form?id=${String(first?.['ID'])}`)
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('Call first')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(note).toHaveValue('Call first')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/copy=/)
})

test('every code that names nothing stands in the summary, also of the field one was in', async ({ page }) => {
  await signIn(page, 'admin', '/setting/user/add')
  await page.getByRole('combobox', { name: 'Role' }).fill('no such role')
  await page.getByRole('combobox', { name: 'Operating unit' }).fill('no such unit')
  await page.keyboard.press('Control+s')
  const role = page.getByRole('alert').getByRole('button', { name: /no such role/ })
  const unit = page.getByRole('alert').getByRole('button', { name: /no such unit/ })
  await expect(page.locator('[data-field="OperatingUnitID"]')).toContainText('no such unit')
  await expect(role).toBeVisible()
  // Gone to and left as they are, they are what they were.
  await unit.click()
  await expect(page.getByRole('combobox', { name: 'Operating unit' })).toBeFocused()
  await role.click()
  await expect(page.getByRole('combobox', { name: 'Role' })).toBeFocused()
  await expect(unit).toBeVisible()
})

test('what another window is typing is offered until it is saved there', async ({ page, context }) => {
  const code = `W${Date.now()}`
  await signIn(page, 'admin', '/setting/role/add')
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('textbox', { name: 'Name' }).fill(code)
  await expect(page.getByText('Draft kept', { exact: false })).toBeVisible()
  const second = await context.newPage()
  await second.goto('/setting/role/add')
  const offer = second.getByRole('button', { name: 'Take it up again' })
  await expect(offer).toBeVisible()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/setting/role')
  await expect(offer).toHaveCount(0)
})

test('what waits for approval stands over its form from the first moment: nothing moves under a click', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  const path = `/api/v1/data/customer/${id}`
  const record = (await admin.get(path))['record'] as Json
  if (record['Proposed'] === null) await admin.put(path, Number(record['Version']), { Name: `${String(record['Name'])} ${Date.now()}` })
  let come = () => {}
  const coming = new Promise<void>((resolve) => (come = resolve))
  const asked = page.waitForRequest(/\/assets\/ProposedChanges-.*js/)
  await page.route(/\/assets\/ProposedChanges-.*js/, async (route) => {
    await coming
    await route.continue()
  })
  await signIn(page, 'admin', `/master/customers/edit/${id}`)
  await asked
  const phone = page.getByRole('textbox', { name: 'Phone' })
  // Long enough for a form that does not wait.
  await page.waitForTimeout(600)
  const early = (await phone.isVisible()) ? (await phone.boundingBox())?.y : undefined
  come()
  await expect(page.getByRole('region', { name: 'Waiting for approval' })).toBeVisible()
  expect([undefined, (await phone.boundingBox())?.y]).toContain(early)
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByRole('region', { name: 'Waiting for approval' })).toHaveCount(0)
})

test('a record gone back to is there before the server has answered; what others changed meanwhile comes with the answer, and never over what is typed', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  const path = `/api/v1/data/customer/${id}`
  const change = async (Phone: string) => {
    const record = (await admin.get(path))['record'] as Json
    await admin.put(path, Number(record['Version']), { Phone })
  }
  await change('0811')
  await signIn(page, 'admin', `/master/customers/edit/${id}`)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await expect(phone).toHaveValue('0811')
  let answer: () => void = () => undefined
  await page.route(`**${path}`, async (route) => {
    await new Promise<void>((resolve) => (answer = resolve))
    await route.continue()
  })
  const goBack = async () => {
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.waitForURL('**/home')
    await page.goBack()
  }
  await goBack()
  await expect(phone).toHaveValue('0811')
  await change('0822')
  answer()
  await expect(phone).toHaveValue('0822')

  await goBack()
  await change('0833')
  await phone.fill('0844')
  const answered = page.waitForResponse(`**${path}`)
  answer()
  await answered
  await settled(page)
  await expect(phone).toHaveValue('0844')
  await page.unroute(`**${path}`)
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  await expect(dialog.getByRole('row').filter({ hasText: '0833' })).toContainText('0844')
})

test('a refusal of the server stands at its field and the summary leads there', async ({ page }) => {
  await signIn(page, 'admin', '/setting/user/add')
  await page.getByRole('textbox', { name: 'Email' }).fill('weak@arus.example')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Weak')
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('listbox', { name: 'Role' }).getByRole('option').first().click()
  await page.getByLabel('First password').fill('short')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('First password')).toHaveAttribute('aria-invalid', 'true')
})

test('what two administrators tick in one role goes together, and is named; a list of ticks that could not be read is not an empty one', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const body = { Code: `T${Date.now() % 1_000_000}`, Name: 'Counter', IsActive: true }
  const id = Number(((await admin.post('/api/v1/data/role', { ...body, GuardNames: ['sales-order-view', 'sales-order-delete'] }))['record'] as Json)['ID'])
  await signIn(page, 'admin', '/home')
  await page.route('**/data/permission?*', (route) => route.fulfill({ status: 503, json: { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.', data: {} } }))
  await page.goto(`/setting/role/edit/${id}`)
  await expect(page.getByText('This could not be loaded')).toBeVisible()
  await page.unroute('**/data/permission?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('searchbox', { name: 'Search', exact: true }).last().fill('sales order')
  const tick = (guard: string) => page.locator(`label[title="${guard}"]`).getByRole('checkbox')
  await expect(tick('sales-order-delete')).toBeChecked()
  await tick('sales-order-create').check()

  const before = (await admin.get(`/api/v1/data/role/${id}`))['record'] as Json
  await admin.put(`/api/v1/data/role/${id}`, Number(before['Version']), { GuardNames: ['sales-order-view', 'sales-order-print'] })
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  await expect(dialog).toContainText('Taken over from them: Permissions')
  await dialog.getByRole('button', { name: 'Go on with these' }).click()
  await expect(tick('sales-order-delete')).not.toBeChecked()
  await expect(tick('sales-order-create')).toBeChecked()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/setting/role')
  const after = (await admin.get(`/api/v1/data/role/${id}`))['record'] as { readonly GuardNames: readonly string[] }
  expect(after.GuardNames.toSorted()).toEqual(['sales-order-create', 'sales-order-print', 'sales-order-view'])
})

test('a draft of a record that somebody else saved meanwhile asks where both say something, and leaves them the rest', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const id = Number((await anyCustomer(admin))['ID'])
  const now = String(Date.now())
  await signIn(page, 'admin', `/master/customers/edit/${id}`)
  await page.getByRole('textbox', { name: 'Phone' }).fill(now)
  await page.getByRole('textbox', { name: 'Email' }).fill(`mine${now}@arus.example`)
  await expect(page.getByText(/Draft kept/)).toBeVisible()
  const before = (await admin.get(`/api/v1/data/customer/${id}`))['record'] as Json
  await admin.put(`/api/v1/data/customer/${id}`, Number(before['Version']), { LegalName: `Legal ${now}`, Email: `theirs${now}@arus.example` })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Legal name' })).toHaveValue(`Legal ${now}`)
  await page.getByRole('button', { name: 'Take it up again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  await expect(dialog.getByRole('row').filter({ hasText: `theirs${now}@arus.example` })).toContainText(`mine${now}@arus.example`)
  await dialog.getByRole('radio', { name: `theirs${now}@arus.example` }).check()
  await dialog.getByRole('button', { name: 'Go on with these' }).click()
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue(now)
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/master/customers')
  expect((await admin.get(`/api/v1/data/customer/${id}`))['record']).toMatchObject({ Phone: now, Email: `theirs${now}@arus.example`, LegalName: `Legal ${now}` })
})

test('permissions and menu of a role are ticked and stay', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const code = `R${Date.now() % 100_000}`
  await signIn(page, 'admin', '/setting/role/add')
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('textbox', { name: 'Name' }).fill('Counter')
  await page.getByRole('searchbox', { name: 'Search', exact: true }).last().fill('sales order')
  await page.locator('label[title="sales-order-view"]').getByRole('checkbox').check()
  await page.locator('label[title="sales-order-create"]').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/setting/role')
  const [role] = await admin.rows('role', { filter: { code }, columns: 'code' })
  await page.goto(`/setting/role/edit/${String(role?.['ID'])}`)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).last().fill('sales order')
  await expect(page.locator('label[title="sales-order-create"]').getByRole('checkbox')).toBeChecked()
  await expect(page.locator('label[title="sales-order-delete"]').getByRole('checkbox')).not.toBeChecked()

  await page.goto(`/setting/role-menu/edit/${String(role?.['ID'])}`)
  await page.getByRole('checkbox', { name: /sales-order-list$/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/setting/role-menu')
  await page.goto(`/setting/role-menu/edit/${String(role?.['ID'])}`)
  await expect(page.getByRole('checkbox', { name: /sales-order-list$/ })).toBeChecked()
})

test('ticks among themselves begin below their heading like other fields; beside fields they stand level with the inputs', async ({ page, request }) => {
  const [item] = await (await Api.as(request, 'admin')).rows('item', { length: 1 })
  await signIn(page, 'admin', `/master/item/edit/${String(item?.['ID'])}`)
  const middle = (label: string) => page.getByRole('checkbox', { name: label, exact: true }).or(page.getByRole('textbox', { name: label, exact: true })).evaluate((input) => { const { top, bottom } = input.getBoundingClientRect(); return (top + bottom) / 2 })
  await expect(page.getByLabel('Combo', { exact: true })).toBeVisible()
  // What is measured one after the other may move in between while the page still comes to rest.
  await expect(async () => {
    const heading = await page.getByRole('heading', { name: 'Kind' }).evaluate((element) => element.getBoundingClientRect().bottom)
    expect((await middle('Combo')) - heading).toBeLessThan(34)
    expect(Math.abs((await middle('Taxable')) - (await middle('Coretax goods code')))).toBeLessThan(2)
  }).toPass({ timeout: 10_000 })
})

test('a day far away is refused where it was typed, and neither arrows nor the calendar lead beyond the days that are kept', async ({ page }) => {
  await signIn(page, 'sales', '/sales-order-form')
  const day = page.getByRole('textbox', { name: 'Requested date' })
  for (const typed of ['31/12/9999', '1/1/0001', '29/2/2027']) {
    await day.fill(typed)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await expect(day).toHaveAccessibleDescription(typed.startsWith('29') ? /There is no such day/ : 'Days from 01/01/1900 to 31/12/2199 can be entered.')
    await expect(day).toHaveValue(typed)
  }
  await day.fill('29/2/28')
  await page.keyboard.press('Tab')
  await expect(day).toHaveValue('29/02/2028')
  await day.fill('31/12/2199')
  await page.keyboard.press('ArrowUp')
  await expect(day).toHaveValue('31/12/2199')
  await page.keyboard.press('Alt+ArrowDown')
  const last = page.getByRole('button', { name: '31/12/2199', exact: true })
  await expect(last).toBeFocused()
  await expect(page.getByRole('button', { name: 'Month after' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '01/01/2200', exact: true })).toBeDisabled()
  for (const key of ['ArrowRight', 'ArrowDown', 'PageDown', 'End']) {
    await page.keyboard.press(key)
    await expect(last).toBeFocused()
  }
  await page.keyboard.press('PageUp')
  await expect(page.getByRole('button', { name: '30/11/2199', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(day).toHaveValue('30/11/2199')
})

test('the calendar of a cell offers the days a rule of the line takes; a day beyond it is told at the cell as it is left', async ({ page }) => {
  const shown = (day: string) => day.split('-').toReversed().join('/')
  await signIn(page, 'cashier', '/finance/bank-statement/create')
  const lines = page.getByRole('grid')
  const calendar = page.getByRole('dialog', { name: /Choose a day for/ }).getByRole('grid')
  await lines.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(calendar.locator('[aria-current="date"]')).toBeFocused()
  // A month on and back again the cell is still open.
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar, 'a day to come is not taken').toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  const cell = lines.getByRole('gridcell').filter({ hasText: '/' }).first()
  await expect(cell).toContainText(shown(inDays(0)))
  await expect(inGrid(page)).toBeVisible()
  // Typed over, left, and told there.
  await page.keyboard.type(shown(inDays(1)))
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('The bank books nothing on a day to come.').first()).toBeVisible()
  await page.keyboard.press('F2')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await page.keyboard.type(shown(inDays(-1)))
  await page.keyboard.press('Enter')
  await expect(cell).toContainText(shown(inDays(-1)))
  await expect(page.getByText('The bank books nothing on a day to come.')).toHaveCount(0)
})

test('the calendar offers the days a rule of the record takes, as far as it can be told', async ({ page }) => {
  await signIn(page, 'cashier', '/finance/account-receivable/payment-received/create')
  const day = page.getByRole('textbox', { name: 'Payment date' })
  const calendar = page.getByRole('grid')
  await day.focus()
  await page.keyboard.press('Alt+ArrowDown')
  const now = calendar.locator('[aria-current="date"]')
  await expect(now).toBeFocused()
  const off = calendar.locator('button[aria-disabled="true"]')
  const first = await off.first().getAttribute('aria-label')
  expect(first).not.toBeNull()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar, 'a day to come is not taken').toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  await expect(day).toHaveValue(inDays(0).split('-').toReversed().join('/'))
})

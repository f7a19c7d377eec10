import type { APIRequestContext, Page } from '@playwright/test'
import { Api, endSession, expect, pressIfThere, settled, signIn, signInAgain, signInAs, test, type Json } from './support.ts'

test('each waiting request says how much of its time is left; one the address names is in sight, however far down the queue', async ({ page, request }) => {
  await signIn(page, 'credit', '/approval/sales-order')
  await expect(page.getByText(/^(Due in \d+ [hd]|\d+ [hd] late)$/).first()).toBeVisible()
  const { rows } = (await (await Api.as(request, 'credit')).get('/api/v1/approval/sales_order/approve', { columns: 'code', length: 100 })) as { readonly rows: readonly Json[] }
  const last = rows.at(-1)
  await expect(cardOf(page, String(last?.['DocCode']))).not.toBeInViewport()
  await page.goto(`/approval/sales-order?id=${String(last?.['ID'])}`)
  await expect(cardOf(page, String(last?.['DocCode']))).toBeInViewport()
})

test('the document of a request never waits for code once it is there', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { skeletons: seen })
    new MutationObserver(() => {
      for (const panel of document.querySelectorAll('article [role=tabpanel]')) if (panel.querySelector('[class*=skeleton]') !== null) seen.push(panel.id)
    }).observe(document, { childList: true, subtree: true })
  })
  await signIn(page, 'credit')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('searchbox').fill('Approvals')
  await page.locator('nav a[href="/approval"]').click()
  await page.locator('main a[href^="/approval/sales-order"]').first().click()
  await expect(page).toHaveURL(/\/approval\/sales-order(\?mine=1)?$/)
  await expect(page.locator('article [role=tabpanel] table')).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'skeletons') as unknown)).toEqual([])
})

test('keys decide what is ticked, wherever the cursor stands and also from the box ticked last', async ({ page }) => {
  await signIn(page, 'credit', '/approval/sales-order?mine=1')
  const queue = page.locator('main').getByRole('listitem').filter({ has: page.getByRole('checkbox') })
  await expect(queue.nth(2)).toBeVisible()
  await queue.nth(0).getByRole('checkbox').check()
  await queue.nth(1).getByRole('checkbox').check()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(queue.nth(2).getByRole('button')).toHaveAttribute('aria-current', 'true')
  await readable(page)
  for (const [key, name] of [['a', 'Approve'], ['n', 'Approve'], ['r', 'Reject'], ['t', 'Return']] as const) {
    await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog).toContainText('For the 2 selected rows.')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test('from the search Enter or the arrow down leads to the first request, Escape out of it; the tabs count what is found', async ({ page }) => {
  await signIn(page, 'credit', '/approval/sales-order')
  const search = page.locator('main').getByRole('searchbox')
  const current = page.locator('main button[aria-current=true]')
  await expect(current).toBeVisible()
  const found = await current.locator('strong').first().textContent()
  await page.keyboard.press('/')
  await search.fill(String(found))
  await search.press('Enter')
  await expect(current).toBeFocused()
  await expect(current).toContainText(String(found))
  await expect(page.getByRole('tab', { name: 'Waiting' })).toHaveText(/\D1$/)
  await page.keyboard.press('/')
  await search.press('ArrowDown')
  await expect(current).toBeFocused()
  await page.keyboard.press('/')
  await search.press('Escape')
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await search.press('Escape')
  await expect(search).not.toBeFocused()
})

interface Asked {
  readonly customerId: number
  readonly codes: readonly string[]
}

/** Orders of one overdue customer that the credit controller may decide alone, each waiting for him. */
async function waitingOrders(request: APIRequestContext, count: number): Promise<Asked> {
  const sales = await Api.as(request, 'sales')
  const limits = (await sales.get('/api/v1/report/customer-limit.report', { length: 1000 }))['rows'] as readonly Json[]
  const overdue = limits.filter((row) => row['OperatingUnitCode'] === 'JKT' && String(row['BlockCodes']) === 'CL02' && Number(row['OverdueAmount']) < 40_000_000 && Number(row['Available']) > 60_000_000)
  const stock = await (await Api.as(request, 'warehouse')).rows('stock-balance', { columns: 'item_id,warehouse_id,on_hand,reserved', order: 'on_hand', sort: 'desc', length: 200 })
  const item = stock.find((row) => row['WarehouseCode'] === 'WH-JKT' && Number(row['OnHand']) - Number(row['Reserved']) > 500)
  const [known] = await sales.rows('item', { filter: { code: String(item?.['ItemCode']) }, columns: 'sales_uom', length: 1 })
  // The last of them: the flow test takes the first.
  const customerId = Number(overdue.at(-1)?.['CustomerID'])
  const codes: string[] = []
  for (let n = 0; n < count; n++) {
    const draft = (await sales.post('/api/v1/data/sales-order', { CustomerID: customerId, Lines: [{ ItemID: item?.['ItemID'], Uom: known?.['SalesUom'], Qty: String(n + 1) }] }))['record'] as Json
    const order = (await sales.post(`/api/v1/data/sales-order/${Number(draft['ID'])}/submit`, {}, Number(draft['Version'])))['record'] as Json
    expect(order['Status'], 'it waits for approval').toBe(4)
    codes.push(String(order['Code']))
  }
  return { customerId, codes }
}

/** Until the request shown can be decided: what it rests on has been there to be read. */
const readable = (page: Page) => expect(page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Approve', exact: true })).not.toHaveAttribute('aria-disabled')

const queueOf = ({ customerId }: Asked) => `/approval/sales-order?f.customer_id=${encodeURIComponent(`in:[${customerId}]`)}`
const cardOf = (page: Page, code: string) => page.locator('main').getByRole('listitem').filter({ has: page.getByRole('button') }).filter({ hasText: code })

test('the approval desk: numbers then and now, keys, reasons, several at once, a deputy, a phone', async ({ page, request }) => {
  test.setTimeout(120_000)
  const asked = await waitingOrders(request, 5)
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = asked.codes

  await test.step('the queue is narrowed to a customer; the numbers stand side by side, with the steps', async () => {
    await signIn(page, 'credit', queueOf(asked))
    for (const code of asked.codes) await expect(cardOf(page, code)).toBeVisible()
    await cardOf(page, first).getByRole('button').click()
    const basis = page.getByRole('region', { name: 'What the decision rests on' })
    await expect(basis.getByText(/^Overdue [\d,.]+$/).first()).toBeVisible()
    await expect(basis.getByRole('columnheader', { name: 'When asked' }).first()).toBeVisible()
    await expect(basis.getByRole('columnheader', { name: 'Now' }).first()).toBeVisible()
    const overdue = basis.getByRole('row', { name: /^Overdue/ }).getByRole('cell')
    // What is true now says beside the number that it is beyond what is allowed.
    expect((await overdue.nth(0).textContent())?.replace('Beyond what is allowed', '')).toBe(await overdue.nth(1).textContent())
    await expect(basis.getByRole('row', { name: /^Exposure with it/ })).toBeVisible()
    await expect(basis.getByText('Asked', { exact: true })).toBeVisible()
    await expect(basis.getByText('Needed', { exact: true })).toBeVisible()
  })

  await test.step('approving takes a note where one is wanted, and no key more where none is; it stands in the steps and in the history', async () => {
    const [noted = '', quick = ''] = (await waitingOrders(request, 2)).codes
    const dialog = page.getByRole('dialog', { name: 'Approve' })
    await page.getByRole('button', { name: 'Reload' }).click()
    await cardOf(page, noted).getByRole('button').click()
    await page.getByRole('button', { name: 'Approve with a note' }).click()
    await expect(dialog.getByLabel('Note')).toBeFocused()
    await page.keyboard.press('Escape')
    // Typed right after the key, all of it is the note and nothing of it a key of the page.
    await page.keyboard.press('n')
    await page.keyboard.type('Pays on Friday, says the owner')
    await expect(dialog.getByLabel('Note')).toHaveValue('Pays on Friday, says the owner')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`${noted} approved.`)).toBeVisible()
    await page.getByRole('tab', { name: /^Approved/ }).click()
    await cardOf(page, noted).getByRole('button').click()
    await expect(page.getByRole('region', { name: 'What the decision rests on' }).getByText('Pays on Friday, says the owner')).toBeVisible()
    await page.getByRole('tab', { name: 'History' }).click()
    await expect(page.getByRole('tabpanel').getByText('Pays on Friday, says the owner')).toBeVisible()
    await page.goto(queueOf(asked))
    await cardOf(page, quick).getByRole('button').click()
    await readable(page)
    await page.keyboard.press('a')
    await expect(dialog.getByLabel('Note')).toHaveValue('')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${quick} approved.`)).toBeVisible()
    await cardOf(page, first).getByRole('button').click()
  })

  await test.step('keys walk; a return wants a reason; the next one opens by itself', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await expect(cardOf(page, first).getByRole('button')).toHaveAttribute('aria-current', 'true')
    await readable(page)
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.keyboard.press('t')
    await dialog.getByRole('button', { name: 'Return', exact: true }).click()
    await expect(dialog.getByText('Give a reason')).toBeVisible()
    await dialog.getByRole('textbox').fill('Ask for a delivery date')
    await dialog.getByRole('button', { name: 'Return', exact: true }).click()
    await expect(page.getByText(`${first} returned.`)).toBeVisible()
    await expect(cardOf(page, first)).toHaveCount(0)
    await expect(page.locator('main button[aria-current="true"]')).toBeVisible()
  })

  await test.step('two are approved at once, each with its result', async () => {
    await cardOf(page, second).getByRole('button').click()
    await page.keyboard.press('x')
    await cardOf(page, third).getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Approve', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(dialog.getByRole('row').filter({ hasText: second })).toContainText(/done|approved/i)
    await expect(dialog.getByRole('row').filter({ hasText: third })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(cardOf(page, second)).toHaveCount(0)
  })

  await test.step('approvals are handed over', async () => {
    await page.getByRole('link', { name: 'Approval delegation' }).click()
    await page.getByRole('button', { name: 'Hand over approvals' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click()
    await expect(dialog.getByText('A value is required.')).toBeVisible()
    const people = dialog.getByLabel(/To whom/)
    await people.selectOption({ label: (await people.locator('option').filter({ hasText: 'Finance manager' }).first().textContent()) ?? '' })
    await dialog.getByLabel('Note', { exact: true }).fill('Leave')
    // A press beside it is no answer to it.
    await page.mouse.click(5, 5)
    await expect(dialog.getByLabel('Note', { exact: true })).toHaveValue('Leave')
    const until = dialog.getByRole('combobox', { name: /^Last day/ }).or(dialog.getByRole('textbox', { name: /^Last day/ })).first()
    const day = await until.inputValue()
    await until.fill('31/02/2027')
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByText('Enter a day as DD/MM/YYYY.')).toBeVisible()
    await expect(until).toHaveValue('31/02/2027')
    await until.fill(day)
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click()
    await expect(page.getByText('In force').first()).toBeVisible()
  })

  await test.step('the deputy decides in the other’s name, on a phone too', async () => {
    await signInAs(page, 'finance', queueOf(asked))
    await expect(cardOf(page, fourth).getByText(/^On behalf of/)).toBeVisible()
    await cardOf(page, fourth).getByRole('button').click()
    await readable(page)
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByText(`${fourth} approved.`)).toBeVisible()

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(queueOf(asked))
    await cardOf(page, fifth).getByRole('button').click()
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const facts = page.locator('main table:has(caption)').first()
    await expect(facts).toBeVisible()
    expect(await facts.evaluate((table) => [table.scrollWidth - table.clientWidth, (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0)]), 'the numbers beyond their card').toEqual([0, 0])
    // A long name may; a code is read as one.
    const codes = page.locator('dd span > span + span:last-child')
    await expect(codes.first()).toBeAttached()
    expect(await codes.evaluateAll((all) => all.filter((code) => code.getClientRects().length > 1).map((code) => code.textContent)), 'codes that stand on two lines').toEqual([])
    // Without the reasons there is nothing to reject with, and words of one's own would not be one of them.
    await page.route('**/lookup/reason*', (route) => route.fulfill({ status: 503, json: { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.', data: { key: 'problem.SERVICE_UNAVAILABLE.collision' } } }))
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await expect(page.getByText('The reasons could not be read')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.unroute('**/lookup/reason*')
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').selectOption({ index: 1 })
    await dialog.getByRole('textbox').fill('Overdue first')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`${fifth} rejected.`)).toBeVisible()
    await page.goto('/customer-approval')
    await page.getByRole('listitem').filter({ hasText: 'Payment term' }).first().getByRole('button').click()
    const changes = page.getByRole('table', { name: 'Asked changes' })
    await expect(changes).toBeVisible()
    const textsFrom = await changes.evaluate((table) =>
      [...table.querySelectorAll('caption, thead th:nth-child(2), tbody th, tbody td:nth-child(2)')].map((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return Math.round(range.getBoundingClientRect().left)
      }))
    expect(new Set(textsFrom), 'name, heads and old values begin at one line').toHaveProperty('size', 1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('what was decided says who did it for whom; the delegation is ended', async () => {
    await page.goto(`${queueOf(asked)}&state=rejected`)
    await settled(page)
    await cardOf(page, fifth).getByRole('button').click()
    const basis = page.getByRole('region', { name: 'What the decision rests on' })
    await expect(basis.getByRole('columnheader', { name: 'When decided' }).first()).toBeVisible()
    await expect(basis.getByText(/ on behalf of /)).toBeVisible()
    await expect(basis.getByText('Overdue first')).toBeVisible()
    await page.goto('/approval/delegation')
    await page.getByRole('button', { name: 'End delegation' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End delegation' }).click()
    await expect(page.getByText('Delegation ended.')).toBeVisible()
  })
})

/** What the browser has sent: the codes of the requests decided, in the order they went. */
function decisionsSent(page: Page, codeOf: ReadonlyMap<number, string>): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const [, id] = /approval\/(\d+)\/(approve|reject|return)$/.exec(request.url()) ?? []
    if (request.method() === 'POST' && id !== undefined) sent.push(codeOf.get(Number(id)) ?? id)
  })
  return sent
}

test('a decision can be undone before it is sent, however it was made; the next request takes none before it can be read; leaving sends what is held, once', async ({ page, request }) => {
  test.setTimeout(180_000)
  const asked = await waitingOrders(request, 3)
  const [first = '', second = '', third = ''] = asked.codes
  const credit = await Api.as(request, 'credit')
  const { rows } = (await credit.get('/api/v1/approval/sales_order/approve', { columns: 'code', length: 100 })) as { rows: readonly Json[] }
  const codeOf = new Map(rows.map((row) => [Number(row['ID']), String(row['DocCode'])]))
  const idOf = (code: string) => [...codeOf].find(([, one]) => one === code)?.[0]
  const statusOf = async (code: string) => (await credit.rows('sales-order', { filter: { code }, columns: 'code,status', length: 1 }))[0]?.['Status']
  const sent = decisionsSent(page, codeOf)
  await signIn(page, 'credit', queueOf(asked))
  const decision = page.getByRole('group', { name: 'Decision' })
  const approve = decision.getByRole('button', { name: 'Approve', exact: true })
  const held = page.getByRole('status').filter({ hasText: /(Approving|Returning) / })
  const current = (code: string) => expect(cardOf(page, code).getByRole('button')).toHaveAttribute('aria-current', 'true')
  const undo = async () => {
    await held.getByRole('button', { name: 'Undo' }).click()
    await expect(held).toHaveCount(0)
  }

  await test.step('of two taps only the first decides', async () => {
    await cardOf(page, first).getByRole('button').click()
    await approve.dblclick()
    await expect(held).toHaveText(new RegExp(`^Approving ${first}`))
    await current(second)
    await page.keyboard.press('u')
    await expect(held).toHaveCount(0)
    await current(first)
  })

  await test.step('nothing decides a request before its numbers are there', async () => {
    let letGo: () => void = () => undefined
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(`**/approval/request/${String(idOf(second))}`, async (route) => {
      await isLetGo
      await route.continue()
    })
    await cardOf(page, second).getByRole('button').click()
    await current(second)
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await approve.click({ force: true })
    await page.keyboard.press('a')
    await cardOf(page, third).getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Approve', exact: true }).click({ force: true })
    await cardOf(page, third).getByRole('checkbox').uncheck()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(held).toHaveCount(0)
    letGo()
    await readable(page)
    await cardOf(page, first).getByRole('button').click()
    await readable(page)
  })

  await test.step('by click, by key and for several at once: undone, nothing of it is sent', async () => {
    await approve.click()
    await undo()
    await current(first)
    await readable(page)
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await undo()
    for (const code of [first, second]) await cardOf(page, code).getByRole('checkbox').check()
    const toolbar = page.getByRole('toolbar', { name: 'Actions' })
    await expect(toolbar.getByRole('button', { name: 'Return', exact: true })).not.toHaveAttribute('aria-disabled')
    await toolbar.getByRole('button', { name: 'Return', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Ask for a delivery date')
    await page.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click()
    await expect(held).toHaveText(/Returning 2 requests/)
    await expect(cardOf(page, first)).toHaveCount(0)
    await undo()
    for (const code of [first, second]) await expect(cardOf(page, code)).toBeVisible()
    await page.waitForTimeout(5_500)
    expect(sent).toEqual([])
  })

  await test.step('left alone it goes out once; on the way to another page at once', async () => {
    await cardOf(page, first).getByRole('button').click()
    await approve.click()
    await expect(page.getByText(`${first} approved.`)).toBeVisible()
    expect(sent).toEqual([first])
    await cardOf(page, second).getByRole('button').click()
    await approve.click()
    await page.locator('nav a[href="/home"]').first().click()
    await expect.poll(() => sent, { timeout: 4_000 }).toEqual([first, second])
    await expect(page.getByText(`${second} approved.`)).toBeVisible()
    await page.waitForTimeout(5_500)
    expect(sent).toEqual([first, second])
  })

  await test.step('signing out waits for it', async () => {
    await page.goto(queueOf(asked))
    await cardOf(page, third).getByRole('button').click()
    await approve.click()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/login/)
    expect(await statusOf(third)).not.toBe(4)
  })
})

test('a window that is closed sends the decision it still held', async ({ page, request }) => {
  const asked = await waitingOrders(request, 1)
  const [code = ''] = asked.codes
  await signIn(page, 'credit', queueOf(asked))
  await cardOf(page, code).getByRole('button').click()
  await page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText(`Approving ${code}…`)).toBeVisible()
  await page.close({ runBeforeUnload: true })
  const credit = await Api.as(request, 'credit')
  await expect.poll(async () => (await credit.rows('sales-order', { filter: { code }, columns: 'code,status', length: 1 }))[0]?.['Status'], { timeout: 4_000 }).toBe(1)
})

test('what somebody else has decided meanwhile shows how it stands, and offers the next one', async ({ page, request }) => {
  const asked = await waitingOrders(request, 3)
  const [first = '', second = '', third = ''] = asked.codes
  await signIn(page, 'credit', queueOf(asked))
  for (const code of asked.codes) await expect(cardOf(page, code)).toBeVisible()
  const credit = await Api.as(request, 'credit')
  const { rows } = (await credit.get('/api/v1/approval/sales_order/approve', { columns: 'code', length: 100 })) as { rows: readonly Json[] }
  const idOf = (code: string) => Number(rows.find((row) => row['DocCode'] === code)?.['ID'])
  const decision = page.getByRole('group', { name: 'Decision' })
  const show = (code: string) => page.getByText(`${code}: already decided by someone else`).locator('..').getByRole('button', { name: 'Show' }).click()

  await test.step('approved by a colleague: who, when, and no button left that would be refused', async () => {
    await cardOf(page, first).getByRole('button').click()
    await credit.post(`/api/v1/approval/${idOf(first)}/approve`, {})
    await decision.getByRole('button', { name: 'Approve', exact: true }).click()
    await show(first)
    await expect(decision).toContainText(/Approved.+ \d\d\/\d\d\/\d{4}/)
    await expect(decision.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    await expect(page.locator('article').getByText('Open', { exact: true }).first()).toBeVisible()
    await expect(cardOf(page, first)).toHaveCount(0)
    await decision.getByRole('button', { name: 'Next request' }).click()
    await expect(cardOf(page, second).getByRole('button')).toHaveAttribute('aria-current', 'true')
    await expect(decision.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  })

  await test.step('rejected while a reason is being written: the question is over too', async () => {
    await decision.getByRole('button', { name: 'Return', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Ask for a delivery date')
    await credit.post(`/api/v1/approval/${idOf(second)}/reject`, { Note: 'Overdue first' })
    await page.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await show(second)
    await expect(decision).toContainText(/Rejected.+ \d\d\/\d\d\/\d{4}/)
    await page.keyboard.press('j')
    await expect(cardOf(page, third).getByRole('button')).toHaveAttribute('aria-current', 'true')
  })

  await test.step('the last one, taken back by who asked, with none after it', async () => {
    const sales = await Api.as(request, 'sales')
    const [order] = await sales.rows('sales-order', { filter: { code: third }, columns: 'code', length: 1 })
    await sales.post(`/api/v1/data/sales-order/${Number(order?.['ID'])}/recall`, {}, Number(order?.['Version']))
    await readable(page)
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    // In its place, where no other request of the customer waits; else where it is asked for.
    const notice = page.getByText(`${third}: already decided by someone else`)
    await expect(decision.getByText('Taken back').or(notice).first()).toBeVisible()
    if (await notice.isVisible()) await show(third)
    await expect(decision).toContainText('Taken back')
    await expect(decision.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  })
})

test('what was typed into a dialog outlives the session that is lost with it, and nothing else', async ({ page, request }) => {
  const asked = await waitingOrders(request, 1)
  const [code = ''] = asked.codes
  const sales = await Api.as(request, 'sales')
  const [order] = await sales.rows('sales-order', { filter: { code }, columns: 'code' })
  const dialog = page.getByRole('dialog')
  const note = dialog.getByLabel('Note')
  const reason = dialog.getByLabel('Reason')

  await test.step('a rejection', async () => {
    await signIn(page, 'credit', queueOf(asked))
    const open = async () => {
      await cardOf(page, code).getByRole('button').click()
      await page.getByRole('button', { name: 'Reject', exact: true }).first().click()
    }
    await open()
    await reason.selectOption({ index: 1 })
    const chosen = await reason.inputValue()
    await note.fill('Pays twenty days late')
    await endSession(page, request)
    await pressIfThere(dialog.getByRole('button', { name: 'Reject', exact: true }))
    await signInAgain(page, 'credit')
    await open()
    await expect(note).toHaveValue('Pays twenty days late')
    await expect(reason).toHaveValue(chosen)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject', exact: true }).first().click()
    await expect(note, 'left on purpose').toHaveValue('')
    await page.keyboard.press('Escape')
  })

  await test.step('an action of a document', async () => {
    const credit = await Api.as(request, 'credit')
    const { rows } = (await credit.get('/api/v1/approval/sales_order/approve', { columns: 'code', length: 100 })) as { rows: readonly Json[] }
    await credit.post(`/api/v1/approval/${Number(rows.find((row) => row['DocCode'] === code)?.['ID'])}/approve`, {})
    await signInAs(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
    const open = () => page.getByRole('button', { name: 'Cancel the rest' }).first().click()
    await open()
    await reason.selectOption({ index: 1 })
    await note.fill('Asked for another day')
    // A refusal is said where it was typed.
    await page.route('**/sales-order/*/cancel', (route) => route.fulfill({ status: 422, json: { code: 422, status: 'PERIOD_CLOSED', message: 'Sales for 11/2026 is being closed.', data: {} } }))
    await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Sales for 11/2026 is being closed.')
    // Whoever works by the keyboard goes on from the button he pressed.
    await expect(dialog.getByRole('button', { name: 'Cancel the rest' })).toBeFocused()
    await expect(note).toHaveValue('Asked for another day')
    await page.unroute('**/sales-order/*/cancel')
    await endSession(page, request)
    await pressIfThere(dialog.getByRole('button', { name: 'Cancel the rest' }))
    await signInAgain(page, 'sales')
    await expect(page).toHaveURL(/\/sales-order-list\/\d+$/)
    await open()
    await expect(note).toHaveValue('Asked for another day')
    await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
    await expect(dialog).toHaveCount(0)
    await expect.poll(async () => (await sales.get(`/api/v1/data/sales-order/${String(order?.['ID'])}`))['record']).toMatchObject({ Status: 6 })
  })
})

test('a reversal that was asked for is decided where home leads to, and what it paid is open again', async ({ page, request }) => {
  const cashier = await Api.as(request, 'cashier')
  const paid = await cashier.rows('payment-received', { filter: { all: [{ status: 1 }, { method: 'TRANSFER' }, { pending_transition: { empty: true } }] }, columns: 'code,pending_transition', order: 'id', sort: 'desc', length: 20 })
  const receipt = paid.find(({ Actions }) => (Actions as readonly string[]).includes('request-reversal'))
  const { records: reasons } = (await cashier.get('/api/v1/lookup/reason', { filter: JSON.stringify({ usage: 'REVERSAL' }) })) as { readonly records: readonly Json[] }
  const { record: before } = (await cashier.get(`/api/v1/data/payment-received/${String(receipt?.['ID'])}`)) as { readonly record: Json }
  await cashier.post(`/api/v1/data/payment-received/${String(receipt?.['ID'])}/request-reversal`, { ReasonID: Number(reasons[0]?.['ID']), Note: 'Paid twice' }, Number(before['Version']))

  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/edit/${String(receipt?.['ID'])}`)
  await expect(page.getByText('Waiting for approval: Reverse')).toBeVisible()
  await signInAs(page, 'finance', '/home')
  await page.getByRole('main').getByRole('link', { name: /Customer payment: Reverse/ }).click()
  await expect(page).toHaveURL(/\/finance\/approval\/payment-reversal/)
  await cardOf(page, String(receipt?.['Code'])).getByRole('button').click()
  await expect(page.getByText(/: Paid twice$/).first()).toBeVisible()
  const document = page.locator('article')
  await expect(document.getByRole('tab', { name: /^Lines/ })).toBeVisible()
  await page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(cardOf(page, String(receipt?.['Code']))).toHaveCount(0)
  await expect.poll(async () => (await cashier.get(`/api/v1/data/payment-received/${String(receipt?.['ID'])}`))['record']).toMatchObject({ Status: 7, PendingTransition: null })

  await page.goto('/finance/approval-bank-statement')
  await expect(page.getByRole('heading', { name: 'Bank statement approval', level: 1 })).toBeVisible()
  await expect(document.getByRole('tab', { name: /^Lines/ })).toBeVisible()
  await signInAs(page, 'cashier', '/finance/approval/payment-reversal')
  await expect(page).toHaveURL(/error-40[34]/)
})

test('why an order is back stands on it, until it goes on', async ({ page, request }) => {
  const [reason] = await (await Api.as(request, 'admin')).rows('reason', { filter: { usage: 'REJECT', is_active: true }, columns: 'name', length: 1 })
  const { codes: [code = ''] } = await waitingOrders(request, 1)
  const credit = await Api.as(request, 'credit')
  const { rows } = (await credit.get('/api/v1/approval/sales_order/approve', { columns: 'code', length: 100 })) as { rows: readonly Json[] }
  await credit.post(`/api/v1/approval/${Number(rows.find((row) => row['DocCode'] === code)?.['ID'])}/reject`, { ReasonID: Number(reason?.['ID']), Note: 'Pays twenty days late' })
  const [order] = await (await Api.as(request, 'sales')).rows('sales-order', { filter: { code }, columns: 'code' })
  await signIn(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
  const why = page.getByRole('complementary').filter({ hasText: /^Rejected by / })
  await expect(why).toContainText(`${String(reason?.['Name'])}: Pays twenty days late`)
  await page.getByRole('button', { name: 'Reopen', exact: true }).click()
  await expect(page.getByText('Draft', { exact: true }).first()).toBeVisible()
  await expect(why).toHaveCount(0)
})

import type { APIRequestContext } from '@playwright/test'
import { Api, cents, expect, inDays, payableInvoices, plain, signIn, test, type Json } from './support.ts'

interface Payer {
  readonly id: number
  readonly invoices: readonly Json[]
  readonly credit: Json
}

/** A customer of the cashier's unit with several open invoices and a new credit note nobody else uses. */
async function payerWithCredit(api: Api, request: APIRequestContext): Promise<Payer> {
  const open = await payableInvoices(api, { filter: { 'operating_unit_id.code': 'JKT' }, columns: 'code,customer_id,due_date,remaining', order: 'due_date,id', sort: 'asc,asc', length: 500 })
  const payers = [...new Set(open.map((invoice) => Number(invoice['CustomerID'])))].map((payer) => ({ id: payer, invoices: open.filter((invoice) => invoice['CustomerID'] === payer) }))
  const payer = payers.find(({ invoices: [first, ...others] }) => others.length > 0 && Number(first?.['Remaining']) > 400_000)
  if (payer === undefined) throw new Error('The demo company has no customer with two open invoices')
  const [account] = await api.rows('account', { filter: { code: '414101' }, columns: 'code' })
  const { record: draft } = (await api.post('/api/v1/data/credit-note', { CustomerID: payer.id, Kind: 'MANUAL', DocDate: inDays(0), Dpp: '300000', Total: '300000', AccountID: account?.['ID'] })) as { readonly record: Json }
  await api.post(`/api/v1/data/credit-note/${String(draft['ID'])}/submit`, {}, Number(draft['Version']))
  const manager = await Api.as(request, 'receivables')
  const { rows } = (await manager.get('/api/v1/approval/credit_note/approve', { columns: 'code', length: 100 })) as { readonly rows: readonly Json[] }
  const waiting = rows.find((row) => row['DocID'] === draft['ID'])
  await manager.post(`/api/v1/approval/${String(waiting?.['ID'])}/approve`, {})
  const [credit = {}] = await api.rows('credit-note', { filter: { id: Number(draft['ID']) }, columns: 'code,customer_id,remaining' })
  return { ...payer, credit }
}

const busy = { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.', data: { key: 'problem.SERVICE_UNAVAILABLE.collision' } }

test('money, a credit note and a small difference: the identity holds, the draft comes back as it was, posting closes the invoice', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const payer = await payerWithCredit(admin, request)
  const [first = {}, second = {}] = payer.invoices
  const used = String(payer.credit['Remaining'])
  const received = cents(Number(first['Remaining']) - Number(used) - 500)
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${payer.id}`)
  await expect(page.getByRole('combobox', { name: 'Customer', exact: true })).not.toHaveValue('')
  await expect(page.getByRole('navigation', { name: 'Where you are' }).getByRole('listitem')).toHaveText(['Receivables', 'Payment received', 'New'])
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(received)
  await page.getByRole('combobox', { name: 'House bank' }).click()
  await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()

  // Nothing is paid of an invoice that is not ticked.
  await expect(page.getByRole('textbox', { name: /^Paid on / }).first()).toHaveValue('')
  // The proposal takes the oldest first; what it ticks is only a suggestion.
  await page.getByRole('button', { name: 'Allocate automatically' }).click()
  await expect(page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Select all invoices' }).check()
  await page.getByRole('checkbox', { name: 'Select all invoices' }).uncheck()
  await page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` }).check()
  await expect(page.getByRole('checkbox', { name: `Pay ${String(second['Code'])}` })).not.toBeChecked()

  const paid = page.getByRole('textbox', { name: `Paid on ${String(first['Code'])}` })
  // More than is open stays in its box with what it may be: cutting it down would hide that the customer paid for something else.
  await paid.fill('999,999,999,999.99')
  await paid.press('Tab')
  const tooMuch = page.getByRole('row').filter({ hasText: 'Between 0.00 and ' })
  await expect(tooMuch).toBeVisible()
  expect(plain(await paid.inputValue())).toBe('999999999999.99')
  await paid.fill(cents(first['Remaining']))
  await paid.press('Tab')
  await expect(tooMuch).toHaveCount(0)
  await page.getByRole('button', { name: `Credits and deductions of ${String(first['Code'])}` }).click()
  while ((await page.getByRole('textbox', { name: 'Amount used' }).count()) > 0) await page.getByRole('group', { name: 'Credit notes and deposits' }).getByRole('button', { name: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Use a credit' }).click()
  await page.getByRole('combobox', { name: 'Credit note or deposit' }).selectOption(`CREDIT_NOTE:${String(payer.credit['ID'])}`)
  // Nor may it go out of sight while it stands there.
  await page.getByRole('textbox', { name: 'Amount used' }).fill(cents(Number(used) + 1))
  await page.getByRole('textbox', { name: 'Amount used' }).press('Tab')
  await expect(tooMuch).toBeVisible()
  await page.getByRole('button', { name: `Credits and deductions of ${String(first['Code'])}` }).click()
  await page.getByRole('textbox', { name: 'Amount used' }).fill(used)
  // What stands in a box stays in it while others go.
  await page.getByRole('button', { name: 'Add a deduction' }).click()
  await page.getByRole('button', { name: 'Add a deduction' }).click()
  await page.getByRole('textbox', { name: 'Amount deducted' }).last().fill('1.2.3')
  await page.getByRole('textbox', { name: 'Amount deducted' }).first().fill('7.7.7')
  await page.getByRole('group', { name: 'Deductions' }).getByRole('button', { name: 'Remove' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Amount deducted' })).toHaveValue('1.2.3')
  await page.getByRole('textbox', { name: 'Amount deducted' }).fill('500')
  await page.getByRole('textbox', { name: 'Amount deducted' }).press('Tab')
  await expect(page.getByText('Difference', { exact: true }).locator('xpath=../dd')).toHaveText('0.00')

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/finance/account-receivable/payment-received')
  const [draft] = await admin.rows('payment-received', { filter: { customer_id: payer.id, status: 0 }, columns: 'code,amount', order: 'id', sort: 'desc', length: 1 })
  expect(draft).toMatchObject({ Amount: received })

  await page.goto(`/finance/account-receivable/payment-received/edit/${String(draft?.['ID'])}`)
  await expect(page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: `Pay ${String(second['Code'])}` }), 'what is open besides can still be added').not.toBeChecked()
  await expect(page.getByText('Difference', { exact: true }).locator('xpath=../dd')).toHaveText('0.00')
  await page.getByRole('button', { name: 'Save and post' }).click()
  await page.waitForURL('**/finance/account-receivable/payment-received')
  const [closed] = await admin.rows('invoice', { filter: { code: String(first['Code']) }, columns: 'code,remaining,status' })
  expect(closed).toMatchObject({ Status: 3, Remaining: '0.00' })
  const [note] = await admin.rows('credit-note', { filter: { id: Number(payer.credit['ID']) }, columns: 'code,remaining' })
  expect(note).toMatchObject({ Remaining: '0.00' })

  // A posted receipt stays as it was entered and cannot be changed.
  await page.goto(`/finance/account-receivable/payment-received/edit/${String(draft?.['ID'])}`)
  await expect(page.getByRole('tabpanel').getByText(String(first['Code']))).toBeVisible()
  await page.getByRole('tab', { name: 'Document flow' }).click()
  await expect(page.getByRole('tabpanel').getByText(String(note?.['Code'])).first(), 'used up, and still named').toBeVisible()

  // What becomes of it from here is offered here.
  await page.route('**/lookup/reason*', (route) => route.fulfill({ status: 503, json: busy }))
  await page.getByRole('button', { name: 'Request reversal' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('The reasons could not be read')).toBeVisible()
  await page.unroute('**/lookup/reason*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('The reasons could not be read')).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
  await dialog.getByRole('button', { name: 'Request reversal' }).click()
  await expect(page.getByText(/Request reversal.* done|waits for approval/i).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Request reversal' })).toHaveCount(0)
  const [asked] = await admin.rows('payment-received', { filter: { id: Number(draft?.['ID']) }, columns: 'code,pending_transition' })
  expect(asked?.['PendingTransition']).not.toBeNull()
})

/** An invoice with something open, of the cashier's unit. */
async function openInvoice(api: Api): Promise<Json> {
  const [invoice = {}] = await payableInvoices(api, { filter: { remaining: { gt: '1000' }, 'operating_unit_id.code': 'JKT' }, columns: 'code,customer_id,remaining', order: 'id', sort: 'asc', length: 1 })
  return invoice
}

test('why less is paid stands in its own cell, explanation and all', async ({ page, request }) => {
  const invoice = await openInvoice(await Api.as(request, 'admin'))
  const code = String(invoice['Code'])
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${Number(invoice['CustomerID'])}`)
  await page.getByRole('textbox', { name: 'Invoice number' }).fill(code)
  // The browser may begin a frame before React has drawn what was added.
  await page.evaluate(() => {
    window.requestAnimationFrame = (frame) => {
      frame(performance.now())
      return 0
    }
  })
  await page.keyboard.press('Enter')
  const paid = page.getByRole('textbox', { name: `Paid on ${code}` })
  await expect(paid, 'ticked').toBeEditable()
  await expect(paid).toBeFocused()
  await paid.fill('1')
  await page.keyboard.press('Tab')
  const explanation = page.getByRole('textbox', { name: `Explanation for ${code}` })
  await expect(explanation).toBeVisible()
  const [box, cell] = [await explanation.boundingBox(), await explanation.locator('xpath=ancestor::td').boundingBox()]
  expect((box?.x ?? 0) + (box?.width ?? 0), 'within its cell').toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0))
})

test('what the customer lists in a spreadsheet is pasted: invoices ticked, refused rows named, one step to undo; keys walk the boxes as there', async ({ page, request }) => {
  const payer = await payerWithCredit(await Api.as(request, 'admin'), request)
  const [first = {}, second = {}] = payer.invoices
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${payer.id}`)
  const tick = (invoice: Json) => page.getByRole('checkbox', { name: `Pay ${String(invoice['Code'])}` })
  const paid = (invoice: Json) => page.getByRole('textbox', { name: `Paid on ${String(invoice['Code'])}` })
  const number = page.getByRole('textbox', { name: 'Invoice number' })
  const paste = async (text: string): Promise<void> => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('Control+v')
  }
  await number.focus()
  await paste(`Invoice\tAmount\r\n${String(first['Code'])}\t${cents(first['Remaining'])}\r\nINV/NONE\t5\r\n${String(second['Code'])}\tabc\r\n`)
  const told = page.getByRole('status').filter({ hasText: 'Invoices ticked: 1.' })
  await expect(told.getByRole('listitem')).toHaveText([/^Row 3: "INV\/NONE"/, /^Row 4: "abc"/])
  await expect(tick(first)).toBeChecked()
  await expect(tick(second)).not.toBeChecked()
  await expect(number).toBeFocused()
  await expect(number).toHaveValue('')
  await page.keyboard.press('Control+z')
  await expect(tick(first)).not.toBeChecked()
  await expect(told).toHaveCount(0)

  // Amounts alone go down from where they are pasted; whoever goes on typing has them for good.
  await paid(first).focus()
  await paste(`${cents(first['Remaining'])}\r\n${cents(second['Remaining'])}\r\n`)
  for (const invoice of [first, second]) await expect.poll(async () => Number(plain(await paid(invoice).inputValue()))).toBe(Number(invoice['Remaining']))
  await expect(paid(first)).toBeFocused()
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click()
  await expect(tick(second)).not.toBeChecked()
  await expect(number).toBeFocused()

  // An amount typed into the box of an invoice ticks it, and Enter goes down.
  await paid(first).focus()
  await page.keyboard.type(cents(first['Remaining']))
  await page.keyboard.press('Enter')
  await expect(paid(second)).toBeFocused()
  await expect(tick(first)).toBeChecked()
  await expect(tick(second)).not.toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(paid(first)).toBeFocused()
  await tick(first).focus()
  await page.keyboard.press('ArrowDown')
  await expect(tick(second)).toBeFocused()
})

test('what is entered while a pasted list is being read stays beside it', async ({ page, request }) => {
  const payer = await payerWithCredit(await Api.as(request, 'admin'), request)
  const [first = {}, second = {}] = payer.invoices
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/pasteAllocation/, async (route) => {
    await arrived
    await route.continue()
  })
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${payer.id}`)
  const tick = (invoice: Json) => page.getByRole('checkbox', { name: `Pay ${String(invoice['Code'])}` })
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), `${String(first['Code'])}\t${cents(first['Remaining'])}\r\n`)
  await page.getByRole('textbox', { name: 'Invoice number' }).focus()
  await page.keyboard.press('Control+v')
  await tick(second).check()
  arrive()
  await expect(tick(first)).toBeChecked()
  await expect(tick(second)).toBeChecked()
})

test('what is typed into the box of an invoice counts when it is saved at once, and what cannot be read stops it', async ({ page, request }) => {
  const first = await openInvoice(await Api.as(request, 'admin'))
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${String(first['CustomerID'])}`)
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(cents(first['Remaining']))
  await page.getByRole('combobox', { name: 'House bank' }).click()
  await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()
  await page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` }).check()
  const paid = page.getByRole('textbox', { name: `Paid on ${String(first['Code'])}` })
  const refused = page.getByRole('alert').filter({ hasText: 'Not saved' })
  for (const [typed, told, shown] of [['1.2.3', `Paid on ${String(first['Code'])}: Enter a number`, '1.2.3'], ['100', 'Less is paid than is open: give a reason.', '100.00']] as const) {
    await paid.fill(typed)
    await page.keyboard.press('Control+s')
    await expect(refused).toContainText(told)
    await expect(page.getByRole('row').filter({ hasText: told })).toBeVisible()
    expect(plain(await paid.inputValue())).toBe(shown)
  }
  await paid.fill(cents(first['Remaining']))
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/finance/account-receivable/payment-received')
})

test('money beyond the invoices chosen is asked about before it becomes a deposit; what was typed is there again', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const first = await openInvoice(admin)
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${String(first['CustomerID'])}`)
  const amount = page.getByRole('textbox', { name: 'Amount', exact: true })
  await amount.fill(String(Number(first['Remaining']) + 1_500_000))
  await page.getByRole('combobox', { name: 'House bank' }).click()
  await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()
  await page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` }).check()
  await page.getByRole('button', { name: /post/i }).click()
  const asking = page.getByRole('dialog').filter({ hasText: 'become a deposit' })
  await expect(asking).toContainText(/1,500,000\.00 of [\d,]+\.\d\d pay none of the invoices chosen and become a deposit/)
  await page.keyboard.press('Escape')
  await expect(asking).toBeHidden()
  await amount.fill(String(first['Remaining']))
  await page.getByRole('button', { name: /post/i }).click()
  await page.waitForURL('**/finance/account-receivable/payment-received')
  expect(await admin.rows('invoice', { filter: { id: Number(first['ID']) }, columns: 'remaining', length: 1 })).toMatchObject([{ Remaining: '0.00' }])
})

test('open invoices that cannot be read are not called none: it is told, and tried again', async ({ page, request }) => {
  const first = await openInvoice(await Api.as(request, 'admin'))
  await signIn(page, 'cashier', '/home')
  // Nor is a receipt begun without the reasons and the accounts it needs.
  for (const call of ['**/invoice/for-options*', '**/payment/reason-outstanding*', '**/customer-accounts*', '**/cash-bank/form-bank/*']) {
    await page.route(call, (route) => route.fulfill({ status: 503, json: busy }))
    await page.goto(`/finance/account-receivable/payment-received/form/${String(first['CustomerID'])}`)
    await expect(page.getByText('The open invoices could not be read')).toBeVisible()
    await expect(page.getByText('This customer has no open invoices.')).toHaveCount(0)
    await page.unroute(call)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` })).toBeVisible()
  }
})

test('a receipt whose invoices cannot be read stays what it was when it is saved; what was changed in it comes back with its draft', async ({ page, request }) => {
  const admin = await Api.as(request, 'admin')
  const [first = {}] = await payableInvoices(admin, { filter: { remaining: { gt: '1000' }, 'operating_unit_id.code': 'JKT' }, columns: 'code,customer_id,remaining', order: 'id', sort: 'desc', length: 1 })
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${String(first['CustomerID'])}`)
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(cents(first['Remaining']))
  await page.getByRole('combobox', { name: 'House bank' }).click()
  await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()
  await page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` }).check()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/finance/account-receivable/payment-received')
  const [draft] = await admin.rows('payment-received', { filter: { customer_id: Number(first['CustomerID']), status: 0 }, columns: 'code', order: 'id', sort: 'desc', length: 1 })
  const path = `/finance/account-receivable/payment-received/edit/${String(draft?.['ID'])}`
  const paidFor = async () => ((await admin.get(`/api/v1/data/payment-received/${String(draft?.['ID'])}`))['record'] as { readonly Lines: readonly Json[] }).Lines.map((line) => [line['InvoiceID'], line['Paid']])
  expect(await paidFor()).toEqual([[first['ID'], cents(first['Remaining'])]])

  await page.route('**/invoice/for-options*', (route) => route.fulfill({ status: 503, json: busy }))
  await page.goto(path)
  await expect(page.getByText('The open invoices could not be read')).toBeVisible()
  await page.getByRole('textbox', { name: 'Note' }).fill('slip follows')
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/finance/account-receivable/payment-received')
  expect(await paidFor()).toEqual([[first['ID'], cents(first['Remaining'])]])
  await page.unroute('**/invoice/for-options*')

  await page.goto(path)
  await page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` }).uncheck()
  await expect(page.getByText(/Draft kept/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` })).toBeChecked()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(page.getByRole('checkbox', { name: `Pay ${String(first['Code'])}` })).not.toBeChecked()
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/finance/account-receivable/payment-received')
  expect(await paidFor()).toEqual([])
})

test('a text longer than its box takes stays in a receipt as it was pasted, and stops saving at its box', async ({ page, request }) => {
  const first = await openInvoice(await Api.as(request, 'admin'))
  const code = String(first['Code'])
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${String(first['CustomerID'])}`)
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('100')
  await page.getByRole('combobox', { name: 'House bank' }).click()
  await page.getByRole('listbox', { name: 'House bank' }).getByRole('option').first().click()
  await page.getByRole('checkbox', { name: `Pay ${code}` }).check()
  await page.getByRole('textbox', { name: `Paid on ${code}` }).fill('100')
  await page.keyboard.press('Tab')
  await page.getByRole('combobox', { name: `Reason for ${code}` }).selectOption({ index: 1 })
  const note = page.getByRole('textbox', { name: `Explanation for ${code}` })
  await note.click()
  await page.keyboard.insertText('n'.repeat(300))
  await page.keyboard.press('Control+s')
  await expect(note).toHaveValue('n'.repeat(300))
  await expect(page.getByRole('row').filter({ hasText: 'At most 255 characters. These are 300.' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toContainText(`Explanation for ${code}: At most 255 characters. These are 300.`)
  await expect(note).toBeFocused()
  await note.fill('Paid in cash')
  await page.keyboard.press('Control+s')
  await page.waitForURL('**/finance/account-receivable/payment-received')
})

test('the next invoice number typed while the one before is looked up stays where it is typed', async ({ page, request }) => {
  const payer = await payerWithCredit(await Api.as(request, 'admin'), request)
  const [first = {}, second = {}] = payer.invoices
  await signIn(page, 'cashier', `/finance/account-receivable/payment-received/form/${payer.id}`)
  const tick = (invoice: Json) => page.getByRole('checkbox', { name: `Pay ${String(invoice['Code'])}` })
  await expect(tick(first)).toBeVisible()
  let go = (): void => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/api/v1/**', async (route) => {
    if (decodeURIComponent(`${route.request().url()} ${route.request().postData() ?? ''}`).includes(String(first['Code']))) await held
    await route.continue()
  })
  const box = page.getByRole('textbox', { name: 'Invoice number' })
  await box.fill(String(first['Code']))
  await page.keyboard.press('Enter')
  await box.fill(String(second['Code']))
  go()
  await expect(tick(first)).toBeChecked()
  await expect(box).toHaveValue(String(second['Code']))
  await expect(box).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tick(second)).toBeChecked()
  await expect(box).toHaveValue('')
})

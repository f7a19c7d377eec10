import { Api, expect, inDays, plain, settled, signIn, signInAs, test, type Json } from './support.ts'

test('goods of an invoice come back: asked for, approved, received, looked at, credited, and the nota retur entered', async ({ page, request }) => {
  test.setTimeout(150_000)
  const sales = await Api.as(request, 'sales')
  const manager = await Api.as(request, 'receivables')
  const lines = await sales.rows('returnable-invoice', { filter: { is_free: false, open_qty: { ge: '6' }, price: { gt: '1000' } }, columns: 'code,invoice_id,customer_id,item_id,open_qty,price,doc_date', order: 'doc_date', sort: 'desc', length: 50 })
  const returned = await sales.rows('sales-return', { columns: 'invoice_id', length: 200 })
  const line = lines.find((one) => returned.every((other) => other['InvoiceID'] !== one['InvoiceID']))
  if (line === undefined) throw new Error('The demo company has no invoice of which something could come back')
  const invoice = (await sales.get(`/api/v1/data/invoice/${String(line['InvoiceID'])}`))['record'] as Json
  const billed = (invoice['Lines'] as readonly Json[]).find((one) => one['ID'] === line['ID'])
  const dpp = Math.round((Number(billed?.['Dpp']) * 2) / Number(billed?.['QtyBase']))

  // The line is brought along from the invoice; only how many come back is typed.
  await signIn(page, 'sales', `/customer-return/sales-return-v2/form/${String(line['ID'])}`)
  await expect(page.getByRole('combobox', { name: 'Invoice', exact: true })).toHaveValue(new RegExp(String(line['Code'])))
  const customer = page.getByRole('combobox', { name: 'Customer', exact: true })
  if ((await customer.inputValue()) === '') {
    await customer.fill(String(line['CustomerCode']))
    await page.getByRole('option').first().click()
  }
  await page.getByRole('combobox', { name: 'Cause' }).click()
  await page.getByRole('listbox', { name: 'Cause' }).getByRole('option').first().click()
  await page.getByRole('grid').getByRole('gridcell').filter({ hasText: new RegExp(`^${Number(line['OpenQty']).toLocaleString('en-US')}`) }).first().dblclick()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save and submit', exact: true }).click()
  await page.waitForURL(/sales-return-v2\/\d+$/)
  const id = Number(/\d+$/.exec(page.url())?.[0])
  const read = async () => (await manager.get(`/api/v1/data/sales-return/${id}`))['record'] as Json
  expect(Number((await read())['Dpp'])).toBe(dpp)
  const { rows } = (await manager.get('/api/v1/approval/sales_return/submit', { columns: 'code', length: 100 })) as { readonly rows: readonly Json[] }
  await manager.post(`/api/v1/approval/${String(rows.find((row) => row['DocID'] === id)?.['ID'])}/approve`, {})

  await signInAs(page, 'warehouse', `/customer-return/sales-return-v2/${id}`)
  await page.getByRole('button', { name: /^Receive/ }).click()
  const receiving = page.getByRole('dialog')
  await expect(receiving.getByRole('textbox')).toHaveCount(1)
  expect(Number(plain(await receiving.getByRole('textbox').inputValue()))).toBe(2)
  await page.keyboard.press('Control+Enter')
  await expect(receiving).toHaveCount(0)
  await settled(page)
  await page.getByRole('button', { name: 'Inspect', exact: true }).click()
  const looking = page.getByRole('dialog')
  // What is neither damaged nor sent back is good.
  await expect(looking.getByRole('textbox')).toHaveCount(2)
  await looking.getByRole('textbox').first().fill('1')
  await page.keyboard.press('Control+Enter')
  await expect(looking).toHaveCount(0)
  await settled(page)
  expect((await read())['Lines']).toMatchObject([{ QtyReceived: '2.000', QtyGood: '1.000', QtyBad: '1.000', QtyRefused: '0.000' }])

  await signInAs(page, 'receivables', `/customer-return/sales-return-v2/${id}`)
  await page.getByRole('button', { name: 'Credit', exact: true }).click()
  await settled(page)
  await expect.poll(async () => (await read())['Status']).toBe(3)
  const done = await read()
  expect(Number(done['Dpp'])).toBe(dpp)
  const note = (await manager.get(`/api/v1/data/credit-note/${String(done['CreditNoteID'])}`))['record'] as Json
  expect(note).toMatchObject({ Kind: 'RETURN', Status: 1, Total: done['Total'], PpnPending: true })
  await page.goto(`/customer-return/sales-return-v2/${id}`)
  await page.getByRole('button', { name: /tax return/i }).first().click()
  const paper = page.getByRole('dialog')
  await paper.getByRole('textbox').first().fill(`NR-${id}`)
  await paper.getByRole('textbox').nth(1).fill(inDays(0).split('-').toReversed().join('/'))
  await page.keyboard.press('Control+Enter')
  await expect(paper).toHaveCount(0)
  await expect.poll(async () => (await read())['PpnPending']).toBe(false)

  // Both return notes, as they are now and as they were.
  await page.goto(`/customer-return/sales-return-v2/pdf?ids=${id}`)
  await expect(page.getByRole('region', { name: 'Document' })).toContainText(String(done['Code']))
  await page.goto(`/customer-return/sales-return-v2/pdf_old?ids=${id}`)
  await expect(page.getByRole('region', { name: 'Document' })).toContainText(String(done['Code']))
})

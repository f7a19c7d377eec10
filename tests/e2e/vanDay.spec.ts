import { Api, expect, inDays, plain, signIn, signInAs, test, type Json } from './support.ts'

// A day of a van with the figures of the domain's scenario: 30 are loaded, 22 sold for cash at 120,000, 7 counted; one piece costs 85,000.

interface Booked {
  readonly records: readonly { readonly SourceEvent: string; readonly Lines: readonly { readonly AccountCode: string; readonly Debit: string; readonly Credit: string }[] }[]
}

test('a day of a van: asked for, cut by the approver, loaded, sold, counted, handed over', async ({ page, request }) => {
  test.setTimeout(240_000)
  const [admin, finance, warehouse] = [await Api.as(request, 'admin'), await Api.as(request, 'finance'), await Api.as(request, 'warehouse')]
  const mark = String(Date.now() % 1_000_000)
  const today = inDays(0)
  const one = async (resource: string, filter: object, columns = 'code'): Promise<Json> => (await admin.rows(resource, { filter, columns, length: 1 }))[0] ?? {}
  const read = async (resource: string, id: unknown): Promise<Json> => (await admin.get(`/api/v1/data/${resource}/${String(id)}`))['record'] as Json
  const create = async (api: Api, resource: string, body: object): Promise<Json> => (await api.post(`/api/v1/data/${resource}`, body))['record'] as Json
  const act = async (api: Api, resource: string, id: unknown, action: string, body: object = {}): Promise<void> =>
    void (await api.post(`/api/v1/data/${resource}/${String(id)}/${action}`, body, Number((await read(resource, id))['Version'])))
  /** Approves what waits of a document, as whoever's turn it is. */
  const approve = async (api: Api, docType: string, id: unknown): Promise<void> => {
    const rows = (await api.get(`/api/v1/approval/${docType}/submit`, { state: 'waiting', columns: 'operating_unit_id', length: 500 }))['rows'] as readonly Json[]
    const own = rows.find((row) => row['DocID'] === id)
    if (own !== undefined) await api.post(`/api/v1/approval/${String(own['ID'])}/approve`, {})
  }
  const journal = async (resource: string, id: unknown): Promise<readonly string[]> => {
    const { records } = (await admin.get(`/api/v1/data/${resource}/${String(id)}/journal`)) as unknown as Booked
    return records.flatMap(({ SourceEvent, Lines }) => Lines.map((line) => `${SourceEvent} ${line.AccountCode} ${line.Debit} ${line.Credit}`)).sort()
  }

  const [model] = await admin.rows('item', { filter: { status: 1, 'tax_code_id.code': 'PPN04' }, columns: 'principal_id,brand_id,category_id,tax_code_id', length: 1 })
  const item = await create(admin, 'item', {
    Code: `VAN-A-${mark}`, Name: `Kanvas A ${mark}`, PrincipalID: model?.['PrincipalID'], BrandID: model?.['BrandID'], CategoryID: model?.['CategoryID'], TaxCodeID: model?.['TaxCodeID'],
    BaseUom: 'PCS', SalesUom: 'PCS', PackQty: '1', IsTaxable: true, StandardCost: '85000', Status: 1,
  })
  const change = async (body: object): Promise<Json> => {
    const draft = await create(admin, 'price-change', { Scheme: 'V3', EffectiveFrom: today, ...body })
    await act(admin, 'price-change', draft['ID'], 'submit')
    await approve(finance, 'price_change', draft['ID'])
    return read('price-change', draft['ID'])
  }
  await change({ Kind: 'LIST_PRICE', IsPartial: true, PriceSetID: (await one('price-set-row', { code: 'BASE' }))['ID'], Lines: [{ ItemID: item['ID'], Uom: 'PCS', Value: '120000' }] })
  const [unit, store] = [await one('operating-unit', { code: 'JKT' }), await one('warehouse', { kind: 'MAIN', 'operating_unit_id.code': 'JKT' })]
  const canvasser = await create(admin, 'employee', { WorkNumber: `VD-${mark}`, Name: `Kanvaser ${mark}`, OperatingUnitID: unit['ID'], Position: 'CANVASSER' })
  const van = await create(admin, 'warehouse', { Code: `VD-${mark}`, Name: `Mobil ${mark}`, OperatingUnitID: unit['ID'], Kind: 'CANVAS', StockClass: 'CANVAS', EmployeeID: canvasser['ID'] })
  // What nobody knew of is found by a count, at its standard cost.
  const count = await create(admin, 'stock-opname', { WarehouseID: store['ID'], CountDate: today, Freeze: false, Lines: [{ ItemID: item['ID'] }] })
  await act(admin, 'stock-opname', count['ID'], 'start')
  const [counted] = (await read('stock-opname', count['ID']))['Lines'] as readonly Json[]
  await act(admin, 'stock-opname', count['ID'], 'count', { Quantities: { [String(counted?.['ID'])]: '100' } })
  await act(admin, 'stock-opname', count['ID'], 'submit')
  await approve(warehouse, 'stock_opname', count['ID'])
  await approve(finance, 'stock_opname', count['ID'])
  expect(await read('stock-opname', count['ID'])).toMatchObject({ Status: 3 })

  const sales = await Api.as(request, 'sales')
  const trip = await create(sales, 'canvas', { VanWarehouseID: van['ID'], SourceWarehouseID: store['ID'], DocDate: today, Lines: [{ ItemID: item['ID'], QtyRequested: '32' }] })
  await act(sales, 'canvas', trip['ID'], 'submit')
  const waiting = (await admin.get('/api/v1/approval/canvas_request/submit', { state: 'waiting', columns: 'doc_date', length: 500 }))['rows'] as readonly Json[]
  const toCut = waiting.find((row) => row['DocID'] === trip['ID'])

  // The approver leaves 30 of the 32.
  await signIn(page, 'supervisor', `/approval/canvas-item-request?id=${String(toCut?.['ID'])}`)
  await page.getByRole('button', { name: 'Approve less' }).click()
  const asked = page.getByRole('dialog', { name: 'Approve less' })
  const box = asked.getByRole('textbox', { name: new RegExp(String(item['Name'])) })
  await expect(box).toHaveValue('32')
  await box.fill('33')
  await asked.getByRole('button', { name: 'Approve less' }).click()
  await expect(asked.getByText('Between 0 and 32', { exact: false })).toBeVisible()
  await box.fill('30')
  await asked.getByRole('button', { name: 'Approve less' }).click()
  await expect.poll(async () => (await read('canvas', trip['ID']))['Status'], { timeout: 20_000 }).toBe(1)
  const stock = await one('stock-balance', { item_id: item['ID'], warehouse_id: store['ID'] }, 'on_hand,reserved')
  expect([stock['OnHand'], stock['Reserved']].map(Number)).toEqual([100, 30])

  // Picked and loaded as it was approved.
  await signInAs(page, 'warehouse', `/canvas/detail-on-process/${String(trip['ID'])}`)
  const press = async (name: string, fill?: (dialog: ReturnType<typeof page.getByRole>) => Promise<void>): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await fill?.(dialog)
    await dialog.getByRole('button', { name, exact: true }).click()
  }
  await act(warehouse, 'canvas', trip['ID'], 'start')
  await page.reload()
  await act(warehouse, 'canvas', trip['ID'], 'pick')
  await page.goto(`/canvas/detail-receive/${String(trip['ID'])}`)
  const loadName = 'Confirm loading'
  await press(loadName, async (dialog) => expect(dialog.getByRole('textbox').first()).toHaveValue('30'))
  await expect.poll(async () => (await read('canvas', trip['ID']))['Stage']).toBe('SELLING')
  expect(await journal('canvas', trip['ID'])).toEqual(['VAN_LOAD 113101 0.00 2550000.00', 'VAN_LOAD 113103 2550000.00 0.00'])

  // 22 are sold for cash at the door.
  // A shop with discounts of its own, on other goods: the list price is what it pays.
  const like = await one('customer', { status: 1, 'operating_unit_id.code': 'JKT', is_pkp: true }, 'customer_category_id,payment_term_id,operating_unit_id,territory_id')
  const [channel, group] = [await create(admin, 'sales-channel', { Code: `VD-${mark}`, Name: `Kanvas ${mark}` }), await create(admin, 'pricing-group', { Code: `VD-${mark}`, Name: `Kanvas ${mark}` })]
  const discounts = await change({
    Kind: 'DISCOUNT_SET', IsPartial: false, SetCode: `VD-${mark}`, SetName: `Kanvas ${mark}`, ScopeKind: 'GROUP', ScopeGroupID: group['ID'], Lines: [{ Seq: 1, Name: 'Kanvas', ItemID: model?.['ID'], Kind: 'PCT', Value: '1' }],
  })
  await admin.put(`/api/v1/data/pricing-group/${String(group['ID'])}`, Number(group['Version']), { DiscountSetID: discounts['DiscountSetID'] })
  const shop = await create(admin, 'customer', {
    Name: `Warung ${mark}`, CustomerCategoryID: like['CustomerCategoryID'], SalesChannelID: channel['ID'], PaymentTermID: like['PaymentTermID'], OperatingUnitID: like['OperatingUnitID'], TerritoryID: like['TerritoryID'],
    PricingGroupID: group['ID'], TrxCode: '04', Addresses: [{ Code: 'TOKO', Kind: 'SHIP_TO', Address: 'Pasar Senen', IsDefault: true }],
  })
  const credit = await Api.as(request, 'credit')
  const asks = (await credit.get('/api/v1/approval/customer/change', { state: 'waiting', columns: 'name', length: 500 }))['rows'] as readonly Json[]
  const ask = asks.find((row) => row['DocID'] === shop['ID'])
  await credit.post(`/api/v1/approval/${String(ask?.['ID'])}/approve`, {})
  await signInAs(page, 'admin', '/canvas/sell')
  await page.getByRole('combobox', { name: 'Van' }).selectOption({ label: String(van['Name']) })
  await page.getByRole('combobox', { name: 'Customer' }).fill(String(shop['Code']))
  await page.getByRole('listbox', { name: 'Customer' }).getByRole('option').first().click()
  const row = page.getByRole('listitem').filter({ hasText: String(item['Name']) })
  await row.getByRole('button', { name: `One more of ${String(item['Name'])}` }).click()
  await row.getByRole('textbox').fill('22')
  await page.getByRole('button', { name: 'To payment' }).click()
  const received = page.getByRole('textbox', { name: 'Cash received' })
  await expect.poll(async () => plain(await received.inputValue())).toBe('2930400.00')
  await page.getByRole('button', { name: 'Sell', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sold' })).toBeVisible()
  const invoiceId = Number(/\d+$/.exec((await page.getByRole('link', { name: 'Print invoice' }).getAttribute('href')) ?? '')?.[0])
  expect(await read('invoice', invoiceId)).toMatchObject({ InvoiceType: 'CANVAS', Dpp: '2640000.00', Ppn: '290400.00', Total: '2930400.00', Remaining: '0.00' })
  expect(await journal('invoice', invoiceId)).toEqual([
    'COGS 113103 0.00 1870000.00', 'COGS 511101 1870000.00 0.00', 'INV 112101 2930400.00 0.00', 'INV 213101 0.00 290400.00', 'INV 411102 0.00 2640000.00',
  ])

  // 7 are counted: one is missing, and the canvasser owes it.
  await act(sales, 'canvas', trip['ID'], 'unload')
  await signInAs(page, 'warehouse', `/canvas/detail-check/${String(trip['ID'])}`)
  await press('Enter the count', async (dialog) => dialog.getByRole('textbox').first().fill('7'))
  await expect.poll(async () => (await read('canvas', trip['ID']))['Stage']).toBe('PUTAWAY')
  await page.goto(`/canvas/detail-putaway/${String(trip['ID'])}`)
  await press('Put away')
  await expect.poll(async () => (await read('canvas', trip['ID']))['Status']).toBe(3)
  expect(await journal('canvas', trip['ID'])).toEqual([
    'VAN_LOAD 113101 0.00 2550000.00', 'VAN_LOAD 113103 2550000.00 0.00', 'VAN_SHORT 112201 85000.00 0.00', 'VAN_SHORT 113103 0.00 85000.00', 'VAN_UNLOAD 113101 595000.00 0.00', 'VAN_UNLOAD 113103 0.00 595000.00',
  ])

  // The cashier counts what the canvasser brings, to the rupiah.
  const cashier = await Api.as(request, 'cashier')
  const [paid] = await admin.rows('cod-in-field', { filter: { canvas_request_id: trip['ID'] }, columns: 'amount', length: 1 })
  const cash = await one('cash-account', { code: 'KAS-JKT' })
  const handOver = await create(cashier, 'reconcile-cod', { CanvasRequestID: trip['ID'], CashAccountID: cash['ID'], DocDate: today, Counted: '2930400', Lines: [{ ArPaymentID: paid?.['ArPaymentID'] ?? paid?.['ID'] }] })
  await signInAs(page, 'cashier', `/reconcile-cod/${String(handOver['ID'])}`)
  await page.getByRole('button', { name: 'Post', exact: true }).first().click()
  await expect.poll(async () => (await read('reconcile-cod', handOver['ID']))['Status']).toBe(3)
  expect(await journal('reconcile-cod', handOver['ID'])).toEqual(['COD_DIFF 111102 2930400.00 0.00', 'COD_DIFF 111103 0.00 2930400.00'])
})

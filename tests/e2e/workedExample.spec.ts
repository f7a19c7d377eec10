import { Api, expect, inDays, settled, signIn, test, type Json } from './support.ts'

// Toko Makmur of the domain's worked example: 24 A and 10 B, two cascading discounts, a free item and an order promotion.

async function record(api: Api, resource: string, body: object): Promise<Json> {
  const { record: made } = (await api.post(`/api/v1/data/${resource}`, body)) as { readonly record: Json }
  return made
}

test('the worked example: the simulation shows every step and the total to the rupiah', async ({ page, request }) => {
  test.setTimeout(180_000)
  const admin = await Api.as(request, 'admin')
  const finance = await Api.as(request, 'finance')
  const credit = await Api.as(request, 'credit')
  const promotions = await Api.as(request, 'promotions')
  const mark = String(Date.now() % 1_000_000)
  const today = inDays(0)
  const one = async (resource: string, filter: object, columns = 'code'): Promise<Json> => (await admin.rows(resource, { filter, columns, length: 1 }))[0] ?? {}

  const [model] = await admin.rows('item', { filter: { status: 1, is_taxable: true }, columns: 'code,principal_id,brand_id,category_id,tax_code_id', length: 1 })
  const item = (name: string) => record(admin, 'item', {
    Code: `${name}-${mark}`, Name: `Contoh ${name}`, PrincipalID: model?.['PrincipalID'], BrandID: model?.['BrandID'], CategoryID: model?.['CategoryID'], TaxCodeID: model?.['TaxCodeID'],
    BaseUom: 'CTN', SalesUom: 'CTN', PackQty: '1', IsTaxable: true, Status: 1,
  })
  const [a, b] = [await item('A'), await item('B')]

  /** Proposes a change of prices and has it approved. */
  const change = async (body: object): Promise<Json> => {
    const draft = await record(admin, 'price-change', { Scheme: 'V3', EffectiveFrom: today, ...body })
    await admin.post(`/api/v1/data/price-change/${String(draft['ID'])}/submit`, {}, Number(draft['Version']))
    for (;;) {
      const [asked] = (await finance.get('/api/v1/approval/price_change/submit', { state: 'waiting', columns: 'kind' }))['rows'] as readonly Json[]
      if (asked === undefined) break
      await finance.post(`/api/v1/approval/${String(asked['ID'])}/approve`, {})
    }
    const { record: done } = (await admin.get(`/api/v1/data/price-change/${String(draft['ID'])}`)) as { readonly record: Json }
    expect(done['Status']).toBe(1)
    return done
  }
  const base = await one('price-set-row', { code: 'BASE' })
  await change({ Kind: 'LIST_PRICE', IsPartial: true, PriceSetID: base['ID'], Lines: [{ ItemID: a['ID'], Uom: 'CTN', Value: '120000' }, { ItemID: b['ID'], Uom: 'CTN', Value: '250000' }] })
  const group = await record(admin, 'pricing-group', { Code: `SILVER-${mark}`, Name: 'Silver contoh' })
  const prices = await change({
    Kind: 'PRICE_SET', IsPartial: false, SetCode: `PS-${mark}`, SetName: 'Silver contoh', ScopeKind: 'GROUP', ScopeGroupID: group['ID'], Lines: [{ ItemID: a['ID'], Uom: 'CTN', Value: '118000' }],
  })
  const discounts = await change({
    Kind: 'DISCOUNT_SET', IsPartial: false, SetCode: `DS-${mark}`, SetName: 'Silver contoh', ScopeKind: 'GROUP', ScopeGroupID: group['ID'],
    Lines: [
      { Seq: 1, Name: 'Discount 1', ItemID: a['ID'], Kind: 'PCT', Value: '3' }, { Seq: 1, Name: 'Discount 1', ItemID: b['ID'], Kind: 'PCT', Value: '1' },
      { Seq: 2, Name: 'Discount 2', ItemID: a['ID'], Kind: 'PCT', Value: '2' },
    ],
  })
  await admin.put(`/api/v1/data/pricing-group/${String(group['ID'])}`, Number(group['Version']), { PriceSetID: prices['PriceSetID'], DiscountSetID: discounts['DiscountSetID'] })
  const channel = await record(admin, 'sales-channel', { Code: `GT-${mark}`, Name: 'General trade contoh' })
  const [kind, unit] = [await one('promotion-type', {}), await one('operating-unit', { code: 'JKT' })]
  /** Proposes a promotion and has it approved. */
  const promotion = async (body: object): Promise<void> => {
    const draft = await record(admin, 'promotion', { PromotionTypeID: kind['ID'], Mechanism: 'ON_INVOICE', Funding: 'COMPANY', OperatingUnitID: unit['ID'], DocDate: today, ValidFrom: today, ...body })
    await admin.post(`/api/v1/data/promotion/${String(draft['ID'])}/submit`, {}, Number(draft['Version']))
    const rows = (await promotions.get('/api/v1/approval/promotion/submit', { state: 'waiting', columns: 'code' }))['rows'] as readonly Json[]
    await promotions.post(`/api/v1/approval/${String(rows.find((row) => row['DocID'] === draft['ID'])?.['ID'])}/approve`, {})
  }
  await promotion({
    Code: `P1-${mark}`, Name: 'Buy 10 A get 1 A', PromotionCondition: [{ TierNo: 1, Kind: 'ITEM_QTY', ItemID: a['ID'], Min: '10', IsMultiple: true }], Lines: [{ TierNo: 1, Kind: 'FREE_ITEM', Value: '0', FreeQty: '1', MaxMultiple: 3 }],
  })
  await promotion({
    Code: `P2-${mark}`, Name: 'Order value', PromotionScope: [{ SalesChannelID: channel['ID'], Include: true }],
    PromotionCondition: [{ TierNo: 1, Kind: 'ORDER_VALUE', Min: '3000000' }, { TierNo: 2, Kind: 'ORDER_VALUE', Min: '5000000' }], Lines: [{ TierNo: 1, Kind: 'PCT', Value: '1.5' }, { TierNo: 2, Kind: 'PCT', Value: '2.5' }],
  })
  const like = await one('customer', { status: 1, 'operating_unit_id.code': 'JKT', is_pkp: true }, 'customer_category_id,payment_term_id,operating_unit_id,territory_id')
  const customer = await record(admin, 'customer', {
    Name: `Toko Makmur ${mark}`, CustomerCategoryID: like['CustomerCategoryID'], SalesChannelID: channel['ID'], PaymentTermID: like['PaymentTermID'], OperatingUnitID: like['OperatingUnitID'], TerritoryID: like['TerritoryID'],
    PricingGroupID: group['ID'], TrxCode: '04',
  })
  const waiting = (await credit.get('/api/v1/approval/customer/change', { state: 'waiting', columns: 'name' }))['rows'] as readonly Json[]
  const asked = waiting.find((row) => row['DocID'] === customer['ID'])
  await credit.post(`/api/v1/approval/${String(asked?.['ID'])}/approve`, {})

  await signIn(page, 'admin', '/sales-order/simulation')
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type(String(customer['Code']))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Payment term' })).not.toHaveValue('')
  await page.getByRole('grid').focus()
  for (const [code, qty] of [[a['Code'], '24'], [b['Code'], '10']] as const) {
    await page.keyboard.type(String(code))
    await page.keyboard.press('Tab')
    await page.keyboard.type(qty)
    await page.keyboard.press('Enter')
  }
  await settled(page)
  // What is entered, and what comes with it: the saved order has both.
  await expect(page.getByText('Lines: 2 · Free: 1')).toBeVisible()
  const trace = page.getByRole('region', { name: 'How the prices come about' })
  // Of each line: the list price, then what each step leaves. The first line stands open.
  const steps = [
    { item: a, rows: [/List price.*2,832,000\.00/, /2,832,000\.00.*2,747,040\.00/, /2,747,040\.00.*2,692,099\.20/, /2,692,099\.20.*2,624,796\.72/] },
    { item: b, rows: [/List price.*2,500,000\.00/, /2,500,000\.00.*2,475,000\.00/, /2,475,000\.00.*2,413,125\.00/] },
  ]
  for (const [i, { item: priced, rows }] of steps.entries()) {
    const part = trace.locator('details').filter({ hasText: String(priced['Code']) }).first()
    if (i > 0) await part.locator('summary').click()
    for (const row of rows) await expect(part.getByRole('row', { name: row }).first(), String(row)).toBeVisible()
  }
  await expect(trace.locator('details')).toHaveCount(3)
  for (const figure of ['5,332,000.00', '164,900.80', '129,177.48', '5,037,922.00', '554,171.00', '5,592,093.00']) await expect(page.getByText(figure, { exact: true }).first(), figure).toBeVisible()
})

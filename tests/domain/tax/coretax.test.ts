import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exact, fixed } from '#base/decimal.ts'
import { escaped, faultOf, fileEnd, fileStart, priced, taxInvoiceXml, type BuyerDocument, type PostedLine, type TaxInvoice } from '#domain/tax/coretax.ts'
import { xmlFault } from '../../support/strictXml.ts'

const line: PostedLine = { name: 'Kopi "A&B" <200 g>', isService: false, goodsCode: '000000', unit: 'UM.0021', qty: '24', gross: '2400000.00', dpp: '2300000.00', dppOther: '2108333.33', ppn: '253000.00', rate: '12' }
const invoice: TaxInvoice = {
  day: '2026-11-20', trxCode: '04', addInfo: '', facilityStamp: '', reference: 'INV/JKT/2611/00001', sellerPlace: '0123456789012345000000', ppn: '253000',
  buyer: { document: 'TIN', number: '0987654321098765', name: "Toko D'Makmur & Anak", address: 'Jl. Melati 5\nJakarta', email: '', place: '' },
  lines: [line, { ...line, dpp: '0.00', dppOther: '0.00', ppn: '0.00' }],
}
const names = (xml: string): readonly string[] => [...xml.matchAll(/<([A-Za-z]+)\/?>/g)].map((match) => match[1] ?? '')

describe('a tax invoice for Coretax', () => {
  it('has the elements of the tax office in their order, and no other', () => {
    expect(names(taxInvoiceXml(invoice))).toEqual([
      'TaxInvoice', 'TaxInvoiceDate', 'TaxInvoiceOpt', 'TrxCode', 'AddInfo', 'CustomDoc', 'CustomDocMonthYear', 'RefDesc', 'FacilityStamp', 'SellerIDTKU', 'BuyerTin', 'BuyerDocument', 'BuyerCountry',
      'BuyerDocumentNumber', 'BuyerName', 'BuyerAdress', 'BuyerEmail', 'BuyerIDTKU', 'ListOfGoodService',
      'GoodService', 'Opt', 'Code', 'Name', 'Unit', 'Price', 'Qty', 'TotalDiscount', 'TaxBase', 'OtherTaxBase', 'VATRate', 'VAT', 'STLGRate', 'STLG',
    ])
  })

  it('is well-formed whatever stands in the texts, and amounts are to the cent', () => {
    const file = `${fileStart('0123456789012345')}${taxInvoiceXml(invoice)}${fileEnd}`
    expect(xmlFault(file.replace(/^<\?xml[^>]*>\s*/, ''))).toBeUndefined()
    expect(file).toContain('<Name>Kopi &quot;A&amp;B&quot; &lt;200 g&gt;</Name><Unit>UM.0021</Unit><Price>100000.00</Price><Qty>24</Qty><TotalDiscount>100000.00</TotalDiscount><TaxBase>2300000.00</TaxBase><OtherTaxBase>2108333.33</OtherTaxBase><VATRate>12</VATRate><VAT>253000.00</VAT>')
    expect(file).toContain('<BuyerName>Toko D&apos;Makmur &amp; Anak</BuyerName><BuyerAdress>Jl. Melati 5 Jakarta</BuyerAdress><BuyerEmail/><BuyerIDTKU>0987654321098765000000</BuyerIDTKU>')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => xmlFault(`<a>${escaped(name)}</a>`) === undefined))
  })

  it('knows a buyer without NPWP by his own paper', () => {
    const xml = taxInvoiceXml({ ...invoice, buyer: { ...invoice.buyer, document: 'NIK', number: '3171234567890001' } })
    expect(xml).toContain('<BuyerTin>0000000000000000</BuyerTin><BuyerDocument>National ID</BuyerDocument><BuyerCountry>IDN</BuyerCountry><BuyerDocumentNumber>3171234567890001</BuyerDocumentNumber>')
    expect(xml).toContain('<BuyerIDTKU>000000</BuyerIDTKU>')
  })

  it('price × quantity − discount is the base exactly for whole quantities, within a cent a unit for others, and no discount is negative', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 1, max: 2_000_000_000 }), fc.integer({ min: 0, max: 100 }), fc.boolean(), (thousandths, cents, share, isWhole) => {
        const qty = isWhole ? String(thousandths) : fixed(exact(thousandths).div(1000), 3)
        const gross = fixed(exact(cents).div(100), 2)
        const dpp = fixed(exact(gross).times(100 - share).div(100), 0)
        const { price, discount } = priced({ qty, gross, dpp })
        const off = exact(price).times(qty).minus(discount).minus(dpp).abs()
        return exact(discount).gte(0) && (isWhole ? off.eq(0) : off.lte(exact('0.01').times(exact(qty)).plus('0.005')))
      }),
    )
  })

  it('that Coretax would refuse is told before', () => {
    const key = (change: Partial<TaxInvoice>): string | undefined => faultOf({ ...invoice, ...change })?.key
    expect(key({})).toBeUndefined()
    expect(key({ ppn: '252000' })).toBe('tax.sum-differs')
    expect(key({ lines: [] })).toBe('tax.no-lines')
    const free = [{ ...line, ppn: '0.00', rate: '0.0000' }]
    expect(key({ trxCode: '07', ppn: '0', lines: free })).toBe('tax.no-facility')
    expect(key({ trxCode: '07', ppn: '0', lines: free, addInfo: 'TD.00501', facilityStamp: 'TD.01102' })).toBe('tax.stamp-differs')
    expect(key({ trxCode: '07', ppn: '0', lines: free, addInfo: 'TD.00501', facilityStamp: 'TD.01101' })).toBeUndefined()
    expect(key({ buyer: { ...invoice.buyer, number: '12' } })).toBe('tax.no-number')
  })

  it('what a buyer is known by has a number, whatever paper it is', () => {
    const key = (document: BuyerDocument, number: string): string | undefined => faultOf({ ...invoice, buyer: { ...invoice.buyer, document, number } })?.key
    expect((['TIN', 'NIK', 'PASSPORT', 'OTHER'] as const).map((document) => ['', '-', '0000000000000000'].map((number) => key(document, number)))).toEqual(Array(4).fill(Array(3).fill('tax.no-number')))
    expect([key('TIN', '0987654321098765'), key('NIK', '3171234567890001'), key('PASSPORT', 'B1234567'), key('OTHER', 'KITAS 2C11')]).toEqual([undefined, undefined, undefined, undefined])
  })

  it('code, base and tax of the lines go together', () => {
    const full: PostedLine = { ...line, dpp: '294000.00', dppOther: '294000.00', ppn: '35280.00' }
    const eleven: PostedLine = { ...full, ppn: '32340.00', rate: '11' }
    const none: PostedLine = { ...full, ppn: '0.00', rate: '0' }
    const key = (trxCode: string, ppn: string, ...lines: readonly PostedLine[]): string | undefined => faultOf({ ...invoice, trxCode, ppn, lines, addInfo: 'TD.00501', facilityStamp: 'TD.01101' })?.key
    for (const code of ['07', '08']) expect([key(code, '35280', full), key(code, '0', none)]).toEqual(['tax.facility-vat', undefined])
    for (const code of ['01', '02', '03', '04', '10']) expect(key(code, '35280', full, none)).toBe('tax.no-vat')
    expect([key('01', '35280', full, { ...line, dppOther: '0.00', ppn: '0.00' })]).toEqual(['tax.no-vat'])
    for (const code of ['01', '02', '03', '04']) expect(key(code, '288280', full, line)).toBe('tax.mixed-bases')
    expect([key('04', '35280', full), key('01', '253000', line)]).toEqual(['tax.other-base', 'tax.full-base'])
    for (const code of ['02', '03', '10']) expect([key(code, '35280', full), key(code, '253000', line)]).toEqual([undefined, undefined])
    expect([key('01', '32340', eleven), key('01', '32340', { ...eleven, rate: '12' }), key('01', '35280', full)]).toEqual([undefined, 'tax.rate-differs', undefined])
  })

  it('says the rate each line was billed with', () => {
    const rateOf = (rate: string): string | undefined => /<VATRate>(.*)<\/VATRate>/.exec(taxInvoiceXml({ ...invoice, lines: [{ ...line, rate }] }))?.[1]
    expect(['12.0000', '11.0000', '1.1000', '10', '0.0000'].map(rateOf)).toEqual(['12', '11', '1.1', '10', '0'])
  })
})

import { exact, fixed, type Decimal, type Exact, zero } from '#base/decimal.ts'

/** Tax invoices one file may hold. */
export const mostInFile = 1_000

/** What Coretax calls the paper by which a buyer is known. */
const documents = { TIN: 'TIN', NIK: 'National ID', PASSPORT: 'Passport', OTHER: 'Other ID' } as const
export type BuyerDocument = keyof typeof documents

/** A line of an invoice as it was posted. */
export interface PostedLine {
  readonly name: string
  readonly isService: boolean
  /** Six digits of the goods or services list. */
  readonly goodsCode: string
  /** `UM.00xx`. */
  readonly unit: string
  readonly qty: Decimal
  readonly gross: Decimal
  readonly dpp: Decimal
  readonly dppOther: Decimal
  readonly ppn: Decimal
  /** Percent of `dppOther` that it was billed with. */
  readonly rate: Decimal
}

export interface TaxInvoice {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly trxCode: string
  readonly addInfo: string
  readonly facilityStamp: string
  readonly reference: string
  /** 22 digits of the place that sells. */
  readonly sellerPlace: string
  readonly buyer: {
    readonly document: BuyerDocument
    readonly number: string
    readonly name: string
    readonly address: string
    readonly email: string
    /** 22 digits, or what is kept of them. */
    readonly place: string
  }
  /** VAT of the invoice, whole rupiah. */
  readonly ppn: Decimal
  readonly lines: readonly PostedLine[]
}

/** Why a tax invoice cannot go into a file; `key` of the catalogue. */
export interface TaxFault {
  readonly key:
    | 'tax.no-lines' | 'tax.sum-differs' | 'tax.rate-differs' | 'tax.no-vat' | 'tax.facility-vat' | 'tax.mixed-bases' | 'tax.other-base' | 'tax.full-base' | 'tax.no-facility' | 'tax.stamp-differs' | 'tax.no-number'
  readonly params?: Readonly<Record<string, string>>
}

/** Lines that bear VAT; what is given away goes into a tax invoice of its own. */
export function taxedLines(lines: readonly PostedLine[]): readonly PostedLine[] {
  return lines.filter((line) => exact(line.dpp).gt(0) && exact(line.dppOther).gt(0))
}

/** What Coretax would refuse, before it sees it. */
export function faultOf(invoice: TaxInvoice): TaxFault | undefined {
  const lines = taxedLines(invoice.lines)
  if (lines.length === 0) return { key: 'tax.no-lines' }
  const sum = lines.reduce((total, line) => total.plus(exact(line.ppn)), zero)
  const off = sum.minus(exact(invoice.ppn))
  if (off.gte(1) || exact(-1).gte(off)) return { key: 'tax.sum-differs', params: { lines: fixed(sum, 2), invoice: fixed(exact(invoice.ppn), 0) } }
  const fault = faultOfLines(invoice.trxCode, invoice.lines.filter((line) => exact(line.dpp).gt(0)))
  if (fault !== undefined) return fault
  if (isFree(invoice.trxCode)) {
    if (invoice.addInfo === '' || invoice.facilityStamp === '') return { key: 'tax.no-facility', params: { code: invoice.trxCode } }
    if (invoice.addInfo.slice(-2) !== invoice.facilityStamp.slice(-2)) return { key: 'tax.stamp-differs' }
  }
  return hasNumber(invoice.buyer) ? undefined : { key: 'tax.no-number' }
}

/** Codes of deliveries whose VAT nobody pays: not collected, and exempt. */
function isFree(code: string): boolean {
  return code === '07' || code === '08'
}

/** The code says whether the lines bear VAT and of which part of their price; all lines of one tax invoice are alike. */
function faultOfLines(code: string, lines: readonly PostedLine[]): TaxFault | undefined {
  if (isFree(code) && lines.some((line) => exact(line.ppn).gt(0))) return { key: 'tax.facility-vat', params: { code } }
  if (!isFree(code) && lines.some((line) => exact(line.ppn).lte(0))) return { key: 'tax.no-vat', params: { code } }
  const differs = lines.find((line) => !exact(line.dppOther).times(line.rate).div(100).round(2).eq(line.ppn))
  if (differs !== undefined) return { key: 'tax.rate-differs', params: { item: differs.name, rate: percentText(differs.rate) } }
  const full = lines.filter((line) => exact(line.dppOther).eq(line.dpp)).length
  if (full > 0 && full < lines.length) return { key: 'tax.mixed-bases' }
  if (code === '04' && full > 0) return { key: 'tax.other-base' }
  return code === '01' && full === 0 ? { key: 'tax.full-base' } : undefined
}

function hasNumber({ document, number }: TaxInvoice['buyer']): boolean {
  return document === 'TIN' || document === 'NIK' ? /^\d{16}$/.test(number) && !/^0+$/.test(number) : /[1-9A-Za-z]/.test(number)
}

/**
 * Price, quantity and discount of a line such that price × quantity − discount is its base: the price has two places, rounded upwards, and the
 * discount takes in what rounding added.
 */
export function priced({ qty, gross, dpp }: Pick<PostedLine, 'qty' | 'gross' | 'dpp'>): { readonly price: string; readonly discount: string } {
  const value = exact(gross).gt(exact(dpp)) ? exact(gross) : exact(dpp)
  const plain = value.div(qty).round(2)
  const price = plain.times(exact(qty)).gte(value) ? plain : plain.plus(exact('0.01'))
  return { price: fixed(price, 2), discount: fixed(price.times(qty).round(2).minus(dpp), 2) }
}

/** The head of a file, one seller a file. */
export function fileStart(tin: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<TaxInvoiceBulk xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="TaxInvoice.xsd">\n<TIN>${escaped(tin)}</TIN>\n<ListOfTaxInvoice>\n`
}

export const fileEnd = '</ListOfTaxInvoice>\n</TaxInvoiceBulk>\n'

/** One tax invoice; the order of its elements is the tax office's and must stay. */
export function taxInvoiceXml(invoice: TaxInvoice): string {
  const { buyer } = invoice
  const isTin = buyer.document === 'TIN'
  return `<TaxInvoice>${elements([
    ['TaxInvoiceDate', invoice.day],
    ['TaxInvoiceOpt', 'Normal'],
    ['TrxCode', invoice.trxCode],
    ['AddInfo', invoice.addInfo],
    ['CustomDoc', ''],
    ['CustomDocMonthYear', ''],
    ['RefDesc', invoice.reference],
    ['FacilityStamp', invoice.facilityStamp],
    ['SellerIDTKU', invoice.sellerPlace],
    ['BuyerTin', isTin ? buyer.number : '0000000000000000'],
    ['BuyerDocument', documents[buyer.document]],
    ['BuyerCountry', 'IDN'],
    ['BuyerDocumentNumber', isTin ? '-' : buyer.number],
    ['BuyerName', buyer.name],
    ['BuyerAdress', buyer.address === '' ? '-' : buyer.address],
    ['BuyerEmail', buyer.email],
    ['BuyerIDTKU', isTin ? (/^\d{22}$/.test(buyer.place) ? buyer.place : `${buyer.number}000000`) : '000000'],
  ])}<ListOfGoodService>${taxedLines(invoice.lines).map(lineXml).join('')}</ListOfGoodService></TaxInvoice>\n`
}

function lineXml(line: PostedLine): string {
  const { price, discount } = priced(line)
  return `<GoodService>${elements([
    ['Opt', line.isService ? 'B' : 'A'],
    ['Code', line.goodsCode],
    ['Name', line.name],
    ['Unit', line.unit],
    ['Price', price],
    ['Qty', plain(exact(line.qty))],
    ['TotalDiscount', discount],
    ['TaxBase', fixed(exact(line.dpp), 2)],
    ['OtherTaxBase', fixed(exact(line.dppOther), 2)],
    ['VATRate', percentText(line.rate)],
    ['VAT', fixed(exact(line.ppn), 2)],
    ['STLGRate', '0'],
    ['STLG', '0.00'],
  ])}</GoodService>`
}

export function elements(parts: readonly (readonly [name: string, value: string])[]): string {
  return parts.map(([name, value]) => (value === '' ? `<${name}/>` : `<${name}>${escaped(value)}</${name}>`)).join('')
}

function percentText(rate: Decimal): string {
  return fixed(exact(rate), 4).replace(/\.?0+$/, '')
}

/** Quantities have up to three places; zeros at the end say nothing. */
function plain(qty: Exact): string {
  return fixed(qty, 3).replace(/\.?0+$/, '')
}

/** Text as XML takes it: five signs by name, what XML cannot hold left out. */
export function escaped(text: string): string {
  return Array.from(text.replaceAll(/[\r\n\t]+/g, ' '))
    .filter((sign) => isAllowed(sign.codePointAt(0) ?? 0))
    .map((sign) => names[sign] ?? sign)
    .join('')
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function isAllowed(code: number): boolean {
  return code >= 0x20 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}

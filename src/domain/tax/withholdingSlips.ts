import { exact, fixed, type Decimal } from '#base/decimal.ts'
import { elements, escaped } from './coretax.ts'

/** Income tax withheld from one invoice of a vendor. */
export interface WithholdingSlip {
  /** YYYYMM. */
  readonly period: string
  /** 16 digits. */
  readonly tin: string
  /** 22 digits of the vendor's place, or null. */
  readonly place: string | null
  /** As 24-104-03. */
  readonly taxObject: string
  readonly base: Decimal
  /** Percent. */
  readonly rate: Decimal
  readonly documentNo: string
  readonly documentDate: string
  readonly withheldOn: string
}

/** The file (BpuBulk) Coretax takes; the order of the elements is the tax office's and must stay. `place`: 22 digits of the place that withholds. */
export function withholdingFile(tin: string, place: string, slips: readonly WithholdingSlip[]): string {
  const head = '<?xml version="1.0" encoding="utf-8"?>\n<BpuBulk xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="Bpu.xsd">'
  return `${head}\n<TIN>${escaped(tin)}</TIN>\n<ListOfBpu>\n${slips.map((slip) => slipXml(slip, place)).join('')}</ListOfBpu>\n</BpuBulk>\n`
}

function slipXml(slip: WithholdingSlip, place: string): string {
  const head = elements([
    ['TaxPeriodMonth', String(Number(slip.period.slice(4)))],
    ['TaxPeriodYear', slip.period.slice(0, 4)],
    ['CounterpartTin', slip.tin],
    ['IDPlaceOfBusinessActivityOfIncomeRecipient', slip.place ?? `${slip.tin}000000`],
    ['TaxCertificate', 'N/A'],
    ['TaxObjectCode', slip.taxObject],
    ['TaxBase', fixed(exact(slip.base).round(0), 0)],
    ['Rate', fixed(exact(slip.rate), 4).replace(/\.?0+$/, '')],
    ['Document', 'CommercialInvoice'],
    ['DocumentNumber', slip.documentNo],
    ['DocumentDate', slip.documentDate],
    ['IDPlaceOfBusinessActivity', place],
    ['GovTreasurerOpt', 'N/A'],
  ])
  return `<Bpu>${head}<SP2DNumber xsi:nil="true"/>${elements([['WithholdingDate', slip.withheldOn]])}</Bpu>\n`
}

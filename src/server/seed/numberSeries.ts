import { metadata } from '#generated/metadata.ts'

type Series = readonly [code: string, docType: string]

/** Beside those documents name: of invoices that are debit memos or reversals, and of promotions, whose code may also be typed. */
const further: readonly Series[] = [['DM', 'debit_memo'], ['INR', 'invoice_reversal'], ['PRM', 'promotion']]

/** Document series; numbers restart each month in each operating unit. */
const documents: readonly Series[] = [
  ...Object.values(metadata.entities).flatMap(({ id, base, series }) => (series === undefined || base === 'master' ? [] : [[series, id] as const])),
  ...further,
]

/** Master data series; one run of numbers for the company. */
const masters: readonly (readonly [code: string, docType: string, prefix: string, pattern: string])[] = [
  ['CUSTOMER', 'customer', 'C', '{PREFIX}{SEQ:7}'],
  ['PARTNER', 'business_partner', 'V', '{PREFIX}{SEQ:6}'],
]

/** Rows of number_series as an installation starts with. */
export const numberSeries = [
  ...documents.map(([code, docType]) => ({
    code, kind: 'DOCUMENT', doc_type: docType, prefix: code, pattern: '{PREFIX}/{OU}/{YY}{MM}/{SEQ:5}', reset: 'MONTHLY', gapless: true,
  })),
  ...masters.map(([code, docType, prefix, pattern]) => ({ code, kind: 'MASTER', doc_type: docType, prefix, pattern, reset: 'NEVER', gapless: true })),
]

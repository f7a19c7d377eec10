/** Values every installation starts with; the database owns them afterwards. */

/** usage, amount, percent, account: the smaller of the two limits applies, 0 is none. */
export const tolerances: readonly (readonly [usage: string, amount: string, percent: string, account?: string])[] = [
  ['AR_SHORT', '5000', '0', '613102'],
  ['AR_OVER', '5000', '0', '421101'],
  ['CLOSE_INVOICE', '10000', '0', '613102'],
  ['BANK_MATCH', '1000', '0', '613102'],
  ['BANK_CHARGE', '25000', '0', '613103'],
  ['CASH_COUNT', '1000', '0', '613106'],
  ['AP_QTY', '0', '0'],
  ['AP_PRICE', '50000', '0.5', '511102'],
  ['AP_TAX', '10', '0'],
  ['GOV_ROUND', '100', '0', '613102'],
  ['CLAIM', '0', '0'],
  ['PRICE_RETURN', '0', '0'],
]

export const roundedDocuments = ['sales_order', 'invoice', 'credit_note'] as const

/** code, name, kind, rate, numerator, denominator, transaction code, account. */
export const taxCodes: readonly (readonly [
  code: string, name: string, kind: string, rate: string, numerator: number, denominator: number, trxCode: string | null, account: string,
])[] = [
  ['PPN04', 'PPN 12 % atas DPP nilai lain 11/12', 'PPN_OUT', '12', 11, 12, '04', '213101'],
  ['PPN01', 'PPN 12 % atas harga penuh', 'PPN_OUT', '12', 1, 1, '01', '213101'],
  ['PPNIN', 'PPN Masukan 12 % atas 11/12', 'PPN_IN', '12', 11, 12, null, '114101'],
  ['PPH22', 'PPh 22 pemungut pemerintah 1,5 %', 'PPH22', '1.5', 1, 1, null, '114103'],
  ['PPH23', 'PPh 23 jasa 2 %', 'PPH23', '2', 1, 1, null, '114104'],
  ['PPH23R', 'PPh 23 hadiah 15 %', 'PPH23', '15', 1, 1, null, '213103'],
]

/** 12 % on 11/12 is law from this day on. */
export const taxValidFrom = '2025-01-01'

export const behaviour: Readonly<Record<string, boolean | number | string | Readonly<Record<string, string>>>> = {
  allow_self_approval: false,
  approval_default: { sales_order: 'AUTO', '*': 'BLOCK' },
  backorder: 'KEEP',
  so_expiry_days: 7,
  atp_includes_inbound: false,
  quota_soft: false,
  billing_run_auto_max: 200,
  free_line_gross_up: false,
  vat_on_free_goods: true,
  payment_needs_approval: false,
  payment_backdate_days: 3,
  post_unidentified: true,
  canvas_shortage: 'EMPLOYEE',
  exclude_cash: true,
  manual_discount_pct: 2,
  overdue_ignore_dispute: true,
  begbal_open: false,
  temp_cn_max_days: 30,
  ttf_required_default: false,
  gin_unbilled_alert_days: 3,
  session_days: 7,
  password_days: 182,
  csv_delimiter: ',',
  csv_decimal: '.',
  csv_bom: true,
}

/** Upper edges in days late of the aging columns; later than the last is the final column. */
export const agingBuckets = [7, 14, 30, 60, 90] as const

export const exposureIncludes = { credit_note: true, deposit: true, consignment: false }

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

/** Documents whose totals are whole in this currency. */
export const roundedCurrency = 'IDR'
export const roundedDocuments = ['sales_order', 'invoice', 'credit_note'] as const

/** code, name, kind, rate, numerator, denominator, transaction code, account. */
export const taxCodes: readonly (readonly [
  code: string, name: string, kind: string, rate: string, numerator: number, denominator: number, trxCode: string | null, account: string,
])[] = [
  ['PPN04', 'PPN 12 % atas DPP nilai lain 11/12', 'PPN_OUT', '12', 11, 12, '04', '213101'],
  ['PPN01', 'PPN 12 % atas harga penuh', 'PPN_OUT', '12', 1, 1, '01', '213101'],
  ['PPNIN', 'PPN Masukan 12 % atas 11/12', 'PPN_IN', '12', 11, 12, null, '114101'],
  ['PPNJA', 'PPN Masukan 1,1 % jasa angkut', 'PPN_IN', '12', 11, 120, null, '114101'],
  ['PPH22', 'PPh 22 pemungut pemerintah 1,5 %', 'PPH22', '1.5', 1, 1, null, '114103'],
  ['PPH23', 'PPh 23 jasa 2 %', 'PPH23', '2', 1, 1, null, '114104'],
  ['PPH23R', 'PPh 23 hadiah 15 %', 'PPH23', '15', 1, 1, null, '213103'],
]

/** Goods that name no tax code bear this one, until the company says otherwise. */
export const defaultTaxCode = 'PPN04'

/** 12 % on 11/12 is law from this day on. */
export const taxValidFrom = '2025-01-01'

export const behaviour: Readonly<Record<string, boolean | number | string | Readonly<Record<string, string>>>> = {
  allow_self_approval: false,
  approval_default: { sales_order: 'AUTO', ar_clearing: 'AUTO', '*': 'BLOCK' },
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
  price_deviation_pct: 30,
  overdue_ignore_dispute: true,
  begbal_open: false,
  cut_over_date: '',
  temp_cn_max_days: 30,
  ttf_required_default: false,
  gin_unbilled_alert_days: 3,
  session_days: 7,
  password_days: 182,
  csv_delimiter: ',',
  csv_decimal: '.',
  csv_bom: true,
}

/** Of the company, among its finance settings, not general; a unit may have its own. */
export const financeBehaviour = ['payment_backdate_days', 'temp_cn_max_days'] as const

/** Known to the domain, but no document asks for them yet, or the product keeps to a fixed number: kept inactive, so that nobody is led to change them. */
export const behaviourWithoutEffect: ReadonlySet<string> = new Set([
  'atp_includes_inbound', 'billing_run_auto_max', 'canvas_shortage', 'password_days', 'post_unidentified', 'session_days', 'so_expiry_days',
  ...financeBehaviour,
])

/** Upper edges in days late of the aging columns; later than the last is the final column. */
export const agingBuckets = [7, 14, 30, 60, 90] as const

/** Accounts new companies keep their open items on. */
export const financeAccounts = { receivable_account_id: '112101', collector_account_id: '112102', payable_account_id: '211101', other_payable_account_id: '211102' }

export const exposureIncludes = { credit_note: true, deposit: true, consignment: false }

/** code, name, usage, account, income tax withheld, VAT. */
export const expenseTypes: readonly (readonly [code: string, name: string, usage: string, account: string, pph: string | null, ppn: string | null])[] = [
  ['E-ANGKUT', 'Ongkos angkut', 'SHIPMENT', '612101', 'PPH23', 'PPNIN'],
  ['E-TOL', 'Tol dan parkir', 'SHIPMENT', '612101', null, null],
  ['E-BBM', 'Bahan bakar', 'SHIPMENT', '612101', null, null],
  ['E-BONGKAR', 'Bongkar muat', 'SHIPMENT', '612101', 'PPH23', null],
  ['E-SEWA', 'Sewa gudang', 'AP_NON_TRADE', '615101', 'PPH23', 'PPNIN'],
  ['E-LISTRIK', 'Listrik dan air', 'AP_NON_TRADE', '615101', null, null],
  ['E-JASA', 'Jasa profesional', 'AP_NON_TRADE', '615101', 'PPH23', 'PPNIN'],
  ['E-MASUK', 'Ongkos angkut barang masuk', 'AP_NON_TRADE', '612101', 'PPH23', 'PPNJA'],
  ['E-ATK', 'Alat tulis kantor', 'CASH', '615101', null, null],
  ['E-KONSUMSI', 'Konsumsi rapat', 'CASH', '615101', null, null],
]

/** What customers claim: a price cut after the fact, a reward for a target reached, a service such as rented shelf space. Rewards carry no VAT; rewards and services are withheld upon. */
export const claimTypes: readonly (readonly [
  code: string, name: string, treatment: string, account: string, principalAccount: string | null, ppn: boolean, faktur: boolean, pph: string | null, documents: string | null, days: number | null,
])[] = [
  ['KLAIM-HARGA', 'Klaim potongan harga', 'PRICE_CUT', '611102', '112202', false, false, null, 'Surat program, rekap penjualan', 90],
  ['KLAIM-HADIAH', 'Hadiah pencapaian target', 'REWARD', '611102', '112202', false, false, 'PPH23R', 'Surat program, perhitungan pencapaian', 90],
  ['KLAIM-PAJANG', 'Sewa rak dan jasa pajang', 'SERVICE', '611102', '112202', true, true, 'PPH23', 'Perjanjian sewa, faktur pajak, foto pajangan', 60],
  ['KLAIM-LAIN', 'Klaim lain', 'PRICE_CUT', '611102', '112202', false, false, null, null, null],
]

/** code, name, mechanism, funding, claim required, documents of a claim, account, type of the claim. */
export const promotionTypes: readonly (readonly [
  code: string, name: string, mechanism: string, funding: string, claim: boolean, documents: string | null, account: string, claimType: string | null,
])[] = [
  ['BELI-GRATIS', 'Beli gratis', 'ITEM_FREE', 'COMPANY', false, null, '611101', null],
  ['BELI-GRATIS-P', 'Beli gratis ditanggung prinsipal', 'ITEM_FREE', 'PRINCIPAL', true, 'Surat program, rekap penjualan', '611101', null],
  ['POTONGAN', 'Potongan harga barang', 'ITEM_DISCOUNT', 'COMPANY', false, null, '412102', null],
  ['POTONGAN-P', 'Potongan harga ditanggung prinsipal', 'ITEM_DISCOUNT', 'PRINCIPAL', true, 'Surat program, rekap penjualan, faktur pajak', '412102', 'KLAIM-HARGA'],
  ['NILAI', 'Potongan nilai pesanan', 'ORDER_VALUE', 'SHARED', true, 'Surat program, rekap pesanan', '412102', 'KLAIM-HARGA'],
]

/** code, name, least age in days, most per item, most in all, evidence, method, account. */
export const writeOffParameters: readonly (readonly [code: string, name: string, age: number, item: string, all: string, evidence: string | null, method: string, account: string, category: string])[] = [
  ['WO-KECIL', 'Saldo kecil', 90, '50000', '1000000', null, 'DIRECT', '613101', 'SMALL_BALANCE'],
  ['WO-SISA', 'Selisih ditagih tanpa hasil', 30, '250000', '2500000', null, 'DIRECT', '613101', 'SMALL_BALANCE'],
  ['WO-LAMA', 'Piutang di atas satu tahun', 365, '5000000', '25000000', 'Surat penagihan terakhir', 'DIRECT', '613101', 'BAD_DEBT'],
  ['WO-PAILIT', 'Pelanggan pailit', 30, '250000000', '1000000000', 'Putusan pengadilan, laporan kurator', 'DIRECT', '613101', 'BAD_DEBT'],
]

/** code, name, domain, priority, method. */
export const allocationRules: readonly (readonly [code: string, name: string, domain: string, priority: number, method: string])[] = [
  ['STOK-URUT', 'Stok menurut urutan pesanan', 'STOCK', 900, 'FIFO_ORDER'],
  ['BAYAR-JT', 'Pembayaran ke jatuh tempo terlama', 'PAYMENT', 900, 'OLDEST_DUE'],
]

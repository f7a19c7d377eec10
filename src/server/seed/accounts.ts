/** One account of the chart every installation starts with: code, English name, Indonesian name, normal side, control kind. */
export interface AccountSeed {
  readonly code: string
  readonly name: string
  readonly nameId: string
  readonly normal: 'D' | 'C'
  readonly control?: string
}

type Line = readonly [code: string, name: string, nameId: string, normal: 'D' | 'C', control?: string]

/** Headings; nothing is posted to them. */
const groups: readonly Line[] = [
  ['111', 'Cash and banks', 'Kas dan Bank', 'D'],
  ['112', 'Receivables', 'Piutang', 'D'],
  ['113', 'Inventory', 'Persediaan', 'D'],
  ['114', 'Prepaid taxes', 'Pajak Dibayar Dimuka', 'D'],
  ['115', 'Advances', 'Uang Muka', 'D'],
  ['211', 'Payables', 'Utang Usaha', 'C'],
  ['212', 'Customer deposits and accruals', 'Titipan dan Akrual', 'C'],
  ['213', 'Taxes payable', 'Utang Pajak', 'C'],
  ['214', 'Outgoing clearing', 'Ayat Silang Keluar', 'C'],
  ['311', 'Capital', 'Modal', 'C'],
  ['321', 'Retained earnings', 'Laba Ditahan', 'C'],
  ['331', 'Opening balances', 'Saldo Awal', 'C'],
  ['411', 'Sales', 'Penjualan', 'C'],
  ['412', 'Sales discounts', 'Diskon Penjualan', 'D'],
  ['413', 'Sales returns', 'Retur Penjualan', 'D'],
  ['414', 'Price differences', 'Selisih Harga', 'C'],
  ['421', 'Other income', 'Pendapatan Lain-lain', 'C'],
  ['511', 'Cost of goods sold', 'Harga Pokok Penjualan', 'D'],
  ['611', 'Promotion expenses', 'Beban Promosi', 'D'],
  ['612', 'Delivery expenses', 'Beban Pengiriman', 'D'],
  ['613', 'Receivable and bank expenses', 'Beban Piutang dan Bank', 'D'],
  ['614', 'Exchange losses', 'Rugi Kurs', 'D'],
  ['615', 'Operating expenses', 'Beban Operasional', 'D'],
]

const postable: readonly Line[] = [
  ['111101', 'Petty cash', 'Kas Kecil', 'D'],
  ['111102', 'Cashier cash', 'Kas Kasir Cabang', 'D', 'CASH'],
  ['111103', 'Cash with salesmen, drivers and collectors', 'Kas di Salesman/Driver/Kolektor', 'D', 'CIT_FIELD'],
  ['111201', 'Bank BCA', 'Bank BCA', 'D', 'BANK'],
  ['111202', 'Bank Mandiri', 'Bank Mandiri', 'D', 'BANK'],
  ['111203', 'Bank BRI', 'Bank BRI', 'D', 'BANK'],
  ['111301', 'Cash in transit to bank', 'Kas dalam Perjalanan', 'D', 'CIT'],
  ['111302', 'Incoming bank clearing', 'Ayat Silang Bank Masuk', 'D', 'BANK_CLEARING'],
  ['111303', 'Giro on hand', 'Giro Diterima Belum Cair', 'D', 'GIRO'],
  ['112101', 'Trade receivables, private', 'Piutang Usaha – Swasta', 'D', 'AR'],
  ['112102', 'Trade receivables, government', 'Piutang Usaha – Pemerintah/WAPU', 'D', 'AR'],
  ['112108', 'Exchange adjustment of receivables', 'Penyesuaian Kurs Piutang', 'D', 'AR_FX'],
  ['112109', 'Allowance for doubtful debts', 'Cadangan Kerugian Piutang', 'C'],
  ['112201', 'Employee receivables', 'Piutang Karyawan/Salesman', 'D', 'EMPLOYEE'],
  ['112202', 'Promotion claims on principals', 'Klaim Promosi ke Prinsipal', 'D', 'PRINCIPAL_CLAIM'],
  ['112203', 'Vendor debit notes', 'Piutang Debit Note Pemasok', 'D', 'DN'],
  ['112204', 'Temporary customer claims', 'Klaim Pelanggan Sementara', 'D', 'TEMP_CN'],
  ['113101', 'Merchandise inventory', 'Persediaan Barang Dagang', 'D', 'STOCK:UNRESTRICTED'],
  ['113102', 'Consignment stock at customers', 'Persediaan Konsinyasi/CMI di Pelanggan', 'D', 'STOCK:CONSIGNMENT'],
  ['113103', 'Van stock', 'Persediaan Kanvas', 'D', 'STOCK:CANVAS'],
  ['113104', 'Stock in transit between branches', 'Persediaan dalam Perjalanan antar Cabang', 'D', 'STOCK:TRANSIT'],
  ['113105', 'Returns and quarantine', 'Persediaan Retur/Karantina', 'D', 'STOCK:RETURN'],
  ['113106', 'Goods issued, not invoiced', 'Barang Terkirim Belum Ditagih', 'D', 'GINI'],
  ['114101', 'Input VAT', 'PPN Masukan', 'D', 'TAX'],
  ['114102', 'Input VAT without tax invoice', 'PPN Masukan Belum Ada Faktur', 'D', 'TAX'],
  ['114103', 'Prepaid income tax art. 22', 'PPh 22 Dibayar Dimuka', 'D', 'TAX'],
  ['114104', 'Prepaid income tax art. 23', 'PPh 23 Dibayar Dimuka', 'D', 'TAX'],
  ['115101', 'Advances to vendors', 'Uang Muka Pemasok', 'D', 'ADVANCE'],
  ['211101', 'Trade payables', 'Utang Usaha Dagang', 'C', 'AP'],
  ['211102', 'Non-trade payables', 'Utang Usaha Non-dagang', 'C', 'AP'],
  ['211103', 'Goods received, not invoiced', 'Barang Diterima Belum Difaktur', 'C', 'GRIR'],
  ['211104', 'Accrued freight', 'Akrual Biaya Kirim', 'C', 'SHIP_ACCR'],
  ['211108', 'Exchange adjustment of payables', 'Penyesuaian Kurs Utang', 'C', 'AP_FX'],
  ['212101', 'Customer deposits', 'Uang Muka/Titipan Pelanggan', 'C', 'DEPOSIT'],
  ['212102', 'Unidentified receipts', 'Penerimaan Belum Teridentifikasi', 'C', 'UNIDENTIFIED'],
  ['212103', 'Accrued promotion', 'Akrual Promosi', 'C'],
  ['212104', 'Unallocated vendor receipts', 'Penerimaan Pemasok Belum Dialokasi', 'C', 'SUP_RCPT'],
  ['212105', 'Container deposits', 'Titipan Wadah', 'C', 'CONTAINER'],
  ['213101', 'Output VAT', 'PPN Keluaran', 'C', 'TAX'],
  ['213102', 'Output VAT collected by the buyer', 'PPN Keluaran Dipungut WAPU', 'C', 'TAX'],
  ['213103', 'Income tax art. 23 payable', 'Utang PPh 23', 'C', 'TAX'],
  ['213104', 'VAT on returns awaiting the return note', 'PPN Retur Menunggu Nota Retur', 'D', 'TAX'],
  ['213105', 'Income tax art. 4(2) payable', 'Utang PPh 4(2)', 'C', 'TAX'],
  ['213106', 'VAT on deposits received', 'PPN atas Uang Muka Diterima', 'D', 'TAX'],
  ['214101', 'Outgoing bank clearing', 'Ayat Silang Bank Keluar', 'C', 'BANK_CLEARING_OUT'],
  ['311101', 'Share capital', 'Modal', 'C'],
  ['321101', 'Retained earnings', 'Laba Ditahan', 'C'],
  ['331101', 'Migration opening balance', 'Saldo Awal Migrasi', 'C'],
  ['411101', 'Sales', 'Penjualan Reguler', 'C'],
  ['411102', 'Van sales', 'Penjualan Kanvas', 'C'],
  ['411103', 'Consignment and CMI sales', 'Penjualan Konsinyasi & CMI', 'C'],
  ['412101', 'Sales discounts', 'Diskon Penjualan', 'D'],
  ['412102', 'Promotion discounts', 'Potongan Promosi', 'D'],
  ['412103', 'Cash discounts', 'Potongan Tunai', 'D'],
  ['413101', 'Sales returns', 'Retur Penjualan', 'D'],
  ['414101', 'Price differences and debit memos', 'Selisih Harga/Debit Memo', 'C'],
  ['421101', 'Rounding and other income', 'Pembulatan & Lain-lain', 'C'],
  ['421102', 'Exchange gains', 'Laba Kurs', 'C'],
  ['421103', 'Vendor debit note income', 'Pendapatan DN Pemasok', 'C'],
  ['421104', 'Recovered receivables', 'Pemulihan Piutang', 'C'],
  ['511101', 'Cost of goods sold', 'Harga Pokok Penjualan', 'D'],
  ['511102', 'Purchase price differences', 'Selisih Harga Beli', 'D'],
  ['511103', 'Stock count differences', 'Selisih Opname', 'D'],
  ['511104', 'Damaged goods', 'Barang Rusak', 'D'],
  ['611101', 'Free goods', 'Beban Barang Gratis Promo', 'D'],
  ['611102', 'Promotion claims', 'Beban Klaim Promo', 'D'],
  ['611103', 'Samples', 'Beban Sampel', 'D'],
  ['612101', 'Delivery expenses', 'Beban Pengiriman', 'D'],
  ['613101', 'Receivables written off', 'Penghapusan Piutang', 'D'],
  ['613102', 'Payment differences', 'Selisih Bayar', 'D'],
  ['613103', 'Bank charges', 'Adm. Bank', 'D'],
  ['613104', 'Rounding', 'Pembulatan', 'D'],
  ['613105', 'VAT borne by us', 'PPN Ditanggung', 'D'],
  ['613106', 'Cash differences', 'Selisih Kas', 'D'],
  ['614101', 'Exchange losses', 'Rugi Kurs', 'D'],
  ['615101', 'Operating expenses', 'Beban Operasional', 'D'],
]

export const accountGroups: readonly AccountSeed[] = groups.map(seed)
export const accounts: readonly AccountSeed[] = postable.map(seed)

/** Kind of account by its first digit. */
export function accountType(code: string): 'ASSET' | 'LIABILITY' | 'EQUITY' | 'REVENUE' | 'EXPENSE' {
  switch (code.charAt(0)) {
    case '1':
      return 'ASSET'
    case '2':
      return 'LIABILITY'
    case '3':
      return 'EQUITY'
    case '4':
      return 'REVENUE'
    default:
      return 'EXPENSE'
  }
}

function seed([code, name, nameId, normal, control]: Line): AccountSeed {
  return { code, name, nameId, normal, ...(control === undefined ? {} : { control }) }
}

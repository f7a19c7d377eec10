/** The demo accounts: address before the @, name, role, operating unit ('all' for every territory), employee position. */
export interface PersonSeed {
  readonly account: string
  readonly name: string
  readonly role: string
  readonly unit: string
}

export const demoPassword = 'Arus-demo-1'
export const demoDomain = 'arus.example'

/** Those a visitor is told of first; the rest decide higher levels. */
export const people: readonly PersonSeed[] = [
  { account: 'admin', name: 'Administrator', role: 'ADMIN', unit: 'all' },
  { account: 'sales', name: 'Sari Wijaya', role: 'SALES_ADMIN', unit: 'JKT' },
  { account: 'credit', name: 'Hendra Gunawan', role: 'CREDIT_CTRL', unit: 'all' },
  { account: 'warehouse', name: 'Asep Hidayat', role: 'WH_HEAD', unit: 'JKT' },
  { account: 'billing', name: 'Ratna Permana', role: 'BILLING', unit: 'JKT' },
  { account: 'cashier', name: 'Dewi Lestari', role: 'CASHIER', unit: 'JKT' },
  { account: 'finance', name: 'Bambang Santoso', role: 'FIN_MGR', unit: 'all' },
  { account: 'analyst', name: 'Maya Halim', role: 'AUDITOR', unit: 'all' },
  { account: 'receivables', name: 'Indra Kurniawan', role: 'AR_MGR', unit: 'all' },
  { account: 'supervisor', name: 'Rudi Hartono', role: 'SALES_SPV', unit: 'all' },
  { account: 'manager', name: 'Intan Wibowo', role: 'SALES_MGR', unit: 'all' },
  { account: 'director', name: 'Kartika Salim', role: 'DIRECTOR', unit: 'all' },
  { account: 'sales.bdg', name: 'Nanang Permana', role: 'SALES_ADMIN', unit: 'BDG' },
  { account: 'sales.sby', name: 'Fitri Rahayu', role: 'SALES_ADMIN', unit: 'SBY' },
  { account: 'warehouse.bdg', name: 'Galih Pratama', role: 'WH_HEAD', unit: 'BDG' },
  { account: 'warehouse.sby', name: 'Slamet Utomo', role: 'WH_HEAD', unit: 'SBY' },
  { account: 'billing.bdg', name: 'Yanti Setiawan', role: 'BILLING', unit: 'BDG' },
  { account: 'billing.sby', name: 'Novi Saputra', role: 'BILLING', unit: 'SBY' },
  { account: 'cashier.bdg', name: 'Anita Nugroho', role: 'CASHIER', unit: 'BDG' },
  { account: 'cashier.sby', name: 'Putri Maulana', role: 'CASHIER', unit: 'SBY' },
  { account: 'claims', name: 'Wulan Pertiwi', role: 'AR_STAFF', unit: 'JKT' },
  { account: 'payables', name: 'Lina Susanto', role: 'AP_MGR', unit: 'all' },
  { account: 'vendors', name: 'Agus Priyanto', role: 'AP_STAFF', unit: 'all' },
  { account: 'promotions', name: 'Sinta Maharani', role: 'PROMO_MGR', unit: 'all' },
  { account: 'van', name: 'Yusuf Hidayat', role: 'CANVASSER', unit: 'JKT' },
  { account: 'field', name: 'Yusuf Maulana', role: 'SALESMAN', unit: 'JKT' },
]

/** Pages a role has starred; each is called by its own title, in the reader's language. */
export const starred: Readonly<Record<string, readonly string[]>> = {
  ADMIN: ['/sales-order-list', '/report/ar-aging', '/setting/user'],
  SALES_ADMIN: ['/sales-order-form', '/sales-order-list', '/report/customer-limit'],
  CREDIT_CTRL: ['/approval/sales-order', '/report/customer-limit', '/report/ar-aging'],
  WH_HEAD: ['/delivery_plan', '/report/stock-territory'],
  CANVASSER: ['/canvas/sell', '/canvas/item-request'],
  BILLING: ['/billing', '/report/so-do-gi-bill'],
  CASHIER: ['/finance/account-receivable/payment-received', '/report/fbl5n'],
  FIN_MGR: ['/report/ar-aging', '/report/journal', '/master/accounting-period'],
  AUDITOR: ['/report/ar-aging', '/report/fbl5n', '/report/journal', '/report/so-do-gi-bill'],
}

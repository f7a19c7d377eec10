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
]

/** Pages a role has starred: url and title. */
export const starred: Readonly<Record<string, readonly (readonly [url: string, title: string])[]>> = {
  ADMIN: [['/sales-order-list', 'Sales orders'], ['/report/ar-aging', 'AR aging'], ['/setting/user', 'Users']],
  SALES_ADMIN: [['/sales-order-form', 'New order'], ['/sales-order-list', 'Sales orders'], ['/report/customer-limit', 'Customer limit']],
  CREDIT_CTRL: [['/approval/sales-order', 'Sales order approval'], ['/report/customer-limit', 'Customer limit'], ['/report/ar-aging', 'AR aging']],
  WH_HEAD: [['/delivery_plan', 'Delivery plan'], ['/report/stock-territory', 'Stock by territory']],
  BILLING: [['/billing', 'Billing'], ['/report/so-do-gi-bill', 'Order to bill flow']],
  CASHIER: [['/finance/account-receivable/payment-received', 'Payment received'], ['/report/fbl5n', 'Customer line items']],
  FIN_MGR: [['/report/ar-aging', 'AR aging'], ['/report/journal', 'Journal'], ['/master/accounting-period', 'Accounting periods']],
  AUDITOR: [['/report/ar-aging', 'AR aging'], ['/report/fbl5n', 'Customer line items'], ['/report/journal', 'Journal'], ['/report/so-do-gi-bill', 'Order to bill flow']],
}

import { metadata } from '#generated/metadata.ts'
import { administratorRole } from '#server/access/administrator.ts'

/**
 * The roles an installation starts with and the guards they hold, as patterns over the guards the schemas name: `*` stands for any text.
 * A leading `!` takes away again. A pattern that matches no guard yet simply grants nothing.
 */
export interface RoleSeed {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly grants: readonly string[]
}

/**
 * What everybody reads whole: customers, items, where they are. What a document only chooses from (payment terms, banks, people, vehicles,
 * pricing groups …) needs no permission: the look-up gives code, name and what choosing fills, to whoever has the document's screen.
 */
const lookups = [
  'customer-view', 'customer-address-view', 'item-view', 'sku-view', 'sku-stock-view', 'warehouse-view', 'operating-unit-view', 'territory-view', 'promotion-view', 'home-view', 'announcement-view',
  'starred-page-*',
]
/** Papers carry the company's head. */
const orderView = ['sku-order-view', 'sales-order-view', 'sales-order-customer-view', 'suggested-order-line-view', 'sales-order-print', 'company-view']
/** Prices, discounts and how they came about. */
const pricingView = ['pricing-group-view', 'price-set-view', 'discount-set-view', 'price-row-view', 'discount-row-view', 'price-set-row-view', 'discount-set-row-view', 'price-change-view', 'price-change-line-view']
/** Those who propose prices do not approve them. */
const pricingEntry = [...pricingView, 'price-change-create', 'price-change-edit', 'price-change-submit', 'price-change-cancel', 'price-change-delete', 'price-change-import']
const deliveryView = ['vehicle-view', 'delivery-plan-view', 'delivery-order-view', 'goods-issue-view', 'goods-issue-return-view', 'stock-*-view']
/** An invoice says where to pay. */
const billingView = ['consigned-stock-view', 'report-cmi-monitoring-*', 'sku-sale-view', 'invoice-view', 'invoice-print', 'billing-view', 'company-view', 'house-bank-view']
const receivablesView = [
  'payment-customer-view',
  'payment-received-view', 'payment-received-use-view', 'payment-view', 'ar-payment-view', 'ar-allocation-view', 'credit-note-view', 'customer-deposit-view', 'cn-temporary-view',
  'house-bank-view', 'cash-account-view', 'bank-view', 'customer-payment-account-view',
]
/** What is owed, what may be paid and from where. */
const payablesView = ['withholding-slip-view', 'withholding-month-view', 'open-vendor-invoice-view', 'open-vendor-advance-view', 'open-debit-note-view', 'ar-allocation-view', 'house-bank-view', 'bank-view', 'business-partner-view', 'expense-type-view', 'expense-budget-view', 'report-supplier-invoice-*', 'report-ocr-*', 'tax-code-view', 'credit-note-view', 'report-debit-note-*', 'company-view']
/** What is paid in advance, credited and received of vendors. */
const payablesEntry = ['advance-invoice-*', 'apply-advance-payment-*', 'supplier-payment-receive-*', 'credit-note-supplier-*', 'payment-for-dn-*', 'payment-file-*', 'payment-to-send-view', 'shipment-cost-*']
const creditView = ['credit-limit-view', 'credit-review-view', 'customer-scorecard-view', 'customer-limit-view', 'report-customer-limit-*']
const ledgerView = ['journal-view', 'journal-line-view', 'account-view', 'report-journal-*', 'report-monitoring-coa-*']
/** Those who enter a document do not decide on it. */
const noDecisions = ['!*-approve', '!*-reject', '!*-return', '!*-delete']
const arReports = ['report-ar-aging-*', 'report-fbl5n-*', 'report-payment-*', 'report-ar-payment-*', 'report-ar-trans-*', 'report-claim-promo-*', 'report-invoice-exchange-*']
/** What a claim is booked as and what is withheld from it is not said by those who enter claims. */
const noClaimTypes = ['!credit-note-promo-type-create', '!credit-note-promo-type-edit', '!credit-note-promo-type-delete', '!credit-note-promo-type-import']
/** How orders and deliveries are doing; what was earned by them is another matter. */
const flowReports = ['report-so-do-gi-bill-*', 'report-sales-order-o2c-*', 'report-stock-fulfillment-*', 'report-sales-order-*', 'report-o2cflow-*', 'report-bill-order-*', 'report-zdr-sales-*']
/** What was ordered of vendors and what came of it, and what trips cost. */
const purchaseView = ['purchase-order-view', 'purchase-order-open-view', 'goods-receipt-view', 'report-purchase-order-*', 'report-inbound-*', 'report-shipment-planning-*']
const bankReports = ['report-bank-statement-*', 'report-cash-deposit-*']

export const roles: readonly RoleSeed[] = [
  { code: administratorRole, name: 'Administrator', description: 'Everything, settings included', grants: ['*'] },
  { code: 'DIRECTOR', name: 'Director', description: 'Reads everything, decides the highest level', grants: ['*-view', '*-export', '*-print', '*-approve', 'sales-order-override'] },
  {
    code: 'SALES_ADMIN',
    name: 'Sales administrator',
    description: 'Enters and follows orders',
    grants: [
      ...lookups, ...orderView, ...creditView, 'sales-order-create', 'sales-order-edit', 'sales-order-delete', 'sales-order-import', 'sales-order-submit', 'sales-order-recall',
      'sales-order-cancel', 'sales-order-export', 'customer-visit-view', 'customer-visit-export', 'canvas-view', 'canvas-print', 'canvas-create', 'canvas-edit', 'canvas-delete', 'canvas-submit', 'canvas-recall', 'canvas-reopen', 'canvas-receive', 'canvas-stock-view', 'van-sale-view', 'free-good-view', 'free-good-create', 'free-good-edit', 'free-good-delete', 'free-good-submit', 'free-good-export', 'free-good-import', 'reservation-view', 'reservation-create', 'reservation-edit', 'reservation-delete', 'reservation-submit', 'reservation-export', 'delivery-plan-view', 'delivery-order-view', 'goods-issue-view', 'returnable-issue-view', 'returnable-invoice-view', 'sales-return-cancel', 'invoice-view',
      ...flowReports, 'report-stock-territory-*',
    ],
  },
  {
    code: 'SALESMAN',
    name: 'Field salesman',
    description: 'Visits customers and takes their orders',
    grants: [
      ...lookups, ...orderView, 'sales-order-create', 'sales-order-edit', 'sales-order-delete', 'sales-order-submit', 'sales-order-recall', 'credit-review-view', 'customer-limit-view',
      'customer-visit-plan-view', 'customer-visit-view', 'customer-visit-create', 'delivery-order-view', 'invoice-view', 'report-customer-limit-view',
    ],
  },
  {
    code: 'SALES_SPV',
    name: 'Sales supervisor',
    description: 'Decides price and discount blocks, first level',
    grants: [...lookups, ...orderView, ...deliveryView, ...billingView, ...creditView, 'sales-order-*', 'contract-cancel', 'customer-visit-view', 'customer-visit-export', 'customer-visit-cancel', 'canvas-view', 'canvas-print', 'canvas-approve', 'canvas-reject', 'canvas-return', 'canvas-stock-view', 'van-sale-view', 'free-good-view', 'free-good-create', 'free-good-edit', 'free-good-submit', 'reservation-view', 'reservation-create', 'reservation-edit', 'reservation-submit', 'promotion-create', 'promotion-edit', 'promotion-delete', 'promotion-submit', 'promotion-export', 'promotion-type-view', 'promotion-budget-view', ...pricingView, ...flowReports, 'report-zdr-bill-*', 'report-stock-territory-*'],
  },
  {
    code: 'SALES_MGR',
    name: 'Sales manager',
    description: 'Decides price and discount blocks, second level',
    grants: [...lookups, ...orderView, ...deliveryView, ...billingView, ...creditView, 'sales-order-*', 'contract-cancel', 'customer-visit-view', 'customer-visit-export', 'customer-visit-cancel', 'customer-visit-plan-view', 'customer-visit-plan-export', 'free-good-*', '!free-good-issue', 'reservation-*', 'promotion-create', 'promotion-edit', 'promotion-delete', 'promotion-submit', 'promotion-export', 'promotion-import', 'promotion-stop', 'report-promotion-*', 'promotion-type-*', 'promotion-budget-*', 'promotion-budget-adjustment-*', ...pricingEntry, 'sales-quota-*', 'sales-target-*', 'work-team-*', 'product-festive-*', 'minimum-order-quantity-*', ...flowReports, 'report-zdr-bill-*', 'report-stock-territory-*', ...arReports],
  },
  {
    code: 'WH_ADMIN',
    name: 'Warehouse administrator',
    description: 'Plans, picks and issues deliveries',
    grants: [
      ...lookups, ...orderView, ...deliveryView, ...purchaseView, 'inbound-*', 'report-scrap-*', 'report-stock-opname-*', 'delivery-plan-*', 'delivery_plan-*', 'delivery-order-*', 'good-issue-*', 'goods-issue-*', 'returnable-issue-view',
      'kitting-*', '!kitting-approve', '!kitting-reject', '!kitting-return', 'free-good-view', 'free-good-issue', 'inventory-container-*', 'container-move-view', 'container-balance-view',
      'sales-return-view', 'sales-return-print', 'sales-return-receive',
      'canvas-*', 'van-sale-view', '!canvas-sell', '!canvas-approve', '!canvas-reject', '!canvas-return',
      'report-stock-territory-*', ...flowReports, '!goods-issue-return-approve', '!goods-issue-return-reject', '!goods-issue-return-return',
    ],
  },
  {
    code: 'WH_HEAD',
    name: 'Warehouse head',
    description: 'As warehouse administrator, and decides on stock adjustments',
    grants: [
      ...lookups, ...orderView, ...deliveryView, ...purchaseView, 'inbound-*', 'report-scrap-*', 'report-stock-opname-*', 'delivery-plan-*', 'delivery_plan-*', 'delivery-order-*', 'good-issue-*', 'goods-issue-*', 'returnable-issue-view', 'stock-*',
      'kitting-*', 'free-good-view', 'free-good-issue', 'inventory-container-*', 'container-move-view', 'container-balance-view',
      'sales-return-view', 'sales-return-print', 'sales-return-receive', 'sales-return-inspect',
      'canvas-*', 'van-sale-view', '!canvas-sell', '!canvas-approve', '!canvas-reject', '!canvas-return',
      'report-stock-territory-*', ...flowReports,
    ],
  },
  {
    code: 'CANVASSER',
    name: 'Canvasser',
    description: 'Sells from his van',
    grants: [...lookups, ...orderView, 'canvas-view', 'canvas-print', 'canvas-create', 'canvas-edit', 'canvas-delete', 'canvas-submit', 'canvas-recall', 'canvas-receive', 'canvas-sell', 'canvas-stock-view', 'van-stock-view', 'van-sale-view', 'invoice-view', 'invoice-print', 'house-bank-view'],
  },
  {
    code: 'BILLING',
    name: 'Billing',
    description: 'Makes and cancels invoices',
    grants: [
      ...lookups, ...orderView, ...deliveryView, ...billingView, 'billing-*', 'invoice-create', 'invoice-post', 'invoice-edit', 'invoice-cancel', 'invoice-export',
      'invoice-submit', 'invoice-reverse', 'invoice-cancel-request-view', 'invoice-cancel-request-create', 'invoice-cancel-request-submit', 'generate-invoice-*', 'tax-invoice-*',
      ...flowReports, 'report-zdr-bill-*', ...arReports, ...noDecisions,
    ],
  },
  {
    code: 'AR_STAFF',
    name: 'Receivables clerk',
    description: 'Enters customer payments and claims',
    grants: [
      ...lookups, ...orderView, ...billingView, ...receivablesView, ...creditView, 'payment-received-*', 'payment-*', 'ar-clearing-*', 'tax-proof-*', 'invoice-exchange-*', 'customer-invoice-exchange-*', 'exchange-due-*', 'exchange-open-*', 'credit-note-*', 'customer-deposit-*',
      'cn-temporary-*', 'customer-payment-account-*', 'sales-return-view', 'sales-return-credit', 'sales-return-tax-return', 'returnable-invoice-view', ...arReports, ...bankReports, ...noDecisions, ...noClaimTypes,
    ],
  },
  {
    code: 'AR_MGR',
    name: 'Receivables manager',
    description: 'Decides on receivables documents',
    grants: [
      ...lookups, ...orderView, ...billingView, ...receivablesView, ...creditView, ...ledgerView, 'payment-received-*', 'payment-*', 'ar-clearing-*', 'tax-proof-*', 'invoice-exchange-*', 'customer-invoice-exchange-*', 'exchange-due-*', 'exchange-open-*', 'credit-note-*',
      'customer-deposit-*', 'cn-temporary-*', 'customer-payment-account-*', 'sales-return-*', 'returnable-invoice-view', 'invoice-*', 'write-off-submit', 'close-invoice-approve', ...arReports, ...bankReports, ...noClaimTypes,
    ],
  },
  {
    code: 'CREDIT_CTRL',
    name: 'Credit controller',
    description: 'Keeps credit limits and decides credit blocks',
    grants: [
      ...lookups, ...orderView, ...deliveryView, ...billingView, ...receivablesView, ...creditView, 'sales-order-approve', 'sales-order-reject', 'sales-order-return',
      'sales-order-override', 'customer-approve', 'credit-limit-*', 'credit-override-*', 'cl-request-*', 'approval-*-view', ...arReports, ...flowReports,
    ],
  },
  {
    code: 'CASHIER',
    name: 'Cashier',
    description: 'Receives and deposits money',
    grants: [
      ...lookups, ...billingView, ...receivablesView, 'payment-received-*', 'payment-cod-*', 'reconcile-cod-*', 'reconcile-view', 'reconcile-post', 'reconcile-export', 'deposit-payment-*', 'giro-*', 'customer-payment-account-*', 'bank-statement-*', '!bank-statement-reverse', ...arReports, ...bankReports, ...noDecisions,
    ],
  },
  {
    code: 'FIN_MGR',
    name: 'Finance manager',
    description: 'Decides on money and keeps the periods',
    grants: [
      '*-view', '*-export', '*-print', 'sales-order-approve', 'sales-order-reject', 'sales-order-return', 'sales-order-override', 'promotion-budget-approve', 'promotion-budget-reject', 'promotion-budget-return', 'promotion-budget-adjustment-approve', 'promotion-budget-adjustment-reject', 'promotion-budget-adjustment-return', 'price-change-approve', 'customer-approve', 'payment-received-*', 'payment-*', 'invoice-*', 'billing-*',
      'cn-temporary-*', 'credit-note-*', 'customer-deposit-*', 'bank-statement-*', 'reconcile-post', 'opening-balance-*', 'accounting-period-*', 'credit-limit-*', 'cl-request-*', 'proposal-approval-*', 'ap-payment-*', 'advance-invoice-*',
      'write-off-*', 'journal-*', 'tolerance-*', 'rounding-rule-*', 'posting-rule-*', 'setting-finance-*', 'tax-*', 'cancel-tax-invoice-*', 'exchange-rate-*', 'fx-revaluation-*', 'expense-type-*', 'expense-budget-*', 'reason-*',
    ],
  },
  {
    code: 'AP_STAFF',
    name: 'Payables clerk',
    description: 'Registers and validates vendor invoices',
    grants: [...lookups, ...purchaseView, 'sku-cost-view', ...payablesView, 'vendor-invoice-*', 'ap-payment-*', ...payablesEntry, 'validation-invoice-*', 'payment-proposal-*', 'dn-*', 'apply-dn-*', 'returnable-goods-view', ...noDecisions],
  },
  {
    code: 'AP_MGR',
    name: 'Payables manager',
    description: 'Decides on payables documents',
    grants: [...lookups, ...ledgerView, ...purchaseView, 'sku-cost-view', ...payablesView, 'vendor-invoice-*', 'ap-payment-*', ...payablesEntry, 'validation-invoice-*', 'payment-proposal-*', 'dn-*', 'apply-dn-*', 'returnable-goods-view'],
  },
  { code: 'TAX', name: 'Tax', description: 'Tax invoices and tax reports', grants: [...lookups, ...billingView, ...ledgerView, 'tax-*', 'cancel-tax-invoice-*'] },
  { code: 'PROMO_MGR', name: 'Promotion manager', description: 'Promotions and their budgets', grants: [...lookups, 'report-promotion-*', 'promotion-*', 'promotion-budget-*', 'credit-note-promo-type-*', 'discount-*', '!discount-set-delete', ...pricingEntry] },
  {
    code: 'MASTER_DATA',
    name: 'Master data',
    description: 'Keeps customers, items and prices',
    grants: [
      ...lookups, 'customer-*', 'customer-address-*', 'customer-payment-account-*', 'customer-category-*', 'customer-group-*', 'sales-channel-*', 'payment-term-*', 'item-*',
      'brand-*', 'price-set-*', 'list-price-*', 'discount-*', ...pricingEntry, 'pricing-group-*', 'sku-*', 'import-*', 'sales-area-*', 'reason-*', 'business-partner-*', 'expense-type-*', 'promotion-type-*',
      'combo-*', 'work-team-*', 'product-festive-*', 'master-change-*', 'minimum-order-quantity-*', 'tax-code-view', 'exchange-rate-*', '!customer-deposit-*', '!customer-visit-*', '!customer-override', '!customer-approve', '!discount-set-delete',
    ],
  },
  { code: 'AUDITOR', name: 'Analyst and auditor', description: 'Reads and exports everything, changes nothing, drafts reports', grants: ['*-view', '*-export', '*-print', 'starred-page-*', 'studio-create'] },
]

/** Guards of a role out of those that exist. */
export function granted(role: RoleSeed, guards: readonly string[]): readonly string[] {
  const own = documentGuards(role.code)
  const patterns = (grants: readonly string[]): RegExp[] => grants.map((grant) => new RegExp(`^${grant.replaceAll('*', '.*')}$`))
  const given = patterns(role.grants.filter((grant) => !grant.startsWith('!')))
  const withheld = patterns(role.grants.filter((grant) => grant.startsWith('!')).map((grant) => grant.slice(1)))
  return guards.filter((guard) => own.has(guard) || (given.some((pattern) => pattern.test(guard)) && !withheld.some((pattern) => pattern.test(guard))))
}

/** Permissions of the documents whose workflow says who enters them: theirs, and those of the roles that decide. */
function documentGuards(role: string): ReadonlySet<string> {
  return new Set(Object.values(metadata.workflows).flatMap(({ entity, enters, approval }) => {
    const resource = metadata.entities[entity]?.resource
    if (enters === undefined || resource === undefined) return []
    const entering = enters.includes(role) ? ['view', 'create', 'edit', 'delete', 'submit', 'reverse', 'print', 'export'] : []
    const deciding = approval?.matrix.some((row) => row.role === role) === true ? ['view', 'approve', 'reject', 'return', 'print', 'export'] : []
    return [...entering, ...deciding].map((action) => `${resource}-${action}`)
  }))
}

/** One default row of the approval matrix; amounts in rupiah, `max` excluded, none is no upper end. */
export interface MatrixSeed {
  readonly code: string
  readonly docType: string
  readonly transition: string
  readonly condition?: string
  readonly min: string
  readonly max?: string
  readonly level: number
  readonly role: string
  readonly hours: number
}

const million = (count: number): string => `${count}000000`

/** Credit blocks are decided by credit control, then finance, then the director, by the amount over the limit. */
const credit = ['CL01', 'CL02', 'CL03', 'CL05', 'CL06', 'PT01'].flatMap((condition): MatrixSeed[] => [
  { code: `SO-${condition}-1`, docType: 'sales_order', transition: 'approve', condition, min: '0', level: 1, role: 'CREDIT_CTRL', hours: 8 },
  { code: `SO-${condition}-2`, docType: 'sales_order', transition: 'approve', condition, min: million(50), level: 2, role: 'FIN_MGR', hours: 24 },
  { code: `SO-${condition}-3`, docType: 'sales_order', transition: 'approve', condition, min: million(250), level: 3, role: 'DIRECTOR', hours: 48 },
])

/** Price blocks: the matrix amount is what the order lies below its floor. */
const price = ['PR01', 'PR02'].flatMap((condition): MatrixSeed[] => [
  { code: `SO-${condition}-1`, docType: 'sales_order', transition: 'approve', condition, min: '0', level: 1, role: 'SALES_SPV', hours: 8 },
  { code: `SO-${condition}-2`, docType: 'sales_order', transition: 'approve', condition, min: million(1), level: 2, role: 'SALES_MGR', hours: 24 },
  { code: `SO-${condition}-3`, docType: 'sales_order', transition: 'approve', condition, min: million(10), level: 3, role: 'DIRECTOR', hours: 48 },
])

/** Stock shortfall and order minimum are the sales supervisor's. */
const supply = ['ST01', 'MQ01', 'MQ02', 'QT01'].map(
  (condition): MatrixSeed => ({ code: `SO-${condition}-1`, docType: 'sales_order', transition: 'approve', condition, min: '0', level: 1, role: 'SALES_SPV', hours: 8 }),
)

export const approvalMatrix: readonly MatrixSeed[] = [
  ...credit,
  ...price,
  ...supply,
  { code: 'INV-CANCEL-1', docType: 'invoice_cancel_request', transition: 'approve', min: '0', level: 1, role: 'AR_MGR', hours: 8 },
  { code: 'INV-CANCEL-2', docType: 'invoice_cancel_request', transition: 'approve', min: million(100), level: 2, role: 'FIN_MGR', hours: 24 },
  { code: 'PAY-REVERSE-1', docType: 'ar_payment', transition: 'reverse', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  { code: 'PAY-APPROVE-1', docType: 'ar_payment', transition: 'approve', min: '0', level: 1, role: 'AR_MGR', hours: 24 },
  { code: 'CNT-APPROVE-1', docType: 'cn_temporary', transition: 'approve', min: '0', level: 1, role: 'AR_MGR', hours: 24 },
  { code: 'CN-APPROVE-1', docType: 'credit_note', transition: 'approve', min: '0', level: 1, role: 'AR_MGR', hours: 24 },
  { code: 'CN-APPROVE-2', docType: 'credit_note', transition: 'approve', min: million(10), level: 2, role: 'FIN_MGR', hours: 24 },
  { code: 'CN-APPROVE-3', docType: 'credit_note', transition: 'approve', min: million(100), level: 3, role: 'DIRECTOR', hours: 48 },
  { code: 'CN-REVERSE-1', docType: 'credit_note', transition: 'reverse', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  { code: 'TCR-APPROVE-1', docType: 'tax_invoice_cancel_request', transition: 'approve', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  { code: 'CD-REVERSE-1', docType: 'customer_deposit', transition: 'reverse', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  { code: 'BS-APPROVE-1', docType: 'bank_statement', transition: 'approve', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  { code: 'PRC-APPROVE-1', docType: 'price_change', transition: 'approve', min: '0', level: 1, role: 'FIN_MGR', hours: 24 },
  // What a customer is called and new customers: credit control; his terms of payment finance as well.
  { code: 'CUST-CHANGE-1', docType: 'customer', transition: 'change', min: '0', level: 1, role: 'CREDIT_CTRL', hours: 24 },
  { code: 'CUST-CHANGE-2', docType: 'customer', transition: 'change', condition: 'PAYMENT_TERM', min: '0', level: 2, role: 'FIN_MGR', hours: 24 },
  // Prices that move by a quarter or more: the director as well. The matrix measures percent.
  ...(['LIST_PRICE', 'PRICE_SET'] as const).map((kind): MatrixSeed => ({ code: `PRC-${kind}-2`, docType: 'price_change', transition: 'approve', condition: kind, min: '25', level: 2, role: 'DIRECTOR', hours: 24 })),
  { code: 'CD-APPROVE-1', docType: 'customer_deposit', transition: 'approve', min: '0', level: 1, role: 'AR_MGR', hours: 24 },
]

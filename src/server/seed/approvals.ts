import { metadata } from '#generated/metadata.ts'

/** One default row of the approval matrix; asked of amounts above `min` in rupiah (0: of every amount) up to `max`, none is no upper end. */
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

/** Rows the workflows say, and those of changes of customers, which are no document. */
export const approvalMatrix: readonly MatrixSeed[] = [
  ...Object.values(metadata.workflows).flatMap(({ entity, approval }) => (approval?.matrix ?? []).map(({ above, ...row }): MatrixSeed => ({ docType: entity, min: above, ...row }))),
  // What a customer is called and new customers: credit control; his terms of payment finance as well.
  { code: 'CUST-CHANGE-1', docType: 'customer', transition: 'change', min: '0', level: 1, role: 'CREDIT_CTRL', hours: 24 },
  { code: 'FESTIVE-1', docType: 'product_festive', transition: 'change', min: '0', level: 1, role: 'SALES_MGR', hours: 48 },
  { code: 'CUST-CHANGE-2', docType: 'customer', transition: 'change', condition: 'PAYMENT_TERM', min: '0', level: 2, role: 'FIN_MGR', hours: 24 },
]

type Series = readonly [code: string, docType: string]

/** Document series; numbers restart each month in each operating unit. */
const documents: readonly Series[] = [
  ['SO', 'sales_order'], ['CT', 'sales_contract'], ['RSV', 'stock_reservation'], ['DP', 'delivery_plan'], ['DO', 'delivery_order'], ['GI', 'goods_issue'],
  ['GIR', 'goods_issue_return'], ['POD', 'pod'], ['INV', 'invoice'], ['DM', 'debit_memo'], ['INR', 'invoice_reversal'], ['ICR', 'invoice_cancel_request'], ['ICL', 'invoice_close_request'], ['BR', 'billing_run'], ['TCR', 'tax_invoice_cancel_request'],
  ['RTN', 'sales_return'], ['CN', 'credit_note'], ['CNT', 'cn_temporary'], ['CNX', 'credit_note_transfer'], ['PAY', 'ar_payment'], ['COL', 'collection_list'], ['RCD', 'cod_reconciliation'], ['DEP', 'cash_deposit'],
  ['BKM', 'cash_bank_document'], ['BS', 'bank_statement'], ['CD', 'customer_deposit'], ['CDS', 'customer_deposit_settlement'], ['CDT', 'customer_deposit_transfer'],
  ['CLR', 'ar_clearing'], ['CLG', 'ar_clearing_gov'], ['WO', 'write_off'], ['TTF', 'customer_invoice_exchange'], ['IX', 'invoice_exchange'], ['CLQ', 'credit_limit_request'],
  ['VI', 'vendor_invoice'], ['PP', 'payment_proposal'], ['APP', 'ap_payment'], ['PF', 'payment_file'], ['ADV', 'vendor_advance'], ['ADA', 'advance_application'], ['DN', 'debit_note'], ['DNA', 'debit_note_adjustment'],
  ['APD', 'dn_application'], ['SR', 'supplier_receipt'], ['PDN', 'payment_for_dn'], ['SCN', 'supplier_credit_note'], ['SHC', 'shipment_cost'],
  ['SHX', 'shipment_cost_execution'], ['KIT', 'kitting_order'], ['CTM', 'container_move'], ['FG', 'free_goods_request'], ['CV', 'canvas_request'], ['VP', 'visit_plan'], ['VS', 'customer_visit'], ['CSL', 'consignment_sales'], ['CSP', 'consignment_pickup'], ['CMI', 'cmi_consumption'],
  ['PO', 'purchase_order'], ['GR', 'goods_receipt'], ['STO', 'stock_transfer'], ['STI', 'stock_transfer_receipt'], ['OPN', 'stock_opname'], ['SCR', 'scrap'], ['PRM', 'promotion'], ['PBG', 'promotion_budget'], ['PBA', 'promotion_budget_adjustment'], ['PRC', 'price_change'], ['OB', 'opening_balance'], ['FXR', 'fx_revaluation'], ['JV', 'journal'],
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

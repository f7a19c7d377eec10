/** Every table the demo company fills, each after those its rows point to. */
export const demoTables = [
  'company', 'operating_unit', 'territory', 'sales_area', 'warehouse', 'employee', 'vehicle', 'app_user', 'tos_agreement', 'user_territory', 'bank', 'account', 'house_bank', 'cash_account',
  'business_partner', 'brand', 'item_category', 'item', 'item_uom', 'price_set', 'list_price', 'discount_set', 'discount', 'pricing_group', 'sales_channel',
  'customer_category', 'customer_group', 'payment_term', 'promotion', 'promotion_condition', 'promotion_benefit', 'customer', 'customer_address', 'customer_payment_account', 'credit_limit', 'promotion_scope',
  'announcement', 'starred_page', 'exchange_rate', 'business_partner_address', 'work_team', 'work_team_member', 'combo', 'combo_component', 'product_festive', 'product_festive_line',
  'sales_target', 'sales_target_line', 'sales_quota', 'minimum_order_quantity', 'tax_invoice_period',
  'sales_order', 'sales_order_line', 'sales_order_discount', 'credit_override', 'stock_reservation', 'delivery_plan', 'delivery_plan_line', 'delivery_order',
  'delivery_order_line', 'stock_movement', 'stock_balance', 'stock_cost', 'goods_issue', 'goods_issue_line', 'invoice', 'invoice_line', 'invoice_cancel_request',
  'credit_note', 'customer_deposit', 'ar_payment', 'ar_payment_line', 'ar_payment_credit', 'ar_payment_deduction', 'cn_temporary', 'bank_statement', 'bank_statement_line',
  'journal', 'journal_line', 'ar_allocation', 'approval_request', 'approval_action', 'document_log', 'number_counter',
] as const

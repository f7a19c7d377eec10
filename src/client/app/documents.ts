import type { Tone } from '#meta/resolved.ts'

/** Where a document of a type is looked at; types without an entry have no page. */
const paths: Readonly<Record<string, string>> = {
  sales_order: '/sales-order-list/{ID}',
  delivery_plan: '/delivery_plan?tab=plans&edit={ID}',
  delivery_order: '/delivery_plan?tab=deliveries&v=none&edit={ID}',
  goods_issue: '/delivery_plan?tab=issues&edit={ID}',
  invoice: '/billing?tab=invoices&edit={ID}',
  invoice_cancel_request: '/billing?tab=cancel-requests&edit={ID}',
  ar_payment: '/finance/account-receivable/payment-received/edit/{ID}',
  customer: '/master/customers/edit/{ID}',
}

export function documentPath(docType: string, id: number): string | undefined {
  return paths[docType]?.replace('{ID}', String(id))
}

/** The one status vocabulary: 0 draft to 9 expired. */
const tones: Readonly<Record<number, Tone>> = { 0: 'neutral', 1: 'info', 2: 'info', 3: 'positive', 4: 'warning', 5: 'negative', 6: 'neutral', 7: 'negative', 8: 'info', 9: 'neutral' }

export function statusTone(status: number): Tone {
  return tones[status] ?? 'neutral'
}

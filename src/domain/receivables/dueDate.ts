import { addDays, endOfMonth, type DateText } from '#base/date.ts'

export interface PaymentTerm {
  readonly netDays: number
  readonly baseline: 'INVOICE' | 'POD' | 'TTF' | 'EOM'
}

/** Baseline and due day of an invoice. Until delivery is proven or the invoice exchanged, the invoice day stands in for that day. */
export function dueDate(
  term: PaymentTerm,
  invoiceDate: DateText,
  proof: { readonly podDate?: DateText | null; readonly ttfDate?: DateText | null } = {},
): { readonly baseline: DateText; readonly due: DateText } {
  const baseline = { INVOICE: invoiceDate, POD: proof.podDate ?? invoiceDate, TTF: proof.ttfDate ?? invoiceDate, EOM: endOfMonth(invoiceDate) }[term.baseline]
  return { baseline, due: addDays(baseline, term.netDays) }
}

import type { PeriodModule } from '#server/workflow/periods.ts'

/** Modules that documents of receivables are booked in when they are posted, and again when they are reversed. */
const modules: Readonly<Record<string, readonly PeriodModule[]>> = {
  ar_payment: ['AR', 'CB', 'GL'],
  credit_note: ['AR', 'GL'],
  cn_temporary: ['AR', 'GL'],
  customer_deposit: ['AR', 'CB', 'GL'],
}

export function bookedIn(entity: string): readonly PeriodModule[] {
  const known = modules[entity]
  if (known === undefined) throw new Error(`Nobody has said where ${entity} is booked`)
  return known
}

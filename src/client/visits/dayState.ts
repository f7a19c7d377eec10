import type { DayCustomer, VisitDay } from '#api/visits.ts'
import type { Entry } from './outbox.ts'

/** The day as it stands here: where something is still in the box the device knows better than the server. */
export function merged(server: VisitDay, local: VisitDay | undefined, box: readonly Entry[]): VisitDay {
  const waiting = new Set(box.map(({ customer }) => customer.id))
  const here = new Map(local?.Customers.map((customer) => [customer.ID, customer]))
  const known = new Set(server.Customers.map(({ ID }) => ID))
  const only = [...here.values()].filter(({ ID }) => waiting.has(ID) && !known.has(ID))
  return { ...server, Customers: [...server.Customers.map((customer) => (waiting.has(customer.ID) ? { ...customer, Visit: here.get(customer.ID)?.Visit ?? customer.Visit } : customer)), ...only] }
}

export function withVisit(day: VisitDay, customer: DayCustomer, visit: Partial<NonNullable<DayCustomer['Visit']>>): VisitDay {
  const before = day.Customers.find(({ ID }) => ID === customer.ID)?.Visit ?? { ID: 0, Code: '', VisitKey: '', Status: 8, CheckInAt: '', DistanceM: null, Result: null }
  const next = { ...customer, Visit: { ...before, ...visit } }
  const isKnown = day.Customers.some(({ ID }) => ID === customer.ID)
  return { ...day, Customers: isKnown ? day.Customers.map((one) => (one.ID === customer.ID ? next : one)) : [...day.Customers, next] }
}

/** The visit he is at now. */
export function openVisit(day: VisitDay): DayCustomer | undefined {
  return day.Customers.find(({ Visit }) => Visit?.Status === 8)
}

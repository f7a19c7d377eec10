import { atom } from 'jotai'
import { hideOverlay } from '../app/overlay.ts'
import { readCookie } from '../data/cookies.ts'
import { send } from '../data/http.ts'
import { logFailure } from '../data/log.ts'
import { readSealed, writeSealed } from '../data/sealedStore.ts'
import { onSignOut, sessionAtom, store } from '../data/session.ts'
import { allCustomers, startingSelection, startingUnit, type CustomerOption, type OperatingUnit, type Selection, type Territory } from './selection.ts'

/** Operating units of the user with their territories, as the server gave them. */
export const unitsAtom = atom<readonly OperatingUnit[]>([])

/** The customer store: the list with All before it, the list alone, several chosen, one chosen. */
export const singleCustomersAtom = atom<readonly CustomerOption[]>([])
export const customersAtom = atom((get) => [allCustomers, ...get(singleCustomersAtom)])
export const selectedCustomerAtom = atom<CustomerOption>(allCustomers)

const selection = atom<Selection>(startingSelection)

/** What is chosen; changing it is remembered until the user signs out. */
export const selectionAtom = atom(
  (get) => get(selection),
  (get, set, change: Partial<Selection>) => {
    const before = get(selection)
    const next = { ...before, ...change }
    set(selection, next)
    remember(next)
    if (next.territory.TerritoryID !== before.territory.TerritoryID) void loadCustomers(next.territory)
  },
)

export const selectedCustomersAtom = atom((get) => get(selection).selectedCustomers)

let loading: Promise<void> | undefined
let session: string | undefined

/** Units, customers and what was chosen before, once a session. Failures are only logged; the list is shown without the choices. */
export function preloadSelections(): Promise<void> {
  const current = readCookie('log_login_id') ?? ''
  if (session !== current) resetSelections()
  session = current
  loading ??= load()
  return loading
}

/** Back to All: the lists, what is chosen, and what was remembered. */
export function resetSelections(): void {
  const user = store.get(sessionAtom)?.user
  if (user !== undefined && session !== undefined) void writeSealed(placeOf(user.user_id), undefined)
  loading = undefined
  session = undefined
  store.set(unitsAtom, [])
  store.set(singleCustomersAtom, [])
  store.set(selectedCustomerAtom, allCustomers)
  store.set(selection, startingSelection)
}

onSignOut(resetSelections)

async function load(): Promise<void> {
  const user = store.get(sessionAtom)?.user
  if (user === undefined) return
  const [units, remembered] = await Promise.all([send<{ readonly records: readonly OperatingUnit[] }>({ path: '/api/v1/master/operating-unit-with-territory/personal', query: { is_head_office: false, is_include_ho: false } }), recall(user.user_id)])
  const known = units.ok ? units.value.records : []
  if (!units.ok) logFailure('operating units', units.problem)
  store.set(unitsAtom, known)
  const unit = known.find((one) => one.ID === remembered?.unit) ?? startingUnit(user, known)
  const territory = known.flatMap((one) => one.Territories).find((one) => one.TerritoryID === remembered?.territory) ?? startingSelection.territory
  store.set(selection, { unit, territory, selectedCustomers: remembered?.customers ?? [allCustomers] })
  // The page need not wait for the customers: they are asked for when the picker is opened at the latest.
  void loadCustomers(territory)
}

/** Customers to choose from, of one territory or of all; those chosen that are not among them are chosen no longer. */
async function loadCustomers(territory: Territory): Promise<void> {
  const query = territory.TerritoryID === 0 ? {} : { territory_id: territory.TerritoryID }
  const answer = await send<{ readonly records: readonly CustomerOption[] }>({ path: '/api/v1/master/customer/options', query })
  hideOverlay()
  if (!answer.ok) return logFailure('customers', answer.problem)
  if (store.get(selection).territory.TerritoryID !== territory.TerritoryID) return undefined
  const { records } = answer.value
  store.set(singleCustomersAtom, records)
  const known = new Map([allCustomers, ...records].map((customer) => [customer.ID, customer]))
  const { selectedCustomers: before } = store.get(selection)
  const kept = before.flatMap(({ ID }) => known.get(ID) ?? [])
  if (kept.some(({ name }, at) => name !== before[at]?.name) || kept.length < before.length) store.set(selectionAtom, { selectedCustomers: kept.length === 0 ? [allCustomers] : kept })
}

interface Remembered {
  /** Of which session: another one begins with All. */
  readonly session: string
  readonly unit: number
  readonly territory: number
  readonly customers: readonly CustomerOption[]
}

function remember({ unit, territory, selectedCustomers }: Selection): void {
  const user = store.get(sessionAtom)?.user
  if (user === undefined || session === undefined) return
  void writeSealed(placeOf(user.user_id), { session, unit: unit.ID, territory: territory.TerritoryID, customers: selectedCustomers } satisfies Remembered)
}

async function recall(userId: number): Promise<Remembered | undefined> {
  const found = await readSealed(placeOf(userId))
  return isRemembered(found) && found.session === session ? found : undefined
}

function placeOf(userId: number): string {
  return `selection:${userId}`
}

function isRemembered(value: unknown): value is Remembered {
  return typeof value === 'object' && value !== null && 'session' in value && 'unit' in value && 'territory' in value && 'customers' in value && Array.isArray(value.customers)
}

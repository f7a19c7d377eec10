import type { scopeNames } from '#api/listState.ts'
import type { Condition } from '#meta/condition.ts'
import type { CurrentUser } from '#api/session.ts'

/** What somebody has chosen to see, for all lists of the customer-related areas. Pure rules; the store is beside it. */
export interface CustomerOption {
  readonly ID: number
  readonly code: string
  readonly name: string
}

export interface Territory {
  readonly ID: number
  readonly TerritoryID: number
  readonly TerritoryCode: string
  readonly TerritoryName: string
}

export interface OperatingUnit {
  readonly ID: number
  readonly Code: string
  readonly Name: string
  readonly Territories: readonly Territory[]
}

/** The synthetic options that stand for no choice. */
export const allCustomers: CustomerOption = { ID: 0, code: 'All', name: 'All' }
export const allTerritories: Territory = { ID: 0, TerritoryID: 0, TerritoryCode: 'All', TerritoryName: 'All' }
export const allUnits: OperatingUnit = { ID: 0, Code: 'All', Name: 'All', Territories: [] }

export interface Selection {
  readonly unit: OperatingUnit
  readonly territory: Territory
  readonly selectedCustomers: readonly CustomerOption[]
}

export const startingSelection: Selection = { unit: allUnits, territory: allTerritories, selectedCustomers: [allCustomers] }

/** Units a user chooses from: territory_id 0 marks an all-territory user, who gets an All option. */
export function unitOptions(user: Pick<CurrentUser, 'territory_id'>, units: readonly OperatingUnit[]): readonly OperatingUnit[] {
  return user.territory_id === 0 ? [allUnits, ...units] : units
}

/** A user with a territory and a single operating unit gets that unit preselected; everybody else begins with All. */
export function startingUnit(user: Pick<CurrentUser, 'territory_id'>, units: readonly OperatingUnit[]): OperatingUnit {
  const [only] = units
  return user.territory_id !== 0 && units.length === 1 && only !== undefined ? only : allUnits
}

/** Territories of the unit chosen, or of all of them; with All for an all-territory user. */
export function territoryOptions(user: Pick<CurrentUser, 'territory_id'>, units: readonly OperatingUnit[], unit: OperatingUnit): readonly Territory[] {
  const own = unit.ID === 0 ? units.flatMap((one) => one.Territories) : unit.Territories
  return user.territory_id === 0 ? [allTerritories, ...own] : own
}

/** If the All option (ID 0) is among the selected customers, the ID filter is empty, which means all customers. */
export function customerFilter(selected: readonly Pick<CustomerOption, 'ID'>[]): readonly number[] {
  return selected.some((customer) => customer.ID === 0) ? [] : selected.map((customer) => customer.ID)
}

/** Ticks a customer or takes the tick away: All and single customers exclude one another, and nobody is All again. */
export function toggleCustomer(selected: readonly CustomerOption[], customer: CustomerOption): readonly CustomerOption[] {
  if (customer.ID === 0) return [allCustomers]
  const others = selected.filter((one) => one.ID !== 0 && one.ID !== customer.ID)
  const next = selected.some((one) => one.ID === customer.ID) ? others : [...others, customer]
  return next.length === 0 ? [allCustomers] : next
}

export const scopeFields = ['operating_unit_id', 'territory_id', 'customer_id'] as const
export type ScopeField = (typeof scopeFields)[number]

type ScopeName = (typeof scopeNames)[number]

/** The choice as it stands in the address. */
export type ScopeText = Readonly<Partial<Record<ScopeName, string>>>

/** What stands in the address of these choices: nothing for what everybody begins with. */
export function writeSelection({ unit, territory, selectedCustomers }: Selection, fields: readonly ScopeField[], user: Pick<CurrentUser, 'territory_id'>, units: readonly OperatingUnit[]): ScopeText {
  const customers = customerFilter(selectedCustomers)
  return {
    ...(unit.ID === startingUnit(user, units).ID || !fields.includes('operating_unit_id') ? {} : { unit: String(unit.ID) }),
    ...(territory.TerritoryID === 0 || !fields.includes('territory_id') ? {} : { territory: String(territory.TerritoryID) }),
    ...(customers.length === 0 || !fields.includes('customer_id') ? {} : { customers: customers.join() }),
  }
}

/** The choice an address asks for. What the page does not show stays as it was; what is not there to be chosen is left out, customers once they are known. */
export function readSelection(text: ScopeText, before: Selection, fields: readonly ScopeField[], user: Pick<CurrentUser, 'territory_id'>, units: readonly OperatingUnit[], customers: readonly CustomerOption[]): Selection {
  const unit = units.find(({ ID }) => String(ID) === text.unit) ?? startingUnit(user, units)
  const territory = (unit.ID === 0 ? units : [unit]).flatMap(({ Territories }) => Territories).find(({ TerritoryID }) => String(TerritoryID) === text.territory) ?? allTerritories
  const ids = new Set((text.customers ?? '').split(',').map(Number).filter((id) => Number.isSafeInteger(id) && id > 0))
  const known = new Map([...before.selectedCustomers, ...customers].map((one) => [one.ID, one]))
  const named = [...ids].flatMap((ID) => known.get(ID) ?? (customers.length === 0 ? { ID, code: '', name: `#${ID}` } : []))
  return {
    unit: fields.includes('operating_unit_id') ? unit : before.unit,
    territory: fields.includes('territory_id') ? territory : before.territory,
    selectedCustomers: !fields.includes('customer_id') ? before.selectedCustomers : named.length === 0 ? [allCustomers] : named,
  }
}

/** The choices as a condition over those of the columns that a list has; undefined: all rows. */
export function scopeCondition({ unit, territory, selectedCustomers }: Selection, fields: readonly ScopeField[]): Condition | undefined {
  const customers = customerFilter(selectedCustomers)
  const tests: Readonly<Record<ScopeField, Condition | undefined>> = {
    operating_unit_id: unit.ID === 0 ? undefined : { operating_unit_id: unit.ID },
    territory_id: territory.TerritoryID === 0 ? undefined : { territory_id: territory.TerritoryID },
    customer_id: customers.length === 0 ? undefined : { customer_id: { in: customers } },
  }
  const parts = fields.map((field) => tests[field]).filter((part) => part !== undefined)
  return parts.length > 1 ? { all: parts } : parts[0]
}

import { describe, expect, it } from 'vitest'
import {
  allCustomers, allTerritories, allUnits, customerFilter, readSelection, scopeCondition, startingSelection, startingUnit, territoryOptions, toggleCustomer, unitOptions, writeSelection, type OperatingUnit,
} from '#client/scope/selection.ts'
import { preloadAreas } from '#meta/resolved.ts'

const north = { ID: 11, TerritoryID: 1, TerritoryCode: 'JKT-N', TerritoryName: 'Jakarta north' }
const south = { ID: 12, TerritoryID: 2, TerritoryCode: 'JKT-S', TerritoryName: 'Jakarta south' }
const west = { ID: 13, TerritoryID: 3, TerritoryCode: 'BDG-W', TerritoryName: 'Bandung west' }
const jakarta: OperatingUnit = { ID: 5, Code: 'JKT', Name: 'Jakarta', Territories: [north, south] }
const bandung: OperatingUnit = { ID: 6, Code: 'BDG', Name: 'Bandung', Territories: [west] }
const everywhere = { territory_id: 0 }
const local = { territory_id: 1 }
const makmur = { ID: 7, code: 'C7', name: 'Toko Makmur' }
const mandiri = { ID: 8, code: 'C8', name: 'Toko Mandiri' }

it('A synthetic All entry has ID 0.', () => {
  expect(allTerritories).toEqual({ ID: 0, TerritoryID: 0, TerritoryCode: 'All', TerritoryName: 'All' })
})

it('A synthetic All option has ID 0, code All, name All.', () => {
  expect(allCustomers).toEqual({ ID: 0, code: 'All', name: 'All' })
})

it('Territory and operating-unit selections default to All.', () => {
  expect(startingSelection).toEqual({ unit: allUnits, territory: allTerritories, selectedCustomers: [allCustomers] })
})

describe('territory_id 0 marks an all-territory user, who gets an All option.', () => {
  it('and nobody else does', () => {
    expect(unitOptions(everywhere, [jakarta, bandung])).toEqual([allUnits, jakarta, bandung])
    expect(unitOptions(local, [jakarta])).toEqual([jakarta])
    expect(territoryOptions(everywhere, [jakarta, bandung], allUnits)).toEqual([allTerritories, north, south, west])
    expect(territoryOptions(everywhere, [jakarta, bandung], bandung)).toEqual([allTerritories, west])
    expect(territoryOptions(local, [jakarta], jakarta)).toEqual([north, south])
  })
})

it('A user with a territory and a single operating unit gets that unit preselected.', () => {
  expect(startingUnit(local, [jakarta])).toBe(jakarta)
  expect(startingUnit(local, [jakarta, bandung])).toBe(allUnits)
  expect(startingUnit(everywhere, [jakarta])).toBe(allUnits)
  expect(startingUnit(local, [])).toBe(allUnits)
})

describe('Customer selection: if the All option (ID 0) is among the selected customers, the ID filter is empty, which means all customers.', () => {
  it('whatever else is selected', () => {
    expect([customerFilter([allCustomers]), customerFilter([makmur, allCustomers]), customerFilter([makmur, mandiri]), customerFilter([])]).toEqual([[], [], [7, 8], []])
  })

  it('ticking a customer takes All away, ticking All or the last one away brings it back', () => {
    expect(toggleCustomer([allCustomers], makmur)).toEqual([makmur])
    expect(toggleCustomer([makmur], mandiri)).toEqual([makmur, mandiri])
    expect(toggleCustomer([makmur, mandiri], makmur)).toEqual([mandiri])
    expect(toggleCustomer([makmur], makmur)).toEqual([allCustomers])
    expect(toggleCustomer([makmur, mandiri], allCustomers)).toEqual([allCustomers])
  })
})

it('the choices narrow a list by the columns it has', () => {
  const selection = { unit: jakarta, territory: south, selectedCustomers: [makmur, mandiri] }
  const all = ['operating_unit_id', 'territory_id', 'customer_id'] as const
  expect(scopeCondition(startingSelection, all)).toBeUndefined()
  expect(scopeCondition(selection, all)).toEqual({ all: [{ operating_unit_id: 5 }, { territory_id: 2 }, { customer_id: { in: [7, 8] } }] })
  expect(scopeCondition(selection, ['territory_id'])).toEqual({ territory_id: 2 })
  expect(scopeCondition({ ...selection, selectedCustomers: [allCustomers, makmur] }, ['customer_id'])).toBeUndefined()
  expect(scopeCondition(selection, [])).toBeUndefined()
})

it('Customer preloads apply to these customer-related areas: billing, ar_payment_payment_received, payment, create-credit-note, invoice-exchange, ar-payment, customer-limit.', () => {
  expect(preloadAreas.join(', ')).toBe('billing, ar_payment_payment_received, payment, create-credit-note, invoice-exchange, ar-payment, customer-limit')
})

describe('the choice in the address', () => {
  const all = ['operating_unit_id', 'territory_id', 'customer_id'] as const
  const units = [jakarta, bandung]

  it('says what is chosen of the columns there are, and nothing of what everybody begins with', () => {
    expect(writeSelection(startingSelection, all, everywhere, units)).toEqual({})
    expect(writeSelection({ unit: jakarta, territory: north, selectedCustomers: [makmur, mandiri] }, all, everywhere, units)).toEqual({ unit: '5', territory: '1', customers: '7,8' })
    expect(writeSelection({ unit: jakarta, territory: north, selectedCustomers: [makmur] }, ['customer_id'], everywhere, units)).toEqual({ customers: '7' })
    expect(writeSelection({ ...startingSelection, unit: jakarta }, all, local, [jakarta])).toEqual({})
  })

  it('is read back; what cannot be chosen is left out, customers once they are known', () => {
    const read = (text: object, customers = [makmur, mandiri]) => readSelection(text, startingSelection, all, everywhere, units, customers)
    expect(read({ unit: '5', territory: '2', customers: '8,7' })).toEqual({ unit: jakarta, territory: south, selectedCustomers: [mandiri, makmur] })
    expect(read({ unit: '6', territory: '2', customers: '7,9,x,-1' })).toEqual({ unit: bandung, territory: allTerritories, selectedCustomers: [makmur] })
    expect(read({ customers: '9' })).toEqual(startingSelection)
    expect(read({ customers: '7' }, []).selectedCustomers).toEqual([{ ID: 7, code: '', name: '#7' }])
    expect(readSelection({}, { ...startingSelection, unit: jakarta }, ['customer_id'], everywhere, units, []).unit).toBe(jakarta)
  })
})

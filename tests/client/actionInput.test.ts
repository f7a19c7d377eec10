import { expect, test } from 'vitest'
import { inputOf, startValues } from '#client/table/actionInput.ts'
import { metadata } from '#generated/metadata.ts'

const paramsOf = (command: string) => metadata.commands[command]?.params ?? []
const params = paramsOf('change-trip')
const trip = (ID: number, more: object) => ({ ID, Version: 1, PlanDate: '2026-11-26', VehicleID: null, DriverID: null, Helper: null, Route: null, ...more })

test('an action begins with what its rows have where they agree, and leaves alone what they do not', () => {
  const rows = [trip(1, { VehicleID: 7, Helper: 'Budi', Route: 'North' }), trip(2, { VehicleID: 8, Helper: 'Budi', Route: 'North' })]
  const begun = startValues(params, rows, '2026-12-01')
  expect(begun).toEqual({ PlanDate: '2026-11-26', VehicleID: null, DriverID: null, Helper: 'Budi', Route: 'North' })
  expect(inputOf(params, begun, { ...begun, Helper: '', Route: 'South' })).toEqual({ PlanDate: '2026-11-26', Helper: null, Route: 'South' })
  expect(startValues(params, [trip(1, {}), trip(2, { PlanDate: '2026-11-27' })], '2026-12-01')['PlanDate'], 'of two days it is not today that is meant').toBeNull()
})

test('one that begins with nothing of its rows begins today', () => {
  const planning = paramsOf('plan-delivery')
  expect(startValues(planning, [], '2026-12-01')).toMatchObject({ PlanDate: '2026-12-01', Release: false })
  expect(inputOf(planning, {}, { VehicleID: null, Helper: '', Release: false })).toEqual({ Release: false })
})

import { expect, test } from 'vitest'
import type { WireRecord } from '#api/envelope.ts'
import { restricted } from '../../../src/client/table/restricted.ts'

const rows = (...units: readonly (number | null)[]): readonly WireRecord[] => units.map((OperatingUnitID, i) => ({ ID: i + 1, OperatingUnitID }))
const ofUnit = { all: [{ operating_unit_id: { field: 'operating_unit_id' } }, { is_active: true }] }

test('a choice is restricted by what the rows say', () => {
  expect(restricted(ofUnit, rows(3, 3))).toEqual({ all: [{ operating_unit_id: 3 }, { is_active: true }] })
  expect(restricted(ofUnit, rows(3, 4, null))).toEqual({ all: [{ operating_unit_id: { in: [3, 4] } }, { is_active: true }] })
  expect(restricted(ofUnit, rows(null))).toBeUndefined()
})

import { useEffect, useState } from 'react'
import { t } from '../app/messages.ts'
import { lookupRecords } from '../data/records.ts'
import { Skeleton } from '../ui/States.tsx'
import { Tick } from './GuardMatrix.tsx'
import css from './slots.module.css'
import { useListPart } from './useListPart.ts'
import type { SlotProps } from './slots.ts'
import type { WireRecord } from '#api/envelope.ts'

interface Territory {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly unit: string
}

/** Territories a user works in, grouped by operating unit. */
export function UserTerritories({ session, readOnly }: SlotProps) {
  const [all, setAll] = useState<readonly Territory[] | undefined>()
  const { held, toggle, ready } = useListPart(session, 'user-territories', 'TerritoryIDs', readTerritories, isNumber)
  useEffect(() => {
    void lookupRecords('territory', { length: 500, columns: 'operating_unit_id' }).then((answer) =>
      setAll(answer.ok ? answer.value.records.map((row) => ({ id: row.ID, code: String(row['Code']), name: String(row['Name']), unit: String(row['OperatingUnitName'] ?? '') })) : []),
    )
  }, [])
  if (all === undefined || !ready) return <Skeleton lines={4} />
  const units = [...new Set(all.map((territory) => territory.unit))].sort()
  return (
    <div className={css['units']}>
      {units.map((unit) => {
        const own = all.filter((territory) => territory.unit === unit)
        const ids = own.map((territory) => territory.id)
        const count = ids.filter((id) => held.has(id)).length
        return (
          <fieldset key={unit} className={css['unit']}>
            <legend>
              <label className={css['check']}>
                <Tick checked={count === ids.length} partly={count > 0 && count < ids.length} disabled={readOnly} onChange={(on) => toggle(ids, on)} />
                {unit === '' ? t('ui.nothing') : unit}
              </label>
            </legend>
            {own.map((territory) => (
              <label key={territory.id} className={css['check']}>
                <Tick checked={held.has(territory.id)} disabled={readOnly} onChange={(on) => toggle([territory.id], on)} />
                {territory.code} {territory.name}
              </label>
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}

function readTerritories(record: WireRecord | undefined): Promise<readonly number[]> {
  const ids = record?.['TerritoryIDs']
  return Promise.resolve(Array.isArray(ids) ? ids.filter(isNumber) : [])
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

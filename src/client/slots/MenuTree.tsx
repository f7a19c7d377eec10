import { useEffect, useState } from 'react'
import { tFirst } from '../app/messages.ts'
import { listRecords } from '../data/records.ts'
import { Skeleton } from '../ui/States.tsx'
import { Tick } from './GuardMatrix.tsx'
import css from './slots.module.css'
import { useListPart } from './useListPart.ts'
import type { SlotProps } from './slots.ts'
import type { WireRecord } from '#api/envelope.ts'

interface Entry {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly children: readonly Entry[]
}

/** Which menu entries a role sees: a tree of ticks; a parent is on when one of its entries is. */
export function MenuTree({ session, readOnly }: SlotProps) {
  const [entries, setEntries] = useState<readonly Entry[] | undefined>()
  const { held, toggle, ready } = useListPart(session, 'menu-tree', 'MenuIDs', readMenus, isNumber)
  useEffect(() => {
    void readEntries().then(setEntries)
  }, [])
  if (entries === undefined || !ready) return <Skeleton lines={8} />
  return (
    <ul className={css['tree']}>
      {entries.map((parent) => {
        const ids = parent.children.map((child) => child.id)
        const count = ids.filter((id) => held.has(id)).length
        const all = ids.length === 0 ? held.has(parent.id) : count === ids.length
        return (
          <li key={parent.id}>
            <label className={css['check']}>
              <Tick checked={all} partly={count > 0 && !all} disabled={readOnly} onChange={(on) => toggle([parent.id, ...ids], on)} />
              <strong>{parent.title}</strong>
            </label>
            {parent.children.length > 0 && (
              <ul>
                {parent.children.map((child) => (
                  <li key={child.id}>
                    <label className={css['check']}>
                      <Tick
                        checked={held.has(child.id)}
                        disabled={readOnly}
                        onChange={(on) => {
                          toggle([child.id], on)
                          const others = ids.filter((id) => id !== child.id && held.has(id)).length
                          toggle([parent.id], on || others > 0)
                        }}
                      />
                      {child.title} <span className={css['url']}>{child.url}</span>
                    </label>
                  </li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}

async function readEntries(): Promise<readonly Entry[]> {
  const answer = await listRecords('menu', { columns: 'name,url,parent_id,sort_order,label,is_active', filter: JSON.stringify({ is_active: true }), order: 'sort_order', sort: 'asc', length: 1000, count: false })
  const rows = answer.ok ? answer.value.rows : []
  const under = (parent: number | null): readonly Entry[] =>
    rows
      .filter((row) => (row['ParentID'] ?? null) === parent)
      .map((row) => ({ id: row.ID, title: titleOf(row), url: String(row['Url'] ?? ''), children: under(row.ID) }))
  return under(null)
}

async function readMenus(record: WireRecord | undefined): Promise<readonly number[]> {
  if (record === undefined) return []
  const own = record['MenuIDs']
  if (Array.isArray(own)) return own.filter(isNumber)
  const answer = await listRecords('role-menu', { columns: 'menu_id,can_view', filter: JSON.stringify({ role_id: record.ID, can_view: true }), length: 1000, count: false })
  return answer.ok ? answer.value.rows.map((row) => Number(row['MenuID'])) : []
}

function titleOf(row: WireRecord): string {
  const name = String(row['Name'] ?? '')
  return tFirst([String(row['Label'] ?? ''), `menu.${name}`], name)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

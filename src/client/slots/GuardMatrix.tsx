import { useEffect, useMemo, useState } from 'react'
import { t, tFirst } from '../app/messages.ts'
import { listRecords } from '../data/records.ts'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import { Skeleton } from '../ui/States.tsx'
import css from './slots.module.css'
import { useListPart } from './useListPart.ts'
import type { SlotProps } from './slots.ts'
import type { WireRecord } from '#api/envelope.ts'

/** Permissions of a role: a row for each module, a tick for each action it has. */
export function GuardMatrix({ session, readOnly }: SlotProps) {
  const [all, setAll] = useState<readonly Permission[] | undefined>()
  const [search, setSearch] = useState('')
  const { held, toggle, ready } = useListPart(session, 'guard-matrix', 'GuardNames', readGuards, isText)
  useEffect(() => {
    void readPermissions().then(setAll)
  }, [])
  const modules = useMemo(() => modulesOf(all ?? []), [all])
  if (all === undefined || !ready) return <Skeleton lines={8} />
  const wanted = search.trim().toLowerCase()
  const shown = modules.filter((module) => wanted === '' || module.name.includes(wanted) || titleOf(module.name).toLowerCase().includes(wanted))
  return (
    <div className={css['matrix']}>
      <div className={css['bar']}>
        <input className={input['input']} type="search" aria-label={t('ui.search')} placeholder={t('ui.search')} value={search} onChange={(event) => setSearch(event.target.value)} />
        <span className={css['count']}>{t('ui.guards.count', { count: held.size, all: all.length })}</span>
      </div>
      <div className={css['scroll']}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{t('ui.guards.module')}</th>
              <th scope="col">{t('ui.guards.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((module) => {
              const names = module.permissions.map((permission) => permission.guard)
              const count = names.filter((name) => held.has(name)).length
              return (
                <tr key={module.name}>
                  <th scope="row">
                    <label className={css['check']}>
                      <Tick checked={count === names.length} partly={count > 0 && count < names.length} disabled={readOnly} onChange={(on) => toggle(names, on)} />
                      {titleOf(module.name)}
                    </label>
                  </th>
                  <td>
                    <div className={css['ticks']}>
                      {module.permissions.map((permission) => (
                        <label key={permission.guard} className={classes(css['check'], held.has(permission.guard) && css['on'])} title={permission.guard}>
                          <Tick checked={held.has(permission.guard)} disabled={readOnly} onChange={(on) => toggle([permission.guard], on)} />
                          {tFirst([`action.${permission.action}`], permission.action)}
                        </label>
                      ))}
                    </div>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}

interface TickProps {
  readonly checked: boolean
  readonly partly?: boolean
  readonly disabled: boolean
  readonly onChange: (on: boolean) => void
}

/** A tick that can also say "some of them". */
export function Tick({ checked, partly = false, disabled, onChange }: TickProps) {
  return (
    <input
      ref={(box) => {
        if (box !== null) box.indeterminate = partly
      }}
      type="checkbox"
      className={input['check']}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

interface Permission {
  readonly guard: string
  readonly module: string
  readonly action: string
}

interface Module {
  readonly name: string
  readonly permissions: readonly Permission[]
}

async function readPermissions(): Promise<readonly Permission[]> {
  const answer = await listRecords('permission', { columns: 'guard_name,module', order: 'guard_name', sort: 'asc', length: 1000, count: false })
  if (!answer.ok) return []
  return answer.value.rows.map((row) => {
    const guard = String(row['GuardName'])
    const module = String(row['Module'])
    return { guard, module, action: guard.startsWith(`${module}-`) ? guard.slice(module.length + 1) : guard }
  })
}

async function readGuards(record: WireRecord | undefined): Promise<readonly string[]> {
  if (record === undefined) return []
  const own = record['GuardNames']
  if (Array.isArray(own)) return own.filter(isText)
  const answer = await listRecords('role-permission', { columns: 'guard_name', filter: JSON.stringify({ role_id: record.ID }), length: 1000, count: false })
  return answer.ok ? answer.value.rows.map((row) => String(row['GuardName'])) : []
}

function modulesOf(all: readonly Permission[]): readonly Module[] {
  const modules = new Map<string, Permission[]>()
  for (const permission of all) modules.set(permission.module, [...(modules.get(permission.module) ?? []), permission])
  return [...modules].map(([name, permissions]) => ({ name, permissions })).sort((a, b) => (titleOf(a.name) < titleOf(b.name) ? -1 : 1))
}

/** `sales-order` → its entity's title, else the words themselves. */
function titleOf(module: string): string {
  const words = module.replaceAll('-', ' ')
  return tFirst([`entity.${module.replaceAll('-', '_')}`, `screen.${module}.list`], words.charAt(0).toUpperCase() + words.slice(1))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

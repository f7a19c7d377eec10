import { useAtomValue } from 'jotai'
import { useMemo, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { Condition } from '#meta/condition.ts'
import { matchRoute } from '../app/routeTable.ts'
import { ScopeBar } from './ScopeBar.tsx'
import { scopeCondition, scopeFields } from './selection.ts'
import { selectionAtom } from './selectionStore.ts'

interface Scope {
  /** What is chosen, over the columns given; undefined: everything, or not on this page. */
  readonly condition: Condition | undefined
  /** Where it is chosen; absent where the page does not take part. */
  readonly bar: ReactNode
}

/** The choice of unit, territory and customers on a page whose route takes part, as far as the rows have these columns. */
export function useScope(columns: readonly string[]): Scope {
  const { pathname } = useLocation()
  const selection = useAtomValue(selectionAtom)
  const isOn = matchRoute(pathname)?.route.preload !== undefined
  const names = columns.join()
  return useMemo(() => {
    const fields = isOn ? scopeFields.filter((field) => names.split(',').includes(field)) : []
    return { condition: scopeCondition(selection, fields), bar: fields.length === 0 ? undefined : <ScopeBar fields={fields} /> }
  }, [isOn, names, selection])
}

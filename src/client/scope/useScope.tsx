import { useAtom, useAtomValue } from 'jotai'
import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { scopeNames } from '#api/listState.ts'
import type { Condition } from '#meta/condition.ts'
import { matchRoute } from '../app/routeTable.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { sessionAtom, store } from '../data/session.ts'
import { ScopeBar } from './ScopeBar.tsx'
import { ScopeChips } from './ScopeChips.tsx'
import { readSelection, scopeCondition, scopeFields, writeSelection, type ScopeField, type ScopeText } from './selection.ts'
import { selectionAtom, singleCustomersAtom, unitsAtom } from './selectionStore.ts'

export interface Scope {
  /** What is chosen, over the columns given; undefined: everything, or not on this page. */
  readonly condition: Condition | undefined
  /** Where it is chosen; absent where the page does not take part. */
  readonly bar: ReactNode
  /** What is chosen, among the filters; undefined: everything. */
  readonly chips: ReactNode
  /** An address without the choice. */
  readonly without: (query: URLSearchParams) => URLSearchParams
}

/** The choice of unit, territory and customers on a page whose route takes part, as far as the rows have these columns. It is in the address, as filters are. */
export function useScope(columns: readonly string[]): Scope {
  const { pathname } = useLocation()
  const isOn = matchRoute(pathname)?.route.preload !== undefined
  const names = columns.join()
  const fields = useMemo(() => (isOn ? scopeFields.filter((field) => names.split(',').includes(field)) : []), [isOn, names])
  const [selection, chosen, select] = useAddressed(fields)
  // A name that becomes known narrows nothing anew.
  const text = JSON.stringify(scopeCondition(selection, fields))
  return useMemo(
    () => ({
      condition: text === undefined ? undefined : (JSON.parse(text) as Condition),
      bar: fields.length === 0 ? undefined : <ScopeBar fields={fields} />,
      chips: Object.keys(chosen).length === 0 ? undefined : <ScopeChips selection={selection} chosen={chosen} onSelect={select} />,
      without,
    }),
    [text, fields, chosen, selection, select],
  )
}

/** The choice and the address in step: one opened without a word of it takes what was chosen before, later whichever changes leads. */
function useAddressed(fields: readonly ScopeField[]) {
  const user = useAtomValue(sessionAtom)?.user
  const units = useAtomValue(unitsAtom)
  const [selection, select] = useAtom(selectionAtom)
  const [query, setQuery] = useUrlQuery()
  const agreed = useRef<string>(undefined)
  const territory = user?.territory_id ?? 0
  const chosenText = JSON.stringify(writeSelection(selection, fields, { territory_id: territory }, units))
  const addressText = JSON.stringify(inAddress(query, fields))
  useLayoutEffect(() => {
    if (chosenText === addressText) {
      agreed.current = chosenText
      return
    }
    const isFirst = agreed.current === undefined
    if (isFirst ? addressText === '{}' : agreed.current !== chosenText) {
      setQuery((before) => put(before, JSON.parse(chosenText) as ScopeText), { replace: isFirst, preventScrollReset: true })
      return
    }
    // The customers may have come since this was drawn; those that come later name themselves.
    const asked = readSelection(JSON.parse(addressText) as ScopeText, selection, fields, { territory_id: territory }, units, store.get(singleCustomersAtom))
    const fitting = writeSelection(asked, fields, { territory_id: territory }, units)
    agreed.current = JSON.stringify(fitting)
    if (agreed.current !== addressText) setQuery((before) => put(before, fitting), { replace: true, preventScrollReset: true })
    select(asked)
  }, [chosenText, addressText, selection, select, setQuery, fields, territory, units])
  const chosen = useMemo(() => JSON.parse(chosenText) as ScopeText, [chosenText])
  return [selection, chosen, select] as const
}

function inAddress(query: URLSearchParams, fields: readonly ScopeField[]): ScopeText {
  return Object.fromEntries(scopeNames.flatMap((name, at) => (fields.some((field) => field === scopeFields[at]) && query.has(name) ? [[name, query.get(name) ?? '']] : [])))
}

function without(query: URLSearchParams): URLSearchParams {
  return put(query, {})
}

function put(query: URLSearchParams, text: ScopeText): URLSearchParams {
  const next = new URLSearchParams([...query].filter(([name]) => !scopeNames.some((one) => one === name)))
  for (const [name, value] of Object.entries(text)) next.set(name, value)
  return next
}

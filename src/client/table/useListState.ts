import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { emptyState, readState, writeState, type ListState } from './listState.ts'

/** `how: 'replace'` while typing, so that Back does not walk through every letter. */
export type SetListState = (change: Partial<ListState>, how?: 'push' | 'replace') => void

/** The state of the page's own list lives in the URL: Back, reload and a sent link all restore it. */
export function useUrlListState(): readonly [ListState, SetListState] {
  const [query, setQuery] = useSearchParams()
  const state = useMemo(() => readState(query), [query])
  const set = useCallback<SetListState>(
    (change, how = 'push') => {
      setQuery((before) => writeState(merge(readState(before), change), before), { replace: how === 'replace', preventScrollReset: true })
    },
    [setQuery],
  )
  return [state, set]
}

/** A list inside another page keeps its state to itself. */
export function useOwnListState(): readonly [ListState, SetListState] {
  const [state, setState] = useState(emptyState)
  const set = useCallback<SetListState>((change) => setState((before) => merge(before, change)), [])
  return [state, set]
}

/** Anything but turning the page starts again on page 1. */
function merge(before: ListState, change: Partial<ListState>): ListState {
  return { ...before, page: 1, ...change }
}

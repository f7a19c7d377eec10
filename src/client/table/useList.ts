import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ListAnswer } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Condition } from '#meta/condition.ts'
import type { Column, ListScreen, Sort } from '#meta/resolved.ts'
import { pageSizeAtom } from '../app/preferences.ts'
import type { Refusal } from '../data/http.ts'
import { columnOf } from '../data/around.ts'
import { listRecords } from '../data/records.ts'
import { conditionOf, type ListState } from './listState.ts'

export interface List {
  readonly rows: readonly WireRecord[]
  readonly total: number
  /** Sums over the whole filter by column name. */
  readonly totals: Readonly<Record<string, string>>
  /** Nothing to show yet. */
  readonly isFirstLoad: boolean
  /** The rows shown are those of the question before. */
  readonly isLoading: boolean
  readonly problem: Refusal | undefined
  readonly length: number
  readonly pages: number
  readonly sort: readonly Sort[]
  readonly reload: () => void
  /** Puts a record as the server has just answered it in place of the row shown. */
  readonly replace: (record: WireRecord) => void
}

/** Rows of a list screen for a state; asks again when the state changes, keeps the old rows until the new ones are there. */
export function useList(screen: ListScreen, state: ListState, columns: readonly Column[], params: Readonly<Record<string, string>>): List {
  const preferredLength = useAtomValue(pageSizeAtom)
  const length = state.length ?? preferredLength
  const sort = state.sort ?? screen.sort
  const [answer, setAnswer] = useState<ListAnswer>()
  const [problem, setProblem] = useState<Refusal>()
  const [asked, setAsked] = useState<string>()
  const [round, setRound] = useState(0)

  const query = useMemo(() => {
    const condition = conditionOf(screen, state, params)
    const totals = columns.filter((column) => column.total === 'sum').map((column) => column.name)
    return {
      length,
      page: state.page,
      order: sort.map(({ field }) => field).join(','),
      sort: sort.map(({ dir }) => dir).join(','),
      columns: wantedColumns(screen, columns).join(','),
      ...(state.search === '' ? {} : { search: state.search }),
      ...(condition === undefined ? {} : { filter: JSON.stringify(condition) }),
      ...(totals.length === 0 ? {} : { totals: totals.join(',') }),
    }
  }, [screen, state, params, columns, length, sort])
  // Columns and objects made anew with the same content must not ask again.
  const question = `${screen.resource} ${round} ${JSON.stringify(query)}`
  const current = useRef(query)
  current.current = query

  useEffect(() => {
    const stop = new AbortController()
    void listRecords(screen.resource, current.current, stop.signal).then((result) => {
      if (stop.signal.aborted) return
      setAsked(question)
      if (result.ok) setAnswer(result.value)
      setProblem(result.ok ? undefined : result.problem)
    })
    return () => stop.abort()
  }, [screen.resource, question])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const replace = useCallback((record: WireRecord) => {
    setAnswer((before) => before && { ...before, rows: before.rows.map((row) => (row.ID === record.ID ? { ...row, ...record } : row)) })
  }, [])
  const total = answer?.recordsTotal ?? 0
  return {
    rows: answer?.rows ?? noRows,
    total,
    totals: answer?.totals ?? noTotals,
    isFirstLoad: answer === undefined && problem === undefined,
    isLoading: asked !== question,
    problem,
    length,
    pages: Math.max(1, Math.ceil(total / length)),
    sort,
    reload,
    replace,
  }
}

const noRows: readonly WireRecord[] = []
const noTotals = {}

/** What is shown, what row colours and actions test, and what paths are filled with. */
function wantedColumns(screen: ListScreen, columns: readonly Column[]): readonly string[] {
  const wanted = new Set(columns.map((column) => column.name))
  const conditions = [...screen.emphasis.map(({ when }) => when), ...screen.actions.map(({ when }) => when).filter((when) => when !== undefined)]
  for (const condition of conditions) for (const name of namesIn(condition)) wanted.add(name)
  const templates = [screen.open, ...columns.map((column) => column.link), ...screen.actions.map(({ does }) => (does.kind === 'goto' ? does.path : undefined))]
  for (const template of templates) for (const [, key = ''] of template?.matchAll(/\{(\w+)\}/g) ?? []) wanted.add(columnOf(key))
  // The id always comes.
  wanted.delete('id')
  return [...wanted]
}

/** Field names a condition tests. */
function namesIn(condition: Condition): readonly string[] {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap((part: Condition) => namesIn(part))
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap((part: Condition) => namesIn(part))
  return 'not' in condition ? namesIn(condition.not as Condition) : Object.keys(condition)
}

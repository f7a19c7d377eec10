import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ListAnswer, ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { listQuery, sortOf } from '#api/listQuery.ts'
import type { ListState } from '#api/listState.ts'
import type { Column, ListScreen, Sort } from '#meta/resolved.ts'
import { pageSizeAtom } from '../app/preferences.ts'
import type { Answer, Refusal } from '../data/http.ts'
import { listRecords } from '../data/records.ts'
import { takeEarly } from './earlyRows.ts'
import { useBlocks } from './useBlocks.ts'

export interface List {
  /** Rows of the page; undefined: a row of a long page that is still on its way. */
  readonly rows: readonly (WireRecord | undefined)[]
  readonly total: number
  /** Sums over the whole filter by column name. */
  readonly totals: Readonly<Record<string, string>>
  /** Where amounts are in several currencies: the sums of each. */
  readonly currencies: ListAnswer['currencies']
  /** Nothing to show yet. */
  readonly isFirstLoad: boolean
  /** The rows shown are those of the question before, and the answer is taking its time. */
  readonly isLoading: boolean
  readonly problem: Refusal | undefined
  readonly length: number
  /** What was asked. */
  readonly query: ListQuery
  /** Are the rows shown those that were asked for last? */
  readonly isCurrent: boolean
  /** Says which rows are looked at. */
  readonly onSeen: (first: number, last: number) => void
  /** Order of the rows shown. */
  readonly sort: readonly Sort[]
  /** The order last asked for: that of the rows on their way. */
  readonly asked: readonly Sort[]
  readonly reload: () => void
  /** Puts a record as the server has just answered it in place of the row shown. */
  readonly replace: (record: WireRecord) => void
}

interface Shown {
  /** The question this answers. */
  readonly question: string
  readonly sort: readonly Sort[]
  readonly answer?: ListAnswer | undefined
  readonly problem?: Refusal | undefined
}

/** Rows of a list screen for a state; asks again when the state changes, keeps the old rows until the new ones are there. `isPart`: the page stands without them. */
export function useList(screen: ListScreen, state: ListState, columns: readonly Column[], params: Readonly<Record<string, string>>, isPart?: boolean): List {
  const preferredLength = useAtomValue(pageSizeAtom)
  const [round, setRound] = useState(0)
  const text = JSON.stringify(listQuery({ screen, state, columns, params, preferredLength }))
  // Columns and objects made anew with the same content must not ask again.
  const query = useMemo(() => JSON.parse(text) as ListQuery, [text])
  const question = `${screen.resource} ${round} ${text}`
  const current = useRef(query)
  current.current = query
  const sort = sortOf({ screen, state })
  const currentSort = useRef(sort)
  currentSort.current = sort
  const [early] = useState(() => takeEarly(screen.resource, query))
  // What has come already is shown already, and no answer to the next question.
  const pending = useRef(early?.answer === undefined ? early : undefined)
  const [shown, setShown] = useState<Shown>(() => (early?.answer === undefined ? { question: '', sort } : shownOf(question, sort, early.answer, undefined)))

  const asked = useRef(shown.question)
  useEffect(() => {
    if (asked.current === question) return undefined
    asked.current = question
    const begun = pending.current ?? takeEarly(screen.resource, current.current)
    pending.current = undefined
    const stop = begun?.stop ?? new AbortController()
    const answering = begun?.promise ?? listRecords(screen.resource, current.current, stop.signal, isPart)
    const asking = currentSort.current
    void answering.then((answer) => {
      if (!stop.signal.aborted) setShown((before) => shownOf(question, asking, answer, before.answer))
    })
    return () => stop.abort()
  }, [screen.resource, question, isPart])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const replace = useCallback((record: WireRecord) => {
    setShown((before) => (before.answer === undefined ? before : { ...before, answer: { ...before.answer, rows: before.answer.rows.map((row) => (row.ID === record.ID ? { ...row, ...record } : row)) } }))
  }, [])
  const { answer, problem } = shown
  const length = state.length ?? preferredLength
  const { rows, onSeen } = useBlocks(screen.resource, query, answer, length)
  const isWaiting = useIsSlow(shown.question === question ? '' : question)
  return {
    rows,
    total: answer?.recordsTotal ?? 0,
    totals: answer?.totals ?? noTotals,
    currencies: answer?.currencies,
    isFirstLoad: answer === undefined && problem === undefined,
    isLoading: isWaiting,
    problem,
    length,
    query,
    isCurrent: shown.question === question,
    onSeen,
    // The arrow turns together with the rows: one repaint, not two, while answers come at once.
    sort: isWaiting ? sort : shown.sort,
    asked: sort,
    reload,
    replace,
  }
}

const noTotals = {}

/** A refusal keeps the rows there were. */
function shownOf(question: string, sort: readonly Sort[], answer: Answer<ListAnswer>, before: ListAnswer | undefined): Shown {
  return answer.ok ? { question, sort, answer: answer.value } : { question, sort, answer: before, problem: answer.problem }
}

const slowAfterMs = 200

/** Has this question been open for longer than one notices? '' asks nothing. */
function useIsSlow(question: string): boolean {
  const [slow, setSlow] = useState('')
  useEffect(() => {
    if (question === '') return undefined
    const timer = setTimeout(() => setSlow(question), slowAfterMs)
    return () => clearTimeout(timer)
  }, [question])
  return question !== '' && slow === question
}

import { useCallback, useEffect, useMemo, useState } from 'react'
import { afterPaint } from './afterPaint.ts'
import type { Answer, Refusal } from './http.ts'

export interface Asked<T> {
  readonly value: T | undefined
  readonly problem: Refusal | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  readonly set: (value: T) => void
}

interface How<T> {
  /** The page is read without it, so it is asked only once the page is seen. */
  readonly isAside?: boolean
  /** What has come before the page asks: shown at once. */
  readonly foreseen?: () => T | undefined
}

/** Asks the server when the question changes; keeps the last answer of the same question while asking again. */
export function useAnswer<T>(question: string, ask: (signal: AbortSignal) => Promise<Answer<T>>, { isAside = false, foreseen }: How<T> = {}): Asked<T> {
  // oxlint-disable-next-line react/exhaustive-deps -- the question stands for what `foreseen` closes over
  const first = useMemo(() => foreseen?.(), [question])
  const [state, setState] = useState<{ readonly question: string; readonly value?: T; readonly problem?: Refusal }>({ question: '' })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    let isUnderWay = true
    const begin = (): void =>
      void ask(stop.signal).then((answer) => {
        if (stop.signal.aborted) return
        isUnderWay = false
        setState((before) => (answer.ok ? { question, value: answer.value } : { ...(before.question === question ? before : {}), question, problem: answer.problem }))
      })
    const callOff = isAside ? afterPaint(begin) : begin()
    return () => {
      callOff?.()
      // Telling that it is over costs a page that is left more than taking it down, however long ago the answer came.
      if (isUnderWay) stop.abort()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the question stands for what `ask` closes over
  }, [question, round, isAside])
  const isCurrent = state.question === question
  return {
    value: isCurrent ? state.value : first,
    problem: isCurrent ? state.problem : undefined,
    isLoading: !isCurrent && first === undefined,
    reload: useCallback(() => setRound((before) => before + 1), []),
    set: useCallback((value: T) => setState({ question, value }), [question]),
  }
}

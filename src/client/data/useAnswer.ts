import { useCallback, useEffect, useState } from 'react'
import type { Answer, Refusal } from './http.ts'

export interface Asked<T> {
  readonly value: T | undefined
  readonly problem: Refusal | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  readonly set: (value: T) => void
}

/** Asks the server when the question changes; keeps the last answer of the same question while asking again. */
export function useAnswer<T>(question: string, ask: (signal: AbortSignal) => Promise<Answer<T>>): Asked<T> {
  const [state, setState] = useState<{ readonly question: string; readonly value?: T; readonly problem?: Refusal }>({ question: '' })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    void ask(stop.signal).then((answer) => {
      if (stop.signal.aborted) return
      setState((before) => (answer.ok ? { question, value: answer.value } : { ...(before.question === question ? before : {}), question, problem: answer.problem }))
    })
    return () => stop.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- the question stands for what `ask` closes over
  }, [question, round])
  const isCurrent = state.question === question
  return {
    value: isCurrent ? state.value : undefined,
    problem: isCurrent ? state.problem : undefined,
    isLoading: !isCurrent,
    reload: useCallback(() => setRound((before) => before + 1), []),
    set: useCallback((value: T) => setState({ question, value }), [question]),
  }
}

import { useEffect, useState } from 'react'
import { shortestSearch, type SearchAnswer, type SearchHit } from '#api/search.ts'
import { inWords } from '../app/messages.ts'
import { send } from '../data/http.ts'

/** Typing has paused. */
const pauseMs = 200

interface Hits {
  readonly hits: readonly SearchHit[]
  readonly isLoading: boolean
  readonly problem: string | undefined
}

/** Records that answer to what was typed; while the next question is under way the last answer stays. */
export function useHits(search: string): Hits {
  const typed = search.trim()
  const isAsked = typed.split(/\s+/).some((word) => word.length >= shortestSearch)
  const [answer, setAnswer] = useState<{ readonly to: string; readonly hits: readonly SearchHit[]; readonly problem?: string }>({ to: '', hits: [] })
  useEffect(() => {
    if (!isAsked) return undefined
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const found = await send<SearchAnswer>({ path: '/api/v1/search', query: { search: typed }, signal: stop.signal, isPart: true })
      if (stop.signal.aborted) return
      setAnswer(found.ok ? { to: typed, hits: found.value.records } : { to: typed, hits: [], problem: inWords(found.problem) })
    }, pauseMs)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [typed, isAsked])
  if (!isAsked) return { hits: [], isLoading: false, problem: undefined }
  return { hits: answer.hits, isLoading: answer.to !== typed, problem: answer.to === typed ? answer.problem : undefined }
}

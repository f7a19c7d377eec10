import type { Answer } from './http.ts'
import { onForgetAnswers } from './lastAnswers.ts'

/** A question asked while the page that will show its answer is on its way. */
export interface Early<T> {
  readonly promise: Promise<Answer<T>>
  readonly stop: AbortController
  /** As soon as it has come. */
  answer?: Answer<T>
}

export interface EarlyAnswers<T> {
  /** Asks, unless the same question is on its way. */
  ask(question: string, ask: (signal: AbortSignal) => Promise<Answer<T>>): Early<T>
  /** What has come already, until somebody takes it. */
  seen(question: string): T | undefined
  /** Whoever takes it has it for himself: the next one asks anew. */
  take(question: string): Early<T> | undefined
}

/** What nobody has taken by then was asked for in vain. */
const keepMs = 5_000

export function earlyAnswers<T>(): EarlyAnswers<T> {
  const kept = new Map<string, Early<T>>()
  onForgetAnswers(() => kept.clear())
  return {
    ask(question, ask) {
      const known = kept.get(question)
      if (known !== undefined) return known
      const stop = new AbortController()
      const asked: Early<T> = { promise: ask(stop.signal), stop }
      kept.set(question, asked)
      void asked.promise.then((answer) => (asked.answer = answer))
      setTimeout(() => {
        if (kept.get(question) === asked) kept.delete(question)
      }, keepMs)
      return asked
    },
    seen(question) {
      const answer = kept.get(question)?.answer
      return answer?.ok === true ? answer.value : undefined
    },
    take(question) {
      const asked = kept.get(question)
      kept.delete(question)
      return asked
    },
  }
}

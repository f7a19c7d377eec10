import { useEffect } from 'react'
import { useAnswer } from '../data/useAnswer.ts'
import { readBatch } from './calls.ts'

const askAgainMs = 1_000

/** A batch, asked for again as long as something is being done with it. */
export function useBatch(id: number) {
  const { value, problem, reload, set } = useAnswer(String(id), (signal) => readBatch(id, signal))
  const batch = value?.record
  const isBusy = batch !== undefined && batch.Work !== null
  useEffect(() => {
    if (!isBusy) return undefined
    const timer = setInterval(reload, askAgainMs)
    return () => clearInterval(timer)
  }, [isBusy, reload])
  return { batch, isBusy, problem, reload, set }
}

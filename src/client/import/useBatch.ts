import { useEffect } from 'react'
import { useAnswer } from '../data/useAnswer.ts'
import { readBatch } from './calls.ts'

/** Small files are done at once; whoever waits for a large one needs not be told so often. */
const askAgainMs = { first: 150, last: 1_000 }

/** A batch, asked for again as long as something is being done with it. */
export function useBatch(id: number) {
  const { value, problem, reload, set } = useAnswer(String(id), (signal) => readBatch(id, signal))
  const batch = value?.record
  const isBusy = batch !== undefined && batch.Work !== null
  useEffect(() => {
    if (!isBusy) return undefined
    let wait = askAgainMs.first
    let timer = setTimeout(ask, wait)
    function ask() {
      reload()
      wait = Math.min(wait * 2, askAgainMs.last)
      timer = setTimeout(ask, wait)
    }
    return () => clearTimeout(timer)
  }, [isBusy, reload])
  return { batch, isBusy, problem, reload, set }
}

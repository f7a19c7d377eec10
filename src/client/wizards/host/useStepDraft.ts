import { useEffect, useRef, useState } from 'react'
import { beforeLeaving } from '../../data/leaving.ts'
import { newKey } from '../../data/http.ts'
import { dropDraft, keepDraft, onlyDraft, readDrafts, type Draft } from '../../form/drafts.ts'
import { same } from '../../form/same.ts'

type Values = Readonly<Record<string, unknown>>

export interface StepDraft {
  /** What was left behind, until it is taken up or dropped. */
  readonly found: Draft | undefined
  readonly keptAt: string | undefined
  readonly restore: () => void
  readonly drop: () => void
}

const keepAfterMs = 600

/** Keeps what is entered in the steps on this computer as long as it differs from `saved`, and offers what an earlier visit left. `key` undefined: nothing is kept. */
export function useStepDraft(key: string | undefined, values: Values, saved: Values, onRestore: (values: Values) => void): StepDraft {
  const [found, setFound] = useState<Draft | undefined>(() => differing(key, saved))
  const [keptAt, setKeptAt] = useState<string>()
  // What is entered while an older one is offered stands beside it.
  const id = useRef(found === undefined ? onlyDraft : '')
  if (id.current === '') id.current = newKey()
  const latest = useRef({ values, saved })
  latest.current = { values, saved }
  const isDirty = !same(values, saved)
  const text = JSON.stringify(values)
  useEffect(() => {
    if (key === undefined) return undefined
    if (!isDirty) {
      // Nor is one left that says what has been saved.
      for (const draft of readDrafts(key)) if (draft.id === id.current || same(draft.values, latest.current.saved)) dropDraft(key, draft.id)
      setKeptAt(undefined)
      return undefined
    }
    const timer = setTimeout(() => setKeptAt(keep(key, id.current, latest.current.values)), keepAfterMs)
    return () => clearTimeout(timer)
  }, [key, text, isDirty])
  useEffect(() => {
    if (key === undefined) return undefined
    // Left before the time is up: kept all the same.
    const keepNow = () => {
      if (!same(latest.current.values, latest.current.saved)) keep(key, id.current, latest.current.values)
    }
    const forget = beforeLeaving(keepNow)
    return () => {
      forget()
      keepNow()
    }
  }, [key])
  return {
    found,
    keptAt,
    restore: () => {
      if (found === undefined) return
      // What was entered meanwhile is left as the next one.
      if (key !== undefined && !same(values, saved)) keep(key, id.current, values)
      id.current = found.id
      onRestore(found.values)
      setFound(undefined)
    },
    drop: () => {
      if (key !== undefined && found !== undefined) dropDraft(key, found.id)
      setFound(undefined)
    },
  }
}

function keep(key: string, id: string, values: Values): string {
  const at = new Date().toISOString()
  keepDraft(key, { id, at, version: undefined, values, lines: {} })
  return at
}

function differing(key: string | undefined, saved: Values): Draft | undefined {
  return key === undefined ? undefined : readDrafts(key).find((draft) => !same(draft.values, saved))
}

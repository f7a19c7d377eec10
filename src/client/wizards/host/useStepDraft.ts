import { useEffect, useRef, useState } from 'react'
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
  const latest = useRef({ values, saved })
  latest.current = { values, saved }
  const isDirty = !same(values, saved)
  const text = JSON.stringify(values)
  useEffect(() => {
    if (key === undefined || found !== undefined) return undefined
    if (!isDirty) {
      dropDraft(key, onlyDraft)
      setKeptAt(undefined)
      return undefined
    }
    const timer = setTimeout(() => setKeptAt(keep(key, latest.current.values)), keepAfterMs)
    return () => clearTimeout(timer)
  }, [key, text, isDirty, found])
  useEffect(() => {
    if (key === undefined || found !== undefined) return undefined
    // Left before the time is up: kept all the same.
    const keepNow = () => {
      if (!same(latest.current.values, latest.current.saved)) keep(key, latest.current.values)
    }
    window.addEventListener('pagehide', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [key, found])
  return {
    found,
    keptAt,
    restore: () => {
      if (found !== undefined) onRestore(found.values)
      setFound(undefined)
    },
    drop: () => {
      if (key !== undefined) dropDraft(key, onlyDraft)
      setFound(undefined)
    },
  }
}

function keep(key: string, values: Values): string {
  const at = new Date().toISOString()
  keepDraft(key, { id: onlyDraft, at, version: undefined, values, lines: {} })
  return at
}

function differing(key: string | undefined, saved: Values): Draft | undefined {
  const [draft] = key === undefined ? [] : readDrafts(key)
  return draft !== undefined && !same(draft.values, saved) ? draft : undefined
}

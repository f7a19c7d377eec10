import { useCallback, useEffect, useRef, useState } from 'react'
import { same } from '../same.ts'
import type { FormSession } from '../formSession.ts'
import type { SlotPart } from '../formState.ts'
import type { WireRecord } from '#api/envelope.ts'

/** A part of a form that holds one list of keys (permissions, menu entries, territories) under one wire key. `read` finds it in the record. */
export function useListPart<T extends string | number>(
  session: FormSession,
  name: string,
  wire: string,
  read: (record: WireRecord | undefined) => Promise<readonly T[]>,
  isKey: (value: unknown) => value is T,
): { readonly held: ReadonlySet<T>; readonly toggle: (keys: readonly T[], on: boolean) => void; readonly ready: boolean } {
  const [held, setHeld] = useState<ReadonlySet<T>>(new Set())
  const [ready, setReady] = useState(false)
  const base = useRef<readonly T[]>([])
  const latest = useRef<{ readonly held: ReadonlySet<T>; readonly ready: boolean }>({ held, ready })
  useEffect(() => {
    latest.current = { held, ready }
  })
  const reader = useRef(read)

  useEffect(() => {
    let isCurrent = true
    const part: SlotPart = {
      payload: () => (latest.current.ready ? { [wire]: sorted(latest.current.held) } : {}),
      problems: () => [],
      isDirty: () => latest.current.ready && !same(sorted(latest.current.held), sorted(new Set(base.current))),
      draft: () => (part.isDirty() ? sorted(latest.current.held) : undefined),
      restore: (draft) => {
        if (Array.isArray(draft)) setHeld(new Set(draft.filter(isKey)))
      },
      load: (record) => {
        void reader.current(record).then((keys) => {
          if (!isCurrent) return
          base.current = keys
          setHeld(new Set(keys))
          setReady(true)
        })
      },
      focus: () => undefined,
    }
    const stop = session.register(name, part)
    return () => {
      isCurrent = false
      stop()
    }
  }, [session, name, wire, isKey])

  const toggle = useCallback(
    (keys: readonly T[], on: boolean) => {
      setHeld((before) => {
        const next = new Set(before)
        for (const key of keys) {
          if (on) next.add(key)
          else next.delete(key)
        }
        latest.current = { ...latest.current, held: next }
        return next
      })
      queueMicrotask(session.touched)
    },
    [session],
  )
  return { held, toggle, ready }
}

function sorted<T extends string | number>(keys: ReadonlySet<T>): readonly T[] {
  return [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

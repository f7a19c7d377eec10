import { useCallback, useEffect, useRef, useState } from 'react'
import { same } from '../same.ts'
import { keptKeys, laidOver, sorted } from './keyList.ts'
import type { FormSession } from '../formSession.ts'
import type { SlotPart } from '../formState.ts'
import type { WireRecord } from '#api/envelope.ts'

/**
 * A part of a form that holds one list of keys (permissions, menu entries, territories) under one wire key. `read` finds it in the record;
 * nothing is held until there is one to read, or none.
 */
export function useListPart<T extends string | number>(
  session: FormSession,
  name: string,
  wire: string,
  read: (record: WireRecord | undefined) => readonly T[],
  isKey: (value: unknown) => value is T,
): { readonly held: ReadonlySet<T> | undefined; readonly toggle: (keys: readonly T[], on: boolean) => void } {
  const [held, setHeld] = useState<ReadonlySet<T> | undefined>()
  const base = useRef<readonly T[]>([])
  // Beside the state: what is sent, kept or compared meanwhile is what stands here now.
  const latest = useRef<ReadonlySet<T> | undefined>(undefined)
  const hold = useCallback((keys: readonly T[]) => {
    latest.current = new Set(keys)
    setHeld(latest.current)
  }, [])
  const reader = useRef(read)

  useEffect(() => {
    const now = () => sorted(latest.current ?? [])
    const part: SlotPart = {
      payload: () => (latest.current === undefined ? {} : { [wire]: now() }),
      problems: () => [],
      isDirty: () => latest.current !== undefined && !same(now(), sorted(base.current)),
      draft: () => (part.isDirty() ? { held: now(), from: base.current } : undefined),
      restore: (draft) => {
        const kept = keptKeys(draft, isKey)
        // The record may hold others by now: what was ticked and unticked is done to those.
        if (kept !== undefined) hold(laidOver(kept.from ?? base.current, kept.held, base.current))
      },
      load: (record) => {
        base.current = reader.current(record)
        hold(base.current)
      },
      changedIn: (current) => !same(sorted(reader.current(current)), sorted(base.current)),
      merge: (current) => {
        const theirs = reader.current(current)
        hold(laidOver(base.current, now(), theirs))
        base.current = theirs
      },
      focus: () => undefined,
    }
    return session.register(name, part)
  }, [session, name, wire, isKey, hold])

  const toggle = useCallback(
    (keys: readonly T[], on: boolean) => {
      const next = new Set(latest.current)
      for (const key of keys) {
        if (on) next.add(key)
        else next.delete(key)
      }
      hold([...next])
      queueMicrotask(session.touched)
    },
    [session, hold],
  )
  return { held, toggle }
}

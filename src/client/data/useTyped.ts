import { useState } from 'react'
import { typedAt, typingPlace, type Typed } from './typed.ts'

/** What was typed into a dialog in this window and neither sent nor left: one place for its parts, each a `useTypedPart`. */
export function useTyped(deed: string, rows: readonly { readonly ID: number }[] = []): Typed {
  const [typed] = useState(() => typedAt(typingPlace(deed, rows)))
  return typed
}

/** One part of it: what was kept, or what the dialog begins with where nothing was or what was no longer fits; kept on each change. */
export function useTypedPart<T>(typed: Typed, name: string, start: T, fits: (kept: unknown) => kept is T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = typed.values[name]
    return fits(kept) ? kept : start
  })
  const change = (next: T) => {
    typed.keep(name, next)
    setValue(next)
  }
  return [value, change]
}

export const isText = (kept: unknown): kept is string => typeof kept === 'string'
export const isTrueOrFalse = (kept: unknown): kept is boolean => typeof kept === 'boolean'
export const areTexts = (kept: unknown): kept is readonly string[] => Array.isArray(kept) && kept.every(isText)

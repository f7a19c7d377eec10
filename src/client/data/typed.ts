import { keep, readKept } from './kept.ts'
import { sessionAtom, store } from './session.ts'

/** What is typed into a dialog before something is done: by name, and where it is kept on each change. */
export interface Typed {
  readonly values: Readonly<Record<string, unknown>>
  readonly keep: (name: string, value: unknown) => void
  /** It has been sent, or left on purpose. */
  readonly forget: () => void
}

/** What something is done with: the deed, named once in the application, and the records it is done to. */
export function typingPlace(deed: string, rows: readonly { readonly ID: number }[]): string {
  return `typed:${store.get(sessionAtom)?.user.user_id ?? 0}:${deed}:${rows.map(({ ID }) => ID).join()}`
}

/**
 * What was typed in this window for the same deed on the same records and neither sent nor left: a session may be lost, a page reloaded. Only what is typed is
 * kept, never what a dialog begins with: a day of today must not come back tomorrow.
 */
export function typedAt(place: string): Typed {
  const values = read(place)
  return {
    values,
    keep: (name, value) => {
      values[name] = value
      keep(place, JSON.stringify(values), 'sessionStorage')
    },
    forget: () => forgetTyped(place),
  }
}

/** It has been sent, or left on purpose. */
export function forgetTyped(place: string): void {
  keep(place, null, 'sessionStorage')
}

function read(place: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(readKept(place, 'sessionStorage') ?? '{}')
    return typeof found === 'object' && found !== null ? { ...found } : {}
  } catch {
    return {}
  }
}

/** Outcome of something that may be refused for a reason the user can act on. Broken assumptions throw instead. */
export type Result<T, P> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: P }

export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function refuse<P>(problem: P): { readonly ok: false; readonly problem: P } {
  return { ok: false, problem }
}

/** Ends a switch over a closed union: a forgotten case is a compile error, a foreign value a crash. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}`)
}

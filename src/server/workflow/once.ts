import type { Queries } from '#server/context.ts'

const answers = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * The answer to a question asked once a transaction. Asked early, it travels with other statements. Only for what the transaction itself does
 * not change; outside a transaction it is asked each time.
 */
export function once<T>(tx: Queries, key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(tx.unit)?.get(key)
  if (known !== undefined) return known as Promise<T>
  const asked = ask()
  remember(tx, key, asked)
  return asked
}

/** Makes an answer known that came with another one. */
export function remember<T>(tx: Queries, key: string, answer: Promise<T>): void {
  // Whoever needs it is told when it cannot be had.
  answer.catch(() => undefined)
  if (tx.unit === tx.home) return
  const own = answers.get(tx.unit) ?? new Map<string, Promise<unknown>>()
  answers.set(tx.unit, own)
  own.set(key, answer)
}

/** As `once`, for a single use: whoever asks afterwards gets a fresh answer. */
export function onlyOnce<T>(tx: Queries, key: string, ask: () => Promise<T>): Promise<T> {
  const answer = once(tx, key, ask)
  answers.get(tx.unit)?.delete(key)
  return answer
}

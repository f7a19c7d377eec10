import { keep, readKept } from './kept.ts'
import { canEncrypt, decrypt, encrypt } from './secretBox.ts'

/**
 * Small things kept in this browser for one user (an unsent comment, the selection of a list), sealed where the browser can. A full or
 * forbidden store, or one written by something else, loses convenience and nothing more.
 */
export async function readSealed(key: string): Promise<unknown> {
  try {
    const text = readKept(key)
    if (text === null) return undefined
    return JSON.parse(canEncrypt() ? await decrypt(text) : text)
  } catch {
    return undefined
  }
}

const writing = new Map<string, number>()

/** Keeps the value, or forgets what was kept when it is undefined. Of several at once the last one stays. */
export async function writeSealed(key: string, value: unknown): Promise<void> {
  const turn = (writing.get(key) ?? 0) + 1
  writing.set(key, turn)
  try {
    if (value === undefined) {
      keep(key, null)
      return
    }
    const text = JSON.stringify(value)
    const sealed = canEncrypt() ? await encrypt(text) : text
    if (writing.get(key) === turn) keep(key, sealed)
  } catch {
    // Nothing is kept where nothing can be stored.
  }
}

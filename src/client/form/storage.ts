import { keep, readKept } from '../data/kept.ts'

/** Values kept in this browser, for drafts and recent choices. What something else wrote there reads as nothing. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(readKept(key) ?? '') as unknown
  } catch {
    return undefined
  }
}

export function writeStored(key: string, value: unknown): boolean {
  return keep(key, JSON.stringify(value))
}

export function removeStored(key: string): void {
  keep(key, null)
}

import { words } from './words.ts'

/** What is said of a text that is longer than its place takes: it stays as it was pasted, and is not sent. Blanks around it are never sent. */
export function tooLong(text: string, longest: number): string | undefined {
  const { length } = text.trim()
  return length > longest ? words().tooLong(longest, length) : undefined
}

/** Leads to the first box within that holds too much; false: there is none. */
export function goToTooLong(root: ParentNode | null): boolean {
  const box = root?.querySelector<HTMLElement>('[data-too-long]')
  box?.focus()
  return box != null
}

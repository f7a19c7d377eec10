/** The few words primitives say by themselves. The application sets them when the language changes. */
export interface Words {
  readonly close: string
  readonly cancel: string
  readonly retry: string
  readonly more: string
  readonly loading: string
  /** Of a text with more characters than its place takes. */
  readonly tooLong: (limit: number, n: number) => string
}

let current: Words = { close: 'Close', cancel: 'Cancel', retry: 'Try again', more: 'More', loading: 'Loading', tooLong: (limit, n) => `At most ${limit} characters. These are ${n}.` }

export function words(): Words {
  return current
}

/** What the button that leaves a dialog says: not "Cancel" where that is the deed itself. */
export function leaveWord(deed: string): string {
  return !deed.includes(' ') && deed.startsWith(current.cancel) ? current.close : current.cancel
}

export function setWords(next: Words): void {
  current = next
}

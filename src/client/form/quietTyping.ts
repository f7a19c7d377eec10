import { isNumericKey } from '#base/numberRules.ts'

const typing = ['keypress', 'beforeinput', 'textInput', 'keyup', 'selectionchange'] as const

interface Quiet {
  /** Is this character allowed? Others are swallowed. Absent: all are. */
  readonly accepts?: (key: string) => boolean
  /** The text has changed. */
  readonly typed?: () => void
}

/**
 * Keeps what only types a character within its input: React looks at every event of the page from the root, several for each key, and
 * nobody above an input asks for these. Keys that mean more than a character (Enter, Tab, arrows, shortcuts) still reach everybody.
 * Returns how to stop it.
 */
export function quietTyping(box: HTMLElement, { accepts, typed }: Quiet = {}): () => void {
  const stay = (event: Event) => event.stopPropagation()
  const keydown = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.stopPropagation()
    if (accepts !== undefined && !accepts(event.key)) event.preventDefault()
  }
  const input = (event: Event) => {
    event.stopPropagation()
    typed?.()
  }
  for (const name of typing) box.addEventListener(name, stay)
  box.addEventListener('keydown', keydown)
  box.addEventListener('input', input)
  return () => {
    for (const name of typing) box.removeEventListener(name, stay)
    box.removeEventListener('keydown', keydown)
    box.removeEventListener('input', input)
  }
}

/** What may be typed into a number. */
export const numberKeys = {
  unsigned: (key: string) => isNumericKey({ key }),
  signed: (key: string) => key === '-' || isNumericKey({ key }),
}

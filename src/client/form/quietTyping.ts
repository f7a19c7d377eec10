import { halfWidth } from '#base/unseen.ts'
import { t } from '../app/messages.ts'

const typing = ['keypress', 'beforeinput', 'textInput', 'keyup', 'selectionchange'] as const

interface Quiet {
  /** Is this character allowed? Others are held back, which is said: what stands in the box is what was typed. Absent: all are. */
  readonly accepts?: (key: string) => boolean
  /** The text has changed. */
  readonly typed?: () => void
}

const boxes = new WeakMap<EventTarget, Quiet>()
let isListening = false

/**
 * Keeps what only types a character within its input: React looks at every event of the page from the root, on its way down and on its way up,
 * several for each key, and nobody above an input asks for these. They are heard by the window before anybody else and end there. Keys that mean
 * more than a character (Enter, Tab, arrows, shortcuts) still reach everybody. Returns how to stop it.
 */
export function quietTyping(box: HTMLElement, quiet: Quiet = {}): () => void {
  boxes.set(box, quiet)
  listen()
  return () => {
    if (boxes.get(box) === quiet) boxes.delete(box)
  }
}

function listen(): void {
  if (isListening) return
  isListening = true
  for (const name of typing) window.addEventListener(name, onTyping, true)
  window.addEventListener('keydown', onKeydown, true)
  window.addEventListener('input', onInput, true)
}

const quietOf = ({ target }: Event): Quiet | undefined => (target === null ? undefined : boxes.get(target))

function onTyping(event: Event): void {
  if (quietOf(event) !== undefined) event.stopPropagation()
}

function onKeydown(event: KeyboardEvent): void {
  // Enter and arrows choose among the characters of an input method; what they mean here they mean once that is done.
  if (event.isComposing) return event.stopPropagation()
  const quiet = quietOf(event)
  if (quiet === undefined || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
  event.stopPropagation()
  const key = halfWidth(event.key)
  if (quiet.accepts === undefined || quiet.accepts(key)) return
  event.preventDefault()
  if (event.target instanceof HTMLInputElement) tell(event.target, t('ui.entry.key', { key: event.key }))
}

/** Box beside which something is said. */
let told: HTMLInputElement | undefined

/** The browser's own word beside the box, until something is typed. */
function tell(box: HTMLInputElement, text: string): void {
  told = text === '' ? undefined : box
  box.setCustomValidity(text)
  if (told !== undefined) box.reportValidity()
}

function onInput(event: Event): void {
  const quiet = quietOf(event)
  if (quiet === undefined) return
  event.stopPropagation()
  if (told !== undefined) tell(told, '')
  quiet.typed?.()
}

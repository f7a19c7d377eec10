import { isNumericKey } from '#base/numberRules.ts'
import { halfWidth } from '#base/unseen.ts'
import { t } from '../app/messages.ts'

const typing = ['keypress', 'beforeinput', 'textInput', 'keyup', 'selectionchange'] as const

interface Quiet {
  /** Is this character allowed? Others are held back, which is said, and come back when the box is left: without its comma 1,5 would be fifteen. Absent: all are. */
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
  if (!(event.target instanceof HTMLInputElement)) return
  hold(event.target, key)
  tell(event.target, t('ui.entry.key', { key: event.key }))
}

/** Characters a box did not take: the text with them up to the last one, what stands on either side of it in the box, and what stood there while it was selected. */
const refused = new WeakMap<HTMLInputElement, { readonly text: string; readonly before: string; readonly after: string; readonly selected: string | undefined }>()

function hold(box: HTMLInputElement, key: string): void {
  const [start, end] = [box.selectionStart ?? box.value.length, box.selectionEnd ?? box.value.length]
  const before = box.value.slice(0, start)
  const held = heldIn(box)
  const text = held !== undefined && before.startsWith(held.before) ? held.text + before.slice(held.before.length) : before
  refused.set(box, { text: key === ',' && text.endsWith(key) ? text : text + key, before, after: box.value.slice(end), selected: start === end ? undefined : box.value })
}

/** What still stands around the last character not taken; undefined: there is none, or something before or behind it has gone. */
function heldIn(box: HTMLInputElement) {
  const held = refused.get(box)
  return held !== undefined && box.value.length >= held.before.length + held.after.length && box.value.startsWith(held.before) && box.value.endsWith(held.after) ? held : undefined
}

/**
 * What was typed into a box, with the characters that it did not take where they were typed: 1,5 is neither fifteen nor a mistake of nobody, and 50k
 * not fifty. A comma followed by nothing or by a dot, and anything deleted with what stood before it, was given up; what was selected and still stands was not
 * typed over.
 */
export function typedText(box: HTMLInputElement | HTMLTextAreaElement): string {
  const { value } = box
  if (!(box instanceof HTMLInputElement)) return value
  const held = heldIn(box)
  refused.delete(box)
  if (held === undefined || held.selected === value) return value
  const rest = value.slice(held.before.length)
  return rest === '' || rest.startsWith('.') ? held.text.replace(/,$/, '') + rest : held.text + rest
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
  if (event.target instanceof HTMLInputElement && heldIn(event.target) === undefined) refused.delete(event.target)
  quiet.typed?.()
}

/** What may be typed into a number. */
export const numberKeys = {
  unsigned: (key: string) => isNumericKey({ key }),
  signed: (key: string) => key === '-' || isNumericKey({ key }),
  /** Of a number that may be written with a decimal comma too. */
  either: (key: string) => key === ',' || numberKeys.signed(key),
}

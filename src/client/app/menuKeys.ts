import { compared } from '#base/unseen.ts'

const typedTogetherMs = 700
let typed = ''
let typedAt = 0

/**
 * Keys of the side menu: arrows walk what is visible, Home and End go to its ends, Right opens a group and enters it, Left leaves and closes
 * it, letters go to the next entry that begins so. True: the key was ours.
 */
export function walkMenu(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>, nav: HTMLElement, from: HTMLElement): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const flyout = from.closest<HTMLElement>('[popover]')
  const area = flyout ?? nav
  const items = [...area.querySelectorAll<HTMLElement>('li > a, li > button')].filter((item) => item.checkVisibility())
  const at = items.indexOf(from)
  const isGroup = from.hasAttribute('aria-expanded')
  const isOpen = from.getAttribute('aria-expanded') === 'true'
  switch (event.key) {
    case 'ArrowDown':
      return focus(items[at + 1] ?? items[0])
    case 'ArrowUp':
      return focus(items[at - 1] ?? area.querySelector<HTMLElement>('input') ?? items.at(-1))
    case 'Home':
      return focus(items[0])
    case 'End':
      return focus(items.at(-1))
    case 'ArrowRight':
      if (!isGroup) return false
      if (isOpen) return focus(items[at + 1])
      from.click()
      return true
    case 'ArrowLeft':
      if (flyout !== null) {
        flyout.hidePopover()
        return focus(flyout.previousElementSibling)
      }
      if (!isGroup) return focus(from.parentElement?.parentElement?.previousElementSibling)
      if (isOpen) from.click()
      return isOpen
    default:
      return event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key) && focus(next(items, at, event.key))
  }
}

/** The next item whose text begins with what has been typed just now; one letter again goes to the one after. */
function next(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  const now = Date.now()
  typed = now - typedAt < typedTogetherMs ? typed + compared(key) : compared(key)
  typedAt = now
  const wanted = typed.replaceAll(typed[0] ?? '', '') === '' ? (typed[0] ?? '') : typed
  const start = wanted.length === 1 ? at + 1 : Math.max(at, 0)
  const inOrder = [...items.slice(start), ...items.slice(0, start)]
  return inOrder.find((item) => compared(item.getAttribute('aria-label') ?? item.textContent).startsWith(wanted))
}

function focus(item: Element | null | undefined): boolean {
  if (item instanceof HTMLElement) item.focus()
  return item instanceof HTMLElement
}

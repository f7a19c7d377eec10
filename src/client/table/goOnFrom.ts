const tries = 15
const everyMs = 100

/**
 * What an action was chosen with may be gone once it is done: the bar with the selection, a button with the state it led out of. The keyboard then goes on in the
 * rows of its list, as soon as they stand anew, else from the head of the page.
 */
export function goOnFrom(part: Element | null, left = tries): void {
  if (document.activeElement === document.body) (part?.querySelector<HTMLElement>('tbody [tabindex="0"]') ?? headOfPage())?.focus({ preventScroll: true })
  if (left > 0) setTimeout(() => goOnFrom(part, left - 1), everyMs)
}

function headOfPage(): HTMLElement | null {
  const head = document.querySelector<HTMLElement>('main h1')
  if (head !== null) head.tabIndex = -1
  return head
}

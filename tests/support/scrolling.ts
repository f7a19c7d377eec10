import type { Page } from '@playwright/test'

export interface Scrolled {
  /** Positions looked at, from the first row to the last. */
  readonly frames: number
  /** Of them, how many showed at a third, half and two thirds of the frame anything but a row with its values. */
  readonly blank: number
  /** Most rows that stood in the document at a time. */
  readonly drawn: number
}

/** Scrolls the table of a list from end to end in as many leaps and looks after each, two frames later, whether rows stand where one looks. */
export function scrollThrough(page: Page, frames: number): Promise<Scrolled> {
  return page.locator('table').first().locator('xpath=..').evaluate(async (frame, frames) => {
    const box = frame.getBoundingClientRect()
    let blank = 0
    let drawn = 0
    for (let i = 0; i <= frames; i++) {
      frame.scrollTop = ((frame.scrollHeight - frame.clientHeight) * i) / frames
      await new Promise((resolve) => requestAnimationFrame(resolve))
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const isRow = (share: number) => /\S/.test(document.elementFromPoint(box.left + box.width / 3, box.top + box.height * share)?.closest('tbody tr[data-row]')?.textContent ?? '')
      if (![0.3, 0.5, 0.7].every(isRow)) blank++
      drawn = Math.max(drawn, frame.querySelectorAll('tbody tr[data-row]').length)
    }
    return { frames, blank, drawn }
  }, frames)
}

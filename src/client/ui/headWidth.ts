const known = new Map<string, number>()

/**
 * Pixels a heading of a column takes: about, and rather too many. Schemas say widths for the words of one language; what is longer in another must not be cut.
 * Reckoned, because asking the browser for the width of a text holds up the first moments of a page.
 */
export function headWidth(text: string, pixels = 12): number {
  let width = known.get(text)
  if (width === undefined) {
    width = 0
    for (const letter of text) width += letterWidth(letter)
    known.set(text, width)
  }
  return Math.ceil((width * pixels) / 12)
}

/** Of half-bold letters of 12 pixels in a wide sans-serif. */
function letterWidth(letter: string): number {
  if (letter >= '\u2e80') return 12
  if ('mwMW%'.includes(letter)) return 12.2
  if ("ijlftrIJ .,:;'()/|-".includes(letter)) return 5
  return letter >= 'A' && letter <= 'Z' ? 9.4 : 8.3
}

/** What a spreadsheet accepts in one cell. */
const longestText = 32_767

// oxlint-disable-next-line no-control-regex -- these are the characters XML has no place for
const special = /[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g

/** Text inside an element: XML's own signs as entities, characters XML has no place for in the `_x0000_` form of the file format. */
export function xmlText(text: string): string {
  return text.replace(special, (sign) => {
    switch (sign) {
      case '&':
        return '&amp;'
      case '<':
        return '&lt;'
      case '>':
        return '&gt;'
      // Text that looks like such a form already.
      case '_':
        return '_x005F_'
      default:
        return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    }
  })
}

export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}

/** As much of the text as a cell holds, never half a character. */
export function cellText(text: string): string {
  if (text.length <= longestText) return text
  const cut = text.slice(0, longestText - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** `A`, `B`, … `Z`, `AA`: column letters by place, from 0. */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

/** The name of a tab: at most 31 characters, none of those a spreadsheet keeps for itself, unlike those before it. */
export function sheetName(wanted: string, taken: readonly string[]): string {
  const plain = wanted.replaceAll(/[[\]:*?/\\]|\p{Cc}/gu, ' ').replaceAll(/^'+|'+$/g, '').replaceAll(/\s+/g, ' ').trim().slice(0, 31).trim() || 'Sheet'
  const isTaken = (name: string): boolean => taken.some((other) => other.toLowerCase() === name.toLowerCase())
  for (let n = 1; ; n++) {
    const name = n === 1 ? plain : `${plain.slice(0, 31 - String(n).length - 1)} ${n}`
    // Excel keeps this name for itself.
    if (!isTaken(name) && name.toLowerCase() !== 'history') return name
  }
}

const serials = new Map<string, string | undefined>()

/** Days since the last day of 1899 as spreadsheets count them; undefined before 1900-03-01, where they count a day that never was. */
export function serialDay(day: string): string | undefined {
  if (serials.has(day)) return serials.get(day)
  const at = Date.parse(`${day}T00:00:00Z`)
  const serial = Number.isNaN(at) ? 0 : at / 86_400_000 + 25_569
  const text = serial > 60 ? String(serial) : undefined
  // A table of all days a company has seen is small.
  if (serials.size > 20_000) serials.clear()
  serials.set(day, text)
  return text
}

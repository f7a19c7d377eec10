import { delimiters, type DateOrder, type Delimiter, type Encoding } from './fileForm.ts'

/** In which encoding the text is written, told by its first bytes and by whether all of it is UTF-8. */
export function encodingOf(head: Uint8Array, isUtf8: boolean): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  // Latin text in UTF-16 without a mark: every other byte is nothing.
  const zeros = [0, 0]
  const length = Math.min(head.length, 4_096)
  for (let i = 0; i < length; i++) if (head[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > length / 5 && even < length / 50) return 'utf-16le'
  if (even > length / 5 && odd < length / 50) return 'utf-16be'
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** The sign between the values: the one that splits most lines into the same number of parts. */
export function delimiterOf(text: string): Delimiter {
  const named = /^\u{FEFF}?sep=(.)\r?\n/u.exec(text)?.[1]
  const known = delimiters.find((delimiter) => delimiter === named)
  if (known) return known
  let best: Delimiter = ','
  let most = 0
  for (const delimiter of delimiters) {
    const counts = partsALine(text, delimiter)
    const [first = 0] = counts
    if (first === 0) continue
    const score = (counts.filter((count) => count === first).length / counts.length) * 1_000 + Math.min(first, 200)
    if (score > most) [best, most] = [delimiter, score]
  }
  return best
}

/** How often the sign stands in each line, what is quoted left out. */
function partsALine(text: string, delimiter: string): readonly number[] {
  const counts: number[] = []
  let count = 0
  let isQuoted = false
  let isEmpty = true
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === delimiter) count++
    else if (letter === '\n' || letter === '\r') {
      if (!isEmpty) counts.push(count)
      if (counts.length >= 50) return counts
      count = 0
      isEmpty = true
      continue
    }
    isEmpty = false
  }
  return counts.length === 0 && !isEmpty ? [count] : counts
}

/** How many of these texts prove each decimal sign; "1.000" and "1,000" prove none. */
export function decimalProofs(samples: Iterable<string>): { readonly comma: number; readonly point: number } {
  let comma = 0
  let point = 0
  for (const sample of samples) {
    const text = sample.trim()
    if (!/^[-+]?[\d.,]+$/.test(text) || !/[.,]/.test(text)) continue
    if (/^[-+]?\d{1,3}(\.\d{3})+,\d+$/.test(text) || /^[-+]?\d+,(\d{1,2}|\d{4,})$/.test(text) || /^[-+]?\d{1,3}(\.\d{3}){2,}$/.test(text) || /^[-+]?0,\d+$/.test(text)) comma++
    else if (/^[-+]?\d{1,3}(,\d{3})+\.\d+$/.test(text) || /^[-+]?\d+\.(\d{1,2}|\d{4,})$/.test(text) || /^[-+]?\d{1,3}(,\d{3}){2,}$/.test(text) || /^[-+]?0\.\d+$/.test(text)) point++
  }
  return { comma, point }
}

/** Could this be a number of thousands as well as one with three decimals? `150.000` could, `0.125` could not. */
export function isDoubtful(text: string): boolean {
  return /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())
}

/** A number written with a decimal comma, as it is read here. */
export function withPoint(text: string): string {
  return text.replace(/\./g, '').replace(',', '.')
}

/** The order of day and month these texts prove; the usual one where none does. */
export function dateOrderOf(samples: Iterable<string>, usual: DateOrder = 'DMY'): DateOrder {
  let dayFirst = 0
  let monthFirst = 0
  for (const sample of samples) {
    const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b/.exec(sample.trim())
    if (!match) continue
    if (Number(match[1]) > 12) dayFirst++
    else if (Number(match[2]) > 12) monthFirst++
  }
  return monthFirst === dayFirst ? usual : monthFirst > dayFirst ? 'MDY' : 'DMY'
}

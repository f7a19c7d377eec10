import { nextTurn } from '#server/nextTurn.ts'
import { fail } from '#server/problemError.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** Letters gone through in one turn. */
const turn = 16 * 1024
/** Letters of a record; a sheet has room for less in a row. */
const longestRecord = 1024 * 1024
/** Lists and records within one another. */
const deepest = 64

const nothing: JsonRecord = {}

/**
 * The records of a list, or of the first list in an object, or the object itself, some at a time; other elements are passed over. Numbers come as
 * text with all their digits.
 */
export async function* jsonRecords(text: string): AsyncGenerator<readonly JsonRecord[]> {
  const reader = new Reader(text)
  const isObject = reader.takes('{')
  if (isObject && !reader.takesToList()) {
    reader.end()
    yield [recordOf(text, 1)]
    return
  }
  if (!isObject && !reader.takes('[')) fail('FILE_BROKEN.json')
  let records: JsonRecord[] = []
  let turned = 0
  let row = 1
  for (let isFirst = true; !reader.takes(']'); isFirst = false) {
    if (!isFirst && !reader.takes(',')) fail('FILE_BROKEN.json')
    const { start, end } = reader.skip()
    if (end - turned > turn) {
      turned = end
      yield records
      records = []
      await nextTurn()
    }
    if (text[start] !== '{') continue
    row++
    records.push(end - start === 2 ? nothing : recordOf(text.slice(start, end), row))
  }
  yield records
  if (isObject) reader.rest()
  reader.end()
}

function recordOf(text: string, row: number): JsonRecord {
  if (text.length > longestRecord) fail('FILE_BROKEN.record', { row })
  try {
    // As numbers of JavaScript they would lose digits.
    return JSON.parse(text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  } catch {
    return fail('FILE_BROKEN.json')
  }
}

/** Goes through the signs of a text once, without calling itself: how deep it may nest is bounded. */
class Reader {
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\uFEFF') ? 1 : 0
  }

  /** Is this the next sign? Then it is behind us. */
  takes(sign: string): boolean {
    this.#blanks()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  /** Goes into the first list of an object; false where it has none. */
  takesToList(): boolean {
    if (this.takes('}')) return false
    do {
      this.#name()
      if (this.takes('[')) return true
      this.skip()
    } while (this.takes(','))
    return this.takes('}') ? false : fail('FILE_BROKEN.json')
  }

  /** Passes over what follows in the object. */
  rest(): void {
    while (this.takes(',')) {
      this.#name()
      this.skip()
    }
    if (!this.takes('}')) fail('FILE_BROKEN.json')
  }

  /** Nothing may follow. */
  end(): void {
    this.#blanks()
    if (this.#at < this.#text.length) fail('FILE_BROKEN.json')
  }

  /** Passes over one value. */
  skip(): { readonly start: number; readonly end: number } {
    this.#blanks()
    const start = this.#at
    let depth = 0
    do {
      const sign = this.#text[this.#at]
      if (sign === undefined) fail('FILE_BROKEN.json')
      if (sign === '"') this.#string()
      else {
        if (sign === '{' || sign === '[') depth++
        else if (sign === '}' || sign === ']') depth--
        if (depth > deepest) fail('FILE_BROKEN.json-deep', { limit: deepest })
        this.#at++
      }
    } while (depth > 0 || (this.#at < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#at] ?? '')))
    if (depth < 0) fail('FILE_BROKEN.json')
    return { start, end: this.#at }
  }

  #name(): void {
    this.#blanks()
    if (this.#text[this.#at] !== '"') fail('FILE_BROKEN.json')
    this.#string()
    if (!this.takes(':')) fail('FILE_BROKEN.json')
  }

  #string(): void {
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) {
      if (this.#text[this.#at] === '\\') this.#at++
      if (this.#at >= this.#text.length) fail('FILE_BROKEN.json')
    }
    this.#at++
  }

  #blanks(): void {
    while (/[\t\n\r ]/.test(this.#text[this.#at] ?? '')) this.#at++
  }
}

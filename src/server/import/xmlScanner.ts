import { fail } from '#server/problemError.ts'

export interface XmlEvents {
  /** `attributes` is the text between the name and the end of the tag; `attributeOf` reads it. */
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

/** Longest tag, comment or instruction. */
const longest = 1024 * 1024

/**
 * The few things workbooks are written with, from a stream: tags, text, CDATA. A document type is refused, so there are no entities but the five
 * everybody knows and numbers, and nothing outside the file is ever asked for.
 */
export class XmlScanner {
  readonly #events: XmlEvents
  #rest = ''

  constructor(events: XmlEvents) {
    this.#events = events
  }

  write(chunk: string): void {
    const data = this.#rest + chunk
    let at = 0
    for (;;) {
      const tag = data.indexOf('<', at)
      if (tag < 0) {
        // An entity may be cut in two.
        const cut = data.lastIndexOf('&')
        const end = cut >= at && data.length - cut < 12 && !data.includes(';', cut) ? cut : data.length
        if (end > at) this.#events.text(textOf(data.slice(at, end)))
        this.#rest = data.slice(end)
        return
      }
      if (tag > at) this.#events.text(textOf(data.slice(at, tag)))
      const next = this.#tag(data, tag)
      if (next < 0) {
        this.#rest = data.slice(tag)
        if (this.#rest.length > longest) fail('FILE_BROKEN.xml')
        return
      }
      at = next
    }
  }

  /** Where the tag that begins at `at` ends; -1 when the rest of it is still to come. */
  #tag(data: string, at: number): number {
    const second = data[at + 1]
    if (second === '!' || second === '?') {
      if (data.startsWith('<![CDATA[', at)) {
        const end = data.indexOf(']]>', at)
        if (end >= 0) this.#events.text(data.slice(at + 9, end))
        return end < 0 ? -1 : end + 3
      }
      const close = data.startsWith('<!--', at) ? '-->' : second === '?' ? '?>' : undefined
      if (close === undefined) {
        if (data.length - at < 9) return -1
        return fail('FILE_BROKEN.doctype')
      }
      const end = data.indexOf(close, at)
      return end < 0 ? -1 : end + close.length
    }
    const end = endOfTag(data, at)
    if (end < 0) return -1
    if (second === '/') {
      this.#events.close(localName(data.slice(at + 2, end).trim()))
      return end + 1
    }
    const isEmpty = data[end - 1] === '/'
    const inner = data.slice(at + 1, isEmpty ? end - 1 : end)
    const space = inner.search(/\s/)
    const name = localName(space < 0 ? inner : inner.slice(0, space))
    this.#events.open(name, space < 0 ? '' : inner.slice(space))
    if (isEmpty) this.#events.close(name)
    return end + 1
  }
}

/** `x:row` → `row`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Looked for in one pass: a tag full of `>` within quotes must not be gone through again for each of them. */
const quoteOrEnd = /["'>]/g

/** The `>` that ends a tag; one within quotes does not. */
function endOfTag(data: string, at: number): number {
  quoteOrEnd.lastIndex = at
  for (;;) {
    const found = quoteOrEnd.exec(data)
    if (found === null) return -1
    if (found[0] === '>') return found.index
    const close = data.indexOf(found[0], found.index + 1)
    if (close < 0) return -1
    quoteOrEnd.lastIndex = close + 1
  }
}

/** The value of an attribute, its prefix left off; undefined when it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = match?.[1] ?? match?.[2]
  return value === undefined ? undefined : textOf(value)
}

const known: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function textOf(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{1,8});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(known, name) ? (known[name] ?? whole) : fail('FILE_BROKEN.doctype')
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : ''
  })
}

import { guardedText } from '#base/formulaText.ts'
import { ByteText } from './byteText.ts'
import type { LocalTime } from './localTime.ts'
import type { NumberLook, RowKind, Send, SheetSetup, TableFile } from './tableFile.ts'

export interface CsvStyle {
  readonly delimiter: ',' | ';' | '\t'
  /** Decimal sign; with a comma between the values always a point. */
  readonly decimal: '.' | ','
  /** Marks the file as UTF-8 for Excel. */
  readonly hasMark: boolean
}

/** Rows as text: days as `2026-11-20`, moments in the zone of the business, numbers without grouping. One sheet; a second one is left out. */
export class CsvFile implements TableFile {
  readonly mediaType = 'text/csv; charset=utf-8'
  readonly #send: Send
  readonly #style: CsvStyle
  readonly #time: LocalTime
  readonly #yes: string
  readonly #no: string
  readonly #mustQuote: RegExp
  readonly #text = new ByteText()
  #isFirst = true
  #sheets = 0

  constructor(send: Send, style: CsvStyle, time: LocalTime, flags: { readonly yes: string; readonly no: string }) {
    this.#send = send
    this.#style = { ...style, decimal: style.delimiter === ',' ? '.' : style.decimal }
    this.#time = time
    this.#yes = flags.yes
    this.#no = flags.no
    if (style.hasMark) this.#text.add('\u{FEFF}')
    this.#mustQuote = new RegExp(`["\r\n${style.delimiter}]|^\\s|\\s$`)
  }

  async openSheet(_setup: SheetSetup): Promise<void> {
    this.#sheets++
  }

  startRow(_kind: RowKind): void {
    this.#isFirst = true
  }

  text(value: string): void {
    this.#put(this.#quoted(guardedText(value)))
  }

  number(decimal: string, look: NumberLook): void {
    const text = look.kind === 'plain' ? decimal : trimmed(decimal, look.places)
    this.#put(this.#style.decimal === '.' ? text : text.replace('.', ','))
  }

  date(day: string): void {
    this.#put(day)
  }

  moment(at: string): void {
    this.#put(this.#time.text(at))
  }

  flag(value: boolean): void {
    this.#put(this.#quoted(value ? this.#yes : this.#no))
  }

  empty(): void {
    this.#put('')
  }

  endRow(): void {
    if (this.#sheets === 1) this.#text.add('\r\n')
  }

  async flush(): Promise<void> {
    if (!this.#text.isEmpty) await this.#send(this.#text.take())
  }

  closeSheet(): Promise<void> {
    return this.flush()
  }

  finish(): Promise<void> {
    return this.flush()
  }

  abandon(): void {
    this.#text.take()
  }

  #put(cell: string): void {
    if (this.#sheets !== 1) return
    if (!this.#isFirst) this.#text.add(this.#style.delimiter)
    this.#text.add(cell)
    this.#isFirst = false
  }

  #quoted(text: string): string {
    return this.#mustQuote.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
}

/** At least `places` digits after the point, and no zero at the end beyond them. */
function trimmed(decimal: string, places: number): string {
  const at = decimal.indexOf('.')
  if (at < 0) return decimal
  let end = decimal.length
  while (end > at + 1 + places && decimal.charCodeAt(end - 1) === 48) end--
  return decimal.slice(0, end === at + 1 ? at : end)
}

import type { Readable } from 'node:stream'
import { longestCell } from '#api/import.ts'
import { fail } from '#server/problemError.ts'
import { checkCell, checkColumn, mostBlank, type SourceRow } from './sourceRow.ts'
import { TextPool } from './textPool.ts'
import { attributeOf, XmlScanner, type XmlEvents } from './xmlScanner.ts'
import { ZipFile } from './zipFile.ts'

/** Texts that cells share: a million rows may have a dozen of their own each. */
const mostStrings = 16_000_000
/** Bytes of all of them, which are held in memory. */
const mostShared = 128 * 1024 ** 2
/** Parts, sheets and number formats a workbook names: spreadsheets themselves stop far below. */
const mostNamed = 10_000
/** Beyond so many characters all cells together may not be so many times longer than the file: one long text can be shared by every cell. */
const suspicious = { characters: 64 * 1024 ** 2, times: 250 }

/** A workbook on disk. Formulas are not looked at: what they last came to is their value. */
export class Workbook {
  readonly sheets: readonly string[]
  readonly #zip: ZipFile
  readonly #paths: ReadonlyMap<string, string>
  readonly #is1904: boolean

  private constructor(zip: ZipFile, paths: ReadonlyMap<string, string>, is1904: boolean) {
    this.#zip = zip
    this.#paths = paths
    this.#is1904 = is1904
    this.sheets = [...paths.keys()]
  }

  static async open(path: string): Promise<Workbook> {
    const zip = await ZipFile.open(path)
    if (!zip.has('xl/workbook.xml') || !zip.has('xl/_rels/workbook.xml.rels')) return fail('FILE_BROKEN.no-workbook')
    const targets = new Map<string, string>()
    await scan(zip.read('xl/_rels/workbook.xml.rels'), {
      ...silent,
      open: (name, attributes) => {
        const [id, target] = [attributeOf(attributes, 'Id'), attributeOf(attributes, 'Target')]
        if (name !== 'Relationship' || id === undefined || target === undefined) return
        if (targets.size >= mostNamed) fail('FILE_BROKEN.bomb')
        targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
      },
    })
    const paths = new Map<string, string>()
    let is1904 = false
    await scan(zip.read('xl/workbook.xml'), {
      ...silent,
      open: (name, attributes) => {
        if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? '')
        const target = name === 'sheet' ? targets.get(attributeOf(attributes, 'id') ?? '') : undefined
        const title = attributeOf(attributes, 'name')
        if (target === undefined || title === undefined || !zip.has(target) || (attributeOf(attributes, 'state') ?? 'visible') !== 'visible') return
        if (paths.size >= mostNamed) fail('FILE_BROKEN.bomb')
        paths.set(title.slice(0, 100), target)
      },
    })
    return paths.size === 0 ? fail('FILE_BROKEN.no-sheet') : new Workbook(zip, paths, is1904)
  }

  /** Rows with something in them, in slices. Numbers stand with the decimal sign wanted, days as ISO text. */
  async *rows(sheet: string, decimal: '.' | ','): AsyncGenerator<readonly SourceRow[]> {
    const path = this.#paths.get(sheet)
    if (path === undefined) return fail('FILE_BROKEN.no-sheet')
    const strings = this.#zip.has('xl/sharedStrings.xml') ? await sharedStrings(this.#zip.read('xl/sharedStrings.xml')) : new TextPool()
    const looks = this.#zip.has('xl/styles.xml') ? await cellLooks(this.#zip.read('xl/styles.xml')) : []
    const reader = new SheetReader(strings, looks, this.#is1904, decimal)
    const scanner = new XmlScanner(reader)
    for await (const chunk of this.#zip.read(path).setEncoding('utf8')) {
      scanner.write(String(chunk))
      const rows = reader.take()
      if (reader.characters > suspicious.characters && reader.characters > this.#zip.size * suspicious.times) fail('FILE_BROKEN.bomb')
      if (rows.length > 0) yield rows
    }
    if (!reader.isComplete) fail('FILE_BROKEN.zip')
  }
}

const silent: XmlEvents = { open: () => undefined, close: () => undefined, text: () => undefined }

async function scan(part: Readable, events: XmlEvents): Promise<void> {
  const scanner = new XmlScanner(events)
  for await (const chunk of part.setEncoding('utf8')) scanner.write(String(chunk))
}

async function sharedStrings(part: Readable): Promise<TextPool> {
  const strings = new TextPool()
  let text = ''
  let isText = false
  let isReading = false
  await scan(part, {
    open: (name) => {
      if (name === 'si') text = ''
      // Readings of Japanese characters stand beside the text and are no part of it.
      if (name === 'rPh') isReading = true
      if (name === 't') isText = !isReading
    },
    close: (name) => {
      if (name === 't') isText = false
      if (name === 'rPh') isReading = false
      if (name !== 'si') return
      strings.add(unescaped(text))
      if (strings.count > mostStrings || strings.size > mostShared) fail('FILE_BROKEN.bomb')
    },
    text: (part_) => {
      if (isText) text += part_
      if (text.length > mostShared) fail('FILE_BROKEN.bomb')
    },
  })
  return strings
}

type Look = { readonly kind: 'plain' } | { readonly kind: 'day' } | { readonly kind: 'padded'; readonly digits: number }

/** How numbers look, by cell style: some are days, some are filled up with zeros. */
async function cellLooks(part: Readable): Promise<readonly Look[]> {
  const formats = new Map<number, string>()
  const looks: Look[] = []
  let isCells = false
  await scan(part, {
    ...silent,
    open: (name, attributes) => {
      if (name === 'numFmt' && formats.size >= mostNamed) fail('FILE_BROKEN.bomb')
      if (name === 'numFmt') formats.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '')
      if (name === 'cellXfs') isCells = true
      if (name === 'xf' && isCells && looks.length < 100_000) looks.push(lookOf(Number(attributeOf(attributes, 'numFmtId') ?? 0), formats))
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return looks
}

function lookOf(id: number, formats: ReadonlyMap<number, string>): Look {
  const format = formats.get(id)
  if (format === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58) ? { kind: 'day' } : { kind: 'plain' }
  if (/^0{2,20}$/.test(format)) return { kind: 'padded', digits: format.length }
  const bare = format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '')
  return /[dmyh]/i.test(bare) && !/[#0?]/.test(bare.replace(/\.0+$/, '')) ? { kind: 'day' } : { kind: 'plain' }
}

class SheetReader implements XmlEvents {
  isComplete = false
  /** Of all cells until now. */
  characters = 0
  readonly #strings: TextPool
  readonly #looks: readonly Look[]
  readonly #is1904: boolean
  readonly #decimal: '.' | ','
  #ready: SourceRow[] = []
  #row = 0
  #cells: string[] = []
  #column = -1
  #type = 'n'
  #style = 0
  #text = ''
  #isValue = false

  constructor(strings: TextPool, looks: readonly Look[], is1904: boolean, decimal: '.' | ',') {
    this.#strings = strings
    this.#looks = looks
    this.#is1904 = is1904
    this.#decimal = decimal
  }

  take(): readonly SourceRow[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  open(name: string, attributes: string): void {
    if (name === 'c') {
      const letters = /^([A-Za-z]{1,3})\d*$/.exec(attributeOf(attributes, 'r') ?? '')?.[1]
      this.#column = letters === undefined ? this.#column + 1 : columnIndex(letters)
      this.#type = attributeOf(attributes, 't') ?? 'n'
      this.#style = Number(attributeOf(attributes, 's') ?? 0)
      this.#text = ''
    } else if (name === 'v' || name === 't') this.#isValue = true
    else if (name === 'row') {
      const said = Number(attributeOf(attributes, 'r') ?? this.#row + 1)
      if (!Number.isInteger(said) || said <= this.#row || said > mostBlank) fail('FILE_BROKEN.xml')
      this.#row = said
      this.#cells = []
      this.#column = -1
    }
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false
    else if (name === 'c') this.#endCell()
    else if (name === 'row' && this.#cells.some((cell) => cell !== '')) this.#ready.push({ no: this.#row, cells: this.#cells })
    else if (name === 'worksheet') this.isComplete = true
  }

  text(text: string): void {
    if (!this.#isValue) return
    // What it holds is looked at once, when the cell ends: a text may come in any number of pieces.
    if (this.#text.length + text.length > longestCell) fail('FILE_BROKEN.cell', { row: this.#row, limit: longestCell })
    this.#text += text
  }

  #endCell(): void {
    if (this.#text === '') return
    const value = checkCell(this.#value(), this.#row)
    checkColumn(this.#column)
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells[this.#column] = value
    this.characters += value.length
  }

  #value(): string {
    switch (this.#type) {
      case 's':
        return this.#strings.at(Number(this.#text)) ?? fail('FILE_BROKEN.xml')
      case 'inlineStr':
      case 'str':
        return unescaped(this.#text)
      case 'b':
        return this.#text === '1' ? 'TRUE' : 'FALSE'
      case 'n':
        return this.#number()
      default:
        return this.#text
    }
  }

  #number(): string {
    const number = Number(this.#text)
    if (this.#text.trim() === '' || !Number.isFinite(number)) return this.#text
    const look = this.#looks[this.#style] ?? { kind: 'plain' }
    if (look.kind === 'day') return dayText(number, this.#is1904) ?? this.#text
    const plain = wholeNumber(this.#text.trim()) ?? plainNumber(number)
    if (look.kind === 'padded' && /^\d+$/.test(plain)) return plain.padStart(look.digits, '0')
    return this.#decimal === '.' ? plain : plain.replace('.', ',')
  }
}

/** `AB` → 27. */
function columnIndex(letters: string): number {
  let index = 0
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}

/**
 * Whole numbers of more digits than a spreadsheet knows, digit for digit as other programs have written them. One that may have been rounded already
 * stands with its exponent, as no code does; undefined: it has fewer digits.
 */
function wholeNumber(text: string): string | undefined {
  const number = Number(text)
  if (!Number.isInteger(number) || Math.abs(number) < 1e15) return undefined
  const isWhole = /^-?\d+$/.test(text) && !/^-?\d{15}0+$/.test(text) && (Number.isSafeInteger(number) || BigInt(number) !== BigInt(text))
  return isWhole ? text : number.toExponential(14).replace(/\.?0+e/, 'e').toUpperCase()
}

/** The fifteen digits a spreadsheet knows of a number, without exponent. */
function plainNumber(number: number): string {
  const [digits = '', exponent = '0'] = number.toExponential(14).split('e')
  const sign = digits.startsWith('-') ? '-' : ''
  const all = digits.replace('-', '').replace('.', '')
  const point = 1 + Number(exponent)
  const padded = point > 0 ? all.padEnd(point, '0') : '0'.repeat(1 - point) + all
  const at = Math.max(point, 1)
  const fraction = padded.slice(at).replace(/0+$/, '')
  const whole = padded.slice(0, at)
  return fraction === '' ? (/^0+$/.test(whole) ? '0' : sign + whole) : `${sign}${whole}.${fraction}`
}

/** Days since the end of 1899 (or the start of 1904) as ISO text, with the time where there is one. */
function dayText(serial: number, is1904: boolean): string | undefined {
  const days = is1904 ? serial + 1_462 : serial
  if (days < 0 || days >= 2_958_466) return undefined
  // The 29th of February 1900, which was none, is counted.
  const milliseconds = Math.round((days - 25_569 + (days < 60 ? 1 : 0)) * 86_400) * 1_000
  const text = new Date(milliseconds).toISOString()
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** Workbooks write characters XML cannot hold as `_x000D_`. */
function unescaped(text: string): string {
  return text.includes('_x') ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text
}

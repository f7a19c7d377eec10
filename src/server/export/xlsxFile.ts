import { fail } from '#server/problemError.ts'
import { ByteText } from './byteText.ts'
import type { LocalTime } from './localTime.ts'
import { rowKinds, type NumberLook, type RowKind, type Send, type SheetSetup, type TableFile } from './tableFile.ts'
import { cellText, columnLetters, serialDay, sheetName, xmlAttribute, xmlText } from './xlsxText.ts'
import { XlsxStyles, type CellStyle } from './xlsxStyles.ts'
import { ZipStream } from './zipStream.ts'

export interface XlsxProperties {
  readonly title: string
  readonly author: string
  /** ISO text. */
  readonly at: string
}

interface Sheet {
  readonly name: string
  readonly setup: SheetSetup
  /** Rows that filters cover, the head included. */
  filtered: number
}

/** What one sheet of the format holds. */
export const mostXlsxRows = 1_048_576

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/**
 * A workbook, written as it grows. Numbers are numbers with every digit, except where a spreadsheet would lose some (more than 15): those stay
 * text. Days and moments are dates; text is text, never a formula.
 */
export class XlsxFile implements TableFile {
  readonly mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  readonly #zip: ZipStream
  readonly #time: LocalTime
  readonly #properties: XlsxProperties
  readonly #styles = new XlsxStyles()
  readonly #sheets: Sheet[] = []
  readonly #letters: string[] = []
  readonly #numberStyles = new Map<number, number>()
  readonly #styleTexts: string[] = []
  #textStyles: Readonly<Record<RowKind, { readonly plain: number; readonly quoted: number; readonly right: number; readonly date: number; readonly moment: number }>>
  readonly #text = new ByteText()
  #row = 0
  #rowText = ''
  #column = 0
  #kind: RowKind = 'row'

  constructor(send: Send, time: LocalTime, properties: XlsxProperties) {
    this.#zip = new ZipStream(send)
    this.#time = time
    this.#properties = properties
    const looks = (row: RowKind) => {
      const number = (style: Omit<CellStyle, 'row'>): number => this.#styles.number({ row, ...style })
      return {
        plain: number({ format: '' }), quoted: number({ format: '', isQuoted: true }), right: number({ format: '@', align: 'right' }),
        date: number({ format: 'dd/mm/yyyy' }), moment: number({ format: 'dd/mm/yyyy hh:mm:ss' }),
      }
    }
    this.#textStyles = { head: looks('head'), row: looks('row'), subtotal: looks('subtotal'), total: looks('total') }
  }

  async openSheet(setup: SheetSetup): Promise<void> {
    const sheet: Sheet = { name: sheetName(setup.name, this.#sheets.map(({ name }) => name)), setup, filtered: 0 }
    this.#sheets.push(sheet)
    this.#row = 0
    while (this.#letters.length < setup.widths.length) this.#letters.push(columnLetters(this.#letters.length))
    this.#zip.open(`xl/worksheets/sheet${this.#sheets.length}.xml`)
    this.#text.add(sheetStart(setup, this.#sheets.length === 1))
  }

  startRow(kind: RowKind, depth = 0): void {
    this.#rowText = String(++this.#row)
    if (this.#row > mostXlsxRows) fail('VALIDATION_FAILED.sheet-full')
    this.#column = 0
    this.#kind = kind
    const sheet = this.#sheets.at(-1)
    if (sheet && kind !== 'total') sheet.filtered = this.#row
    this.#text.add(depth > 0 ? `<row r="${this.#rowText}" outlineLevel="${depth}">` : `<row r="${this.#rowText}">`)
  }

  text(value: string): void {
    const style = this.#textStyles[this.#kind]
    if (value === '') return this.empty()
    // Most text has nothing in it that needs care.
    if (/^[A-Za-z0-9]( ?[A-Za-z0-9.,:()/-])*$/.test(value) && value.length < 1_000) return this.#textCell(style.plain, '', value)
    const shown = cellText(value)
    this.#textCell(looksActive(shown) ? style.quoted : style.plain, /^\s|\s$|\s\s|\n/.test(shown) ? ' xml:space="preserve"' : '', xmlText(shown))
  }

  number(decimal: string, look: NumberLook): void {
    const match = /^-?(\d+)(?:\.(\d*?))?0*$/.exec(decimal)
    if (!match) return this.text(decimal)
    const { 1: whole = '0', 2: fraction = '' } = match
    if (whole.length + fraction.length > 15 && significant(whole, fraction) > 15) {
      return this.#textCell(this.#textStyles[this.#kind].right, '', decimal)
    }
    const plain = fraction === '' ? whole : `${whole}.${fraction}`
    const isNegative = decimal.startsWith('-') && /[1-9]/.test(plain)
    this.#valueCell(this.#numberStyle(look, Math.max(look.places, fraction.length)), isNegative ? `-${plain}` : plain)
  }

  date(day: string): void {
    const serial = serialDay(day)
    if (serial === undefined) this.text(day)
    else this.#valueCell(this.#textStyles[this.#kind].date, serial)
  }

  moment(at: string): void {
    const wall = this.#time.wallClock(at)
    if (wall === undefined || wall < firstMoment) return this.text(at)
    // Whole seconds: a spreadsheet rounds what lies between them, and shows the next minute.
    const seconds = Math.floor(wall / 1000)
    this.#valueCell(this.#textStyles[this.#kind].moment, (seconds / 86_400 + 25_569).toFixed(10))
  }

  flag(value: boolean): void {
    this.#startCell(this.#textStyles[this.#kind].plain)
    this.#text.add(value ? ' t="b"><v>1</v></c>' : ' t="b"><v>0</v></c>')
  }

  empty(): void {
    // Heads and totals are coloured from end to end.
    if (this.#kind === 'row') this.#column++
    else {
      this.#startCell(this.#textStyles[this.#kind].plain)
      this.#text.add('/>')
    }
  }

  endRow(): void {
    this.#text.add('</row>')
  }

  async flush(): Promise<void> {
    if (!this.#text.isEmpty) await this.#zip.write(this.#text.take())
  }

  async closeSheet(): Promise<void> {
    const sheet = this.#sheets.at(-1)
    if (!sheet) return
    this.#text.add(sheetEnd(sheet, this.#rangeOf(sheet)))
    await this.flush()
    await this.#zip.close()
  }

  async finish(): Promise<void> {
    const sheets = this.#sheets
    await this.#zip.add('xl/styles.xml', this.#styles.xml())
    await this.#zip.add('xl/workbook.xml', `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.map(({ name }, i) => `<sheet name="${xmlAttribute(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets>${this.#namesXml()}</workbook>`)
    await this.#zip.add('xl/_rels/workbook.xml.rels', relations([...sheets.map((_, i): Relation => ['worksheet', `worksheets/sheet${i + 1}.xml`]), ['styles', 'styles.xml']]))
    await this.#zip.add('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml'], ['metadata/core-properties', 'docProps/core.xml']]))
    await this.#zip.add('docProps/core.xml', coreXml(this.#properties))
    await this.#zip.add('[Content_Types].xml', contentTypes(sheets.length))
    await this.#zip.finish()
  }

  abandon(): void {
    this.#zip.abandon()
  }

  #textCell(style: number, attributes: string, xml: string): void {
    this.#startCell(style)
    this.#text.add(' t="inlineStr"><is><t')
    this.#text.add(attributes)
    this.#text.add('>')
    this.#text.add(xml)
    this.#text.add('</t></is></c>')
  }

  #valueCell(style: number, value: string): void {
    this.#startCell(style)
    this.#text.add('><v>')
    this.#text.add(value)
    this.#text.add('</v></c>')
  }

  /** Each cell says where it stands: not all readers count. */
  #startCell(style: number): void {
    this.#text.add('<c r="')
    this.#text.add(this.#letters[this.#column++] ?? '')
    this.#text.add(this.#rowText)
    this.#text.add(style === 0 ? '"' : (this.#styleTexts[style] ??= `" s="${style}"`))
  }

  #numberStyle({ kind }: NumberLook, places: number): number {
    const key = (kind === 'grouped' ? 0 : kind === 'plain' ? 1 : 2) * 1_000 + rowKinds.indexOf(this.#kind) * 100 + places
    const known = this.#numberStyles.get(key)
    if (known !== undefined) return known
    const fraction = places === 0 ? '' : `.${'0'.repeat(places)}`
    const format = { grouped: `#,##0${fraction}`, plain: `0${fraction}`, percent: `0${fraction}" %"` }[kind]
    const made = this.#styles.number({ format, row: this.#kind })
    this.#numberStyles.set(key, made)
    return made
  }

  /** Cells from the head to the last row that can be filtered, `A1:F20`; '' without a head. */
  #rangeOf({ setup, filtered }: Sheet): string {
    return setup.hasHead && setup.widths.length > 0 ? `A1:${columnLetters(setup.widths.length - 1)}${Math.max(1, filtered)}` : ''
  }

  /** Where filters stand, and heads repeated on each printed page. */
  #namesXml(): string {
    const names = this.#sheets.flatMap((sheet, i) => {
      if (!sheet.setup.hasHead) return []
      const quoted = xmlText(`'${sheet.name.replaceAll("'", "''")}'`)
      const range = this.#rangeOf(sheet).replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2')
      return [`<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${quoted}!${range}</definedName>`, `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">${quoted}!$1:$1</definedName>`]
    })
    return names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`
  }
}

/** 1900-03-01 as milliseconds: before it spreadsheets count a day that never was. */
const firstMoment = Date.UTC(1900, 2, 1)

/** Would a spreadsheet take this for a formula if it were typed in? */
function looksActive(text: string): boolean {
  return /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text)
}

function significant(whole: string, fraction: string): number {
  const digits = (whole + fraction).replace(/^0+/, '')
  return (fraction === '' ? digits.replace(/0+$/, '') : digits).length
}

function sheetStart({ widths, frozen, hasHead, groups }: SheetSetup, isFirst: boolean): string {
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetPr>${groups > 0 ? '<outlinePr summaryBelow="1"/>' : ''}<pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}>${paneXml(frozen, hasHead ? 1 : 0)}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"${groups > 0 ? ` outlineLevelRow="${groups}"` : ''}/>${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>`
  )
}

function paneXml(columns: number, rows: number): string {
  if (columns === 0 && rows === 0) return ''
  const pane = columns > 0 && rows > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight'
  return `<pane${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''} topLeftCell="${columnLetters(columns)}${rows + 1}" activePane="${pane}" state="frozen"/><selection pane="${pane}"/>`
}

function sheetEnd({ setup }: Sheet, range: string): string {
  const last = columnLetters(Math.max(0, setup.widths.length - 1))
  return (
    `</sheetData>${range === '' ? '' : `<autoFilter ref="${range}"/>`}<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>` +
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/><headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>' +
    // Codes such as 00123 are text on purpose.
    `<ignoredErrors><ignoredError sqref="A1:${last}${mostXlsxRows}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  )
}

type Relation = readonly [type: string, target: string]

function relations(entries: readonly Relation[]): string {
  const items = entries.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type.startsWith('metadata') ? `http://schemas.openxmlformats.org/package/2006/relationships/${type}` : `${office}/${type}`}" Target="${target}"/>`)
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`
}

function coreXml({ title, author, at }: XlsxProperties): string {
  return (
    `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ` +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(author)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at.slice(0, 19)}Z</dcterms:created></cp:coreProperties>`
  )
}

function contentTypes(sheets: number): string {
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const overrides = [
    ['/xl/workbook.xml', `${sheet}.sheet.main+xml`], ['/xl/styles.xml', `${sheet}.styles+xml`], ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...Array.from({ length: sheets }, (_, i) => [`/xl/worksheets/sheet${i + 1}.xml`, `${sheet}.worksheet+xml`]),
  ]
  return (
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`).join('')}</Types>`
  )
}

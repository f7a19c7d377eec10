import type { RowKind } from './tableFile.ts'
import { xmlAttribute } from './xlsxText.ts'

export interface CellStyle {
  /** Number format as a spreadsheet writes it; '' is General. */
  readonly format: string
  readonly row: RowKind
  readonly align?: 'right'
  /** Stays text when somebody opens the cell and presses Enter. */
  readonly isQuoted?: boolean
  readonly wraps?: boolean
}

/** The looks of a file, each listed once; a cell names its look by number. */
export class XlsxStyles {
  readonly #formats = new Map<string, number>()
  readonly #looks = new Map<string, number>([[xfOf({ format: '', row: 'row' }, 0), 0]])

  number(style: CellStyle): number {
    const xf = xfOf(style, this.#formatId(style.format))
    const known = this.#looks.get(xf)
    if (known !== undefined) return known
    this.#looks.set(xf, this.#looks.size)
    return this.#looks.size - 1
  }

  xml(): string {
    const formats = [...this.#formats].map(([format, id]) => `<numFmt numFmtId="${id}" formatCode="${xmlAttribute(format)}"/>`)
    return (
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      (formats.length === 0 ? '' : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`) +
      `<fonts count="2">${font('')}${font('<b/>')}</fonts>` +
      `<fills count="4">${fill('none')}${fill('gray125')}${solid('FFECEBFD')}${solid('FFF5F5FA')}</fills>` +
      `<borders count="3">${border('')}${border('<bottom style="thin"><color rgb="FF7367F0"/></bottom>')}${border('<top style="thin"><color rgb="FF5F5D6E"/></top><bottom style="double"><color rgb="FF5F5D6E"/></bottom>')}</borders>` +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${this.#looks.size}">${[...this.#looks.keys()].join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )
  }

  #formatId(format: string): number {
    if (format === '') return 0
    const known = this.#formats.get(format)
    if (known !== undefined) return known
    // Numbers below belong to the formats every spreadsheet knows.
    const id = 164 + this.#formats.size
    this.#formats.set(format, id)
    return id
  }
}

/** Font, fill and border of each kind of row. */
const rowLooks = {
  head: { font: 1, fill: 2, border: 1 },
  row: { font: 0, fill: 0, border: 0 },
  subtotal: { font: 1, fill: 3, border: 0 },
  total: { font: 1, fill: 0, border: 2 },
} as const satisfies Record<RowKind, object>

function xfOf({ row, align, isQuoted = false, wraps = false }: CellStyle, formatId: number): string {
  const { font: fontId, fill: fillId, border: borderId } = rowLooks[row]
  const alignment = align === undefined && !wraps ? '' : `<alignment${align === undefined ? '' : ` horizontal="${align}"`}${wraps ? ' vertical="top" wrapText="1"' : ''}/>`
  return (
    `<xf numFmtId="${formatId}" fontId="${fontId}" fillId="${fillId}" borderId="${borderId}" xfId="0"${formatId === 0 ? '' : ' applyNumberFormat="1"'}` +
    `${fontId === 0 ? '' : ' applyFont="1"'}${fillId === 0 ? '' : ' applyFill="1"'}${borderId === 0 ? '' : ' applyBorder="1"'}${isQuoted ? ' quotePrefix="1"' : ''}` +
    (alignment === '' ? '/>' : ` applyAlignment="1">${alignment}</xf>`)
  )
}

function font(weight: string): string {
  return `<font>${weight}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`
}

function fill(pattern: string): string {
  return `<fill><patternFill patternType="${pattern}"/></fill>`
}

function solid(colour: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${colour}"/><bgColor indexed="64"/></patternFill></fill>`
}

/** `edges`: top and bottom, in the order the format asks for. */
function border(edges: string): string {
  const top = /<top.*<\/top>/.exec(edges)?.[0] ?? '<top/>'
  const bottom = /<bottom.*<\/bottom>/.exec(edges)?.[0] ?? '<bottom/>'
  return `<border><left/><right/>${top}${bottom}<diagonal/></border>`
}

import type { Decimal } from '#base/decimal.ts'
import { referenceNames } from '#base/wireName.ts'
import type { Span } from '#api/view.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import type { Translate } from '#server/texts.ts'
import type { FileColumn, FileGroup } from './exportTable.ts'
import { LocalTime } from './localTime.ts'
import type { NumberLook, TableFile } from './tableFile.ts'

/** A column wanted, as its screen or entity knows it. */
export interface WantedColumn {
  /** `name` as asked for, with `label` and `type` of the screen. */
  readonly field: Field
  /** How its total is worked out; undefined: it has none. */
  readonly total: ColumnTotal | undefined
  readonly width: number | undefined
  readonly isPinned: boolean
}

export interface ColumnTotal {
  /** Wire keys added up for it. */
  readonly of: readonly string[]
  /** From their sums; undefined: nothing to say. */
  readonly from: (sums: readonly Decimal[]) => Decimal | undefined
}

/** The plain sum of a column. */
export function sumOf(wire: string): ColumnTotal {
  return { of: [wire], from: ([sum]) => sum }
}

const pixelsPerCharacter = 7.5

/**
 * Columns of the file for a column of the screen: one, or for a reference two, its name and its code, so that either can be looked up and
 * sorted. Values keep their type; choices are written in the user's words.
 */
export function fileColumns(wanted: WantedColumn, translate: Translate): readonly FileColumn[] {
  const { field, isPinned, total } = wanted
  const label = translate(field.label)
  const width = widthOf(wanted, label)
  const look = looks[field.type]
  if (field.type === 'ref' && !field.name.includes('.')) {
    const names = referenceNames(field.name)
    return [
      { label, width, isPinned, write: textWriter(names.name) },
      { label: translate('export.code', { label }), width: Math.max(12, Math.ceil(label.length * 1.2) + 6), isPinned, write: textWriter(names.code) },
    ]
  }
  const column: FileColumn = { label, width, isPinned, write: writers[field.type](field, translate) }
  return [total === undefined || look === undefined ? column : { ...column, total: { ...total, write: (file, sum) => file.number(sum, look) } }]
}

/** How rows are put together by a field, days by month, quarter or year where so wanted. `name`: a column that says in words what the field codes. */
export function fileGroup(field: Field, by: Span | undefined, translate: Translate, name?: Field): FileGroup {
  const { wire } = field
  if (field.type === 'date' || field.type === 'datetime') {
    const time = new LocalTime(undefined)
    const dayOf = (row: Row): string => {
      const value = row[wire]
      return typeof value !== 'string' ? '' : field.type === 'date' ? value.slice(0, 10) : time.text(value).slice(0, 10)
    }
    return { key: (row) => spanKey(dayOf(row), by), heading: (row) => spanWords(dayOf(row), by) }
  }
  const key = (row: Row): unknown => row[wire] ?? null
  if (field.type === 'ref' && !field.name.includes('.')) {
    const names = referenceNames(field.name)
    return { key, heading: (row) => [...new Set([textOf(row[names.name]), textOf(row[names.code])])].filter((part) => part !== '').join(' ') }
  }
  const choices = choicesOf(field, translate)
  const heading = (row: Row): string => (typeof row[wire] === 'boolean' ? translate(row[wire] ? 'ui.yes' : 'ui.no') : (choices.get(row[wire]) ?? textOf(row[wire])))
  return { key, heading: name === undefined ? heading : (row) => [textOf(row[name.wire]), heading(row)].filter((part) => part !== '').join(' ') }
}

function spanKey(day: string, by: Span | undefined): string {
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
  return by === undefined ? day : by === 'year' ? day.slice(0, 4) : by === 'month' ? day.slice(0, 7) : `${day.slice(0, 4)} ${quarter}`
}

function spanWords(day: string, by: Span | undefined): string {
  if (day === '') return ''
  const [year = '', month = '', date = ''] = day.split('-')
  switch (by) {
    case undefined:
      return `${date}/${month}/${year}`
    case 'month':
      return `${month}/${year}`
    case 'quarter':
      return `Q${Math.ceil(Number(month) / 3)} ${year}`
    case 'year':
      return year
  }
}

type Writer = (file: TableFile, row: Row) => void

/** How numbers of a type stand on screen. */
const looks: { readonly [type in FieldType]?: NumberLook } = {
  id: { kind: 'plain', places: 0 },
  integer: { kind: 'grouped', places: 0 },
  quantity: { kind: 'grouped', places: 0 },
  money: { kind: 'grouped', places: 2 },
  percent: { kind: 'percent', places: 0 },
  rate: { kind: 'grouped', places: 0 },
  price: { kind: 'grouped', places: 2 },
  cost: { kind: 'grouped', places: 2 },
}

const writers = {
  id: numberField, integer: numberField, quantity: numberField, money: numberField, percent: numberField, rate: numberField, price: numberField, cost: numberField,
  code: textField, text: (field, translate) => (field.choices === undefined ? textField(field) : choiceField(field, translate)), longtext: textField, email: textField, secret: () => (file) => file.empty(),
  ref: textField,
  enum: choiceField, status: choiceField,
  period: (field) => (file, row) => {
    const value = row[field.wire]
    if (typeof value === 'string' && /^\d{6}$/.test(value)) file.text(`${value.slice(4)}/${value.slice(0, 4)}`)
    else file.empty()
  },
  date: (field) => (file, row) => {
    const value = row[field.wire]
    if (typeof value === 'string' && value !== '' && !value.startsWith('0001')) file.date(value.slice(0, 10))
    else file.empty()
  },
  datetime: (field) => (file, row) => {
    const value = row[field.wire]
    if (typeof value === 'string' && value !== '' && !value.startsWith('0001')) file.moment(value)
    else file.empty()
  },
  boolean: (field) => (file, row) => {
    const value = row[field.wire]
    if (typeof value === 'boolean') file.flag(value)
    else file.empty()
  },
  textlist: (field, translate) => {
    const choices = choicesOf(field, translate)
    return (file, row) => {
      const value = row[field.wire]
      file.text(Array.isArray(value) ? value.map((entry) => choices.get(entry) ?? textOf(entry)).join(', ') : textOf(value))
    }
  },
  json: (field) => (file, row) => {
    const value = row[field.wire]
    file.text(typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value))
  },
} satisfies Record<FieldType, (field: Field, translate: Translate) => Writer>

function numberField(field: Field): Writer {
  const { wire } = field
  const look = looks[field.type] ?? { kind: 'plain', places: decimalPlaces[field.type] ?? 0 }
  return (file, row) => {
    const value = row[wire]
    if (typeof value === 'string') file.number(value, look)
    else if (typeof value === 'number') file.number(String(value), look)
    else file.empty()
  }
}

function textField(field: Field): Writer {
  return textWriter(field.wire)
}

function textWriter(wire: string): Writer {
  return (file, row) => {
    const value = row[wire]
    if (typeof value === 'string') file.text(value)
    else if (value === null || value === undefined) file.empty()
    else file.text(textOf(value))
  }
}

function choiceField(field: Field, translate: Translate): Writer {
  const choices = choicesOf(field, translate)
  return (file, row) => {
    const value = row[field.wire]
    if (value === null || value === undefined) file.empty()
    else file.text(choices.get(value) ?? textOf(value))
  }
}

function choicesOf(field: Field, translate: Translate): ReadonlyMap<unknown, string> {
  return new Map((field.choices ?? []).map((choice) => [choice.value, translate(choice.label)]))
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

/** Characters a column takes where nobody has said. */
const usual: { readonly [type in FieldType]?: number } = { money: 19, quantity: 12, date: 12, datetime: 20, longtext: 40, text: 26, ref: 30, code: 20, boolean: 9, status: 16, enum: 16 }

function widthOf({ field, width }: WantedColumn, label: string): number {
  const own = width === undefined ? (usual[field.type] ?? 14) : width / pixelsPerCharacter
  // The filter button stands beside the label.
  return Math.min(80, Math.max(6, Math.round(own * 10) / 10, label.length + 3))
}

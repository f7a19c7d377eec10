import { aheadMs } from '#base/businessZone.ts'
import { isDate } from '#base/date.ts'
import { halfWidth, plainText } from '#base/unseen.ts'
import { accept, refuse, type Result } from '#base/result.ts'
import type { Field } from '#meta/resolved.ts'
import type { FileForm } from './fileForm.ts'

export type CellFault = 'number' | 'whole' | 'date' | 'flag' | 'choice' | 'rounded'

const yes = new Set(['y', 'yes', 'true', '1', 'ya', 'x', '是'])
const no = new Set(['n', 'no', 'false', '0', 'tidak', '否'])

/**
 * What stands in a cell as the field takes it: decimal text, ISO day, number, boolean, choice; a reference stays the code that was typed. Text is
 * trimmed, nothing else of it is changed: leading zeros stay. Empty: null.
 */
export function cellValue(field: Pick<Field, 'type' | 'choices'>, cell: string, form: Pick<FileForm, 'decimal' | 'date'>, labelOf: (key: string) => readonly string[]): Result<unknown, CellFault> {
  const text = field.type === 'longtext' ? cell.trim() : plainText(cell)
  if (text === '') return accept(null)
  if (!isNumeric.has(field.type) && isRounded(text)) return refuse('rounded')
  switch (field.type) {
    case 'code':
      return accept(halfWidth(text).toUpperCase())
    case 'integer': {
      const number = decimalText(halfWidth(text), form.decimal)
      const whole = number?.replace(/\.0+$/, '')
      return whole !== undefined && /^-?\d{1,10}$/.test(whole) ? accept(Number(whole)) : refuse('whole')
    }
    case 'quantity':
    case 'money':
    case 'percent':
    case 'rate':
    case 'price':
    case 'cost': {
      const number = decimalText(field.type === 'percent' ? halfWidth(text).replace(/\s*%$/, '') : halfWidth(text), form.decimal)
      return number === undefined ? refuse('number') : accept(number)
    }
    case 'period': {
      const month = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? undefined
      return accept(month === undefined ? text : `${month[2] ?? ''}${(month[1] ?? '').padStart(2, '0')}`)
    }
    case 'date': {
      const day = dayOf(halfWidth(text), form.date)
      return day === undefined ? refuse('date') : accept(day)
    }
    case 'boolean': {
      const word = text.toLowerCase()
      return yes.has(word) ? accept(true) : no.has(word) ? accept(false) : refuse('flag')
    }
    case 'enum':
    case 'status': {
      const chosen = choiceOf(field, text, labelOf)
      return chosen === undefined ? refuse('choice') : accept(chosen)
    }
    case 'textlist': {
      const chosen = text.split(/[;,|]/).flatMap((part) => (part.trim() === '' ? [] : [choiceOf(field, part.trim(), labelOf)]))
      return chosen.includes(undefined) ? refuse('choice') : accept(chosen)
    }
    case 'text':
      return accept(choiceOf(field, text, labelOf) ?? text)
    default:
      return accept(text)
  }
}

const isNumeric: ReadonlySet<string> = new Set(['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost', 'longtext'])

/** A code that went through a spreadsheet as a number and came out as `8.11906E+15`: its last digits are gone. */
function isRounded(text: string): boolean {
  return Number(/^\d([.,]\d+)?E\+(\d{2})$/i.exec(text)?.[2] ?? 0) >= 11
}

/** The declared value of a word, by itself or by what it is called; any word where none are declared. */
function choiceOf({ choices }: Pick<Field, 'choices'>, text: string, labelOf: (key: string) => readonly string[]): string | number | undefined {
  const word = text.toLowerCase()
  return choices === undefined ? text : choices.find(({ value, label }) => String(value).toLowerCase() === word || labelOf(label).some((name) => name.toLowerCase() === word))?.value
}

/** `1.234,50` with a decimal comma → `1234.50`; undefined when it is no such number. */
export function decimalText(text: string, decimal: '.' | ','): string | undefined {
  const group = decimal === '.' ? ',' : '.'
  const bare = text.replaceAll(/[\s\u00a0\u202f']/g, '')
  const [whole = '', fraction, ...more] = bare.split(decimal)
  if (more.length > 0 || fraction?.includes(group) === true) return undefined
  const grouped = whole.split(group)
  if (grouped.length > 1 && !grouped.every((part, i) => (i === 0 ? /^[-+]?\d{1,3}$/.test(part) : /^\d{3}$/.test(part)))) return undefined
  const digits = grouped.join('').replace(/^\+/, '')
  if (!/^-?\d*$/.test(digits) || (fraction !== undefined && !/^\d*$/.test(fraction)) || !/\d/.test(digits + (fraction ?? ''))) return undefined
  const sign = digits.startsWith('-') ? '-' : ''
  const plain = digits.replace('-', '').replace(/^0+(?=\d)/, '') || '0'
  const rest = fraction?.replace(/0+$/, '') ?? ''
  return `${sign}${plain}${rest === '' ? '' : `.${rest}`}`
}

/** A day in any of the usual spellings as ISO text; years of two digits are of this century. */
export function dayOf(text: string, order: FileForm['date']): string | undefined {
  const moment = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i.exec(text)
  if (moment) return checkedMoment(moment[1], text)
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})([T ].*)?$/.exec(text)
  if (iso) return checked(iso[1], iso[2], iso[3])
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (compact) return checked(compact[1], compact[2], compact[3])
  const match = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})([T ].*)?$/.exec(text)
  if (!match) return undefined
  const year = match[3]?.length === 2 ? `20${match[3]}` : match[3]
  return order === 'MDY' ? checked(year, match[1], match[2]) : checked(year, match[2], match[1])
}

/** A moment that says where it is counted from, as the day it falls on where the business is. */
function checkedMoment(day: string | undefined, text: string): string | undefined {
  const at = Date.parse(text.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return isDate(day) && !Number.isNaN(at) ? new Date(at + aheadMs).toISOString().slice(0, 10) : undefined
}

function checked(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : undefined
}

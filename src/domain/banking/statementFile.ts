import { isDate, type DateText } from '#base/date.ts'
import { exact, fixed, money, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'

/** What is wrong with a file of a bank; the key of its sentence ends in it. */
export type StatementFault = 'unknown' | 'empty' | 'line' | 'amount' | 'date' | 'balance' | 'large' | 'xml' | 'doctype' | 'dates' | 'period'

/** A file that cannot be read; `line` counts lines of the file from 1. */
export class StatementFileError extends Error {
  readonly fault: StatementFault
  readonly params: Readonly<Record<string, string | number>>

  constructor(fault: StatementFault, params: Readonly<Record<string, string | number>> = {}) {
    super(fault)
    this.fault = fault
    this.params = params
  }
}

/** A movement on the account. */
export interface StatementLine {
  readonly date: DateText
  readonly text: string
  readonly reference: string
  /** Two places; money in is positive, money out negative. */
  readonly amount: Decimal
  /** Of the account after it, where the bank says so. */
  readonly balance: Decimal | null
}

/** One statement of one account, as the file has it. */
export interface FileStatement {
  /** As written, without blanks; empty where the file does not say. */
  readonly account: string
  /** ISO code; empty where the file does not say. */
  readonly currency: string
  readonly number: string
  readonly opening: Decimal | null
  readonly closing: Decimal | null
  readonly lines: readonly StatementLine[]
  /** Movements the bank has not booked yet: left out. */
  readonly pending: number
}

/** A reader gives way after each piece of work: files may be long. */
export type Reading<T> = Generator<void, T>

/** Movements read in one piece. */
export const piece = 500
/** Movements of a file at most. */
export const mostLines = 50_000

/** What is missing for opening + movements = closing; undefined where the file does not say both. */
export function untied({ opening, closing, lines }: FileStatement): Decimal | undefined {
  return opening === null || closing === null ? undefined : money(exact(closing).minus(exact(opening)).minus(sum(lines.map(({ amount }) => amount))))
}

/** `20yy-mm-dd` of parts as written. */
export function dayOfParts(year: string, month: string, day: string, line: number): DateText {
  const text = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : refuseLine('date', line, `${year}-${month}-${day}`)
}

/** Two places; a third that says something is refused, money has none. */
export function amountOfDigits(digits: string, line: number): Exact {
  if (!/^[-+]?\d{1,16}(\.\d*)?$/.test(digits)) return refuseLine('amount', line, digits)
  const value = exact(digits.replace(/^\+/, '').replace(/\.$/, ''))
  return value.eq(fixed(value, 2)) ? value : refuseLine('amount', line, digits)
}

/**
 * An amount as banks write it: a sign before or behind, thousands in threes. Where both signs stand in it, the last is before the decimals; where
 * one stands once it is, too, unless `decimal` says otherwise.
 */
export function writtenAmount(text: string, line: number, decimal?: '.' | ','): Exact {
  const bare = text.replaceAll(/[\s\u00a0']/g, '')
  const isNegative = /^-|-$|^\(.*\)$/.test(bare)
  const digits = bare.replaceAll(/[-+()]/g, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const sign = decimal ?? (last < 0 ? '.' : digits[last] === ',' && digits.split(',').length > 2 ? '.' : digits[last] === '.' && digits.split('.').length > 2 ? ',' : digits[last])
  const [whole = '', fraction = '', ...more] = digits.split(sign === ',' ? ',' : '.')
  const group = sign === ',' ? '.' : ','
  const isGrouped = whole.includes(group)
  // Three digits behind the only sign are thousands to some and decimals to others.
  if (more.length > 0 || !/^\d{0,2}$/.test(fraction) || (isGrouped && !whole.split(group).every((part, i) => (i === 0 ? /^\d{1,3}$/.test(part) : /^\d{3}$/.test(part))))) return refuseLine('amount', line, text)
  const value = amountOfDigits(`${whole.replaceAll(group, '')}${fraction === '' ? '' : `.${fraction}`}`, line)
  return isNegative ? zero.minus(value) : value
}

export function refuseLine(fault: StatementFault, line: number, text: string): never {
  throw new StatementFileError(fault, { line, text: text.slice(0, 60) })
}

/** Parts of a description in one line, each once. */
export function joined(parts: readonly (string | undefined)[]): string {
  const seen = parts.flatMap((part) => {
    const text = (part ?? '').replaceAll(/\s+/g, ' ').trim()
    return text === '' ? [] : [text]
  })
  return [...new Set(seen)].join(' · ')
}

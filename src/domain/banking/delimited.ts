import { isDate, type DateText } from '#base/date.ts'
import { exact, money, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { BankFileProfile, FileRow, Layout } from './bankLayout.ts'
import { dayOfParts, joined, piece, refuseLine, StatementFileError, writtenAmount, type FileStatement, type Reading, type StatementLine } from './statementFile.ts'

/** The statement of rows laid out as the profile says. */
export function* readDelimited(rows: readonly FileRow[], profile: BankFileProfile, layout: Layout): Reading<FileStatement> {
  if (profile.decimal !== undefined) return yield* readAs(rows, profile, layout)
  try {
    return yield* readAs(rows, { ...profile, decimal: '.' }, layout)
  } catch (error) {
    if (!(error instanceof StatementFileError) || error.fault !== 'amount') throw error
    return yield* readAs(rows, { ...profile, decimal: ',' }, layout)
  }
}

function* readAs(rows: readonly FileRow[], profile: BankFileProfile, layout: Layout): Reading<FileStatement> {
  const around = new Around(rows, layout.head)
  const { at, texts } = layout
  const period = profile.period === undefined ? undefined : around.find(profile.period)
  const from = period?.[1] === undefined ? undefined : dayOf(period[1], profile, undefined, around.line)
  const to = period?.[2] === undefined ? undefined : dayOf(period[2], profile, undefined, around.line)
  const pendingMark = profile.pending === undefined ? undefined : new RegExp(profile.pending, 'i')
  const footer = [profile.opening, profile.closing].flatMap((one) => (one === undefined ? [] : [new RegExp(one, 'i')]))
  const lines: StatementLine[] = []
  let pending = 0
  let account = ''
  let currency = ''
  let isOver = false
  for (const { no, cells } of rows.slice(layout.head + 1)) {
    const cell = (key: keyof BankFileProfile['columns']): string => bare(cells[at[key] ?? -1])
    const whole = lineText(cells)
    if (footer.some((one) => one.test(whole)) || isOver) {
      isOver ||= !hasAmount(profile, cell, no)
      around.after(no, cells)
      continue
    }
    const money = amountOf(profile, cell, no)
    if (pendingMark?.test(bare(cells[0])) === true || pendingMark?.test(cell('date')) === true) {
      pending++
      continue
    }
    account ||= cell('account')
    currency ||= cell('currency')
    const text = joined(texts.map((one) => bare(cells[one])))
    if (cell('date') === '' && money === undefined) {
      // A description that is too long for its row goes on in the next.
      const last = lines.at(-1)
      if (last !== undefined && text !== '') lines[lines.length - 1] = { ...last, text: joined([`${last.text} ${text}`]) }
      continue
    }
    if (money === undefined) {
      around.after(no, cells)
      if (/\d/.test(cell('date')) && text !== '') refuseLine('amount', no, whole)
      continue
    }
    lines.push({
      date: dayOf(cell('date'), profile, { from, to }, no), text, reference: cell('reference').replace(/^-$/, ''), amount: money,
      balance: cell('balance') === '' ? null : twoPlaces(balanceOf(cell('balance'), profile, no)),
    })
    if (lines.length % piece === 0) yield
  }
  const balanceIn = (pattern: string | undefined): Decimal | undefined => {
    const said = pattern === undefined ? undefined : around.find(pattern)?.[1]
    return said === undefined ? undefined : twoPlaces(balanceOf(said, profile, around.line))
  }
  const ordered = inOrder(lines)
  const [first, last] = [ordered[0], ordered.at(-1)]
  const named = profile.currency === undefined ? currency : (around.find(profile.currency)?.[1] ?? currency)
  return {
    account: (profile.account === undefined ? account : (around.find(profile.account)?.[1] ?? account)).replaceAll(/[\s.'-]/g, ''),
    currency: profile.currencies?.[named.trim()] ?? named.trim().toUpperCase(),
    number: '', lines: ordered, pending,
    opening: balanceIn(profile.opening) ?? (first?.balance == null ? null : twoPlaces(exact(first.balance).minus(first.amount))),
    closing: balanceIn(profile.closing) ?? last?.balance ?? null,
  }
}

/** Of a line that tells a balance: the commas of a large one part it, and pieces of it stand where amounts do. */
function hasAmount(profile: BankFileProfile, cell: (key: keyof BankFileProfile['columns']) => string, no: number): boolean {
  try {
    return amountOf(profile, cell, no) !== undefined
  } catch (error) {
    if (error instanceof StatementFileError) return false
    throw error
  }
}

/** The lines around the table, in which what holds for all of it is told. */
class Around {
  readonly #lines: { readonly no: number; readonly text: string }[]
  /** Of the file, where something was found last. */
  line = 0

  constructor(rows: readonly FileRow[], head: number) {
    this.#lines = rows.slice(0, head).map(({ no, cells }) => ({ no, text: lineText(cells) }))
  }

  after(no: number, cells: readonly string[]): void {
    this.#lines.push({ no, text: lineText(cells) })
  }

  find(pattern: string): RegExpExecArray | undefined {
    const expression = new RegExp(pattern, 'i')
    for (const { no, text } of this.#lines) {
      const found = expression.exec(text)
      if (found === null) continue
      this.line = no
      return found
    }
    return undefined
  }
}

/** Cells of a line with what they hold, so that an expression need not know how they are divided. */
function lineText(cells: readonly string[]): string {
  // An amount without quotes was divided where its thousands are.
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '').reduce((text, cell) => `${text}${/\d$/.test(text) && /^\d{3}(\.\d{1,2})?$/.test(cell) ? ',' : ' '}${cell}`, '').trim()
}

function amountOf(profile: BankFileProfile, cell: (key: keyof BankFileProfile['columns']) => string, no: number): Decimal | undefined {
  const { columns, marks = {} } = profile
  if (columns.amount === undefined) {
    const [debit, credit] = [cell('debit'), cell('credit')].map((text) => (/\d/.test(text) ? writtenAmount(text, no, profile.decimal) : undefined))
    if (debit === undefined && credit === undefined) return undefined
    const out = debit === undefined || debit.lt(0) ? (debit ?? zero) : zero.minus(debit)
    return twoPlaces(out.plus(credit ?? zero))
  }
  const text = cell('amount')
  if (!/\d/.test(text)) return undefined
  const behind = /^(.*?\d)\s*([A-Za-z]+)$/.exec(text)
  const value = writtenAmount(behind?.[1] ?? text, no, profile.decimal)
  const mark = (columns.mark === undefined ? (behind?.[2] ?? '') : cell('mark')).toUpperCase()
  if (Object.keys(marks).length === 0) return twoPlaces(value)
  const side = Object.hasOwn(marks, mark) ? marks[mark] : refuseLine('amount', no, `${text} ${mark}`)
  return twoPlaces(side === 'out' ? zero.minus(value) : value)
}

/** A balance may have a mark behind it, or be negative. */
function balanceOf(text: string, { decimal = '.', marks = {} }: BankFileProfile, no: number): Exact {
  const [, digits = text, mark = ''] = /^(.*?\d)\s*([A-Za-z]+)?$/.exec(text.trim()) ?? []
  const value = writtenAmount(digits.replace(/^[A-Za-z.]+\s*/, ''), no, decimal)
  return marks[mark.toUpperCase()] === 'out' ? zero.minus(value) : value
}

/** A day without a year is of the year in which it lies within the period. */
function dayOf(text: string, { dates = 'DMY' }: BankFileProfile, period: { readonly from: DateText | undefined; readonly to: DateText | undefined } | undefined, no: number): DateText {
  const [, a = '', b = '', c] = /^'?(\d{1,4})[-/. ]([A-Za-z]{3,9}|\d{1,2})(?:[-/. ](\d{4}|\d{2}))?(?=$|[ T,])/.exec(text.trim()) ?? []
  const month = monthOf(b)
  if (a.length === 4 && c !== undefined) return dayOfParts(a, month, c, no)
  if (a === '') {
    const [, y = '', m = '', d = ''] = /^(\d{4})(\d{2})(\d{2})/.exec(text.trim()) ?? refuseLine('date', no, text)
    return dayOfParts(y, m, d, no)
  }
  const [day, written] = dates === 'MDY' ? [month, a] : [a, month]
  if (c !== undefined) return dayOfParts(c, written, day, no)
  if (period?.from === undefined || period.to === undefined) throw new StatementFileError('period', { line: no, text })
  const { from, to } = period
  const days = [from.slice(0, 4), to.slice(0, 4)].map((year) => `${year}-${written.padStart(2, '0')}-${day.padStart(2, '0')}`)
  return days.find((one) => isDate(one) && one >= from && one <= to) ?? refuseLine('date', no, text)
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MEI', 'JUN', 'JUL', 'AGU', 'SEP', 'OKT', 'NOV', 'DES']
const english: Readonly<Record<string, string>> = { MAY: '5', AUG: '8', AGS: '8', OCT: '10', DEC: '12' }

function monthOf(text: string): string {
  if (/^\d+$/.test(text)) return text
  const short = text.slice(0, 3).toUpperCase()
  return english[short] ?? String(months.indexOf(short) + 1)
}

/** Oldest first: some banks write the newest line on top. */
function inOrder(lines: readonly StatementLine[]): readonly StatementLine[] {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined || first.date < last.date) return lines
  const turned = lines.toReversed()
  if (first.date > last.date) return turned
  // All on one day: the order in which each balance follows the one before.
  return follows(lines) >= follows(turned) ? lines : turned
}

function follows(lines: readonly StatementLine[]): number {
  return lines.filter(({ balance, amount }, i) => {
    const before = lines[i - 1]?.balance
    return balance !== null && before != null && exact(before).plus(amount).eq(balance)
  }).length
}

function bare(cell: string | undefined): string {
  return (cell ?? '').trim().replace(/^'/, '')
}

function twoPlaces(value: Exact): Decimal {
  return money(value)
}

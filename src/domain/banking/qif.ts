import { isDate, type DateText } from '#base/date.ts'
import { money } from '#base/decimal.ts'
import { joined, piece, refuseLine, StatementFileError, writtenAmount, type FileStatement, type Reading, type StatementLine } from './statementFile.ts'

/** Which comes first in its dates, which a QIF file does not say. */
export type DayOrder = 'DMY' | 'MDY'

export function looksLikeQif(text: string): boolean {
  return /^\s*!Type:(Bank|Cash|CCard|Oth [AL])/i.test(text) || /^\s*!(Account|Option)/i.test(text)
}

interface Entry {
  line: number
  date: string
  amount: string
  texts: string[]
  reference: string
}

/** QIF with the orders its dates allow; with more than one nobody but the reader of the paper knows. */
export function* readQif(text: string, asked?: DayOrder): Reading<{ readonly orders: readonly DayOrder[]; readonly statement: FileStatement; readonly sample: string }> {
  const entries: Entry[] = []
  let entry = empty()
  let isAccount = false
  let no = 0
  for (const line of text.split(/\r\n|\n|\r/)) {
    no++
    const [key, said] = [line[0] ?? '', line.slice(1).trim()]
    if (key === '!') isAccount = /^Account/i.test(said)
    else if (key === '^') {
      if (!isAccount && entry.amount !== '') entries.push(entry.date === '' ? refuseLine('date', no, said) : entry)
      entry = empty()
      if (entries.length % piece === 0) yield
    } else if (isAccount) continue
    else if (key === 'D') [entry.date, entry.line] = [said, no]
    else if (key === 'T' || (key === 'U' && entry.amount === '')) entry.amount = said
    else if (key === 'N') entry.reference = said
    else if (key === 'P' || key === 'M') entry.texts.push(said)
  }
  if (entry.amount !== '') refuseLine('line', no, entry.date)
  const orders = ordersOf(entries)
  if (orders.length === 0) throw new StatementFileError('dates')
  const order = asked !== undefined && orders.includes(asked) ? asked : (orders[0] ?? 'DMY')
  const lines: StatementLine[] = []
  for (const { date, amount, texts, reference, line } of entries) {
    lines.push({ date: dayOf(date, order, line), amount: money(writtenAmount(amount, line)), reference, text: joined(texts), balance: null })
    if (lines.length % piece === 0) yield
  }
  return { orders, sample: entries[0]?.date ?? '', statement: { account: '', currency: '', number: '', opening: null, closing: null, lines, pending: 0 } }
}

/** Orders in which every date of the file is a day. */
function ordersOf(entries: readonly Entry[]): readonly DayOrder[] {
  const fits = (order: DayOrder): boolean => entries.every(({ date, line }) => isDate(written(date, order, line)))
  return (['DMY', 'MDY'] as const).filter(fits)
}

function dayOf(text: string, order: DayOrder, line: number): DateText {
  return written(text, order, line)
}

/** `30/11/2026`, `30-11-26`, `11/30'26`. */
function written(text: string, order: DayOrder, line: number): DateText {
  const [, first = '', second = '', year = ''] = /^\s*(\d{1,2})\s*[/.-]\s*(\d{1,2})\s*[/.'-]\s*(\d{4}|\d{1,2})\s*$/.exec(text) ?? refuseLine('date', line, text)
  const [day, month] = order === 'DMY' ? [first, second] : [second, first]
  return `${year.length === 4 ? year : `20${year.padStart(2, '0')}`}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function empty(): Entry {
  return { line: 0, date: '', amount: '', texts: [], reference: '' }
}

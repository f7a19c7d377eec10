import { addDays, endOfMonth, isDate, type DateText } from '#base/date.ts'
import { dayOf, grainRange, type Comparison, type Day } from '#meta/day.ts'
import { tokensOf } from './tokens.ts'

/** A day that moves with the calendar, or one that stands. */
export type AskedDay = { readonly now: Day } | DateText

/** Days a question asks about; without a first one it asks how things stood on the last. */
export interface AskedDays {
  readonly from?: AskedDay
  readonly to: AskedDay
}

export interface ReadDays {
  readonly days: AskedDays
  /** Words it takes. */
  readonly count: number
  /** What the words ask for after a word that compares: against last month. */
  readonly compare?: Comparison
}

const moving = (now: Day): AskedDay => ({ now })

interface Span {
  readonly from: AskedDay
  readonly to: AskedDay
  readonly compare?: Comparison
}

/** What people call spans of days, in the three languages. */
function named(today: DateText): readonly (readonly [words: string, span: Span])[] {
  const quarter = grainRange('quarter', quarterOf(addDays(dayOf('quarter-start', today), -1)))
  const week = addDays(dayOf('week-start', today), -7)
  const year = String(Number(today.slice(0, 4)) - 1)
  const spans: readonly (readonly [words: string, span: Span])[] = [
    ['today;hari ini;今天;今日', { from: moving('date'), to: moving('date') }],
    ['yesterday;kemarin;昨天;昨日', { from: moving('yesterday'), to: moving('yesterday'), compare: 'previous' }],
    ['this week;week to date;minggu ini;本周;这周', { from: moving('week-start'), to: moving('date') }],
    ['last week;previous week;minggu lalu;上周', { from: week, to: addDays(week, 6), compare: 'previous' }],
    ['last 7 days;past 7 days;past week;last seven days;7 hari terakhir;最近7天;过去7天', { from: moving('week-ago'), to: moving('date') }],
    ['this month;current month;month to date;mtd;bulan ini;本月;这个月', { from: moving('month-start'), to: moving('date') }],
    ['last month;previous month;the month before;bulan lalu;bulan kemarin;bulan sebelumnya;上月;上个月', { from: moving('last-month-start'), to: moving('last-month-end'), compare: 'month' }],
    ['this quarter;current quarter;quarter to date;qtd;kuartal ini;triwulan ini;本季度', { from: moving('quarter-start'), to: moving('date') }],
    ['last quarter;previous quarter;kuartal lalu;triwulan lalu;上季度', { ...quarter, compare: 'quarter' }],
    ['this year;current year;year to date;ytd;so far this year;tahun ini;今年;本年', { from: moving('year-start'), to: moving('date') }],
    ['last 12 months;past 12 months;last twelve months;12 bulan terakhir;最近12个月;过去12个月', { from: moving('year-ago'), to: moving('date') }],
  ]
  // Alone these are what is compared with; only an end of them is a day.
  const years: Span = { from: `${year}-01-01`, to: `${year}-12-31`, compare: 'year' }
  return [...spans, ['end of last year;end of previous year;last year end;akhir tahun lalu;去年底;去年年底;去年末', { ...years, from: years.to }]]
}

/** Ends that name no period: the last one there was. */
const monthEnds = ['month end', 'end of month', 'end of the month', 'akhir bulan', '月末', '月底'].map(tokensOf)
const ends = ['the end of', 'end of', 'the close of', 'close of', 'akhir'].map(tokensOf)
const starts = ['the beginning of', 'beginning of', 'the start of', 'start of', 'awal'].map(tokensOf)
const endsBehind = ['end', '末', '底'].map(tokensOf)
/** Before days at which things are looked at. */
const looks = ['as of', 'as at', 'as on', 'as per', 'until', 'till', 'up to', 'by', 'at', 'per', 'sampai dengan', 'sampai', 'hingga', '截至', '截止'].map(tokensOf)
const since = ['since', 'sejak', 'starting', '自'].map(tokensOf)
const between = ['from', 'between', 'dari', 'antara', '从'].map(tokensOf)
const joints = ['to', 'until', 'till', 'through', 'and', 'sampai dengan', 'sampai', 'hingga', 'dan', '到', '至'].map(tokensOf)
const during = ['in', 'on', 'during', 'for', 'of', 'in the', 'for the', 'pada', 'selama', 'di', 'untuk', '在'].map(tokensOf)

const monthNames = ['january jan januari', 'february feb februari', 'march mar maret', 'april apr', 'may mei', 'june jun juni', 'july jul juli', 'august aug agustus agu', 'september sep sept', 'october oct oktober okt', 'november nov', 'december dec desember des'].map(tokensOf)
/** Too short or too common to be a month without a year beside them. */
const hardlyMonths = new Set(['may', 'mar', 'dec', 'des', 'sep', 'jan', 'jun'])

/** The days that the words from here ask about, as many words as belong to them. */
export function readDays(tokens: readonly string[], at: number, today: DateText): ReadDays | undefined {
  const begins = (lists: readonly (readonly string[])[], from: number): number => Math.max(0, ...lists.filter((list) => list.every((word, i) => tokens[from + i] === word)).map(({ length }) => length))
  const look = begins(looks, at)
  if (look > 0) {
    const found = spanAt(at + look)
    if (found !== undefined) return { days: { to: found.isStart ? found.span.from : found.span.to }, count: look + found.count }
  }
  const after = begins(since, at)
  if (after > 0) {
    const found = spanAt(at + after)
    if (found !== undefined) return { days: { from: found.span.from, to: moving('date') }, count: after + found.count }
  }
  const start = begins(between, at)
  const first = spanAt(at + start)
  if (first !== undefined) {
    const joint = begins(joints, at + start + first.count)
    const second = spanAt(at + start + first.count + joint)
    if (second !== undefined && (joint > 0 || (first.isDay && second.isDay))) return { days: { from: first.span.from, to: second.span.to }, count: start + first.count + joint + second.count }
    if (start > 0) return { days: { from: first.span.from, to: moving('date') }, count: start + first.count }
  }
  const word = first === undefined ? begins(during, at) : 0
  const found = first ?? (word > 0 ? spanAt(at + word) : undefined)
  if (found === undefined) return undefined
  const { span, isEnd, isStart } = found
  return { days: isEnd ? { to: span.to } : isStart ? { to: span.from } : { from: span.from, to: span.to }, count: word + found.count, ...(span.compare === undefined || isEnd || isStart ? {} : { compare: span.compare }) }

  function spanAt(from: number): { readonly span: Span; readonly count: number; readonly isDay: boolean; readonly isEnd: boolean; readonly isStart: boolean } | undefined {
    const bare = begins(monthEnds, from)
    const spans = named(today).flatMap(([words, span]) => words.split(';').map((one) => ({ words: tokensOf(one), span })))
    const known = spans.filter(({ words }) => words.every((one, i) => tokens[from + i] === one)).toSorted((a, b) => b.words.length - a.words.length)[0]
    const plain = known === undefined ? writtenAt(tokens, from, today) : { span: known.span, count: known.words.length, isDay: false }
    if (plain !== undefined) {
      const behind = plain.isDay ? 0 : begins(endsBehind, from + plain.count)
      const isEnd = behind > 0 || (known !== undefined && known.span.from === known.span.to && typeof known.span.from === 'string')
      return { ...plain, count: plain.count + behind, isEnd, isStart: false }
    }
    const [end, beginning] = [begins(ends, from), begins(starts, from)]
    const within = end + beginning > 0 ? spanAt(from + Math.max(end, beginning)) ?? currentAt(from + Math.max(end, beginning)) : undefined
    if (within !== undefined && bare < Math.max(end, beginning) + within.count) return { ...within, count: within.count + Math.max(end, beginning), isEnd: end > 0, isStart: beginning > end }
    return bare === 0 ? undefined : { span: { from: moving('last-month-end'), to: moving('last-month-end') }, count: bare, isDay: false, isEnd: true, isStart: false }
  }

  /** Of a beginning, the month is the one that runs. */
  function currentAt(from: number): ReturnType<typeof spanAt> {
    const article = tokens[from] === 'the' ? 1 : 0
    const days: Readonly<Record<string, Day>> = { month: 'month-start', bulan: 'month-start', quarter: 'quarter-start', year: 'year-start', tahun: 'year-start', week: 'week-start' }
    const day = days[tokens[from + article] ?? '']
    return day === undefined ? undefined : { span: { from: moving(day), to: moving('date') }, count: article + 1, isDay: false, isEnd: false, isStart: true }
  }
}

/** A day, month or year written out: 31/10/2026, 2026-10-31, 31 October, October 2026, 2026年10月. */
function writtenAt(tokens: readonly string[], at: number, today: DateText): { readonly span: Span; readonly count: number; readonly isDay: boolean } | undefined {
  const [a = '', b = '', c = ''] = tokens.slice(at, at + 3)
  const day = (year: string, month: string, date: string, count: number) => {
    const text = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
    return isDate(text) ? { span: { from: text, to: text }, count, isDay: true } : undefined
  }
  const month = (year: string, number: string, count: number) => {
    const from = `${year}-${number.padStart(2, '0')}-01`
    return isDate(from) ? { span: { from, to: endOfMonth(from) }, count, isDay: false } : undefined
  }
  const nameOf = (word: string): string | undefined => {
    const found = monthNames.findIndex((names) => names.includes(word))
    return found < 0 ? undefined : String(found + 1)
  }
  /** Of a year left out: the last one in which it has begun. */
  const lately = (number: string, date = '1'): string => {
    const year = today.slice(0, 4)
    return `${year}-${number.padStart(2, '0')}-${date.padStart(2, '0')}` <= today ? year : String(Number(year) - 1)
  }
  if (b === '年') {
    const [number = '', sign, date = '', end] = tokens.slice(at + 2, at + 6)
    if (isYear(a) && sign === '月') return (isNumber(date) && (end === '日' || end === '号') ? day(a, number, date, 6) : undefined) ?? month(a, number, 4)
  }
  if (isYear(a) && isNumber(b) && isNumber(c)) return day(a, b, c, 3)
  if (isNumber(a) && isNumber(b) && isYear(c)) return day(c, b, a, 3)
  const [first, second] = [nameOf(a), nameOf(b)]
  if (isNumber(a) && second !== undefined) return isYear(c) ? day(c, second, a, 3) : day(lately(second, a), second, a, 2)
  if (first !== undefined && isNumber(b) && isYear(c)) return day(c, first, b, 3)
  if (first !== undefined && isYear(b)) return month(b, first, 2)
  if (first !== undefined && !hardlyMonths.has(a)) return month(lately(first), first, 1)
  if (isYear(a)) return { span: { from: `${a}-01-01`, to: a === today.slice(0, 4) ? moving('date') : `${a}-12-31` }, count: b === '年' ? 2 : 1, isDay: false }
  return undefined
}

function isYear(text: string): boolean {
  return /^20\d\d$/.test(text)
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}

function quarterOf(day: DateText): string {
  return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
}

/** A first day for a report about days, where the question names only the last: that of its month, or for a calendar that of its year. */
export function firstDayFor(last: AskedDay, isCalendar: boolean): AskedDay {
  if (typeof last === 'string') return isCalendar ? `${last.slice(0, 4)}-01-01` : `${last.slice(0, 7)}-01`
  if (isCalendar) return moving('year-ago')
  return last.now === 'last-month-end' ? moving('last-month-start') : last.now === 'date' ? moving('month-start') : moving('month-ago')
}

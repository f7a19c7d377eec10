import type { DateText } from '#base/date.ts'
import { exact, money, zero, type Decimal, type Exact } from '#base/decimal.ts'
import { amountOfDigits, dayOfParts, joined, piece, refuseLine, StatementFileError, type FileStatement, type Reading, type StatementLine } from './statementFile.ts'

const tags = new Set(['20', '21', '25', '25P', '28', '28C', '60F', '60M', '61', '62F', '62M', '64', '65', '86', '13', '13D', '34F', '90C', '90D'])
/** Value date, entry date, sign, funds letter, amount, type, reference, the bank's reference, further text. */
const movement = /^(\d{6})(\d{4})?(R?[DC])([A-Z])?(\d{1,15},\d{0,3})([SNF][A-Z0-9]{3})([^\n]{0,16}?)(?:\/\/([^\n]{0,34}))?(?:\n(.*))?$/s
const balance = /^([DC])(\d{6})([A-Z]{3})(\d{1,15},\d{0,3})/

interface Tag {
  readonly name: string
  readonly line: number
  text: string
}

export function looksLikeMt940(text: string): boolean {
  return /^:20:/m.test(text) && /^:25P?:/m.test(text) && /^:(28C?|60[FM]|61|34F|13D?):/m.test(text)
}

/** MT940 and MT942: each message is a statement; messages that carry an interim balance on are one. */
export function* readMt940(text: string): Reading<readonly FileStatement[]> {
  const statements: Message[] = []
  let now: Message | undefined
  let last: Tag | undefined
  let count = 0
  for (const tag of tagsOf(text)) {
    if (tag.name === '20') {
      now = new Message()
      statements.push(now)
    } else if (now === undefined) {
      refuseLine('line', tag.line, tag.text)
    } else if (tag.name === '86' && last?.name === '61') now.say(tag.text)
    else now.take(tag)
    last = tag
    if (++count % piece === 0) yield
  }
  return joinedMessages(statements).map((message) => message.statement())
}

/** Tags of the file in turn. What begins with a colon but is no tag goes on with the tag before it, the envelope around messages is left out. */
function* tagsOf(text: string): Generator<Tag> {
  let tag: Tag | undefined
  let no = 0
  for (const raw of text.split(/\r\n|\n|\r/)) {
    no++
    const line = raw.replace(/^\{.*\{4:/, '').replace(/^\{[1235]:.*\}$/, '')
    const [all, name = ''] = /^:(\d{2}[A-Z]?):/.exec(line) ?? ['']
    if (tags.has(name)) {
      if (tag !== undefined) yield tag
      tag = { name, line: no, text: line.slice(all.length) }
    } else if (line === '-' || line.startsWith('-}')) {
      if (tag !== undefined) yield tag
      tag = undefined
    } else if (tag !== undefined) tag.text += `\n${line}`
    else if (line.trim() !== '' && !line.startsWith('{')) refuseLine('line', no, line)
  }
  if (tag !== undefined) yield tag
}

class Message {
  account = ''
  number = ''
  currency = ''
  opening: Decimal | null = null
  closing: Decimal | null = null
  goesOn = false
  isInterim = false
  readonly lines: (Omit<StatementLine, 'text'> & { text: string; readonly more: string })[] = []

  take({ name, text, line }: Tag): void {
    if (name === '25' || name === '25P') {
      // The bank may stand before the account; with 25P the account's holder stands behind it.
      this.account = (text.split('\n')[0] ?? '').split('/').at(-1)?.replaceAll(/\s/g, '') ?? ''
      const [, number, currency] = /^(\d.*?)([A-Z]{3})$/.exec(this.account) ?? []
      if (number !== undefined && currency !== undefined) [this.account, this.currency] = [number, currency]
    } else if (name === '28' || name === '28C') this.number = text.split('/')[0]?.trim() ?? ''
    else if (name === '60F' || name === '60M') {
      this.opening = money(this.#balance(text, line))
      this.isInterim = name === '60M'
    } else if (name === '62F' || name === '62M') {
      this.closing = money(this.#balance(text, line))
      this.goesOn = name === '62M'
    } else if (name === '34F') this.currency ||= text.slice(0, 3)
    else if (name === '61') this.#move(text, line)
  }

  #balance(text: string, line: number): Exact {
    const [, side, , currency = '', digits = ''] = balance.exec(text) ?? refuseLine('balance', line, text)
    this.currency ||= currency
    const value = amountOfDigits(digits.replace(',', '.'), line)
    return side === 'D' ? zero.minus(value) : value
  }

  #move(text: string, line: number): void {
    const [, value = '', entry, sign, , digits = '', , own = '', theirs = '', more = ''] = movement.exec(text) ?? refuseLine('line', line, text.split('\n')[0] ?? '')
    const amount = amountOfDigits(digits.replace(',', '.'), line)
    const reference = /^(NONREF)?$/.test(own.trim()) ? theirs.trim() : own.trim()
    this.lines.push({ date: bookedOn(value, entry, line), amount: money(sign === 'D' || sign === 'RC' ? zero.minus(amount) : amount), reference, balance: null, text: '', more: more.trim() })
  }

  /** The description of the movement before. */
  say(text: string): void {
    const line = this.lines.at(-1)
    if (line !== undefined) line.text = descriptionOf(text)
  }

  statement(): FileStatement {
    const { account, currency, number, opening, closing } = this
    return { account, currency, number, opening, closing, pending: 0, lines: this.lines.map(({ more, text, ...line }) => ({ ...line, text: joined([text, text === '' ? more : undefined]) })) }
  }
}

/** The entry date has no year: of the three years around the value date the one that is nearest to it. */
function bookedOn(value: string, entry: string | undefined, line: number): DateText {
  const [year, month, day] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)]
  const valueDay = dayOfParts(year, month, day, line)
  if (entry === undefined) return valueDay
  const [m, d] = [entry.slice(0, 2), entry.slice(2)]
  const away = Number(m) - Number(month)
  return dayOfParts(String(Number(valueDay.slice(0, 4)) + (away > 6 ? -1 : away < -6 ? 1 : 0)), m, d, line)
}

/** `?20` to `?29` and `?60` to `?63` are the purpose, joined as they are; `?32` and `?33` the name; `?00` what the bank calls it. */
function descriptionOf(text: string): string {
  const flat = text.replaceAll('\n', '')
  if (!/^\d{3}[?>]\d\d/.test(flat) && !/^\?\d\d/.test(flat)) return text.replaceAll(/\n/g, ' ')
  const sign = flat.includes('?') ? '?' : '>'
  const parts = flat.split(sign).slice(1).map((part) => [part.slice(0, 2), part.slice(2)] as const)
  const of = (from: number, to: number): string => parts.filter(([no]) => Number(no) >= from && Number(no) <= to).map(([, said]) => said).join('')
  return joined([of(0, 0), of(20, 29) + of(60, 63), of(32, 33)])
}

/** Of messages in which one continues the interim balance of another, one. */
function joinedMessages(messages: readonly Message[]): readonly Message[] {
  const whole: Message[] = []
  for (const message of messages) {
    const before = whole.at(-1)
    if (before?.goesOn === true && message.isInterim && before.account === message.account) {
      if (before.closing !== message.opening && before.closing !== null && message.opening !== null && !exact(before.closing).eq(message.opening)) throw new StatementFileError('balance', { line: 0, text: message.opening })
      before.lines.push(...message.lines)
      before.closing = message.closing
      before.goesOn = message.goesOn
    } else whole.push(message)
  }
  return whole
}

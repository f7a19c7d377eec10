import { aheadMs } from '#base/businessZone.ts'
import { isDate, type DateText } from '#base/date.ts'
import { money, type Decimal } from '#base/decimal.ts'
import { joined, piece, refuseLine, StatementFileError, writtenAmount, type FileStatement, type Reading, type StatementLine } from './statementFile.ts'

export function looksLikeOfx(text: string): boolean {
  return /<OFX>/i.test(text.slice(0, 20_000)) && /^\s*(OFXHEADER|<\?xml|<\?OFX|<OFX)/i.test(text)
}

/** A tag, or its end, with the text behind it. */
const tag = /<(\/?)([A-Za-z0-9_.]{1,40})\s*(\/?)>([^<]*)/g
const mostTags = 2_000_000
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * OFX as SGML, where tags with text stay open, and as XML. Lists of movements hold nothing but leaves, so that only their beginning and end
 * count: an empty tag that is never closed changes nothing.
 */
export function* readOfx(text: string): Reading<readonly FileStatement[]> {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw new StatementFileError('doctype')
  const statements: FileStatement[] = []
  let head = new Map<string, string>()
  let entry: Map<string, string> | undefined
  let ledger = false
  let lines: StatementLine[] = []
  let count = 0
  let line = 1
  let at = 0
  for (const found of text.matchAll(tag)) {
    const [, slash, name = '', , said = ''] = found
    while (at < found.index) if (text.charCodeAt(at++) === 10) line++
    const key = name.toUpperCase()
    if (++count > mostTags) throw new StatementFileError('large')
    if (count % (piece * 8) === 0) yield
    if (slash === '/') {
      if (key === 'STMTTRN' && entry !== undefined) {
        lines.push(lineOf(entry, line))
        entry = undefined
      } else if (key === 'LEDGERBAL') ledger = false
      else if (key === 'STMTRS' || key === 'CCSTMTRS') {
        statements.push(statementOf(head, lines, line))
        ;[head, lines] = [new Map(), []]
      }
      continue
    }
    if (key === 'STMTTRN') entry = new Map()
    else if (key === 'LEDGERBAL') ledger = true
    else if (key === 'STMTRS' || key === 'CCSTMTRS') [head, lines] = [new Map(), []]
    const value = plain(said)
    if (value === '') continue
    if (entry !== undefined) entry.set(key, entry.has(key) ? `${entry.get(key) ?? ''} ${value}` : value)
    else if (key === 'BALAMT' && ledger) head.set('LEDGER', value)
    else if (!head.has(key)) head.set(key, value)
  }
  if (entry !== undefined) refuseLine('line', line, entry.get('FITID') ?? 'STMTTRN')
  return statements
}

function statementOf(head: ReadonlyMap<string, string>, lines: readonly StatementLine[], line: number): FileStatement {
  const balance = head.get('LEDGER')
  const closing: Decimal | null = balance === undefined ? null : money(writtenAmount(balance, line))
  return { account: (head.get('ACCTID') ?? '').replaceAll(/\s/g, ''), currency: head.get('CURDEF') ?? '', number: '', opening: null, closing, lines, pending: 0 }
}

function lineOf(entry: ReadonlyMap<string, string>, line: number): StatementLine {
  const amount = entry.get('TRNAMT')
  if (amount === undefined) return refuseLine('amount', line, entry.get('FITID') ?? '')
  return {
    date: dayOf(entry.get('DTPOSTED') ?? '', line), amount: money(writtenAmount(amount, line)), balance: null,
    reference: entry.get('CHECKNUM') ?? entry.get('REFNUM') ?? entry.get('FITID') ?? '', text: joined([entry.get('NAME'), entry.get('MEMO'), entry.has('NAME') || entry.has('MEMO') ? undefined : entry.get('TRNTYPE')]),
  }
}

/** `20261130170000.000[0:GMT]`: a moment of Greenwich is told as the day it falls on here, any other day as the bank writes it. */
function dayOf(text: string, line: number): DateText {
  const [, year = '', month = '', day = '', hour = '', minute = '', , zone] = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.\d+)?)?\s*(?:\[([-+]?[\d.]+)(?::\w+)?\])?$/.exec(text) ?? refuseLine('date', line, text)
  const written = `${year}-${month}-${day}`
  if (!isDate(written)) return refuseLine('date', line, text)
  if (zone === undefined || Number(zone) !== 0 || hour === '') return written
  const instant = Date.parse(`${written}T${hour}:${minute}:00Z`)
  return Number.isNaN(instant) ? refuseLine('date', line, text) : new Date(instant + aheadMs).toISOString().slice(0, 10)
}

/** Entities are read once: `&amp;lt;` is the text `&lt;`. */
function plain(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-fA-F]{1,6}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  }).trim()
}

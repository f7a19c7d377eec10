import { aheadMs } from '#base/businessZone.ts'
import { isDate, type DateText } from '#base/date.ts'
import { exact, fixed, money, sum, zero, type Decimal } from '#base/decimal.ts'
import { amountOfDigits, joined, refuseLine, type FileStatement, type Reading, type StatementLine } from './statementFile.ts'
import { XmlReader } from './xmlReader.ts'

export function looksLikeCamt(text: string): boolean {
  return /<([\w.-]+:)?(BkToCstmrStmt|BkToCstmrAcctRpt|BkToCstmrDbtCdtNtfctn)[\s>]/.test(text)
}

const letters = 32 * 1024
type Leaves = Map<string, string[]>

/** CAMT.052, .053 and .054 of any version: elements are told by their local names. */
export function* readCamt(text: string): Reading<readonly FileStatement[]> {
  const statements: FileStatement[] = []
  let head: Leaves = new Map()
  let balance: Leaves = new Map()
  let entry: Leaves = new Map()
  let details: Leaves[] = []
  let detail: Leaves | undefined
  let lines: StatementLine[] = []
  let opening: Decimal | null = null
  let closing: Decimal | null = null
  let pending = 0
  const reader = new XmlReader({
    open(path) {
      if (/\/(Stmt|Rpt|Ntfctn)$/.test(path)) [head, lines, opening, closing, pending] = [new Map(), [], null, null, 0]
      else if (path.endsWith('/Bal')) balance = new Map()
      else if (path.endsWith('/Ntry')) [entry, details] = [new Map(), []]
      else if (path.endsWith('/TxDtls')) detail = new Map()
    },
    leaf(path, value, attributes) {
      const of = /\/TxDtls\/(.+)$/.exec(path) ?? /\/Ntry\/(.+)$/.exec(path) ?? /\/Bal\/(.+)$/.exec(path) ?? /\/(?:Stmt|Rpt|Ntfctn)\/(.+)$/.exec(path)
      const target = path.includes('/TxDtls/') ? detail : path.includes('/Ntry/') ? entry : path.includes('/Bal/') ? balance : head
      if (of?.[1] === undefined || target === undefined) return
      const put = (key: string, said: string): void => void target.set(key, [...(target.get(key) ?? []), said])
      put(of[1], value)
      if (attributes['Ccy'] !== undefined) put(`${of[1]}@`, attributes['Ccy'])
    },
    end(path) {
      if (path.endsWith('/Bal')) {
        const kind = first(balance, 'Tp/CdOrPrtry/Cd')
        const value = signed(balance, reader.line)
        // A balance carried forward opens the statement where none says that it does.
        if (kind === 'OPBD' || (kind === 'PRCD' && opening === null)) opening = value
        else if (kind === 'CLBD') closing = value
        if (!head.has('Acct/Ccy') && balance.has('Amt@')) head.set('Acct/Ccy', balance.get('Amt@') ?? [])
      } else if (path.endsWith('/TxDtls') && detail !== undefined) {
        details.push(detail)
        detail = undefined
      } else if (path.endsWith('/Ntry')) {
        const status = first(entry, 'Sts/Cd') ?? first(entry, 'Sts') ?? 'BOOK'
        if (!head.has('Acct/Ccy') && entry.has('Amt@')) head.set('Acct/Ccy', entry.get('Amt@') ?? [])
        if (status === 'BOOK') lines.push(...linesOf(entry, details, reader.line))
        else pending++
      } else if (/\/(Stmt|Rpt|Ntfctn)$/.test(path)) {
        const account = first(head, 'Acct/Id/IBAN') ?? first(head, 'Acct/Id/Othr/Id') ?? ''
        const number = first(head, 'LglSeqNb') ?? first(head, 'ElctrncSeqNb') ?? first(head, 'Id') ?? ''
        statements.push({ account: account.replaceAll(/\s/g, ''), currency: first(head, 'Acct/Ccy') ?? '', number, opening, closing, lines, pending })
      }
    },
  })
  for (let at = 0; at < text.length; at += letters) {
    reader.write(text.slice(at, at + letters))
    yield
  }
  reader.close()
  return statements
}

/** One line, or one for each transaction of a batch whose amounts together are the entry's. */
function linesOf(entry: Leaves, details: readonly Leaves[], line: number): readonly StatementLine[] {
  const whole = signed(entry, line)
  const date = dayOf(first(entry, 'BookgDt/Dt') ?? first(entry, 'BookgDt/DtTm') ?? first(entry, 'ValDt/Dt') ?? first(entry, 'ValDt/DtTm'), line)
  const parts = details.map((detail) => amountIn(detail, first(entry, 'Amt@'), line))
  const isWhole = (part: Decimal | undefined): part is Decimal => part !== undefined
  const isBatch = details.length > 1 && parts.every(isWhole) && sum(parts).eq(exact(whole).lt(0) ? zero.minus(whole) : whole)
  const ofEntry = [first(entry, 'AddtlNtryInf')]
  if (!isBatch) {
    const reference = details.map((detail) => referenceOf(detail)).find((text) => text !== '') ?? ''
    return [{ date, amount: whole, balance: null, reference: reference || (first(entry, 'AcctSvcrRef') ?? first(entry, 'NtryRef') ?? ''), text: joined([...details.flatMap((detail) => textsOf(detail)), ...ofEntry]) }]
  }
  return details.map((detail, i) => ({
    date, balance: null, amount: money(exact(whole).lt(0) ? zero.minus(parts[i] ?? '0') : exact(parts[i] ?? '0')),
    reference: referenceOf(detail) || (first(entry, 'AcctSvcrRef') ?? ''), text: joined([...textsOf(detail), ...ofEntry]),
  }))
}

/** Of a transaction in the account's currency; undefined where it says none. */
function amountIn(detail: Leaves, currency: string | undefined, line: number): Decimal | undefined {
  for (const key of ['Amt', 'AmtDtls/TxAmt/Amt']) {
    const text = first(detail, key)
    if (text !== undefined && (currency === undefined || (first(detail, `${key}@`) ?? currency) === currency)) return money(amountOfDigits(text, line))
  }
  return undefined
}

function referenceOf(detail: Leaves): string {
  const named = ['RmtInf/Strd/CdtrRefInf/Ref', 'Refs/EndToEndId', 'Refs/TxId', 'Refs/AcctSvcrRef'].map((key) => first(detail, key))
  return named.find((text) => text !== undefined && text !== 'NOTPROVIDED') ?? ''
}

function textsOf(detail: Leaves): readonly (string | undefined)[] {
  const names = ['Dbtr', 'Cdtr'].flatMap((side) => [first(detail, `RltdPties/${side}/Nm`), first(detail, `RltdPties/${side}/Pty/Nm`)])
  return [(detail.get('RmtInf/Ustrd') ?? []).join(''), ...names, first(detail, 'AddtlTxInf')]
}

function signed(of: Leaves, line: number): Decimal {
  const text = first(of, 'Amt')
  const side = first(of, 'CdtDbtInd')
  if (text === undefined || (side !== 'CRDT' && side !== 'DBIT')) return refuseLine('amount', line, text ?? '')
  const value = amountOfDigits(text, line)
  return fixed(side === 'DBIT' ? zero.minus(value) : value, 2)
}

/** A moment in UTC is told as the day it falls on here; any other as the bank writes it. */
function dayOf(text: string | undefined, line: number): DateText {
  const instant = text !== undefined && /T.*Z$/.test(text) ? Date.parse(text) : Number.NaN
  const day = Number.isNaN(instant) ? text?.slice(0, 10) : new Date(instant + aheadMs).toISOString().slice(0, 10)
  return day !== undefined && isDate(day) ? day : refuseLine('date', line, text ?? '')
}

function first(of: Leaves, key: string): string | undefined {
  return of.get(key)?.[0]
}

import { exact, fixed, money, sum } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { PayFile } from '#meta/resolved.ts'

/** Money from one account of ours to several payees on one day. Amounts are decimal texts in the account's currency. */
export interface Transfers {
  /** Number of the file, at most 35 letters. */
  readonly id: string
  readonly at: string
  readonly date: DateText
  readonly currency: string
  readonly payer: { readonly name: string; readonly account: string; readonly swift: string | null; readonly bankCode: string | null }
  readonly transfers: readonly Transfer[]
}

export interface Transfer {
  /** What the bank repeats on its statement. */
  readonly reference: string
  readonly amount: string
  readonly payee: string
  readonly account: string
  readonly bank: string | null
  readonly swift: string | null
  readonly bankCode: string | null
  readonly email: string | null
  readonly text: string
}

/** ISO 20022 pain.001.001.09: one payment instruction, a transfer for each payee. */
export function painFile({ id, at, date, currency, payer, transfers }: Transfers): string {
  const total = money(sum(transfers.map(({ amount }) => exact(amount))))
  const head = el('GrpHdr', el('MsgId', latin(id, 35)) + el('CreDtTm', at) + el('NbOfTxs', String(transfers.length)) + el('CtrlSum', total) + el('InitgPty', nameOf(payer.name)))
  const each = transfers.map((one) =>
    el('CdtTrfTxInf', el('PmtId', el('EndToEndId', latin(one.reference, 35))) + el('Amt', `<InstdAmt Ccy="${currency}">${fixed(one.amount, 2)}</InstdAmt>`)
      + agent('CdtrAgt', one.swift, one.bankCode) + el('Cdtr', nameOf(one.payee)) + el('CdtrAcct', account(one.account)) + el('RmtInf', el('Ustrd', latin(one.text, 140)))))
  const order = el('PmtInfId', latin(`${id}-1`, 35)) + el('PmtMtd', 'TRF') + el('NbOfTxs', String(transfers.length)) + el('CtrlSum', total) + el('ReqdExctnDt', el('Dt', date))
    + el('Dbtr', nameOf(payer.name)) + el('DbtrAcct', account(payer.account) + el('Ccy', currency)) + (agent('DbtrAgt', payer.swift, payer.bankCode) || el('DbtrAgt', el('FinInstnId', el('Othr', el('Id', 'NOTPROVIDED')))))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>${head}<PmtInf>${order}${each.join('')}</PmtInf></CstmrCdtTrfInitn></Document>\n`
}

/** The same as lines in the columns of a layout. */
export function delimitedFile({ date, currency, payer, transfers }: Transfers, layout: PayFile): string {
  const values = (one: Transfer, no: number): Readonly<Record<NonNullable<PayFile['columns'][number]['value']>, string>> => ({
    number: String(no), date: dayOf(date, layout.dates ?? 'YYYY-MM-DD'), amount: fixed(one.amount, 2).replace('.', layout.decimal ?? '.'), currency, payee: one.payee, 'payee-account': one.account,
    'payee-bank': one.bank ?? '', 'payee-bank-code': one.bankCode ?? '', 'payee-email': one.email ?? '', 'payer-account': payer.account, reference: one.reference, text: one.text,
  })
  const rows = transfers.map((one, i) => {
    const known = values(one, i + 1)
    return layout.columns.map(({ value, constant = '', most }) => (value === undefined ? constant : known[value]).slice(0, most))
  })
  const heads = layout.heads === false ? [] : [layout.columns.map(({ head }) => head)]
  return [...heads, ...rows].map((cells) => `${cells.map((cell) => quoted(cell, layout.delimiter)).join(layout.delimiter)}\r\n`).join('')
}

/** A cell that begins like a formula is not one for the spreadsheet it may be looked at in. */
function quoted(cell: string, delimiter: string): string {
  const flat = cell.replace(/[\r\n]+/g, ' ')
  const safe = /^[=+@-]/.test(flat) ? ` ${flat}` : flat
  return safe.includes(delimiter) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe
}

function dayOf(date: DateText, form: NonNullable<PayFile['dates']>): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day)
}

function el(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`
}

function nameOf(name: string): string {
  return el('Nm', latin(name, 70))
}

/** An IBAN where its check digits say so; any other number as the bank has it. */
function account(number: string): string {
  const bare = number.replaceAll(/[\s.-]/g, '').toUpperCase()
  return el('Id', isIban(bare) ? el('IBAN', bare) : el('Othr', el('Id', latin(bare, 34))))
}

function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** The bank by its international code, else by the number it has at home. */
function agent(name: string, swift: string | null, code: string | null): string {
  const id = swift !== null && swift !== '' ? el('BICFI', swift) : code !== null && code !== '' ? el('ClrSysMmbId', el('MmbId', latin(code, 35))) : ''
  return id === '' ? '' : el(name, el('FinInstnId', id))
}

const plain: Readonly<Record<string, string>> = { ß: 'ss', Ł: 'L', ł: 'l', Ø: 'O', ø: 'o', Đ: 'D', đ: 'd', Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe' }

/** Letters every bank takes; cut before anything is escaped. */
function latin(text: string, most: number): string {
  const simple = text.replaceAll(/[ßŁłØøĐđÆæŒœ]/g, (letter) => plain[letter] ?? letter).normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '')
  return simple.replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ').replaceAll(/ +/g, ' ').trim().slice(0, most).trim().replaceAll("'", '&#39;')
}

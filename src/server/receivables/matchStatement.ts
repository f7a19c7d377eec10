import { isDate, type DateText } from '#base/date.ts'
import { exact, isDecimal, isZero, money, type Decimal } from '#base/decimal.ts'
import { referenceNames, wireName } from '#base/wireName.ts'
import { surelyMatched, type Expected, type Movement } from '#domain/receivables/statementMatch.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { columnsOf, isRow, wired } from '#server/documents/bodyColumns.ts'
import { isId } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { sumsOf } from './statementSums.ts'

/** What a line can be, and the column that names the document it is. */
export const matchedBy = [
  { kind: 'PAYMENT', column: 'ar_payment_id' },
  { kind: 'DEPOSIT', column: 'customer_deposit_id' },
  { kind: 'CASH_DEPOSIT', column: 'cash_deposit_id' },
  { kind: 'CB_DOC', column: 'cash_bank_document_id' },
  { kind: 'AP_PAYMENT', column: 'ap_payment_id' },
  { kind: 'SUPPLIER_RECEIPT', column: 'supplier_receipt_id' },
] as const

interface ExpectedMoney extends Expected, Row {
  readonly kind: (typeof matchedBy)[number]['kind']
  readonly id: number
  readonly code: string
}

/** A line as typed: what cannot be read is empty. */
interface TypedLine {
  readonly date: DateText | undefined
  readonly debit: Decimal
  readonly credit: Decimal
  /** Everything the bank wrote beside it. */
  readonly text: string
  /** What the bank calls it, without numbers and days. */
  readonly words: string
  readonly matchType: string
  /** The document it names, by column. */
  readonly named: ReadonlyMap<string, number>
}

/**
 * Says of a statement as typed what it opens with, what its lines come to, and what surely is what was expected: receipts and deposits by the marks
 * the bank repeats, charges and interest by what the same words were booked as before. Nothing is saved or locked.
 */
export const matchStatement: Command = async (context, { body }) => {
  const header = columnsOf(context, 'bank_statement', body)
  const sent = body['Lines'] ?? []
  if (!Array.isArray(sent)) return invalid([wrong('Lines', 'WRONG_TYPE.lines')])
  const rows = sent.filter(isRow)
  const unstorable = Object.keys(body).filter((wire) => isUnstorable(body[wire]))
  const inLines = rows.flatMap((row, i) => Object.keys(row).filter((wire) => isUnstorable(row[wire])).map((wire) => `Lines[${i}].${wire}`))
  if (unstorable.length + inLines.length > 0) return invalid([...unstorable, ...inLines].map((field) => wrong(field.slice(0, 80), 'WRONG_TYPE.characters')))
  const lines = rows.map((row) => typedLine(columnsOf(context, 'bank_statement_line', row)))
  const bank = isId(header['house_bank_id']) ? await bankOf(context, header['house_bank_id']) : undefined
  const ownId = isId(body['ID']) ? body['ID'] : null
  const [before, found] = bank === undefined ? [undefined, []] : await Promise.all([statementBefore(context.tx, bank.id, ownId), suggestions(context, bank, lines)])
  const opening = readMoney(header['opening_balance'])
  const hasClosing = isDecimal(header['closing_balance'], 2)
  const sums = sumsOf({ opening: isZero(opening) && before !== undefined ? before.closing_balance : opening, closing: readMoney(header['closing_balance']) }, lines)
  return { record: { ...(before === undefined ? {} : { OpeningBalance: before.closing_balance }), ...wired(sums), ...(hasClosing ? {} : { DiffAmount: null }), Lines: rows.map((row, i) => ({ ...row, ...found[i] })) }, errors: [] }
}

/** The statement one of the account continues: the last that was posted or, as long as it is not itself decided on, submitted. */
export function statementBefore(tx: Queries, bankId: number, ownId: number | null, statuses: readonly number[] = [3, 4]): Promise<(Row & { doc_date: DateText; closing_balance: Decimal }) | undefined> {
  return tx.first(sql`
    select doc_date, closing_balance from bank_statement where house_bank_id = ${bankId} and status = any(${[...statuses]}::smallint[]) and id is distinct from ${ownId}::bigint order by doc_date desc, id desc limit 1`)
}

type Bank = Row & { readonly id: number; readonly operating_unit_id: number }

function bankOf({ tx, user }: CommandContext, id: number): Promise<Bank | undefined> {
  return tx.first<Bank>(sql`select id, operating_unit_id from house_bank b where id = ${id} and ${columnScope(user, { operating_unit: 'operating_unit_id' }, 'b') ?? sql`true`}`)
}

async function suggestions(context: CommandContext, bank: Bank, lines: readonly TypedLine[]): Promise<readonly Row[]> {
  const open = lines.map((line) => line.named.size === 0 && ['NONE', ...matchedBy.map(({ kind }) => kind)].includes(line.matchType))
  const movements = lines.map((line, i): Movement | undefined => (open[i] === true && line.date !== undefined && !(isZero(line.credit) && isZero(line.debit)) ? { date: line.date, amount: money(exact(line.credit).minus(line.debit)), text: line.text } : undefined))
  const taken = (column: string): number[] => lines.flatMap((line) => line.named.get(column) ?? [])
  const [expected, booked] = await Promise.all([
    movements.some((movement) => movement !== undefined) ? expectedMoney(context, bank, movements.flatMap((movement) => movement?.amount ?? []), taken) : [],
    lines.some(({ words }, i) => open[i] === true && words !== '') ? bookedBefore(context.tx, bank.id) : new Map<string, string>(),
  ])
  const matched = surelyMatched(movements.map((movement) => movement ?? { date: context.today, amount: '0.00', text: '' }), expected)
  return lines.map((line, i): Row => {
    // Which document it is says what it is.
    const told = matchedBy.find(({ column }) => line.named.has(column))
    if (told !== undefined) return { MatchType: told.kind }
    const match = movements[i] === undefined ? undefined : matched[i]
    if (match !== undefined && line.matchType !== 'NONE' && line.matchType !== match.kind) return {}
    const column = matchedBy.find(({ kind }) => kind === match?.kind)?.column
    if (match !== undefined && column !== undefined) return { MatchType: match.kind, [wireName(column)]: match.id, [referenceNames(column).code]: match.code, [referenceNames(column).name]: match.code }
    const kind = line.matchType === 'NONE' ? booked.get(line.words) : undefined
    const side = kind === 'CHARGE' ? line.debit : line.credit
    return kind === undefined || isZero(side) ? {} : { MatchType: kind }
  })
}

/** Money of these amounts that is on its way into the account or out of it, papers that any account may receive among it. */
async function expectedMoney({ tx, user }: CommandContext, bank: Bank, amounts: readonly Decimal[], taken: (column: string) => number[]): Promise<readonly ExpectedMoney[]> {
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'x') ?? sql`true`
  return tx.rows<ExpectedMoney>(sql`
    select 'PAYMENT' as kind, x.id, x.code, x.payment_date as date, x.amount - x.bank_confirmed as amount, a.va_number as "virtualAccount", coalesce(x.giro_no, x.reference_no) as reference, x.account_number as "payerAccount"
    from ar_payment x left join customer_payment_account a on a.id = x.payment_account_id and x.method = 'VA'
    where x.bank_statement_line_id is null and x.pending_transition is null and x.amount - x.bank_confirmed = any(${[...amounts]}::numeric[]) and x.id <> all(${taken('ar_payment_id')}::bigint[]) and x.operating_unit_id = ${bank.operating_unit_id} and ${scope}
      and ((x.method in ('TRANSFER', 'VA') and x.status = 1 and x.house_bank_id = ${bank.id})
        or (x.method in ('GIRO', 'CHEQUE') and (x.status = 1 or (x.status = 3 and x.house_bank_id = ${bank.id}))))
    union all
    select 'DEPOSIT', x.id, x.code, x.doc_date, x.amount, null, x.reference_no, null
    from customer_deposit x
    where x.bank_statement_line_id is null and x.origin = 'RECEIPT' and x.method <> 'CASH' and x.status in (1, 2, 3) and x.amount = any(${[...amounts]}::numeric[]) and x.id <> all(${taken('customer_deposit_id')}::bigint[])
      and x.operating_unit_id = ${bank.operating_unit_id} and coalesce(x.house_bank_id, ${bank.id}) = ${bank.id} and ${scope}
    union all
    select 'CASH_DEPOSIT', x.id, x.code, x.doc_date, x.expected, null, x.slip_no, null
    from cash_deposit x where x.status = 1 and x.pending_transition is null and x.house_bank_id = ${bank.id} and x.expected = any(${[...amounts]}::numeric[]) and x.id <> all(${taken('cash_deposit_id')}::bigint[]) and ${scope}
    union all
    select 'CB_DOC', x.id, x.code, x.doc_date, y.amount, null, x.reference_no, null
    from cash_bank_document x cross join lateral (values (x.to_house_bank_id, x.to_statement_line_id, x.amount), (x.from_house_bank_id, x.from_statement_line_id, -x.amount)) y(bank, line, amount)
    where x.status = 1 and x.pending_transition is null and y.bank = ${bank.id} and y.line is null and y.amount = any(${[...amounts]}::numeric[]) and x.id <> all(${taken('cash_bank_document_id')}::bigint[]) and ${scope}
    union all
    select 'AP_PAYMENT', x.id, x.code, x.doc_date, y.amount, null, coalesce(x.reference_no, x.code), x.payee_account
    from ap_payment x cross join lateral (values (1, -x.paid_out), (3, x.paid_out)) y(status, amount)
    where x.status = y.status and x.pending_transition is null and x.house_bank_id = ${bank.id} and x.return_line_id is null and y.amount = any(${[...amounts]}::numeric[])
      and x.id <> all(${taken('ap_payment_id')}::bigint[]) and ${columnScope(user, { operating_unit: 'operating_unit_id' }, 'x') ?? sql`true`}
    union all
    select 'SUPPLIER_RECEIPT', x.id, x.code, x.doc_date, x.amount, null, coalesce(x.reference_no, x.code), null
    from supplier_receipt x where x.status in (1, 2, 3) and x.pending_transition is null and x.house_bank_id = ${bank.id} and x.statement_line_id is null and x.amount = any(${[...amounts]}::numeric[])
      and x.id <> all(${taken('supplier_receipt_id')}::bigint[]) and ${columnScope(user, { operating_unit: 'operating_unit_id' }, 'x') ?? sql`true`}
    order by date, id`)
}

/** What the words of charges and interest on the account's last statements were booked as. */
async function bookedBefore(tx: Queries, bankId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ description: string; match_type: string }>(sql`
    select l.description, l.match_type from bank_statement_line l
    where l.match_type in ('CHARGE', 'INTEREST') and l.description is not null
      and l.bank_statement_id in (select id from bank_statement where house_bank_id = ${bankId} and status = 3 order by doc_date desc, id desc limit 60)
    order by l.bank_statement_id, l.id`)
  return new Map(rows.map((row) => [wordsOf(row.description), row.match_type]))
}

/** Words without their numbers and days: the same charge has another date each month. */
function wordsOf(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}]+/gu, ' ').trim()
}

function typedLine(columns: Row): TypedLine {
  const { value_date: date, description, reference, match_type: type } = columns
  return {
    date: isDate(date) ? date : undefined, debit: readMoney(columns['debit']), credit: readMoney(columns['credit']),
    text: [description, reference].filter((part) => typeof part === 'string').join(' '), words: typeof description === 'string' ? wordsOf(description) : '',
    matchType: typeof type === 'string' ? type : 'NONE',
    named: new Map(matchedBy.flatMap(({ column }) => {
      const id = columns[column]
      return isId(id) ? [[column, id] as const] : []
    })),
  }
}

/** A text the database cannot hold, and so cannot look for. */
function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\u0000')
}

function readMoney(value: unknown): Decimal {
  return isDecimal(value, 2) ? money(exact(value)) : '0.00'
}

import type { FormFileAnswer, FormFilePart } from '#api/formFile.ts'
import { dayText } from '#base/date.ts'
import { exact, grouped, isZero, money, sum, zero, type Decimal } from '#base/decimal.ts'
import { untied, type FileStatement, type StatementLine } from '#domain/banking/statementFile.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { FileReading } from '#server/documents/fileReaders.ts'
import { fail } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { readBankFile } from './bankFile.ts'

/** A file of a bank as statements to be entered: the account found, lines known already left out and told, tied out. */
export const readStatement: FileReading = async (services, user, file, answer): Promise<FormFileAnswer> => {
  const order = answer === 'DMY' || answer === 'MDY' ? answer : undefined
  const { format, statements, orders, sample } = await readBankFile(file, services.metadata.bankFiles, order)
  const known = new Set<string>()
  const parts = await Promise.all(statements.filter(({ lines }) => lines.length > 0).map((statement) => partOf(services.database, user, format, statement, known)))
  if (parts.every(({ lines }) => lines.length === 0)) return fail('FILE_EMPTY.statement-known', { statement: [...known].join(', ') })
  if (orders.length < 2 || order !== undefined) return { parts }
  const asked = await Promise.all(orders.map(async (one) => ({ value: one, says: tell('done.statement-file.reads', { text: sample, day: dayText((await readBankFile(file, [], one)).statements[0]?.lines[0]?.date ?? '') }) })))
  return { parts, asks: { question: tell('done.statement-file.dates', {}), choices: asked } }
}

interface Bank extends Row {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly currency: string
}

async function partOf(db: Queries, user: User, format: string, statement: FileStatement, on: Set<string>): Promise<FormFilePart> {
  const bank = await bankOf(db, user, statement.account)
  const known = bank === undefined ? [] : await knownLines(db, bank.id, statement.lines)
  const { lines, skipped, codes } = withoutKnown(statement.lines, known)
  for (const code of codes) on.add(code)
  const dates = statement.lines.map(({ date }) => date).toSorted()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const gap = untied(statement)
  const told: FormFilePart['told'][number][] = []
  const warn = (sentence: ReturnType<typeof tell>): void => void told.push({ ...sentence, isWarning: true })
  if (bank === undefined && statement.account !== '') warn(tell('done.statement-file.account', { account: statement.account }))
  if (bank !== undefined && statement.currency !== '' && statement.currency !== bank.currency) warn(tell('done.statement-file.currency', { currency: statement.currency, account: bank.code, own: bank.currency }))
  if (gap !== undefined && !isZero(gap)) warn(tell('done.statement-file.gap', { amount: grouped(gap) }))
  if (skipped.length > 0) told.push(tell('done.statement-file.known', { count: skipped.length, statement: codes.join(', ') }))
  if (statement.pending > 0) told.push(tell('done.statement-file.pending', { count: statement.pending }))
  const amounts = lines.map(({ amount }) => exact(amount))
  const [money_in, money_out] = [sum(amounts.filter((amount) => amount.gt(0))), sum(amounts.filter((amount) => amount.lt(0)))]
  told.push(tell('done.statement-file.sums', { lines: lines.length, in: grouped(money(money_in)), out: grouped(money(zero.minus(money_out))) }))
  if (gap !== undefined && isZero(gap)) told.push(tell('done.statement-file.tied', { opening: grouped(statement.opening ?? '0.00'), closing: grouped(statement.closing ?? '0.00') }))
  const opening = statement.opening === null ? null : money(exact(statement.opening).plus(sum(skipped.map(({ amount }) => amount))))
  return {
    title: tell('done.statement-file.title', { format, account: bank?.code ?? (statement.account || '–'), from: dayText(first), to: dayText(last) }),
    told,
    values: {
      ...(bank === undefined ? {} : { HouseBankID: bank.id, HouseBankCode: bank.code, HouseBankName: bank.name }),
      ...(statement.number === '' ? {} : { StatementNo: statement.number.slice(0, 40) }),
      DocDate: last, ...(opening === null ? {} : { OpeningBalance: opening }), ...(statement.closing === null ? {} : { ClosingBalance: statement.closing }),
    },
    lines: lines.map(onWire),
  }
}

function onWire({ date, text, reference, amount, balance }: StatementLine): Row {
  const out = exact(amount).lt(0)
  return { ValueDate: date, Description: text, Reference: reference.slice(0, 60), ...(out ? { Debit: money(zero.minus(amount)) } : { Credit: amount }), ...(balance === null ? {} : { Balance: balance }) }
}

/** Files write an account with leading zeros or without. */
function bankOf(db: Queries, user: User, account: string): Promise<Bank | undefined> {
  const digits = account.replaceAll(/\D/g, '').replace(/^0+/, '')
  if (digits === '') return Promise.resolve(undefined)
  return db.first<Bank>(sql`
    select id, code, name, currency from house_bank b
    where b.is_active and ltrim(regexp_replace(b.account_no, '\\D', '', 'g'), '0') = ${digits} and ${columnScope(user, { operating_unit: 'operating_unit_id' }, 'b') ?? sql`true`} order by id`)
}

interface Known extends Row {
  readonly date: string
  readonly text: string
  readonly reference: string
  readonly amount: Decimal
  readonly balance: Decimal | null
  readonly code: string
}

/** Lines of the account's statements of these days, rejected and reversed ones left out. */
function knownLines(db: Queries, bank: number, lines: readonly StatementLine[]): Promise<readonly Known[]> {
  const dates = lines.map(({ date }) => date).toSorted()
  return db.rows<Known>(sql`
    select l.value_date as date, coalesce(l.description, '') as text, coalesce(l.reference, '') as reference, coalesce(l.credit, 0) - coalesce(l.debit, 0) as amount, l.balance, coalesce(s.code, s.statement_no) as code
    from bank_statement_line l join bank_statement s on s.id = l.bank_statement_id
    where s.house_bank_id = ${bank} and s.status in (0, 3, 4) and l.value_date between ${dates[0] ?? ''}::date and ${dates.at(-1) ?? ''}::date
    order by s.id, l.id`)
}

/** A line is known as often as it was entered before: of two alike of which one was entered, one remains. */
function withoutKnown(lines: readonly StatementLine[], known: readonly Known[]): { readonly lines: readonly StatementLine[]; readonly skipped: readonly StatementLine[]; readonly codes: readonly string[] } {
  const left = new Map<string, string[]>()
  const keyOf = ({ date, text, reference, amount }: StatementLine | Known): string => [date, text.toLowerCase(), reference.slice(0, 60).toLowerCase(), money(amount)].join('\u0001')
  const put = (key: string, code: string): void => void left.set(key, [...(left.get(key) ?? []), code])
  for (const line of known) put(`${keyOf(line)}\u0001${line.balance === null ? '' : money(line.balance)}`, line.code)
  const skipped: StatementLine[] = []
  const codes = new Set<string>()
  const fresh = lines.filter((line) => {
    const [code] = left.get(`${keyOf(line)}\u0001${line.balance ?? ''}`)?.splice(0, 1) ?? []
    if (code === undefined) return true
    skipped.push(line)
    codes.add(code)
    return false
  })
  return { lines: fresh, skipped, codes: [...codes] }
}

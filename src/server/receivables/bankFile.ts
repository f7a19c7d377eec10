import fs from 'node:fs'
import { layoutOf, type FileRow } from '#domain/banking/bankLayout.ts'
import { readDelimited } from '#domain/banking/delimited.ts'
import type { DayOrder } from '#domain/banking/qif.ts'
import { readerOf } from '#domain/banking/recognise.ts'
import { mostLines, StatementFileError, type FileStatement, type Reading, type StatementFault } from '#domain/banking/statementFile.ts'
import type { BankFile } from '#meta/resolved.ts'
import type { LocalFile } from '#server/files/fileStore.ts'
import { recogniseFile, rowsOf } from '#server/import/openFile.ts'
import { nextTurn } from '#server/nextTurn.ts'
import { fail, problem, raise } from '#server/problemError.ts'

/** Bytes of a file of statements. */
export const largestBankFile = 16 * 1024 * 1024

export interface BankFileRead {
  /** What people call its format. */
  readonly format: string
  readonly statements: readonly FileStatement[]
  /** More than one: nothing in the file tells which its dates have. */
  readonly orders: readonly DayOrder[]
  readonly sample: string
}

/** Reads a file as a bank sends it, whatever it is called; a refusal says which line cannot be read and why. */
export async function readBankFile(file: LocalFile, layouts: readonly BankFile[], order?: DayOrder): Promise<BankFileRead> {
  try {
    const read = await shared(file, order) ?? await delimited(file, layouts)
    if (read.statements.every(({ lines }) => lines.length === 0)) return fail('FILE_EMPTY.statement')
    if (read.statements.some(({ lines }) => lines.length > mostLines)) return fail('FILE_BROKEN.bank-large')
    return read
  } catch (error) {
    if (error instanceof StatementFileError) return raise(problem(sentences[error.fault], error.params))
    throw error
  }
}

const sentences: Readonly<Record<StatementFault, string>> = {
  unknown: 'FILE_BROKEN.bank-unknown', empty: 'FILE_EMPTY.statement', line: 'FILE_BROKEN.bank-line', amount: 'FILE_BROKEN.bank-amount', date: 'FILE_BROKEN.bank-date', balance: 'FILE_BROKEN.bank-balance',
  large: 'FILE_BROKEN.bank-large', xml: 'FILE_BROKEN.bank-xml', doctype: 'FILE_BROKEN.bank-doctype', dates: 'FILE_BROKEN.bank-dates', period: 'FILE_BROKEN.bank-period',
}

async function shared(file: LocalFile, order: DayOrder | undefined): Promise<BankFileRead | undefined> {
  const bytes = await fs.promises.readFile(file.path)
  // A workbook is a packed file.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return undefined
  const reading = readerOf(textOfBytes(bytes), order)
  return reading === undefined ? undefined : inTurns(reading)
}

async function delimited(file: LocalFile, layouts: readonly BankFile[]): Promise<BankFileRead> {
  const rows: FileRow[] = []
  for await (const some of rowsOf(file.path, await recogniseFile(file.path, {}))) rows.push(...some)
  for (const layout of layouts) {
    const found = layoutOf(rows, layout)
    if (found !== undefined) return { format: layout.name, statements: [await inTurns(readDelimited(rows, layout, found))], orders: [], sample: '' }
  }
  throw new StatementFileError('unknown', { names: ['MT940', 'MT942', 'CAMT', 'OFX', 'QIF', ...layouts.map(({ name }) => name)].join(', ') })
}

/** Reads piece by piece, so that others are served in between. */
async function inTurns<T>(reading: Reading<T>): Promise<T> {
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}

/** UTF-8 where it is that, else as Windows writes; with a mark at its beginning what that says. */
function textOfBytes(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

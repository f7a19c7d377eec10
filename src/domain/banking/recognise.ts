import { looksLikeCamt, readCamt } from './camt.ts'
import { looksLikeMt940, readMt940 } from './mt940.ts'
import { looksLikeOfx, readOfx } from './ofx.ts'
import { looksLikeQif, readQif, type DayOrder } from './qif.ts'
import type { FileStatement, Reading } from './statementFile.ts'

/** What a file holds; `orders` are more than one where its dates can be read in several ways, of which `sample` is one. */
export interface StatementsRead {
  readonly format: 'MT940' | 'CAMT' | 'OFX' | 'QIF'
  readonly statements: readonly FileStatement[]
  readonly orders: readonly DayOrder[]
  readonly sample: string
}

/** Reads a file by what it holds, whatever it is called; undefined where it is none of the formats all banks share. */
export function readerOf(text: string, order?: DayOrder): Reading<StatementsRead> | undefined {
  if (looksLikeCamt(text.slice(0, 20_000))) return plain('CAMT', readCamt(text))
  if (looksLikeOfx(text)) return plain('OFX', readOfx(text))
  if (looksLikeMt940(text.slice(0, 20_000))) return plain('MT940', readMt940(text))
  if (looksLikeQif(text)) return ofQif(text, order)
  return undefined
}

function* plain(format: StatementsRead['format'], reading: Reading<readonly FileStatement[]>): Reading<StatementsRead> {
  return { format, statements: yield* reading, orders: [], sample: '' }
}

function* ofQif(text: string, order: DayOrder | undefined): Reading<StatementsRead> {
  const { orders, statement, sample } = yield* readQif(text, order)
  return { format: 'QIF', statements: [statement], orders, sample }
}

import type { Row } from '#server/context.ts'
import { textOf, textOrNull } from './newDocument.ts'

/** Day a document is booked on: its own, so that what it settles and its journal agree. */
export function bookingDate(document: Row): string {
  return textOrNull(document, 'posting_date') ?? textOf(document, 'doc_date')
}

/** Where that day was entered. */
export function bookingField(document: Row): 'DocDate' | 'PostingDate' {
  return textOrNull(document, 'posting_date') === null ? 'DocDate' : 'PostingDate'
}

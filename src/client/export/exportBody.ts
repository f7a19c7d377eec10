import type { ExportBody, ExportFormat } from '#api/export.ts'
import type { Column } from '#meta/resolved.ts'
import { languageAtom } from '../app/messages.ts'
import { store } from '../data/session.ts'

/** What narrows, orders and groups the rows of a page now. */
export type ExportQuestion = Pick<ExportBody, 'search' | 'filter' | 'sort' | 'groupBy' | 'parameters' | 'summary'>

/** What is seen, as a file is asked for, in the language on screen. */
export function exportBody(screen: string, format: ExportFormat, columns: readonly Column[], question: ExportQuestion): ExportBody {
  return {
    screen, format, language: store.get(languageAtom), hasTotals: format === 'xlsx', ...question,
    columns: columns.map(({ name, width, pin }) => ({ name, ...(width === undefined ? {} : { width }), ...(pin === 'left' ? { isPinned: true } : {}) })),
  }
}

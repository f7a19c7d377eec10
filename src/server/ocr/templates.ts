import type { Template } from '#domain/ocr/extract.ts'
import type { ReadingType } from '#domain/ocr/values.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

interface Line extends Row {
  readonly template: number
  readonly page_anchor: string | null
  readonly field: string
  readonly type: string
  readonly anchor: string | null
  readonly pattern: string | null
  readonly page: number | null
  readonly box_x: string | null
  readonly box_y: string | null
  readonly box_w: string | null
  readonly box_h: string | null
}

const typeOf: Readonly<Record<string, ReadingType>> = { TEXT: 'text', DAY_MONTH_YEAR: 'date', AMOUNT: 'money', DIGITS: 'digits' }

/** Templates in use, with their fields. */
export async function templatesOf(queries: Queries): Promise<readonly Template[]> {
  const rows = await queries.rows<Line>(sql`
    select t.id as template, t.page_anchor, f.* from ocr_template t join ocr_template_field f on f.ocr_template_id = t.id where t.is_active order by t.id, f.line_no`)
  return [...new Set(rows.map(({ template }) => template))].map((id) => {
    const own = rows.filter(({ template }) => template === id)
    return {
      id,
      pageAnchor: own[0]?.page_anchor ?? null,
      fields: own.map((row) => ({ field: row.field === 'ISSUED_ON' ? 'invoice_date' : row.field.toLowerCase(), type: typeOf[row.type] ?? 'text', anchor: row.anchor, pattern: row.pattern, page: row.page, box: boxOf(row) })),
    }
  })
}

/** Percents of the page; no box unless all four are said. */
function boxOf({ box_x: x, box_y: y, box_w: w, box_h: h }: Line): Template['fields'][number]['box'] {
  if (x === null || y === null || w === null || h === null) return null
  return { x: Number(x) / 100, y: Number(y) / 100, w: Number(w) / 100, h: Number(h) / 100 }
}

/** A pattern must be one, and a field must be found by something. */
export const ocrTemplateHooks: DocumentHooks = {
  beforeSave(saving) {
    for (const [i, { columns }] of (saving.lines?.['Lines'] ?? []).entries()) {
      const { pattern, anchor, box_x: box } = columns
      if (typeof pattern === 'string' && !isPattern(pattern)) saving.problem(wrong(`Lines[${i}].Pattern`, 'INVALID.pattern'))
      if (anchor == null && pattern == null && box == null) saving.problem(wrong(`Lines[${i}].Anchor`, 'REQUIRED'))
    }
    return Promise.resolve()
  },
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'id').source !== ''
  } catch {
    return false
  }
}

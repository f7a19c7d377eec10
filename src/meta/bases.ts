import type { FieldSource } from '#generated/language.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'

type Base = ResolvedEntity['base']
type Fields = Readonly<Record<string, FieldSource>>

/** Columns set by the server alone. */
const kept = { readOnly: true } as const
/** Who did something to a record. */
const who = { type: 'ref', entity: 'app_user', trace: true, ...kept } as const

const audit: Fields = {
  created_by: who,
  created_at: { type: 'datetime', required: true, ...kept },
  updated_by: who,
  updated_at: { type: 'datetime', required: true, ...kept },
}

const document: Fields = {
  id: { type: 'id', required: true, ...kept },
  code: { type: 'code', search: true, ...kept },
  status: { type: 'status', required: true, default: 0, ...kept },
  operating_unit_id: { type: 'ref', entity: 'operating_unit', required: true },
  territory_id: { type: 'ref', entity: 'territory' },
  doc_date: { type: 'date', required: true },
  posting_date: { type: 'date' },
  period: { type: 'period', ...kept },
  currency: { type: 'text', required: true, default: 'IDR', maxLength: 3 },
  rate: { type: 'rate', required: true, default: '1' },
  note: { type: 'longtext' },
  reason_id: { type: 'ref', entity: 'reason', ...kept },
  reason_text: { type: 'text', ...kept },
  ...audit,
  submitted_at: { type: 'datetime', ...kept },
  submitted_by: who,
  approved_at: { type: 'datetime', ...kept },
  approved_by: who,
  cancelled_at: { type: 'datetime', ...kept },
  cancelled_by: who,
  version: { type: 'integer', required: true, default: 1, ...kept },
  source: { type: 'text', required: true, default: 'WEB', ...kept },
  pending_transition: { type: 'text', values: ['cancel', 'change', 'reverse'], labels: 'action', ...kept },
}

/** Columns a base brings before and after the entity's own. */
export function baseColumns(base: Base, parent: string | undefined): { readonly before: Fields; readonly after: Fields } {
  const id: FieldSource = { type: 'id', required: true, ...kept }
  switch (base) {
    case 'plain':
    case 'internal':
      return { before: { id }, after: {} }
    case 'view':
      return { before: {}, after: {} }
    case 'master':
      return {
        before: { id },
        after: { is_active: { type: 'boolean', required: true, default: true }, ...audit, version: { type: 'integer', required: true, default: 1, ...kept } },
      }
    case 'document':
      return { before: document, after: {} }
    case 'line':
      return {
        before: {
          id,
          ...(parent === undefined ? {} : { [`${parent}_id`]: { type: 'ref', entity: parent, required: true, ...kept } satisfies FieldSource }),
          line_no: { type: 'integer', required: true },
        },
        after: { note: { type: 'text' } },
      }
  }
}

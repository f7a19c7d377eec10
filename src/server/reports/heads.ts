import type { Heads } from '#api/heads.ts'
import type { MeasureSpan, ResolvedDataset } from '#meta/resolved.ts'
import type { Sentence } from '#meta/sentence.ts'
import type { Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Services } from '#server/services.ts'

/** What the measures are called whose days people set, as they are set now; nothing where all are called as their screens say. */
export async function headsOf({ metadata, database }: Services, { measures }: ResolvedDataset): Promise<{ readonly heads?: Heads }> {
  const spanned = measures.flatMap(({ name, span }) => (span === undefined ? [] : [{ name, span }]))
  if (spanned.length === 0) return {}
  const settings = new Map<string, Row | undefined>()
  for (const id of new Set(spanned.map(({ span }) => span.entity))) {
    const { table, key } = knownEntity(metadata, id)
    settings.set(id, await database.first<Row>(sql`select * from ${ident(table)} order by ${join((key[0] ?? ['id']).map((name) => ident(name)))} limit 1`))
  }
  const heads = spanned.flatMap(({ name, span }) => {
    const head = headOf(span, settings.get(span.entity) ?? {})
    return head === undefined ? [] : [[name, head] as const]
  })
  return { heads: Object.fromEntries(heads) }
}

/** Undefined where the settings have not been made yet. */
function headOf({ after, to }: MeasureSpan, settings: Row): Sentence | undefined {
  const day = (field: string): number | undefined => (typeof settings[field] === 'number' ? settings[field] : undefined)
  const before = after === undefined ? 0 : day(after)
  const last = to === undefined ? undefined : day(to)
  if (before === undefined || (to !== undefined && last === undefined)) return undefined
  return last === undefined ? { key: 'ui.report.days-beyond', params: { after: before } } : { key: 'ui.report.days', params: { from: before + 1, to: last } }
}

import { importRowStates, type CellError, type ImportRow } from '#api/import.ts'
import { standardView, withQuery } from '#meta/placeLink.ts'
import { hasScreen } from '#server/access/guards.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { placeOf } from '#server/dashboards/places.ts'
import { sql } from '#server/db/sql.ts'
import { isDocument, knownEntity } from '#server/documents/entities.ts'
import { recordPlace } from '#server/documents/places.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import type { Services } from '#server/services.ts'
import type { MadeRecord } from './batches.ts'

const journals = 'journal.report'

/** Rows of a batch with what they became, and where that is seen: its page, the page of what it stands for, else what it has booked. */
export async function rowsOnWire(services: Services, queries: Queries, user: User, rows: readonly Row[]): Promise<readonly ImportRow[]> {
  const { metadata } = services
  // An import may outlive an entity that is no more.
  const shown = rows.map((row) => ((row['records'] ?? []) as readonly MadeRecord[]).filter(({ entity, name }, i) => metadata.entities[entity] !== undefined && (i === 0 || (name ?? '') !== '')))
  const places = new Map<string, string>()
  const booked: { readonly key: string; readonly entity: string; readonly id: number }[] = []
  for (const name of new Set(shown.flat().map(({ entity }) => entity))) {
    const entity = knownEntity(metadata, name)
    const ids = [...new Set(shown.flat().flatMap((record) => (record.entity === name ? [record.id] : [])))]
    const stands = await services.hooks[hookKey(entity)]?.standsFor?.(queries, ids)
    for (const id of ids) {
      const other = stands?.get(id)
      const place = recordPlace(services, user, entity, id) ?? (other === undefined ? undefined : recordPlace(services, user, knownEntity(metadata, other.entity), other.id))
      if (place !== undefined) places.set(`${name} ${id}`, place)
      else if (isDocument(entity)) booked.push({ key: `${name} ${id}`, entity: other?.entity ?? name, id: other?.id ?? id })
    }
  }
  const report = metadata.screens[journals]
  if (booked.length > 0 && report !== undefined && hasScreen(metadata, user, report)) {
    const found = await queries.rows<{ source: string; code: string; day: string }>(sql`
      select source_doc_type || ' ' || source_doc_id as source, source_doc_code as code, min(posting_date)::text as day from journal
      where source_doc_type = any(${[...new Set(booked.map(({ entity }) => entity))]}::text[]) and source_doc_id = any(${booked.map(({ id }) => id)}::bigint[]) and source_doc_code is not null group by 1, 2`)
    const sources = new Map(found.map((one) => [one.source, one]))
    const { path } = placeOf(services, journals)
    for (const { key, entity, id } of booked) {
      const source = sources.get(`${entity} ${id}`)
      if (source !== undefined) places.set(key, withQuery(path, [['date_from', source.day], ['date_to', source.day], ['f.source_doc_code', `eq:${JSON.stringify(source.code)}`], standardView]))
    }
  }
  return rows.map((row, i) => ({
    RowNo: Number(row['row_no']),
    State: importRowStates.find((state) => state === row['state']) ?? 'NEW',
    Cells: row['raw'] as readonly string[],
    Errors: (row['errors'] ?? []) as readonly CellError[],
    Records: (shown[i] ?? []).map(({ entity, id, name = '' }) => {
      const path = places.get(`${entity} ${id}`)
      return { entity, id, name, ...(path === undefined ? {} : { path }) }
    }),
  }))
}

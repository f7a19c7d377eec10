import type { Row } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from './sql.ts'

export type RecordsetType = 'bigint' | 'numeric' | 'text' | 'date' | 'integer' | 'boolean' | 'jsonb' | 'timestamptz'

/** Rows of ours as a table in a statement: `update t set … from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'x')}`. Decimal text stays exact. */
export function recordset(rows: readonly Row[], shape: Readonly<Record<string, RecordsetType>>, alias: string): Sql {
  const columns = join(Object.entries(shape).map(([name, type]) => sql`${ident(name)} ${trusted(type)}`))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${ident(alias)}(${columns})`
}

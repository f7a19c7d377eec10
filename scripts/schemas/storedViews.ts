import { existsSync } from 'node:fs'
import path from 'node:path'

import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/sql.ts'

/** A saved view, a schedule or a draft of a report as the database keeps it. */
export interface StoredView {
  readonly kind: 'view' | 'schedule' | 'draft'
  readonly screen: string
  readonly name: string
  /** E-mail of the owner, or the role a view is shared with. */
  readonly owner: string
  readonly definition: unknown
}

/** The saved views, schedules and drafts of the database at DATABASE_URL or in the data folder; `note` says why there are none to look at. */
export async function storedViews(): Promise<{ readonly views: readonly StoredView[]; readonly note: string }> {
  const url = process.env['DATABASE_URL'] ?? ''
  const directory = path.join(path.resolve(process.env['ARUS_DATA'] ?? 'data'), 'pgdata')
  if (url === '' && !existsSync(directory)) return { views: [], note: 'No database was found, so saved views were not looked at.' }
  try {
    const database = await openDatabase(url === '' ? { kind: 'embedded', directory } : { kind: 'postgres', url })
    try {
      const views = await database.rows<{ screen: string; name: string; owner: string; definition: unknown }>(sql`
        select v.screen, v.name, coalesce(r.name, u.email) as owner, v.definition
        from saved_view v join app_user u on u.id = v.owner_id left join role r on r.id = v.role_id order by v.screen, lower(v.name), v.id`)
      const schedules = await database.rows<{ screen: string; name: string; owner: string; definition: unknown }>(sql`
        select s.screen, s.name, u.email as owner, s.request as definition from report_schedule s join app_user u on u.id = s.owner_id order by s.screen, lower(s.name), s.id`)
      const drafts = await database.rows<{ name: string; owner: string; source: string }>(sql`
        select d.name, u.email as owner, d.source from report_draft d join app_user u on u.id = d.owner_id order by lower(d.name), d.id`)
      return {
        views: [
          ...views.map((view) => ({ kind: 'view' as const, ...view })),
          ...schedules.map((schedule) => ({ kind: 'schedule' as const, ...schedule })),
          // A draft belongs to no screen yet: it relies on its dataset.
          ...drafts.map(({ name, owner, source }) => ({ kind: 'draft' as const, screen: datasetOf(source), name, owner, definition: source })),
        ],
        note: '',
      }
    } finally {
      await database.close()
    }
  } catch (error) {
    return { views: [], note: `Saved views were not looked at: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function datasetOf(source: string): string {
  return /"dataset"\s*:\s*"([^"]+)"/.exec(source)?.[1] ?? ''
}

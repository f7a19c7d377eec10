import type { ExportBody } from '#api/export.ts'
import type { Span } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'
import type { Translate } from '#server/texts.ts'
import type { LocalTime } from './localTime.ts'

interface Facts {
  readonly services: Services
  readonly user: User
  readonly translate: Translate
  readonly time: LocalTime
  readonly body: ExportBody
  /** The filter in words, a line for each test. */
  readonly filter: readonly string[]
  readonly sort: readonly { readonly field: Field | undefined; readonly dir: 'asc' | 'desc' }[]
  readonly groups: readonly { readonly field: Field; readonly by: Span | undefined }[]
}

/** What the second sheet says of the first: whose it is, who made it and when, what narrowed it. */
export async function aboutExport({ services, user, translate, time, body, filter, sort, groups }: Facts): Promise<readonly (readonly [string, string])[]> {
  const company = await services.database.first<{ name: string }>(sql`select coalesce(nullif(legal_name, ''), name) as name from company where is_active order by id limit 1`)
  const territories = user.territories === 'all' ? undefined : await services.database.rows<{ code: string }>(sql`select code from territory where id = any(${[...user.territories]}::bigint[]) order by code`)
  const order = sort.flatMap(({ field, dir }) => (field === undefined ? [] : [`${translate(field.label)} ${dir === 'asc' ? '↑' : '↓'}`]))
  return [
    ...(company === undefined ? [] : [[translate('export.company'), company.name] as const]),
    [translate('export.user'), `${user.name} <${user.email}>`],
    [translate('export.at'), `${time.text(services.clock.now().toISOString())} ${time.zone}`],
    [translate('export.territories'), territories === undefined ? translate('export.all') : territories.map(({ code }) => code).join(', ') || translate('export.none')],
    ...(body.search === undefined || body.search.trim() === '' ? [] : [[translate('ui.search'), body.search.trim()] as const]),
    ...(filter.length === 0 ? [[translate('export.filter'), translate('export.none')] as const] : filter.map((line, i) => [i === 0 ? translate('export.filter') : '', line] as const)),
    ...(order.length === 0 ? [] : [[translate('export.sort'), order.join(', ')] as const]),
    ...(groups.length === 0 ? [] : [[translate('export.group'), groups.map(({ field, by }) => translate(field.label) + (by === undefined ? '' : ` (${translate(`export.by.${by}`)})`)).join(', ')] as const]),
  ]
}

import { columnScope } from '#server/access/scope.ts'
import { myApprovals } from '#server/approval/queue.ts'
import { sql } from '#server/db/sql.ts'
import { firstSteps, homeCounts } from '#server/home/counts.ts'
import { orderStars } from '#server/home/stars.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Api, Call } from './api.ts'
import { bodyOf } from './read.ts'

/** What the home page shows. */
export function homeEndpoints(api: Api): void {
  const tag = 'Home'
  api.get('/api/v1/home', { summary: 'Home page: what waits for the user, announcements, the first ten starred pages', tag }, async (call) => home(call))
  api.get('/api/v1/home/counts', { summary: 'What the lists of the user’s menu want counted, with the way to the rows', tag }, async ({ services, user }) => {
    const [records, steps] = await Promise.all([homeCounts(services, services.database, user), firstSteps(services, services.database, user)])
    return { records, steps }
  })
  api.put('/api/v1/home/starred', { summary: 'Put the starred pages in this order: { IDs }', tag }, async (call) => {
    const { IDs: ids } = bodyOf(call)
    if (!Array.isArray(ids) || ids.length > 500 || !ids.every((id): id is number => Number.isSafeInteger(id) && id > 0)) {
      return invalid([wrong('IDs', 'WRONG_TYPE.list', { limit: 500 })])
    }
    await orderStars(call.services.database, call.user.id, ids)
    return {}
  })
}

async function home(call: Call): Promise<object> {
  const { services, user } = call
  const { database } = services
  const today = services.clock.today()
  const scope = columnScope(user, { territory: 'territory_id' })
  const [approvals, announcements, starred] = await Promise.all([
    myApprovals(services, database, user),
    database.rows(sql`
      select id as "ID", code as "Code", title as "Title", body as "Body", valid_from as "ValidFrom" from announcement
      where is_active and valid_from <= ${today}::date and (valid_to is null or valid_to >= ${today}::date) ${scope ? sql`and ${scope}` : sql``} order by valid_from desc, id desc limit 20`),
    database.rows(sql`select id as "ID", url as "Url", title as "Title", sort_order as "SortOrder" from starred_page where user_id = ${user.id} order by sort_order, id limit 10`),
  ])
  return { approvals: approvals.records, announcements, starred }
}

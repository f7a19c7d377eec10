import type { MenuEntry } from '#api/session.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

interface MenuRow extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly url: string | null
  readonly icon: string | null
  readonly parent_id: number | null
  readonly sort_order: number
}

/** The menu of the user's role: parents with the submenus it sees; a parent without any is left out. */
export async function menuOf({ menu }: Pick<Metadata, 'menu'>, queries: Queries, user: User): Promise<readonly MenuEntry[]> {
  const rows = await queries.rows<MenuRow>(sql`
    select m.id, m.name, m.url, m.icon, m.parent_id, m.sort_order from menu m
    where m.is_active and (m.parent_id is null or exists (select 1 from role_menu r where r.menu_id = m.id and r.role_id = ${user.roleId} and r.can_view))
    order by m.sort_order, m.id`)
  const shipped = new Map(menu.flatMap(({ submenu }) => submenu.map((entry) => [entry.url, entry])))
  const entry = (row: MenuRow, submenu: readonly MenuEntry[]): MenuEntry => {
    const { under, isQueue, kind, scope } = shipped.get(row.url ?? '') ?? {}
    const family = { ...(under === undefined ? {} : { under }), ...(isQueue ? { isQueue } : {}), ...(kind === undefined ? {} : { kind }), ...(scope === undefined ? {} : { scope }) }
    return { name: row.name, url: row.url ?? '', icon: row.icon ?? '', order: row.sort_order, submenu, ...family }
  }
  return rows
    .filter((row) => row.parent_id === null)
    .map((parent) => entry(parent, rows.filter((row) => row.parent_id === parent.id).map((row) => entry(row, []))))
    .filter((parent) => parent.submenu.length > 0 || parent.url !== '')
}

import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { Session, TestApp } from './app.ts'

/** Who sees everything, and two who may do as much and see less. */
export interface Onlookers {
  readonly admin: Session
  /** All permissions and screens of the administrator, and one territory of a unit that has several. */
  readonly one: Session
  /** The same, in a territory of that unit where nobody buys. */
  readonly empty: Session
  readonly home: { readonly territory: number; readonly unit: number }
}

/** Onlookers of the demo company. */
export async function onlookers(demo: TestApp): Promise<Onlookers> {
  const { database } = demo
  const home = (await database.first<{ territory: number; unit: number }>(sql`select id as territory, operating_unit_id as unit from territory order by id limit 1`)) ?? { territory: 0, unit: 0 }
  const [nobody = 0] = await insertRows(database, 'territory', [{ code: 'NOBODY', name: 'Nobody buys here', operating_unit_id: home.unit }])
  const like = await database.first<{ role_id: number; password_hash: string }>(sql`select role_id, password_hash from app_user where email = 'admin@arus.example'`)
  const signIn = async (name: string, territory: number): Promise<Session> => {
    const [user = 0] = await insertRows(database, 'app_user', [{ email: `${name}@arus.example`, name, territory_scope: true, password_change_date: '2026-11-01T00:00:00Z', ...like }])
    await insertRows(database, 'user_territory', [{ user_id: user, territory_id: territory, operating_unit_id: home.unit }])
    return demo.signIn(name)
  }
  return { home, admin: await demo.signIn('admin'), one: await signIn('one', home.territory), empty: await signIn('empty', nobody) }
}

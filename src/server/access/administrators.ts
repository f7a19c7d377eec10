import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'

/** What somebody needs to give permissions back to others. */
const essential = ['user-edit', 'role-edit']

/** Refuses a change that would leave nobody able to administer users and roles; asked after the change, in its transaction. */
export async function assertAdministratorLeft(tx: Queries): Promise<void> {
  // The lock makes two administrators who deactivate each other wait for one another.
  await tx.run(sql`select pg_advisory_xact_lock(1634891124)`)
  const row = await tx.first<{ n: number }>(sql`
    select count(*) as n from app_user u join role r on r.id = u.role_id
    where u.is_active and r.is_active and u.password_hash is not null
      and (select count(*) from role_permission p where p.role_id = r.id and p.guard_name = any(${essential}::text[])) = ${essential.length}`)
  if (Number(row?.n) === 0) fail('IN_USE.last-administrator')
}

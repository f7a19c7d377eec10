import path from 'node:path'
import readline from 'node:readline/promises'
import { hashPassword, passwordProblem } from '#server/access/passwords.ts'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/database.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { migrate } from '#server/db/migrate.ts'
import { sql } from '#server/db/sql.ts'
import { installReference } from '#server/seed/reference.ts'

// npm run create-admin -- name@company.example "Full Name"   (asks for the password, or reads it from ADMIN_PASSWORD)
const [email = '', name = email] = process.argv.slice(2)
const databaseUrl = process.env['DATABASE_URL']

if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) stop('Usage: npm run create-admin -- name@company.example "Full Name"')
const password = process.env['ADMIN_PASSWORD'] ?? (await ask('Password: '))
const problem = passwordProblem(password)
if (problem !== undefined) stop(`The password is too weak. ${problem}`)

const database = await openDatabase(
  databaseUrl === undefined || databaseUrl === ''
    ? { kind: 'embedded', directory: path.join(path.resolve(process.env['ARUS_DATA'] ?? 'data'), 'pgdata') }
    : { kind: 'postgres', url: databaseUrl },
)
try {
  await migrate(database)
  await installReference(database, systemClock)
  const hash = await hashPassword(password)
  const now = systemClock.now().toISOString()
  const outcome = await database.transaction(async (tx) => {
    const known = await tx.first(sql`select id from app_user where lower(email) = ${email.toLowerCase()}`)
    const role = await tx.first<{ id: number }>(sql`select id from role where code = 'ADMIN'`)
    if (!role) throw new Error('There is no role ADMIN.')
    if (known) {
      await tx.run(sql`
        update app_user set password_hash = ${hash}, password_change_date = ${now}, role_id = ${role.id}, territory_scope = false, is_active = true,
          failed_login_count = 0, locked_until = null, updated_at = ${now}, version = version + 1 where id = ${known['id']}`)
      return 'is an administrator now, with this password'
    }
    await insertRows(tx, 'app_user', [{ email: email.toLowerCase(), name, password_hash: hash, role_id: role.id, password_change_date: now, is_show_tos: true, created_at: now, updated_at: now }])
    return 'was created as administrator'
  })
  console.log(`${email} ${outcome}.`)
} finally {
  await database.close()
}

async function ask(question: string): Promise<string> {
  const line = readline.createInterface({ input: process.stdin, output: process.stdout })
  const answer = await line.question(question)
  line.close()
  return answer
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

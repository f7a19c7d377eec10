import path from 'node:path'
import readline from 'node:readline/promises'
import { Writable } from 'node:stream'
import { makeAdministrator } from '#server/access/makeAdministrator.ts'
import { hashPassword, knownOf, passwordProblem } from '#server/access/passwords.ts'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { wrong } from '#server/problemError.ts'
import { installReference } from '#server/seed/reference.ts'

// npm run create-admin -- name@company.example "Full Name"   (asks for the password, or reads it from ADMIN_PASSWORD)
const [email = '', given = email, ...more] = process.argv.slice(2)
const name = given.trim()
const databaseUrl = process.env['DATABASE_URL']

if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) stop('Usage: npm run create-admin -- name@company.example "Full Name"')
// A name without quotes comes as several words, of which all but the first would be lost.
if (more.length > 0 || name === '' || name.length > 255) stop('Write the full name in quotes: npm run create-admin -- name@company.example "Full Name"')
const password = process.env['ADMIN_PASSWORD'] ?? (await ask('Password: '))
refuse(passwordProblem(password, [email, name]))

const database = await openDatabase(
  databaseUrl === undefined || databaseUrl === ''
    ? { kind: 'embedded', directory: path.join(path.resolve(process.env['ARUS_DATA'] ?? 'data'), 'pgdata') }
    : { kind: 'postgres', url: databaseUrl },
)
let problem: ReturnType<typeof passwordProblem>
try {
  await migrate(database)
  await installReference(database, systemClock)
  problem = passwordProblem(password, await knownOf(database, { email, name }))
  if (problem === undefined) {
    const hash = await hashPassword(password)
    const outcome = await database.transaction((tx) => makeAdministrator(tx, { email, name, hash }, systemClock.now()))
    console.log(`${email} ${outcome === 'created' ? 'was created as administrator' : 'is an administrator now, with this password'}.`)
  }
} finally {
  await database.close()
}
refuse(problem)

/** A password that will not do ends the command before anything is made. */
function refuse(found: ReturnType<typeof passwordProblem>): void {
  if (found !== undefined) stop(wrong('Password', found).text)
}

/** What is typed at a terminal is not shown; from a pipe it comes as it is. */
async function ask(question: string): Promise<string> {
  const isTyped = process.stdin.isTTY
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() })
  const line = readline.createInterface({ input: process.stdin, output: nowhere, terminal: isTyped })
  process.stdout.write(question)
  // Where nobody types (a script, a container) the question would end the process without a word.
  const noAnswer = (): never => stop('\nNo password was given: type it here, or set ADMIN_PASSWORD.')
  line.once('close', noAnswer)
  const answer = await line.question('')
  line.off('close', noAnswer).close()
  if (isTyped) process.stdout.write('\n')
  return answer
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

import { scrypt, timingSafeEqual } from 'node:crypto'
import { passwordRules } from '#api/password.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { randomToken } from '#server/random.ts'

const cost = 2 ** 16
const blockSize = 8
const keyLength = 32
/** scrypt with this cost takes 64 MiB and 0.2 s of a processor: more at once would starve everything else. */
const atOnce = 2

/** Hash of a password as `scrypt$N$r$salt$key`, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomToken(16)
  const key = await derive(password, salt, cost, blockSize)
  return `scrypt$${cost}$${blockSize}$${salt}$${key.toString('base64url')}`
}

/** Takes as long for an unknown user (no hash) as for a wrong password. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [kind, n, r, salt = '', key = ''] = (hash ?? '').split('$')
  if (kind !== 'scrypt') {
    await derive(password, 'nobody', cost, blockSize)
    return false
  }
  const expected = Buffer.from(key, 'base64url')
  const actual = await derive(password, salt, Number(n), Number(r))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** What is wrong with a new password, or undefined: at least 8 characters, a letter and a digit, and nothing everybody knows of its owner. */
export function passwordProblem(password: string, known: readonly string[]): 'WEAK_PASSWORD.short' | 'WEAK_PASSWORD.long' | 'WEAK_PASSWORD.plain' | 'WEAK_PASSWORD.known' | undefined {
  if (!passwordRules.length(password)) return 'WEAK_PASSWORD.short'
  if (password.length > 200) return 'WEAK_PASSWORD.long'
  if (!passwordRules.letter(password) || !passwordRules.digit(password)) return 'WEAK_PASSWORD.plain'
  const words = new Set(known.flatMap(spellings))
  return spellings(password).some((spelling) => words.has(spelling)) ? 'WEAK_PASSWORD.known' : undefined
}

/** What everybody knows of somebody: address, the part of it before the @, name, and the companies he works for. */
export async function knownOf(queries: Queries, user: { readonly email: string; readonly name: string }): Promise<readonly string[]> {
  const companies = await queries.rows<{ name: string; legal_name: string | null }>(sql`select name, legal_name from company`)
  const names = companies.flatMap(({ name, legal_name: legal }) => [name, legal ?? ''])
  return [user.email, user.email.split('@')[0] ?? '', user.name, ...names]
}

/** Letters and digits alone, without the form of a company, and without the digits at both ends: what is put around a word makes it no other one. */
function spellings(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\b(?:pt|cv|ud|tbk)\b/g, '').replaceAll(/[^\p{L}\d]+/gu, '')
  return [plain, plain.replaceAll(/^\d+|\d+$/g, '')].filter((spelling) => spelling !== '')
}

let running = 0
const queue: (() => void)[] = []

async function derive(password: string, salt: string, n: number, r: number): Promise<Buffer> {
  if (running < atOnce) running++
  else await new Promise<void>((resolve) => queue.push(resolve))
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, keyLength, { N: n, r, p: 1, maxmem: 256 * n * r }, (error, key) => {
        if (error) reject(error)
        else resolve(key)
      })
    })
  } finally {
    // Whoever waits takes the place over: it is never free for somebody who comes in between.
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

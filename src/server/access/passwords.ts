import { scrypt, timingSafeEqual } from 'node:crypto'
import { passwordRules } from '#api/password.ts'
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

/** What is wrong with a new password, or undefined: at least 8 characters, a letter and a digit. */
export function passwordProblem(password: string): 'WEAK_PASSWORD.short' | 'WEAK_PASSWORD.long' | 'WEAK_PASSWORD.plain' | undefined {
  if (!passwordRules.length(password)) return 'WEAK_PASSWORD.short'
  if (password.length > 200) return 'WEAK_PASSWORD.long'
  if (!passwordRules.letter(password) || !passwordRules.digit(password)) return 'WEAK_PASSWORD.plain'
  return undefined
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

import { randomBytes } from 'node:crypto'

/** Unpredictable bytes as base64url text: session tokens, salts, request ids. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** An unpredictable name that every file system tells from every other: 40 hexadecimal digits. */
export function randomKey(): string {
  return randomBytes(20).toString('hex')
}

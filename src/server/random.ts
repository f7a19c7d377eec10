import { randomBytes } from 'node:crypto'

/** Unpredictable bytes as base64url text: session tokens, salts, request ids. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

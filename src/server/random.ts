import { randomBytes } from 'node:crypto'

/** Unpredictable bytes as base64url text: session tokens, salts, request ids. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** An unpredictable name that every file system tells from every other: 40 hexadecimal digits. */
export function randomKey(): string {
  return randomBytes(20).toString('hex')
}

/** Letters and digits nobody mistakes for one another. */
const spokenDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An unpredictable code for people to type, in groups of four. */
export function typedCode(groups: number): string {
  const text = [...randomBytes(groups * 4)].map((byte) => spokenDigits.charAt(byte % spokenDigits.length)).join('')
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** A typed code as it was given: capitals, dashes and blanks do not matter, nor letters taken for digits. */
export function readTypedCode(text: string): string {
  const plain = text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return (plain.match(/.{1,4}/g) ?? []).join('-')
}

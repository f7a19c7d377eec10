/**
 * AES-GCM over text, with the secret below, the same in every copy of this file that is sent to every browser. It hides nothing from
 * anybody who looks: it only keeps what is stored in the browser from lying there in plain letters. Nothing relies on it.
 */
const sharedSecret = 'arus-oms-web-3f0c1f6a5d7b4e0c9a52'
const ivBytes = 12

/** Base64 of a random IV of 12 bytes and the sealed text; another one each time. */
export async function encrypt(text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await theKey(), new TextEncoder().encode(text))
  return base64Of(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** The text that was sealed. Throws on anything this function's twin has not made. */
export async function decrypt(sealed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0))
  const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, ivBytes) }, await theKey(), bytes.slice(ivBytes))
  return new TextDecoder().decode(opened)
}

/** Browsers have it over HTTPS and on localhost only. */
export function canEncrypt(): boolean {
  return typeof crypto !== 'undefined' && typeof crypto.subtle === 'object'
}

let key: Promise<CryptoKey> | undefined

function theKey(): Promise<CryptoKey> {
  key ??= makeKey()
  return key
}

async function makeKey(): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sharedSecret))
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

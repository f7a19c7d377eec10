import { cookieDays } from '../app/constants.ts'

const lifetimeSeconds = cookieDays * 24 * 3600

export function readCookie(name: string): string | undefined {
  for (const part of document.cookie.split('; ')) {
    const at = part.indexOf('=')
    if (part.slice(0, at) === name) return decodeURIComponent(part.slice(at + 1))
  }
  return undefined
}

export function writeCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${lifetimeSeconds}; SameSite=Strict${secure}`
}

export function removeCookie(name: string): void {
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict`
}

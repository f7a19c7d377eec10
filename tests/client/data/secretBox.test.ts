import { describe, expect, it, vi } from 'vitest'
import { decrypt, encrypt } from '#client/data/secretBox.ts'
import { readSealed, writeSealed } from '#client/data/sealedStore.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value), removeItem: (key: string) => stored.delete(key) })

describe('A client-side AES-GCM encrypt and decrypt helper exists. It uses a 12-byte random IV and a fixed shared secret embedded in the client.', () => {
  it.each(['', 'plain', 'Größe 你好 😀', 'x'.repeat(100_000)])('opens what it sealed', async (text) => {
    expect(await decrypt(await encrypt(text))).toBe(text)
  })

  it('takes another 12 bytes of IV each time, before the sealed text and its 16 bytes of tag', async () => {
    const [one, two] = [await encrypt('same'), await encrypt('same')]
    expect(one).not.toBe(two)
    const bytes = (sealed: string) => Buffer.from(sealed, 'base64')
    expect(bytes(one).subarray(0, 12).equals(bytes(two).subarray(0, 12))).toBe(false)
    expect(bytes(one)).toHaveLength(12 + 4 + 16)
  })

  it('is the AES-GCM of everybody else', async () => {
    const sealed = Buffer.from(await encrypt('checked'), 'base64')
    const { createDecipheriv, createHash } = await import('node:crypto')
    const key = createHash('sha256').update('arus-oms-web-3f0c1f6a5d7b4e0c9a52').digest()
    const opener = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    opener.setAuthTag(sealed.subarray(-16))
    expect(opener.update(sealed.subarray(12, -16), undefined, 'utf8') + opener.final('utf8')).toBe('checked')
  })

  it('refuses what was changed, cut or sealed by something else', async () => {
    const sealed = Buffer.from(await encrypt('secret'), 'base64')
    sealed.writeUInt8(sealed.readUInt8(14) ^ 1, 14)
    for (const broken of [sealed.toString('base64'), (await encrypt('secret')).slice(0, 20), '', 'not base64!']) await expect(decrypt(broken)).rejects.toThrow()
  })
})

describe('what is kept in the browser', () => {
  it('does not lie there in plain letters, and comes back', async () => {
    await writeSealed('comment:1', { text: 'Do not tell', mentions: [] })
    expect(stored.get('comment:1')).not.toContain('tell')
    expect(await readSealed('comment:1')).toEqual({ text: 'Do not tell', mentions: [] })
    await writeSealed('comment:1', undefined)
    expect(stored.has('comment:1')).toBe(false)
  })

  it('of several writes at once the last one stays', async () => {
    await Promise.all(['a', 'ab', 'abc'].map((text) => writeSealed('draft', text)))
    expect(await readSealed('draft')).toBe('abc')
    await Promise.all([writeSealed('draft', 'abcd'), writeSealed('draft', undefined)])
    expect(stored.has('draft')).toBe(false)
  })

  it('that cannot be read is as if it were not there', async () => {
    stored.set('old', '{"text":"written before"}')
    expect(await readSealed('old')).toBeUndefined()
    expect(await readSealed('never')).toBeUndefined()
  })
})

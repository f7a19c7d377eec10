import { describe, expect, it } from 'vitest'
import { FrontendMessages } from '#server/db/frontendMessages.ts'

const startup = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from([0, 3, 0, 0])])

function message(type: string, body: string | Buffer): Buffer {
  const content = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

const query = (text: string) => message('Q', `${text}\0`)
const parse = (text: string) => message('P', `\0${text}\0\0\0`)
const typesOf = (bytes: Uint8Array) => {
  const types = []
  for (let at = 0; at < bytes.length; at += 1 + Buffer.from(bytes).readUInt32BE(at + 1)) types.push(String.fromCharCode(bytes[at] ?? 0))
  return types.join('')
}

describe('the byte stream of a client', () => {
  it('is cut where the server answers, whatever pieces it arrives in', () => {
    const stream = Buffer.concat([startup, parse('select 1'), message('B', 'x'), message('E', 'y'), message('S', ''), query('select 2'), message('X', '')])
    for (const size of [1, 3, 7, stream.length]) {
      const messages = new FrontendMessages()
      const batches = []
      for (let at = 0; at < stream.length; at += size) batches.push(...messages.push(stream.subarray(at, at + size)))
      expect(batches.map((batch) => batch.isEnd)).toEqual([false, false, false, true])
      expect(Buffer.concat(batches.map((batch) => batch.bytes))).toEqual(stream)
      expect(batches.slice(1).map((batch) => typesOf(batch.bytes))).toEqual(['PBES', 'Q', 'X'])
    }
  })

  it.each([
    ['copy t from stdin', true], ['COPY t (a, b) FROM STDIN WITH CSV', true], ['select 1; copy t from stdin', true], ['/* x */ -- y\n copy t from stdin', true],
    [`select 'copy t from stdin'`, false], ['copy t to stdout', false], [`copy t from '/dev/blob'`, false], ['select copy from stdin_table', false],
  ])('%s is copying from the client: %s', (text, isCopy) => {
    for (const build of [query, parse]) {
      const messages = new FrontendMessages()
      messages.push(startup)
      const [batch] = messages.push(Buffer.concat([build(text), build === parse ? message('S', '') : Buffer.alloc(0)]))
      expect(Buffer.from(batch?.bytes ?? []).toString().includes('not supported by the embedded database')).toBe(isCopy)
    }
  })
})

import zlib from 'node:zlib'

const most = { stream: 150e6, all: 300e6, streams: 20_000, layers: 4 }

/** Refuses a PDF whose parts would inflate past all measure before a reader opens it. Throws an Error that names what is too large. */
export function prescan(bytes: Buffer): void {
  let at = 0
  let count = 0
  let sum = 0
  for (;;) {
    const found = bytes.indexOf('stream', at)
    if (found < 0) return
    at = found + 6
    if (bytes.toString('latin1', found - 3, found) === 'end') continue
    if (++count > most.streams) throw new Error('too many parts')
    let start = at
    if (bytes[start] === 13) start++
    if (bytes[start] === 10) start++
    const next = bytes.indexOf('endstream', start)
    const end = next < 0 ? bytes.length : next
    let data = bytes.subarray(start, end)
    for (let layer = 0; layer < most.layers && isDeflated(data); layer++) {
      const inflated = inflate(data, Math.min(most.stream, most.all - sum))
      if (inflated === undefined) break
      sum += inflated.length
      data = inflated
    }
    at = end
  }
}

function isDeflated(data: Buffer): boolean {
  const [first = 0, second = 0] = data
  return data.length > 2 && (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}

/** Undefined: it is no deflated data after all. */
function inflate(data: Buffer, limit: number): Buffer | undefined {
  try {
    return zlib.inflateSync(data, { maxOutputLength: Math.max(limit, 1), finishFlush: zlib.constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw new Error('a part expands past the limit', { cause: error })
    return undefined
  }
}

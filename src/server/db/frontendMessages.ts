/**
 * Cuts the byte stream of a PostgreSQL client into batches that may be handed to the server as a whole. A batch ends at a message the
 * server answers at once (Query, Sync, Flush, copy data, Terminate); the start-up packet is a batch of its own.
 */
export class FrontendMessages {
  #pending: Buffer = Buffer.alloc(0)
  #scanned = 0
  #started = false

  push(bytes: Uint8Array): Batch[] {
    this.#pending = this.#pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#pending, bytes])
    const batches: Batch[] = []
    for (;;) {
      const header = this.#started ? 1 : 0
      if (this.#pending.length < this.#scanned + header + 4) return batches
      const end = this.#scanned + header + this.#pending.readUInt32BE(this.#scanned + header)
      if (this.#pending.length < end) return batches
      const type = this.#started ? String.fromCharCode(this.#pending[this.#scanned] ?? 0) : ''
      if ((type === 'Q' || type === 'P') && copiesFromClient(this.#pending.subarray(this.#scanned + 5, end), type)) {
        const refused = refusal(type)
        this.#pending = Buffer.concat([this.#pending.subarray(0, this.#scanned), refused, this.#pending.subarray(end)])
        this.#scanned += refused.length
      } else {
        this.#scanned = end
      }
      this.#started = true
      if (type === '' || 'QSHcdfpX'.includes(type)) {
        batches.push({ bytes: this.#pending.subarray(0, this.#scanned), isEnd: type === 'X' })
        this.#pending = this.#pending.subarray(this.#scanned)
        this.#scanned = 0
      }
    }
  }
}

export interface Batch {
  readonly bytes: Uint8Array
  /** The client says goodbye. */
  readonly isEnd: boolean
}

/** COPY … FROM STDIN over the wire kills the WASM process, so it never gets there. */
function copiesFromClient(body: Buffer, type: 'Q' | 'P'): boolean {
  const from = type === 'P' ? body.indexOf(0) + 1 : 0
  const text = body.subarray(from, body.indexOf(0, from)).toString('utf8')
  if (!/copy/i.test(text)) return false
  const bare = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
  return /(^|;)\s*copy\b[^;]*\bfrom\s+stdin\b/i.test(bare)
}

const refusalText = `do $$begin raise exception using errcode = '0A000', message = 'COPY FROM STDIN is not supported by the embedded database'; end$$`

/** The same kind of message with a statement that raises a proper error. */
function refusal(type: 'Q' | 'P'): Buffer {
  const body = type === 'Q' ? Buffer.from(`${refusalText}\0`) : Buffer.concat([Buffer.from(`\0${refusalText}\0`), Buffer.alloc(2)])
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

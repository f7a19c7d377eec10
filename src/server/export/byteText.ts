/** Text gathered as UTF-8. Short pieces go straight into bytes: millions of them cost no garbage. */
export class ByteText {
  #bytes = Buffer.allocUnsafe(startSize)
  #at = 0

  get isEmpty(): boolean {
    return this.#at === 0
  }

  add(text: string): void {
    const { length } = text
    // No character takes more than three bytes for each of its units.
    if (this.#at + length * 3 > this.#bytes.length) this.#grow(length * 3)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) {
        at += bytes.write(i === 0 ? text : text.slice(i), at)
        break
      }
      bytes[at++] = code
    }
    this.#at = at
  }

  /** What was gathered; the next piece begins anew. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at)
    this.#bytes = Buffer.allocUnsafe(Math.max(startSize, this.#at))
    this.#at = 0
    return taken
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + needed))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

const startSize = 64 * 1024

/** Texts a block holds. */
const blockSize = 1_024

interface Block {
  readonly bytes: Buffer
  /** Where each text ends. */
  readonly ends: Uint32Array
}

/**
 * Many texts by number, written as bytes side by side outside the heap: millions of them take little more than their letters, where as many
 * strings would take several times as much.
 */
export class TextPool {
  readonly #blocks: Block[] = []
  #waiting: string[] = []
  /** Bytes of all texts in blocks. */
  #size = 0

  get count(): number {
    return this.#blocks.length * blockSize + this.#waiting.length
  }

  get size(): number {
    return this.#size
  }

  add(text: string): void {
    this.#waiting.push(text)
    if (this.#waiting.length < blockSize) return
    const parts = this.#waiting.map((one) => Buffer.from(one))
    const ends = new Uint32Array(blockSize)
    let end = 0
    for (const [i, part] of parts.entries()) ends[i] = end += part.length
    this.#blocks.push({ bytes: Buffer.concat(parts, end), ends })
    this.#size += end
    this.#waiting = []
  }

  /** The text added at that place, counted from 0; undefined where there is none. */
  at(place: number): string | undefined {
    const block = this.#blocks[Math.floor(place / blockSize)]
    const within = place % blockSize
    if (block === undefined) return this.#waiting[place - this.#blocks.length * blockSize]
    const end = block.ends[within]
    return end === undefined ? undefined : block.bytes.toString('utf8', within === 0 ? 0 : block.ends[within - 1], end)
  }
}

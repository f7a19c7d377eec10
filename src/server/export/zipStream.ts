import { once } from 'node:events'
import zlib from 'node:zlib'
import { Zip, type AsyncFlateStreamHandler, type ZipInputFile } from 'fflate'
import type { Send } from './tableFile.ts'

/** A zip archive written as it grows. Files are packed by the platform's own zlib, off the thread that serves people. */
export class ZipStream {
  readonly #send: Send
  readonly #zip: Zip
  #ready: Uint8Array[] = []
  #current: PackedFile | undefined

  constructor(send: Send) {
    this.#send = send
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error
      this.#ready.push(bytes)
    })
  }

  /** Begins a file; one at a time. */
  open(name: string): void {
    this.#current = new PackedFile(name)
    this.#zip.add(this.#current)
  }

  async write(bytes: Buffer): Promise<void> {
    await this.#current?.write(bytes)
    await this.#hand()
  }

  async close(): Promise<void> {
    await this.#current?.end()
    this.#current = undefined
    await this.#hand()
  }

  /** A whole small file. */
  async add(name: string, text: string): Promise<void> {
    this.open(name)
    await this.write(Buffer.from(text))
    await this.close()
  }

  async finish(): Promise<void> {
    this.#zip.end()
    await this.#hand()
  }

  abandon(): void {
    this.#current?.destroy()
    this.#ready = []
  }

  async #hand(): Promise<void> {
    const ready = this.#ready
    this.#ready = []
    for (const bytes of ready) await this.#send(bytes)
  }
}

/** One file of the archive; its size and check sum are known when it ends and stand behind it. */
class PackedFile implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  size = 0
  crc = 0
  /** Set by the archive when the file is added. */
  ondata: AsyncFlateStreamHandler = () => undefined
  readonly #pack = zlib.createDeflateRaw({ level: 1, chunkSize: 64 * 1024 })
  #problem: Error | undefined

  constructor(filename: string) {
    this.filename = filename
    this.#pack.on('data', (bytes: Uint8Array<ArrayBuffer>) => this.ondata(null, bytes, false))
    this.#pack.on('error', (error) => {
      this.#problem = error
    })
  }

  async write(bytes: Buffer): Promise<void> {
    this.size += bytes.length
    this.crc = zlib.crc32(bytes, this.crc)
    await new Promise<void>((resolve, reject) => {
      this.#pack.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
    if (this.#problem) throw this.#problem
  }

  async end(): Promise<void> {
    this.#pack.end()
    await once(this.#pack, 'end')
    this.ondata(null, new Uint8Array(0), true)
  }

  destroy(): void {
    this.#pack.destroy()
  }
}

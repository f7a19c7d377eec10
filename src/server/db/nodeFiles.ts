import fs from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An open file as PGlite's Node file system knows it. */
export interface Stream {
  /** Absent where nothing of Node's is open. */
  readonly nfd?: number
  /** One a file, of all streams on it. */
  readonly node: object
}

export interface Operations {
  readonly stream_ops: {
    fsync?: (stream: Stream) => number
    llseek: (stream: Stream, offset: number, whence: number) => number
    write: (stream: Stream, buffer: unknown, offset: number, length: number, position: number) => number
    setattr: (stream: Stream, change: unknown) => void
    close: (stream: Stream) => void
  }
  readonly node_ops: { setattr: (node: object, change: unknown) => void }
}

const fromEnd = 2

/** A file on its way to the disk. */
interface Underway {
  readonly nfd: number
  readonly node: object
}

/**
 * PGlite's Node file system, with what a database in daily use needs of it. The database asks for the length of a table's file with almost every
 * statement, and asking the system each time cost up to a tenth of an order: lengths are remembered, nobody else writes to these files.
 */
export class NodeFiles extends NodeFS {
  readonly #isDurable: boolean
  /** Files whose way to the disk is left for later. */
  #left: Map<number, object> | undefined
  readonly #underway = new Set<Underway>()

  /** `isDurable`: a power cut loses no acknowledged commit; PGlite's own file system never waits for the disk. */
  constructor(directory: string, isDurable: boolean) {
    super(directory)
    this.#isDurable = isDurable
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(pg, options)
    const hook = ({ NODEFS }: { NODEFS: Operations }): void => {
      rememberLengths(NODEFS)
      if (this.#isDurable) this.#waitForDisk(NODEFS)
    }
    const before = result.emscriptenOpts.preRun
    Object.assign(result.emscriptenOpts, { preRun: [...(Array.isArray(before) ? before : before ? [before] : []), hook] })
    return result
  }

  /** Work that does not wait for the disk itself: `written` is called when what it wanted on the disk is there, or why it is not. */
  async behind(work: () => Promise<void>, written: (error?: Error) => void): Promise<void> {
    const left = new Map<number, object>()
    this.#left = left
    try {
      await work()
    } finally {
      this.#left = undefined
    }
    let open = left.size
    if (open === 0) written()
    let failure: Error | undefined
    for (const [nfd, node] of left) {
      const one = { nfd, node }
      this.#underway.add(one)
      fs.fdatasync(nfd, (error) => {
        // One that is no longer under way has been waited for since, and may have been closed.
        if (this.#underway.delete(one)) failure ??= error ?? undefined
        open -= 1
        if (open === 0) written(failure)
      })
    }
  }

  #waitForDisk({ stream_ops: streams }: Operations): void {
    const { write, close } = streams
    streams.fsync = ({ nfd, node }) => {
      if (nfd === undefined) return 0
      if (this.#left) {
        this.#left.set(nfd, node)
        return 0
      }
      this.#settle((one) => one.node !== node)
      // Content and length; when a log segment of the same length was written does not matter.
      fs.fdatasyncSync(nfd)
      return 0
    }
    streams.write = (stream, ...rest) => {
      // The log comes before the data: nothing else is written while it is under way, except the log going on.
      if (this.#underway.size > 0) this.#settle((one) => one.node !== stream.node)
      return write(stream, ...rest)
    }
    streams.close = (stream) => {
      this.#settle((one) => one.nfd === stream.nfd)
      // A log segment that is full is closed at once: the next file has its number.
      if (stream.nfd !== undefined && this.#left?.delete(stream.nfd) === true) fs.fdatasyncSync(stream.nfd)
      close(stream)
    }
  }

  /** Waits for files under way. */
  #settle(which: (one: Underway) => boolean): void {
    for (const one of [...this.#underway].filter(which)) {
      fs.fdatasyncSync(one.nfd)
      this.#underway.delete(one)
    }
  }
}

function rememberLengths({ stream_ops: streams, node_ops: nodes }: Operations): void {
  const lengths = new WeakMap<object, number>()
  const { llseek, write, setattr } = streams
  const setattrOfNode = nodes.setattr
  streams.llseek = (stream, offset, whence) => {
    if (whence !== fromEnd) return llseek(stream, offset, whence)
    let length = lengths.get(stream.node)
    if (length === undefined) {
      length = llseek(stream, 0, fromEnd)
      lengths.set(stream.node, length)
    }
    // Counted from the start nothing is asked of the system.
    return llseek(stream, length + offset, 0)
  }
  streams.write = (stream, buffer, offset, count, position) => {
    const written = write(stream, buffer, offset, count, position)
    const length = lengths.get(stream.node)
    if (length !== undefined && position + written > length) lengths.set(stream.node, position + written)
    return written
  }
  streams.setattr = (stream, change) => {
    lengths.delete(stream.node)
    setattr(stream, change)
  }
  nodes.setattr = (node, change) => {
    lengths.delete(node)
    setattrOfNode(node, change)
  }
}

import fs from 'node:fs'
import path from 'node:path'
import { isDate } from '#base/date.ts'
import type { Clock, Database } from './context.ts'

export interface BackupOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Where the copies stand, a folder a day: `arus-2026-11-24`, laid out as the data folder is. */
  readonly folder: string
  /** Files people have attached; undefined: they are in a store of their own. */
  readonly files: string | undefined
  /** So many days are kept. */
  readonly keep: number
}

const lookEveryMs = 5 * 60_000
/** Looks passed over after a failure: what a full disk refused is not copied in vain every few minutes, with everybody waiting. */
const restAfterFailure = 11
const prefix = 'arus-'
const halfDone = '.part'

/**
 * A copy of the embedded database and its files for each day the server runs, made while people work: the database stands still for as long
 * as its files take to copy. What is complete has its name; what a crash left half done never had it.
 */
export class Backups {
  readonly #options: BackupOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> | undefined
  #resting = 0

  /** Throws when the folder cannot be made. */
  constructor(options: BackupOptions) {
    this.#options = options
    fs.mkdirSync(options.folder, { recursive: true })
  }

  /** Looks now, and from time to time, whether the day has its copy. */
  start(): void {
    const look = (): void => {
      if (this.#resting > 0) {
        this.#resting--
        return
      }
      this.#running ??= this.run()
        .catch((error: unknown) => {
          this.#resting = restAfterFailure
          this.#options.log(`NO BACKUP of today: ${error instanceof Error ? error.message : String(error)}`)
        })
        .finally(() => (this.#running = undefined))
    }
    this.#timer = setInterval(look, lookEveryMs)
    this.#timer.unref()
    look()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Day of the last complete copy; null before the first, and where the folder cannot be read. */
  last(): string | null {
    try {
      return this.#days().at(-1) ?? null
    } catch {
      return null
    }
  }

  /** Makes the copy of today unless it is there, and removes those too old; false when nothing was to be done. Throws what the file system refuses; what it had copied is gone then. */
  async run(): Promise<boolean> {
    const { clock, log, folder, keep } = this.#options
    const today = clock.today()
    // Whatever day a crash left them: they take the room of a whole copy each.
    for (const name of this.#names().filter((one) => one.endsWith(halfDone))) await remove(path.join(folder, name))
    if (this.#days().includes(today)) return false
    const copy = path.join(folder, prefix + today)
    const draft = copy + halfDone
    try {
      await this.#copyTo(draft)
      await fs.promises.rename(draft, copy)
    } catch (error) {
      await remove(draft)
      throw error
    }
    await flushFolder(folder)
    log(`Backup of ${today} stands in ${copy}.`)
    for (const day of this.#days().slice(0, -keep)) await remove(path.join(folder, prefix + day))
    return true
  }

  async #copyTo(draft: string): Promise<void> {
    const { database, files } = this.#options
    if (database.copyTo === undefined) throw new Error('Only the embedded database is copied by the server.')
    await fs.promises.mkdir(draft)
    // Before the database, so that no file its records speak of has been removed since; and after it for those that have come meanwhile.
    await copyFiles(files, path.join(draft, 'files'))
    await database.copyTo(path.join(draft, 'pgdata'))
    await copyFiles(files, path.join(draft, 'files'))
    await flushTree(draft)
  }

  #days(): readonly string[] {
    return this.#names().map((name) => name.slice(prefix.length)).filter(isDate).toSorted()
  }

  #names(): readonly string[] {
    return fs.readdirSync(this.#options.folder).filter((name) => name.startsWith(prefix))
  }
}

async function remove(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true })
}

/** Files never change once they have their name: what has been copied is not copied again. */
async function copyFiles(from: string | undefined, to: string): Promise<void> {
  if (from === undefined || !fs.existsSync(from)) return
  const incoming = path.join(from, 'incoming')
  await fs.promises.cp(from, to, { recursive: true, force: false, errorOnExist: false, mode: fs.constants.COPYFILE_FICLONE, filter: (name) => name !== incoming })
}

/** A copy counts once it survives a power cut. */
async function flushTree(folder: string): Promise<void> {
  for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) await flushTree(name)
    else if (entry.isFile()) await flush(await fs.promises.open(name))
  }
  await flushFolder(folder)
}

/** Windows cannot open folders and needs none of it. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder).catch(() => undefined)
  if (handle !== undefined) await flush(handle)
}

async function flush(handle: fs.promises.FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

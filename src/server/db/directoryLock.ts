import fs from 'node:fs'
import path from 'node:path'

/** A held lock; `release` removes it. Releasing twice is harmless. */
export interface DirectoryLock {
  release(): void
}

const heldHere = new Set<string>()

/**
 * Takes the data directory for this process alone: two PGlite instances on one directory corrupt it silently.
 * A lock is replaced only when the process that wrote it is dead (its pid is gone, or was started at another time).
 * Throws with a sentence naming the holder when the directory is in use.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = `${path.resolve(directory)}.lock`
  fs.mkdirSync(path.dirname(file), { recursive: true })
  if (heldHere.has(file)) throw new Error(`The data folder ${directory} is already open in this process.`)
  const mine = `${process.pid} ${startTime(process.pid) ?? '-'}\n`
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, mine)
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (link(draft, file)) {
        heldHere.add(file)
        const release = (): void => {
          if (!heldHere.delete(file)) return
          process.off('exit', release)
          if (read(file) === mine) fs.rmSync(file, { force: true })
        }
        process.on('exit', release)
        return { release }
      }
      removeIfStale(file, directory)
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
  throw new Error(`The data folder ${directory} could not be locked.`)
}

/** A hard link appears complete or not at all, so nobody ever reads a half-written lock. */
function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function removeIfStale(file: string, directory: string): void {
  const text = read(file)
  if (text === undefined) return
  const [pidText = '', started = ''] = text.trim().split(' ')
  const pid = Number(pidText)
  if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) {
    const now = startTime(pid)
    // Without a start time (not Linux) a reused pid reads as alive: refusing is the safe side.
    if (now === undefined || started === '-' || now === started) {
      throw new Error(`The data folder ${directory} is in use by process ${pid}. Stop it first; two servers cannot share an embedded database.`)
    }
  }
  // Moved aside before it is removed: if another starter was quicker and this is already his lock, it goes back.
  const aside = `${file}.stale.${process.pid}`
  try {
    fs.renameSync(file, aside)
  } catch {
    return
  }
  if (read(aside) !== text) link(aside, file)
  fs.rmSync(aside, { force: true })
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Clock ticks since boot at which the process started; undefined where /proc does not tell. */
function startTime(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

import fs from 'node:fs'
import path from 'node:path'
import { lockDirectory, type DirectoryLock } from '#server/db/directoryLock.ts'

export interface BorrowedCopy {
  readonly path: string
  giveBack(): void
}

/** The time every file of a copy bears until it is written to. */
const untouched = new Date('2000-01-01T00:00:00Z')

/**
 * A copy of a folder for one user at a time. Copies stay beside the folder when they are given back; the next user finds again what is in the
 * folder. A database has thousands of files and a test writes to few of them: putting those back costs a tenth of a copy.
 */
export async function borrowCopy(folder: string): Promise<BorrowedCopy> {
  const copies = `${folder}-copies`
  fs.mkdirSync(copies, { recursive: true })
  const { place, lock } = await lockFree(copies, folder)
  makeLike(folder, place)
  return { path: place, giveBack: () => lock.release() }
}

async function lockFree(copies: string, folder: string): Promise<{ readonly place: string; readonly lock: DirectoryLock }> {
  let last: unknown
  for (let n = 1; n <= 100; n++) {
    const copy = path.join(copies, String(n))
    try {
      return { place: path.join(copy, path.basename(folder)), lock: await lockDirectory(copy) }
    } catch (error) {
      last = error
    }
  }
  throw last
}

/** Makes `copy` what `folder` is: files that nobody has written to since they were copied are left alone. */
export function makeLike(folder: string, copy: string): void {
  const wanted = new Map(entriesOf(folder).map((entry) => [entry.name, entry]))
  fs.mkdirSync(copy, { recursive: true, mode: fs.statSync(folder).mode })
  for (const { name } of entriesOf(copy)) {
    if (!wanted.has(name)) fs.rmSync(path.join(copy, name), { recursive: true, force: true })
  }
  for (const { name, isFolder } of wanted.values()) {
    const from = path.join(folder, name)
    const to = path.join(copy, name)
    const there = fs.statSync(to, { throwIfNoEntry: false })
    if (isFolder) {
      if (there === undefined) fs.mkdirSync(to, { mode: fs.statSync(from).mode })
    } else if (there === undefined || there.mtimeMs !== untouched.getTime()) {
      fs.copyFileSync(from, to)
      fs.utimesSync(to, untouched, untouched)
    }
  }
}

interface Entry {
  /** Below the folder. */
  readonly name: string
  readonly isFolder: boolean
}

/** Everything below a folder, each folder before what is in it. */
function entriesOf(folder: string): readonly Entry[] {
  const visit = (name: string): readonly Entry[] =>
    fs.readdirSync(path.join(folder, name), { withFileTypes: true }).flatMap((entry) => {
      const own = path.join(name, entry.name)
      return entry.isDirectory() ? [{ name: own, isFolder: true }, ...visit(own)] : [{ name: own, isFolder: false }]
    })
  return visit('')
}

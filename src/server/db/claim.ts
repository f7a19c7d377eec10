import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { randomKey } from '../random.ts'

/** What somebody who wants a folder, or has it, says of himself in a file there. */
export interface Claim {
  readonly id: string
  readonly isHolding: boolean
  readonly pid: number
  readonly host: string
}

export interface OwnClaim {
  readonly id: string
  /** Says that the folder is his now. */
  hold(): void
  withdraw(): void
}

const beatEveryMs = 1_000
/** So long a claim that cannot be asked is watched for a beat: a computer that is busy to the brim still has one in that time. */
const patienceMs = 8_000
const lookEveryMs = 100
/** Paths of sockets end at 104 bytes on some systems. */
const longestPath = 100
const suffix = '.claim'
const states = { waiting: 'waiting', holding: 'holding' } as const
const digits = 12

/** A claim that can be asked and beats; `lost` is called when somebody has taken it away. */
export async function makeClaim(folder: string, lost: () => void): Promise<OwnClaim> {
  const id = randomKey().slice(0, 16)
  const file = path.join(folder, id + suffix)
  const socket = path.join(folder, id)
  const server = await listen(folder, id)
  const head = [states.waiting, systemOf(folder), process.pid, encodeURIComponent(os.hostname()), ''].join(' ')
  fs.writeFileSync(`${file}.draft`, `${head}${'0'.repeat(digits)}\n`)
  fs.renameSync(`${file}.draft`, file)
  const heart = new Worker(heartbeat, { eval: true, execArgv: [], workerData: { file, at: Buffer.byteLength(head), digits, everyMs: beatEveryMs } })
  heart.unref()
  let isOver = false
  heart.on('message', () => {
    if (!isOver) lost()
  })
  const withdraw = (): void => {
    isOver = true
    process.off('exit', withdraw)
    void heart.terminate()
    // First the claim: one without a socket would be watched for its beat.
    fs.rmSync(file, { force: true })
    server?.close()
    fs.rmSync(socket, { force: true })
  }
  process.on('exit', withdraw)
  return { id, hold: () => overwrite(file, states.holding), withdraw }
}

/** In a thread of its own, for the others may be busy for long. In place: what has been removed must not come back. */
const heartbeat = `
  const fs = require('node:fs')
  const { parentPort, workerData: { file, at, digits, everyMs } } = require('node:worker_threads')
  let beats = 0
  setInterval(() => {
    try {
      const open = fs.openSync(file, 'r+')
      try {
        fs.writeSync(open, String(++beats).padStart(digits, '0'), at)
      } finally {
        fs.closeSync(open)
      }
    } catch (error) {
      if (error.code === 'ENOENT') parentPort.postMessage('lost')
    }
  }, everyMs)`

function overwrite(file: string, text: string): void {
  const open = fs.openSync(file, 'r+')
  try {
    fs.writeSync(open, text, 0)
  } finally {
    fs.closeSync(open)
  }
}

/** Claims of others in the folder whose makers live; those of the dead are removed on the way. */
export async function livingClaims(folder: string, own: string): Promise<readonly Claim[]> {
  const ids = fs.readdirSync(folder).filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))
  const claims = await Promise.all(ids.filter((id) => id !== own).map((id) => living(folder, id)))
  return claims.filter((claim) => claim !== undefined)
}

async function living(folder: string, id: string): Promise<Claim | undefined> {
  const file = path.join(folder, id + suffix)
  const text = read(file)
  if (text === undefined) return undefined
  const [state, system, pid, host = ''] = text.split(' ')
  const answer = system === systemOf(folder) ? await ask(folder, id) : 'absent'
  if (answer === 'yes' || (answer === 'absent' && (await beats(file, text)))) return { id, isHolding: state === states.holding, pid: Number(pid), host: decodeURIComponent(host) }
  // Its name never comes again: whoever removes it removes nobody else's.
  fs.rmSync(file, { force: true })
  fs.rmSync(path.join(folder, id), { force: true })
  return undefined
}

/** Whether the file changes while it is watched. */
async function beats(file: string, before: string): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    const now = read(file)
    if (now === undefined) return false
    if (now !== before) return true
  }
  return false
}

/** A socket speaks for its maker only to those who run on the same system and see the same file system; elsewhere the beat does. */
function systemOf(folder: string): string {
  return `${encodeURIComponent(read('/proc/sys/kernel/random/boot_id')?.trim() ?? os.hostname())}/${fs.statSync(folder).dev}`
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Undefined where the file system takes no sockets. */
function listen(folder: string, name: string): Promise<net.Server | undefined> {
  return throughShortPath<net.Server | undefined>(folder, name, undefined, (file, done) => {
    const server = net.createServer((socket) => void socket.destroy())
    server.once('error', () => done(undefined))
    server.listen({ path: file, readableAll: true, writableAll: true }, () => done(server))
    server.unref()
  })
}

/** The system itself answers for a process that listens, however busy it is; for one that has ended it refuses. */
function ask(folder: string, name: string): Promise<'yes' | 'no' | 'absent'> {
  return throughShortPath<'yes' | 'no' | 'absent'>(folder, name, 'absent', (file, done) => {
    const socket = net.connect(file)
    socket.once('connect', () => {
      socket.destroy()
      done('yes')
    })
    socket.once('error', (error) => {
      const code: unknown = Reflect.get(error, 'code')
      done(code === 'ECONNREFUSED' || code === 'ENOTSOCK' ? 'no' : code === 'ENOENT' ? 'absent' : 'yes')
    })
  })
}

/** Through a link in the folder for passing files, where the path would be too long for a socket; `otherwise` where there cannot be one. */
async function throughShortPath<T>(folder: string, name: string, otherwise: T, use: (file: string, done: (result: T) => void) => void): Promise<T> {
  const file = path.join(path.resolve(folder), name)
  if (Buffer.byteLength(file) <= longestPath) return new Promise((resolve) => use(file, resolve))
  let shortcut: string | undefined
  try {
    shortcut = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-'))
    const link = path.join(shortcut, 'l')
    fs.symlinkSync(path.resolve(folder), link)
    return await new Promise((resolve) => use(path.join(link, name), resolve))
  } catch {
    return otherwise
  } finally {
    if (shortcut !== undefined) fs.rmSync(shortcut, { recursive: true, force: true })
  }
}

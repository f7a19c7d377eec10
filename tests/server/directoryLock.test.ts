import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { lockDirectory } from '#server/db/directoryLock.ts'
import { testFolder } from '../support/database.ts'

const root = path.resolve(import.meta.dirname, '../..')
const asked = `
  import { lockDirectory } from '#server/db/directoryLock.ts'
  const directory = process.env.DIRECTORY ?? ''
  try {
    await lockDirectory(directory)
    console.log('held')
    setInterval(() => undefined, 1000)
  } catch (error) {
    console.log('refused: ' + error.message)
  }`

/** A process of its own, a process namespace of its own, or one that sees the folder at another place as well. */
type Way = 'process' | 'namespace' | 'mount'

const started: ChildProcess[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
})

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    // With its output everybody has ended who could still write to it.
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

function commandOf(way: Way, folder: string, elsewhere: string): readonly [string, readonly string[]] {
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', asked]
  if (way === 'process') return [node[0] ?? '', node.slice(1)]
  const unshare = ['-Ur', '--pid', '--fork', '--kill-child', '--mount-proc']
  if (way === 'namespace') return ['unshare', [...unshare, ...node]]
  return ['unshare', [...unshare, '--mount', 'sh', '-c', 'mount --bind "$0" "$1" && shift && exec "$@"', folder, elsewhere, ...node]]
}

/** What somebody is told who opens the folder; he holds it from then on, if he may. */
async function open(way: Way, folder: string, at = folder): Promise<{ readonly answer: string; readonly child: ChildProcess }> {
  const [program, parameters] = commandOf(way, folder, at)
  const child = spawn(program, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DIRECTORY: at } })
  started.push(child)
  const answer = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`Nothing was said; ended with ${code}.`)))
  })
  return { answer, child }
}

const mayUnshare = ((): boolean => {
  try {
    execFileSync('unshare', ['-Ur', '--pid', '--fork', '--mount-proc', '--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    // What is left out here has to be seen: the folder is shared just like that between containers.
    process.stderr.write('Process namespaces cannot be made here: the lock of the data folder is not tried across them.\n')
    return false
  }
})()

function dataFolder(): string {
  const folder = path.join(testFolder(), 'pgdata')
  fs.mkdirSync(folder)
  return folder
}

describe('the lock of a data folder', () => {
  it('refuses a second holder and can be taken again after release', async () => {
    const folder = dataFolder()
    const lock = await lockDirectory(folder)
    await expect(lockDirectory(folder)).rejects.toThrow('already open')
    lock.release()
    lock.release()
    const again = await lockDirectory(folder)
    again.release()
  })

  it('refuses while another process lives, and opens at once after its kill', async () => {
    const folder = dataFolder()
    const { answer, child } = await open('process', folder)
    expect(answer).toBe('held')
    await expect(lockDirectory(folder)).rejects.toThrow(`in use by process ${child.pid}`)
    await kill(child)
    const before = performance.now()
    const lock = await lockDirectory(folder)
    expect(performance.now() - before).toBeLessThan(2_000)
    lock.release()
  })

  it('lets in one of many who come at once', async () => {
    const folder = dataFolder()
    await kill((await open('process', folder)).child)
    const all = await Promise.all(Array.from({ length: 6 }, () => open('process', folder)))
    expect(all.filter(({ answer }) => answer === 'held')).toHaveLength(1)
    expect(all.filter(({ answer }) => answer.startsWith('refused: ')).length).toBe(5)
  }, 60_000)

  it('holds through a symbolic link', async () => {
    const folder = dataFolder()
    const link = path.join(testFolder(), 'link')
    fs.symlinkSync(folder, link)
    const lock = await lockDirectory(link)
    await expect(lockDirectory(folder)).rejects.toThrow('already open')
    expect((await open('process', folder)).answer).toContain('in use')
    lock.release()
  })

  it('holds in a folder whose name is longer than a socket may be called', async () => {
    const folder = path.join(testFolder(), 'a'.repeat(90), 'b'.repeat(90))
    fs.mkdirSync(folder, { recursive: true })
    const { answer, child } = await open('process', folder)
    expect(answer).toBe('held')
    await expect(lockDirectory(folder)).rejects.toThrow('in use')
    await kill(child)
    const before = performance.now()
    const lock = await lockDirectory(folder)
    expect(performance.now() - before).toBeLessThan(2_000)
    lock.release()
  })

  it('rests on the beat alone where the holder runs on another computer', async () => {
    const folder = dataFolder()
    const { child } = await open('process', folder)
    const claims = path.join(folder, 'arus_lock')
    const name = fs.readdirSync(claims).find((one) => one.endsWith('.claim')) ?? ''
    const claim = path.join(claims, name)
    const system = fs.readFileSync(claim, 'utf8').split(' ')[1] ?? ''
    const rename = fs.openSync(claim, 'r+')
    fs.writeSync(rename, 'x'.repeat(system.length), 'holding '.length)
    fs.closeSync(rename)
    // The socket is there and speaks for nobody any more: over there it could not be reached.
    fs.rmSync(path.join(claims, name.replace('.claim', '')))
    await expect(lockDirectory(folder)).rejects.toThrow('in use')
    await kill(child)
    const lock = await lockDirectory(folder)
    lock.release()
  }, 60_000)

  it('tells a holder from whom the folder was taken', async () => {
    const folder = dataFolder()
    const told = new Promise<string>((resolve) => void lockDirectory(folder, () => resolve('lost')))
    const claims = path.join(folder, 'arus_lock')
    await expect.poll(() => fs.readdirSync(claims).some((one) => one.endsWith('.claim'))).toBe(true)
    fs.rmSync(claims, { recursive: true })
    expect(await told).toBe('lost')
  }, 20_000)

  describe.runIf(mayUnshare)('between process namespaces', () => {
    it('refuses, and opens at once when the holder was killed', async () => {
      const folder = dataFolder()
      const first = await open('namespace', folder)
      expect(first.answer).toBe('held')
      expect((await open('namespace', folder)).answer).toContain('in use')
      await expect(lockDirectory(folder)).rejects.toThrow('in use')
      await kill(first.child)
      const before = performance.now()
      const lock = await lockDirectory(folder)
      expect(performance.now() - before).toBeLessThan(2_000)
      expect((await open('namespace', folder)).answer).toContain('in use')
      lock.release()
    }, 60_000)

    it('refuses under the other name of a folder that is mounted twice', async () => {
      const folder = dataFolder()
      const elsewhere = path.join(testFolder(), 'elsewhere')
      fs.mkdirSync(elsewhere)
      const lock = await lockDirectory(folder)
      expect((await open('mount', folder, elsewhere)).answer).toContain('in use')
      lock.release()
      expect((await open('mount', folder, elsewhere)).answer).toBe('held')
      await expect(lockDirectory(folder)).rejects.toThrow('in use')
    }, 60_000)
  })
})

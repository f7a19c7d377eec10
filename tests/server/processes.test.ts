import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { engine, serverUrl, testDatabase, testFolder } from '../support/database.ts'
import { ServerProcess } from '../support/serverProcess.ts'

const servers: ServerProcess[] = []

async function start(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await ServerProcess.start(testFolder(), environment)
  servers.push(server)
  return server
}

afterAll(async () => {
  for (const server of servers) await server.kill()
})

/** Processes this one has begun. */
function childrenOf(pid: number): readonly number[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      return /^PPid:\s*(\d+)$/m.exec(fs.readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] === String(pid) ? [Number(name)] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('the embedded database is served by one process: more are refused with the reason', async () => {
  await expect(start({ ARUS_PROCESSES: '2' })).rejects.toThrow('ARUS_PROCESSES above 1 needs DATABASE_URL: the embedded database belongs to one process.')
  await expect(start({ ARUS_PROCESSES: 'two' })).rejects.toThrow('ARUS_PROCESSES must be a number from 1 to 64.')
})

// Which processes there are is read where Linux tells it.
describe.runIf(engine === 'postgres' && fs.existsSync('/proc/self/status'))('several processes behind one port', () => {
  it('start together on an empty database, replace one that dies, and end together', async () => {
    const database = await testDatabase()
    const name = await database.first<{ name: string }>(sql`select current_database() as name`)
    const server = await start({ ARUS_PROCESSES: '3', DATABASE_URL: `${serverUrl}/${name?.name}` })
    const health = async (): Promise<unknown> => {
      const reply = await server.send('GET', '/api/v1/health', undefined, { connection: 'close' })
      return reply.kind === 'answered' ? reply.status : reply.kind
    }
    const allAnswer = async (): Promise<boolean> => (await Promise.all(Array.from({ length: 12 }, health))).every((status) => status === 200)
    await expect.poll(allAnswer, { timeout: 60_000, interval: 500 }).toBe(true)

    const [first, ...others] = childrenOf(server.pid)
    expect(others).toHaveLength(2)
    process.kill(first ?? 0, 'SIGKILL')
    await expect.poll(() => childrenOf(server.pid).filter((pid) => pid !== first).length, { timeout: 60_000, interval: 200 }).toBe(3)
    await expect.poll(allAnswer, { timeout: 60_000, interval: 500 }).toBe(true)

    const last = childrenOf(server.pid)
    expect(await server.stop()).toBe(0)
    for (let waited = 0; waited < 50 && last.some(isAlive); waited++) await pause(100)
    expect(last.filter(isAlive)).toEqual([])
  }, 180_000)

  it('end all when one cannot start', async () => {
    await expect(start({ ARUS_PROCESSES: '2', DATABASE_URL: `${serverUrl}/arus_there_is_none` })).rejects.toThrow(/ended with 1/)
  })
})

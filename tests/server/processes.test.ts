import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
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

/** Server processes this one has begun; what loads the program may have begun others. */
function childrenOf(pid: number): readonly number[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const isChild = /^PPid:\s*(\d+)$/m.exec(fs.readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] === String(pid)
      return isChild && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('server/main') ? [Number(name)] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

/** Whether a database lets anybody new in. */
async function admitting(name: string | undefined, isOpen: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  await client.query(`alter database ${name} with allow_connections ${isOpen}`)
  await client.end()
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
    /** Says so often by now that all are there. */
    const complete = (times: number) => expect.poll(() => server.said.split('3 server processes answer.').length - 1, { timeout: 60_000, interval: 200 }).toBe(times)
    await complete(1)
    expect(await allAnswer()).toBe(true)

    const [first, ...others] = childrenOf(server.pid)
    expect(others).toHaveLength(2)
    /** Whoever calls while one is replaced is served by the others; a connection to the one that ended may break. */
    const meanwhile = async (ends: () => boolean): Promise<readonly unknown[]> => {
      const told = new Set<unknown>()
      const latest = performance.now() + 60_000
      while (!ends() && performance.now() < latest) {
        // A connection handed to the one that was killed is never answered.
        for (const status of await Promise.all(Array.from({ length: 3 }, () => Promise.race([health(), pause(2_000, 'broken')])))) told.add(status)
        await pause(100)
      }
      expect(ends()).toBe(true)
      told.delete('broken')
      return [...told]
    }
    process.kill(first ?? 0, 'SIGKILL')
    expect(await meanwhile(() => server.said.split('3 server processes answer.').length > 2)).toEqual([200])
    expect(await allAnswer()).toBe(true)

    // While the database takes nobody new, those that are there go on; once it does, there are as many as before.
    const [second] = childrenOf(server.pid)
    await admitting(name?.name, false)
    try {
      process.kill(second ?? 0, 'SIGKILL')
      // Two that could not start.
      await expect.poll(() => server.said.split('A server process ended (1)').length - 1, { timeout: 60_000, interval: 200 }).toBeGreaterThanOrEqual(2)
      expect(childrenOf(server.pid).filter((pid) => pid !== second).length).toBeGreaterThanOrEqual(2)
      await expect.poll(async () => (await Promise.all(Array.from({ length: 6 }, health))).includes(200), { timeout: 20_000, interval: 200 }).toBe(true)
    } finally {
      await admitting(name?.name, true)
    }
    await complete(3)

    const last = childrenOf(server.pid)
    expect(last).toHaveLength(3)
    expect(await server.stop()).toBe(0)
    for (let waited = 0; waited < 50 && last.some(isAlive); waited++) await pause(100)
    expect(last.filter(isAlive)).toEqual([])
  }, 300_000)

  it('end all when one cannot start', async () => {
    await expect(start({ ARUS_PROCESSES: '2', DATABASE_URL: `${serverUrl}/arus_there_is_none` })).rejects.toThrow(/ended with 1/)
  })
})

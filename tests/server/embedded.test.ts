import path from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { startEmbedded, type EmbeddedServer } from '#server/db/embedded.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { putBareDatabase, testFolder } from '../support/database.ts'

const folder = testFolder()

/** A folder with a database that has no table. */
async function bare(name: string): Promise<string> {
  const directory = path.join(folder, name)
  await putBareDatabase(directory)
  return directory
}

describe('the embedded database', () => {
  it('refuses COPY FROM STDIN in either protocol and lives on', async () => {
    const database = await openDatabase({ kind: 'embedded', directory: await bare('copy') })
    await database.run(trusted('create table t (a int)'))
    await expect(database.run(trusted('copy t from stdin'))).rejects.toThrow('not supported')
    await expect(database.run(sql`/* x */ copy t from stdin where ${sql`a > 1`}`)).rejects.toThrow('not supported')
    expect(await database.rows(sql`select count(*) as n from t`)).toEqual([{ n: 0 }])
    await database.close()
  })

  it('keeps its rows over a restart and cuts off a statement that runs too long', async () => {
    const lines: string[] = []
    const directory = path.join(folder, 'watchdog')
    const first = await openDatabase({ kind: 'embedded', directory, statementTimeoutMs: 2_000, log: (line) => lines.push(line) })
    await first.run(trusted('create table t (a int)'))
    await first.run(sql`insert into t values (1)`)
    await expect(first.run(sql`select count(*) from generate_series(1, 100000000000)`)).rejects.toMatchObject({ code: '08006' })
    await expect(first.transaction((tx) => tx.run(sql`select count(*) from generate_series(1, 100000000000)`))).rejects.toMatchObject({ code: '08006' })
    expect(lines.join()).toContain('longer than 2 s')
    expect(await first.rows(sql`select a from t`)).toEqual([{ a: 1 }])
    await first.close()
    const second = await openDatabase({ kind: 'embedded', directory })
    expect(await second.rows(sql`select a from t`)).toEqual([{ a: 1 }])
    await second.close()
  })

  it('tells of a write when it is on disk; many who are done together wait for one flush', async () => {
    const events: string[] = []
    const database = await openDatabase({
      kind: 'embedded', directory: await bare('flush'),
      trace: (statements) => {
        if (statements[0] !== 'flush') return undefined
        events.push('flush')
        return () => void events.push('flushed')
      },
    })
    await database.run(trusted('create table t (a int)'))
    expect(events).toEqual(['flush', 'flushed'])
    events.splice(0)
    const count = 24
    await Promise.all(Array.from({ length: count }, async (_, n) => {
      await database.transaction(async (tx) => {
        await tx.run(sql`insert into t values (${n})`)
        events.push(`written ${n}`)
      })
      events.push(`told ${n}`)
    }))
    for (let n = 0; n < count; n++) {
      const between = events.slice(events.indexOf(`written ${n}`), events.indexOf(`told ${n}`))
      expect(between.indexOf('flush'), `transaction ${n} of ${events.join()}`).toBeGreaterThan(0)
      expect(between.lastIndexOf('flushed')).toBeGreaterThan(between.indexOf('flush'))
    }
    expect(events.filter((event) => event === 'flush').length).toBeLessThan(count / 2)
    events.splice(0)
    await database.transaction((tx) => tx.rows(sql`select a from t`))
    await database.rows(sql`select a from t`)
    expect(events).toEqual([])
    await database.close()
  })

  it('begins a transaction when its own questions are answered: on another connection they would wait for its end', async () => {
    let isSent = (): void => undefined
    const sent = new Promise<void>((resolve) => {
      isSent = resolve
    })
    const database = await openDatabase({
      kind: 'embedded', directory: await bare('ahead'), isDurable: false,
      trace: (statements) => (statements.some((text) => text.includes('generate_series')) ? isSent() : undefined),
    })
    await database.run(trusted('create table t (a int)'))
    // Keeps the only connection there is so far: the next question opens another, which is ready only after it.
    const long = database.rows(sql`select count(*) as n from generate_series(1, ${500_000}::int)`)
    await sent
    const seen = await database.transaction(async (tx) => {
      const asked = tx.rows(sql`select count(*)::int as n from t where a > ${0}`)
      await long
      await tx.run(sql`insert into t values (1)`)
      return asked
    })
    expect(seen).toEqual([{ n: 0 }])
    expect(await database.rows(sql`select a from t`)).toEqual([{ a: 1 }])
    await database.close()
  })

  it('serves who is in a transaction alone, and the others when it ends', async () => {
    const server = await startEmbedded({ directory: await bare('turns') })
    const [a, b] = [await clientOf(server), await clientOf(server)]
    await a.query('create table t (a int)')
    await a.query('begin')
    await a.query('insert into t values (1)')
    const seen = b.query<{ n: number }>('select count(*)::int as n from t')
    await a.query('insert into t values (2)')
    await a.query('commit')
    // Asked between the two: within the transaction of the other it would be one.
    expect((await seen).rows).toEqual([{ n: 2 }])
    await Promise.all([a.end(), b.end()])
    await server.close()
  })

  it('undoes what a client that goes away had begun, and drops what it had prepared', async () => {
    const server = await startEmbedded({ directory: await bare('gone') })
    const [a, b] = [await clientOf(server), await clientOf(server)]
    a.on('error', () => undefined)
    await a.query('create table t (a int)')
    const own = (client: Client): Promise<unknown> => client.query({ name: `${prefixOf(client)}q1`, text: 'select count(*)::int as n from t where a > $1', values: [0] })
    await own(a)
    await own(b)
    await a.query('begin')
    await a.query('insert into t values (1)')
    a.connection.stream.destroy()
    expect((await b.query('select a from t')).rows).toEqual([])
    expect((await b.query('select name from pg_prepared_statements')).rows).toEqual([{ name: `${prefixOf(b)}q1` }])
    await b.end()
    await server.close()
  })
})

async function clientOf(server: EmbeddedServer): Promise<Client & { readonly connection: { readonly stream: { destroy: () => void } } }> {
  const client = new Client({ stream: () => server.connect(), ssl: false, user: 'postgres', database: 'postgres' })
  await client.connect()
  if (!hasStream(client)) throw new Error('The driver hides its socket')
  return client
}

function hasStream(client: Client): client is Client & { readonly connection: { readonly stream: { destroy: () => void } } } {
  return 'connection' in client
}

function prefixOf(client: Client): string {
  return hasStream(client) && 'statementPrefix' in client.connection.stream ? String(client.connection.stream.statementPrefix) : ''
}

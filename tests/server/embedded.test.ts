import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { lockDirectory } from '#server/db/directoryLock.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { testFolder } from '../support/database.ts'

const folder = testFolder()

describe('lockDirectory', () => {
  it('refuses a second holder and can be taken again after release', () => {
    const lock = lockDirectory(path.join(folder, 'a'))
    expect(() => lockDirectory(path.join(folder, 'a'))).toThrow('already open')
    lock.release()
    lockDirectory(path.join(folder, 'a')).release()
  })

  it('refuses while another process lives and recovers after its kill', async () => {
    const target = path.join(folder, 'b')
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', `import { lockDirectory } from '#server/db/directoryLock.ts'; lockDirectory(${JSON.stringify(target)}); console.log('held'); setInterval(() => {}, 1000)`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: path.resolve(import.meta.dirname, '../..'),
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(() => lockDirectory(target)).toThrow(`in use by process ${child.pid}`)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    lockDirectory(target).release()
    expect(fs.existsSync(`${target}.lock`)).toBe(false)
  })
})

describe('the embedded database', () => {
  it('refuses COPY FROM STDIN in either protocol and lives on', async () => {
    const database = await openDatabase({ kind: 'embedded', directory: path.join(folder, 'copy') })
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
})

import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { NodeFiles, type Operations, type Stream } from '#server/db/nodeFiles.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { testFolder } from '../support/database.ts'

/** Files of the system as PGlite's own file system opens them, under what NodeFiles adds. */
async function filesUnder(files: NodeFiles): Promise<Operations & { readonly asked: () => number }> {
  let asked = 0
  const own: Operations = {
    stream_ops: {
      llseek: ({ nfd }, offset, whence) => {
        if (whence === 2) asked += 1
        return offset + (whence === 2 ? fs.fstatSync(nfd ?? -1).size : 0)
      },
      write: ({ nfd }, buffer, offset, length, position) => fs.writeSync(nfd ?? -1, buffer as Uint8Array, offset, length, position),
      setattr: ({ nfd }, change) => fs.ftruncateSync(nfd ?? -1, (change as { size: number }).size),
      close: ({ nfd }) => fs.closeSync(nfd ?? -1),
    },
    node_ops: { setattr: () => undefined },
  }
  const { emscriptenOpts } = await files.init({} as never, {})
  const hooks = emscriptenOpts.preRun as ((module: { readonly NODEFS: Operations }) => void)[]
  hooks.at(-1)?.({ NODEFS: own })
  return { ...own, asked: () => asked }
}

function opened(folder: string, name: string): Stream & { readonly nfd: number } {
  return { nfd: fs.openSync(path.join(folder, name), 'w+'), node: {} }
}

const text = new TextEncoder().encode('0123456789')

afterEach(() => {
  vi.restoreAllMocks()
})

describe('files of the embedded database', () => {
  it('know their length without asking the system again, whoever changes it', async () => {
    const { stream_ops: streams, node_ops: nodes, asked } = await filesUnder(new NodeFiles(testFolder(), false))
    const one = opened(testFolder(), 'one')
    const other = { ...one }
    const length = (): number => streams.llseek(one, 0, 2)
    expect([length(), length(), asked()]).toEqual([0, 0, 1])
    streams.write(other, text, 0, 10, 0)
    expect([length(), asked()]).toEqual([10, 1])
    streams.write(one, text, 0, 4, 3)
    expect([length(), asked()]).toEqual([10, 1])
    streams.write(one, text, 0, 4, 20)
    expect([length(), streams.llseek(one, -4, 2), streams.llseek(one, 7, 0), asked()]).toEqual([24, 20, 7, 1])
    streams.setattr(one, { size: 5 })
    expect([length(), asked()]).toEqual([5, 2])
    fs.ftruncateSync(one.nfd, 2)
    nodes.setattr(one.node, { size: 2 })
    expect([length(), asked()]).toEqual([2, 3])
    fs.closeSync(one.nfd)
  })

  it('are waited for where the answer says that they are on disk', async () => {
    const { stream_ops: streams } = await filesUnder(new NodeFiles(testFolder(), true))
    const log = opened(testFolder(), 'log')
    const waits = vi.spyOn(fs, 'fdatasyncSync')
    expect(streams.fsync?.(log)).toBe(0)
    expect(waits.mock.calls).toEqual([[log.nfd]])
    streams.close(log)
  })

  it('reach the disk behind other work; what comes after the log waits for it', async () => {
    const files = new NodeFiles(testFolder(), true)
    const { stream_ops: streams } = await filesUnder(files)
    const [log, data] = [opened(testFolder(), 'log'), opened(testFolder(), 'data')]
    const waits = vi.spyOn(fs, 'fdatasyncSync')
    const begun: ((error: NodeJS.ErrnoException | null) => void)[] = []
    vi.spyOn(fs, 'fdatasync').mockImplementation((_, done) => {
      begun.push(done)
    })
    const told: unknown[] = []
    const flush = (): Promise<void> => files.behind(async () => void streams.fsync?.(log), (error) => void told.push(error))
    await flush()
    streams.write(log, text, 0, 10, 0)
    expect([begun.length, told, waits.mock.calls.length]).toEqual([1, [], 0])
    streams.write(data, text, 0, 10, 0)
    expect(waits.mock.calls).toEqual([[log.nfd]])
    streams.write(data, text, 0, 10, 10)
    expect(waits).toHaveBeenCalledTimes(1)
    // It was waited for: what the system says of it afterwards no longer matters.
    begun.shift()?.(Object.assign(new Error('closed'), { code: 'EBADF' }))
    expect(told).toEqual([undefined])
    await flush()
    streams.fsync?.(data)
    expect(waits.mock.calls.slice(1)).toEqual([[log.nfd], [data.nfd]])
    begun.shift()?.(null)
    await flush()
    streams.close(log)
    expect(waits.mock.calls.slice(3)).toEqual([[log.nfd]])
    begun.shift()?.(null)
    expect(told).toEqual([undefined, undefined, undefined])
    streams.close(data)
  })

  it('that are closed before their way to the disk has begun are on it before: their number is given to the next one', async () => {
    const files = new NodeFiles(testFolder(), true)
    const { stream_ops: streams } = await filesUnder(files)
    const full = opened(testFolder(), 'full')
    const waits = vi.spyOn(fs, 'fdatasyncSync')
    const begun: number[] = []
    vi.spyOn(fs, 'fdatasync').mockImplementation((nfd, done) => {
      begun.push(nfd)
      done(null)
    })
    const told: unknown[] = []
    let next = full
    await files.behind(async () => {
      streams.fsync?.(full)
      streams.close(full)
      expect(waits.mock.calls).toEqual([[full.nfd]])
      next = opened(testFolder(), 'next')
      streams.fsync?.(next)
    }, (error) => void told.push(error))
    expect([begun, waits.mock.calls.length, told]).toEqual([[next.nfd], 1, [undefined]])
    await files.behind(async () => {
      streams.fsync?.(next)
      streams.close(next)
    }, (error) => void told.push(error))
    expect([begun.length, waits.mock.calls.length, told]).toEqual([1, 2, [undefined, undefined]])
  })

  it('that do not reach the disk are told of', async () => {
    const files = new NodeFiles(testFolder(), true)
    const { stream_ops: streams } = await filesUnder(files)
    const log = opened(testFolder(), 'log')
    const broken = Object.assign(new Error('EIO: the disk is broken'), { code: 'EIO' })
    vi.spyOn(fs, 'fdatasync').mockImplementation((_, done) => done(broken))
    const told: unknown[] = []
    await files.behind(async () => void streams.fsync?.(log), (error) => void told.push(error))
    await files.behind(async () => undefined, (error) => void told.push(error))
    expect(told).toEqual([broken, undefined])
    streams.close(log)
  })

  it('hold what was written, grown, cut and written again, also after a restart', async () => {
    const directory = path.join(testFolder(), 'pgdata')
    const database = await openDatabase({ kind: 'embedded', directory })
    await database.run(trusted('create table t (n int, filler text)'))
    const fill = (from: number, to: number): Promise<number> => database.run(sql`insert into t select n, repeat('x', 500) from generate_series(${from}::int, ${to}::int) n`)
    const seen = (db: typeof database): Promise<unknown> => db.first(sql`select count(*)::int as rows, sum(n)::int as sum, (pg_relation_size('t') / 8192)::int as pages from t`)
    await fill(1, 2_000)
    await database.run(trusted('delete from t where n > 500'))
    await database.run(trusted('vacuum t'))
    await fill(501, 700)
    await database.run(trusted('truncate t'))
    expect(await seen(database)).toEqual({ rows: 0, sum: null, pages: 0 })
    await fill(1, 600)
    await database.run(trusted('delete from t where n > 300'))
    await database.run(trusted('vacuum t'))
    await fill(301, 400)
    const before = await seen(database)
    expect(before).toMatchObject({ rows: 400, sum: 80_200 })
    await database.close()
    const again = await openDatabase({ kind: 'embedded', directory })
    expect(await seen(again)).toEqual(before)
    await again.close()
  })
})

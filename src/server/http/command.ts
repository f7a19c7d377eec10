import { createHash } from 'node:crypto'
import type { Queries } from '#server/context.ts'
import { marksOf } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, ProblemError, refusedRow, wrong } from '#server/problemError.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import type { RowResult } from '#api/data.ts'
import type { Said } from '#api/problems.ts'
import type { Call } from './api.ts'

/**
 * One command in one transaction. With an Idempotency-Key the first answer is kept: the same request again gets it, another request under
 * the same key is refused. A refusal leaves no trace, so the key can be used again after correcting the input or acknowledging warnings.
 * `ahead` may ask the database for what `work` will need; it is called even when the answer turns out to be known.
 */
export async function command<T extends object>(call: Call, work: (run: CommandRun) => Promise<T>, suffix = '', ahead?: (run: CommandRun) => void): Promise<T> {
  const { services, user, request } = call
  const key = keyOf(call)
  const hash = createHash('sha256').update(`${request.method} ${request.url} ${canonical(call.body)}`).digest('hex')
  return services.database.transaction(async (tx) => {
    // Nearly every command needs masters: whether those in memory still hold is asked along the way.
    void marksOf(tx)
    const run = new CommandRun(services, tx, user, { acknowledged: acknowledgedBy(call), requestId: request.id })
    const known = key === undefined ? undefined : firstAnswer(tx, user.id, key + suffix)
    ahead?.(run)
    const first = await known
    if (first !== undefined) {
      if (first.request_hash !== hash) fail('DUPLICATE_REQUEST')
      return first.response as T
    }
    const result = await work(run)
    run.assertAcknowledged()
    if (key !== undefined) {
      tx.later(sql`
        insert into command_log (user_id, idempotency_key, request_hash, status_code, response, created_at)
        values (${user.id}, ${key + suffix}, ${hash}, 200, ${JSON.stringify(result)}::jsonb, ${services.clock.now().toISOString()})`)
    }
    return result
  })
}

/** What was answered under a key before. A second sender of the same key waits here until the first has committed or failed. */
function firstAnswer(tx: Queries, userId: number, key: string): Promise<{ readonly request_hash: string; readonly response: unknown } | undefined> {
  return tx.exclusive(`command ${userId} ${key}`, () =>
    tx.first<{ request_hash: string; response: unknown }>(sql`select request_hash, response from command_log where user_id = ${userId} and idempotency_key = ${key}`))
}

/** A command that only answers a question, in one transaction that cannot write. No key is kept: sent again it is answered anew. */
export async function question<T extends object>(call: Call, work: (run: CommandRun) => Promise<T>): Promise<T> {
  const { services, user, request } = call
  return services.database.transaction((tx) => {
    void marksOf(tx)
    return work(new CommandRun(services, tx, user, { requestId: request.id }))
  }, { readOnly: true })
}

/** The same command for several rows, each in its own transaction with its own outcome. */
export async function bulk(call: Call, ids: readonly number[], work: (run: CommandRun, id: number) => Promise<Said & Pick<RowResult, 'made'>>): Promise<readonly RowResult[]> {
  const results: RowResult[] = []
  for (const id of ids) {
    try {
      results.push({ ID: id, ok: true, ...(await command(call, (run) => work(run, id), `#${id}`)) })
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      results.push(refusedRow(id, error.problem))
    }
  }
  return results
}

/** Ids of the rows a bulk call names. */
export function rowIds(body: Readonly<Record<string, unknown>>): readonly number[] {
  const ids = body['IDs']
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > 500 || !ids.every((id) => Number.isSafeInteger(id) && id > 0)) {
    return invalid([wrong('IDs', 'WRONG_TYPE.ids', { limit: 500 })])
  }
  return [...new Set<number>(ids)]
}

/** Versions the user has seen, in the order of `IDs`; empty where he names none. */
export function rowVersions(body: Readonly<Record<string, unknown>>): ReadonlyMap<number, number> {
  const { IDs: ids, Versions: versions } = body
  if (versions === undefined || !Array.isArray(ids)) return new Map()
  if (!Array.isArray(versions) || versions.length !== ids.length || !versions.every((version) => Number.isSafeInteger(version) && version > 0)) {
    return invalid([wrong('Versions', 'WRONG_TYPE.versions')])
  }
  return new Map(ids.map((id: number, i) => [id, Number(versions[i])]))
}

function keyOf(call: Call): string | undefined {
  const key = call.request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(key)) {
    return invalid([wrong('Idempotency-Key', 'WRONG_TYPE.key')])
  }
  return key
}

function acknowledgedBy(call: Call): string[] {
  const header = call.request.headers['acknowledge']
  return typeof header === 'string' ? header.split(',').map((id) => id.trim()).filter((id) => id !== '') : []
}

/** JSON with sorted keys: the same payload whatever the order it was written in. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? ''
}

import http from 'node:http'
import { sql } from '#server/db/sql.ts'
import { quantile, type Measure, type Run } from './bench.ts'
import { processesOn, serveAll, type Client } from './client.ts'
import { demoCompany } from './databases.ts'
import { orderBodies } from './orders.ts'

const crowds = [10, 50, 200, 1000] as const
const seconds = 10
/** One call in so many enters an order, the others read a list. */
const ordersAmong = 5

interface Outcome {
  /** Milliseconds of each answer that did what was asked. */
  readonly served: number[]
  /** Milliseconds until those who came beyond what can be served were told so. */
  readonly refused: number[]
  /** Keys of orders the server said it had saved. */
  readonly saved: string[]
  readonly strange: string[]
}

/**
 * So many people at once, each asking for the next thing as soon as the last is answered: lists, and drafts of orders. Beyond what can be served they are told
 * at once (503, with when to come back), and who is told comes back then. Nothing said to be saved may be missing, nothing may be there twice.
 */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const client = await serveAll(bench, processesOn(engine))
    try {
      const bodies = await orderBodies(bench.database, 5)
      await crowd(client, bodies, 10, 3, 'warm')
      for (const people of crowds) {
        const run = `crowd-${process.pid}-${people}`
        const { served, refused, saved, strange } = await crowd(client, bodies, people, seconds, run)
        if (strange.length > 0) throw new Error(`${people} clients on ${engine}: ${strange.length} strange answers, the first: ${strange[0]}`)
        const rows = await bench.database.rows<{ po_number: string; times: number }>(sql`select po_number, count(*)::int as times from sales_order where po_number like ${`${run}-%`} group by 1`)
        const there = new Map(rows.map((row) => [row.po_number, row.times]))
        const amiss = saved.filter((key) => there.get(key) !== 1).length + rows.filter(({ times }) => times > 1).length
        const told = refused.length === 0 ? '' : `, ${refused.length} told to come back, in ${quantile(refused, 0.95).toFixed(0)} ms`
        measures.push(
          { what: `95 of 100 answers to ${people} clients on ${engine} (${(served.length / seconds).toFixed(0)} a second${told})`, value: quantile(served, 0.95), unit: 'ms', limit: 4_000, bound: 'most' },
          { what: `orders lost or doubled of ${saved.length} by ${people} clients on ${engine}`, value: amiss, unit: '', limit: 0, bound: 'most' },
        )
      }
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

async function crowd(client: Client, bodies: readonly unknown[], people: number, forSeconds: number, run: string): Promise<Outcome> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: people })
  const outcome: Outcome = { served: [], refused: [], saved: [], strange: [] }
  const until = performance.now() + forSeconds * 1000
  const list = `/api/v1/data/sales-order?${new URLSearchParams({ length: '25', columns: 'code,doc_date,customer_id,total,status', count: 'false' }).toString()}`
  let calls = 0
  await Promise.all(Array.from({ length: people }, async (_, person) => {
    const origin = client.origins[person % client.origins.length] ?? client.origin
    while (performance.now() < until) {
      const n = calls++
      const key = `${run}-${n}`
      const isOrder = n % ordersAmong === 0
      const started = performance.now()
      const answer = isOrder ? await send(agent, client.token, `${origin}/api/v1/data/sales-order`, key, { ...(bodies[n % bodies.length] as object), PoNumber: key }) : await send(agent, client.token, origin + list)
      const took = performance.now() - started
      if (answer.status === 503 && answer.after > 0) {
        outcome.refused.push(took)
        await new Promise((resolve) => setTimeout(resolve, Math.min(answer.after * 1000, Math.max(0, until - performance.now()))))
      } else if (answer.status === 200 || answer.status === 201) {
        outcome.served.push(took)
        if (isOrder) outcome.saved.push(key)
      } else outcome.strange.push(`${answer.status} ${answer.text}`)
    }
  }))
  agent.destroy()
  return outcome
}

interface Received {
  readonly status: number
  /** Seconds after which to come back; 0 where none are said. */
  readonly after: number
  readonly text: string
}

function send(agent: http.Agent, token: string, url: string, key?: string, body?: unknown): Promise<Received> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key, acknowledge: 'all' }) }
    const request = http.request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 300) text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, after: Number(response.headers['retry-after'] ?? 0), text }))
    })
    request.on('error', (error) => resolve({ status: 0, after: 0, text: error.message }))
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

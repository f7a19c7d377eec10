import http from 'node:http'
import { quantile, type Measure, type Run } from './bench.ts'
import { serveApart } from './client.ts'
import { largeCompany } from './databases.ts'

/** A hundred clients on the list of all invoices, each asking for pages of 25 as fast as it gets them. */
export const run: Run = async ({ engines, invoices, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const { place, close } = await largeCompany(engine, invoices, log)
    await close()
    const { origin, token, stop } = await serveApart(place)
    try {
      const query = new URLSearchParams({ length: '25', order: 'doc_date,id', sort: 'desc,desc', columns: 'code,doc_date,customer_id,total,remaining,status', count: 'false' })
      const url = `${origin}/api/v1/data/invoice?${query.toString()}`
      await storm(url, token, 100, 3)
      const answers = await storm(url, token, 100, 10)
      measures.push({ what: `list of ${invoices} rows, 100 clients, on ${engine}`, value: answers.length / 10, unit: 'a second', limit: 500, bound: 'least' })
      measures.push({ what: `99 of 100 answers to 100 clients on ${engine}`, value: quantile(answers, 0.99), unit: 'ms', limit: 400, bound: 'most' })
    } finally {
      await stop()
    }
  }
  return measures
}

/** Milliseconds of every answer that `clients` connections got within `seconds`. */
async function storm(url: string, token: string, clients: number, seconds: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients })
  const until = performance.now() + seconds * 1000
  const samples: number[] = []
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      http.get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.resume()
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`The server answers ${response.statusCode}`))
          else {
            samples.push(performance.now() - started)
            resolve()
          }
        })
      }).on('error', reject)
    })
  await Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() < until) await ask()
  }))
  agent.destroy()
  return samples
}

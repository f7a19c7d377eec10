import type { ListAnswer } from '#api/data.ts'
import type { Database, Row } from '#server/context.ts'
import { compile, type Sql } from '#server/db/sql.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { serve } from './client.ts'
import { demoCompany } from './databases.ts'

const columns = 'code,doc_date,due_date,customer_id,operating_unit_id,territory_id,salesman_id,total,remaining,paid,status,po_number'
const query = { length: 100, order: 'due_date,id', sort: 'desc,desc', columns, totals: 'total,remaining', filter: JSON.stringify({ status: { in: [1, 2, 3] }, total: { gt: '1000000' } }) }

/** The list endpoint with 100 rows of 12 columns, filtered, sorted, counted and totalled, against the statements it sends, sent bare. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const recorded: Sql[] = []
    const client = await serve(recording(bench.database, recorded))
    try {
      const ask = (): Promise<ListAnswer> => client.get<ListAnswer>('/api/v1/data/invoice', query)
      await ask()
      recorded.length = 0
      const answer = await ask()
      if (answer.rows.length !== 100) throw new Error(`The list has ${answer.rows.length} rows`)
      const statements = recorded.filter((statement) => compile(statement).text.includes('"invoice"'))
      const endpoint: number[] = []
      const bare: number[] = []
      // Turn and turn about, so that whatever else the machine does falls on both.
      for (let round = 0; round < 12; round++) {
        bare.push(...(await times(20, async () => {
          for (const statement of statements) await bench.database.rows(statement)
        }, round === 0 ? 20 : 1)))
        endpoint.push(...(await times(20, ask, round === 0 ? 20 : 1)))
      }
      const base = quantile(bare, 0.5)
      measures.push({ what: `list endpoint 100 × 12 on ${engine} (bare SQL ${base.toFixed(2)} ms)`, value: quantile(endpoint, 0.5), unit: 'ms', limit: base * 1.3 + 2, bound: 'most' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

/** The database, with a note of every statement sent outside transactions. */
function recording(database: Database, into: Sql[]): Database {
  return {
    engine: database.engine,
    home: database.home,
    unit: database.unit,
    ahead: database.ahead,
    rows: <T extends Row>(statement: Sql) => {
      into.push(statement)
      return database.rows<T>(statement)
    },
    first: <T extends Row>(statement: Sql) => {
      into.push(statement)
      return database.first<T>(statement)
    },
    run: (statement) => database.run(statement),
    later: (statement) => database.later(statement),
    foresees: () => database.foresees(),
    exclusive: (name, question) => database.exclusive(name, question),
    transaction: (work) => database.transaction(work),
    listen: (channel, hear) => database.listen(channel, hear),
    close: () => database.close(),
  }
}

import { compile, type Sql } from './sql.ts'
import { wireValue, type WireValue } from './wireValue.ts'

/** A statement as it is sent: values as text, and a name under which the server keeps its plan. */
export interface NamedStatement {
  readonly text: string
  readonly values: WireValue[]
  readonly name?: string
}

/** Names of statements sent before; more different ones than this are the odd filters of lists, not worth keeping. */
const most = 2_000
const names = new Map<string, string | undefined>()
let given = 0

/**
 * The statement as the driver wants it, with a name from its second use on: a named statement is planned once per connection and not each
 * time. Planning is two thirds of what the queries of a command cost the database.
 */
export function named(statement: Sql): NamedStatement {
  const { text, values } = compile(statement)
  const wire = values.map(wireValue)
  if (statement.isPlannedAnew) return { text, values: wire }
  const name = names.get(text)
  if (name !== undefined) return { text, values: wire, name }
  if (names.has(text)) {
    const next = `q${++given}`
    names.set(text, next)
    return { text, values: wire, name: next }
  }
  if (names.size < most) names.set(text, undefined)
  return { text, values: wire }
}

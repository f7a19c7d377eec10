import { compile, type Sql } from './sql.ts'
import { wireValue, type WireValue } from './wireValue.ts'

/** A statement as it is sent: values as text, and a name under which the server keeps its plan. */
export interface NamedStatement {
  readonly text: string
  readonly values: WireValue[]
  readonly name?: string
}

/** Statements a connection keeps at most: each takes memory there. */
const mostNames = 2_000
const names = new Map<string, string>()
/** Sent once of late. The odd filters of lists push each other out: they take the place of nothing that is sent again and again. */
const once = new Set<string>()
const mostOnce = 2_000

/**
 * The statement as the driver wants it, with a name from its second use on: a named statement is planned once per connection and not each
 * time. Planning is two thirds of what the queries of a command cost the database.
 */
export function named(statement: Sql): NamedStatement {
  const { text, values } = compile(statement)
  const wire = values.map(wireValue)
  if (statement.isPlannedAnew) return { text, values: wire }
  const name = names.get(text) ?? nameOf(text)
  return name === undefined ? { text, values: wire } : { text, values: wire, name }
}

function nameOf(text: string): string | undefined {
  if (names.size >= mostNames) return undefined
  if (once.delete(text)) {
    const name = `q${names.size + 1}`
    names.set(text, name)
    return name
  }
  const [oldest] = once
  if (once.size >= mostOnce && oldest !== undefined) once.delete(oldest)
  once.add(text)
  return undefined
}

import { compile, type Sql } from './sql.ts'

interface NamedStatement {
  readonly text: string
  readonly values: unknown[]
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
  // Without values the driver uses the simple protocol, which alone takes several statements in one text.
  if (values.length === 0) return { text, values }
  const name = names.get(text)
  if (name !== undefined) return { text, values, name }
  if (names.has(text)) {
    const next = `q${++given}`
    names.set(text, next)
    return { text, values, name: next }
  }
  if (names.size < most) names.set(text, undefined)
  return { text, values }
}

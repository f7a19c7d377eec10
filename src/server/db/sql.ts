/** A piece of SQL with its values apart; composes, and never mixes text from outside into the statement. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** Planned for its values each time it is sent, not once for all. */
  readonly isPlannedAnew: boolean

  constructor(strings: readonly string[], values: readonly unknown[], isPlannedAnew = false) {
    this.strings = strings
    this.values = values
    this.isPlannedAnew = isPlannedAnew
  }
}

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return new Sql([...strings], values)
}

/** Quoted column or table name, `table.column` allowed. Only for names from our own metadata; anything else throws. */
export function ident(name: string): Sql {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)?$/.test(name)) throw new Error(`Not an identifier: ${name}`)
  return new Sql([name.split('.').map((part) => `"${part}"`).join('.')], [])
}

export function join(parts: readonly unknown[], separator = ', '): Sql {
  if (parts.length === 0) return new Sql([''], [])
  return new Sql(['', ...Array<string>(parts.length - 1).fill(separator), ''], parts)
}

/** The statement, for searches whose best way depends on what is looked for: a plan for any text walks a table for a rare one. */
export function plannedAnew(statement: Sql): Sql {
  return new Sql(statement.strings, statement.values, true)
}

/**
 * A value that is not looked at when the statement is planned: where a few rows are found by their keys the database plans a statement anew for
 * the values at hand as long as that looks cheaper by its estimates, which costs several times what running it does.
 */
export function unplanned(value: unknown, type: 'bigint' | 'bigint[]'): Sql {
  return sql`(select ${value}::${trusted(type)})::${trusted(type)}`
}

/** Trusted SQL text from our own files (datasets, migrations). Never for anything that came over the wire. */
export function trusted(text: string): Sql {
  return new Sql([text], [])
}

/** Statement text with $1… and its values, as the driver wants it. */
export function compile(fragment: Sql): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = []
  const build = (part: unknown): string => {
    if (!(part instanceof Sql)) {
      values.push(part)
      return `$${values.length}`
    }
    return part.strings.reduce((text, piece, i) => text + piece + (i < part.values.length ? build(part.values[i]) : ''), '')
  }
  return { text: build(fragment), values }
}

import { wireName } from '#base/wireName.ts'
import { holds as holdsFor, type Surroundings as Around } from '#meta/evaluate.ts'
import type { Condition } from '#meta/condition.ts'

/** What conditions and defaults of a form may ask for besides its values; path parameters are texts. */
export interface Surroundings extends Around {
  readonly params: Readonly<Record<string, string>>
}

/** Does a condition hold over values by wire key? */
export function holds(condition: Condition, values: Readonly<Record<string, unknown>>, around: Surroundings): boolean {
  return holdsFor(condition, (name) => values[wirePath(name)], around)
}

/** Wire key of a column path: `customer_id` → `CustomerID`, `customer_id.name` → `CustomerName`. */
function wirePath(name: string): string {
  const [column = '', hop] = name.split('.')
  return hop === undefined ? wireName(column) : wireName(column.replace(/_id$/, '')) + wireName(hop)
}

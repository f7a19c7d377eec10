import { wireName } from '#base/wireName.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Condition } from '#meta/condition.ts'

/**
 * The restriction of a choice with what the rows say in place of its `{ field }` operands: what fits one of them may be chosen, each row then tells whether
 * it takes it. Undefined where no row says anything.
 */
export function restricted(condition: Condition, rows: readonly WireRecord[]): Condition | undefined {
  let isKnown = true
  const bind = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(bind)
    if (typeof node !== 'object' || node === null) return node
    if ('field' in node && typeof node.field === 'string') {
      const wire = wireName(node.field)
      const values = [...new Set(rows.map((row) => row[wire]).filter((value) => value !== undefined && value !== null))]
      isKnown &&= values.length > 0
      return values.length === 1 ? values[0] : { in: values }
    }
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, bind(inner)]))
  }
  const bound = bind(condition)
  return isKnown ? (bound as Condition) : undefined
}

import { referenceNames, wireName } from '#base/wireName.ts'
import type { Condition } from '#meta/condition.ts'
import { holds, type Surroundings } from '#meta/evaluate.ts'
import type { PathTemplate } from '#meta/resolved.ts'
import { today } from '../app/format.ts'
import { sessionAtom, store } from './session.ts'

/** What conditions may ask for besides the record: the signed-in user, the business day, the path parameters. */
export function around(params: Readonly<Record<string, unknown>> = {}): Surroundings {
  const user = store.get(sessionAtom)?.user
  return {
    user: user === undefined ? {} : { id: user.user_id, operating_unit_id: user.operating_unit_id, territory_id: user.territory_id },
    today: today(),
    params,
  }
}

/** Does the condition hold for a record as it came over the wire? */
export function holdsFor(condition: Condition | undefined, record: Readonly<Record<string, unknown>>, surroundings: Surroundings): boolean {
  return condition === undefined || holds(condition, (name) => record[wireOf(name)], surroundings)
}

/** Wire key of a column name; one hop over a reference is read from the fields beside it. */
export function wireOf(name: string): string {
  const [column = name, hop] = name.split('.')
  if (hop === undefined) return wireName(column)
  const names = referenceNames(column)
  return hop === 'code' ? names.code : hop === 'name' ? names.name : `${wireName(column.replace(/_id$/, ''))}${wireName(hop)}`
}

/** `/sales-order-list/{ID}` with the wire keys of a record filled in; undefined when one is missing. Of several templates the first that can be filled. */
export function fillPath(template: PathTemplate, record: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof template !== 'string') return template.map((one) => fillPath(one, record)).find((path) => path !== undefined)
  let isComplete = true
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = record[key]
    if (value === undefined || value === null || value === '') {
      isComplete = false
      return ''
    }
    return encodeURIComponent(String(value))
  })
  return isComplete ? path : undefined
}

/** Label of a record: its code, else its name, else its id. */
export function labelOf(record: Readonly<Record<string, unknown>>): string {
  const label = record['Code'] ?? record['OrderCode'] ?? record['DocCode'] ?? record['Name'] ?? record['ID']
  return String(label)
}


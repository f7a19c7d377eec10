import type { OfferedAction } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { around, holdsFor, labelOf } from '../data/around.ts'

/** Why an action lists offer is not possible for this record, in the words of its schema; nothing where it is possible, or nothing is said. */
export function refusalOf({ id, when, refusals = [] }: ScreenAction, entity: string, record: WireRecord): readonly OfferedAction[] {
  const found = holdsFor(when, record, around()) ? undefined : refusals.find((refusal) => holdsFor(refusal.when, record, around()))
  return found === undefined ? [] : [{ Action: id, Refusal: { code: 'ILLEGAL_TRANSITION', text: found.text, key: found.text, params: { [entity]: labelOf(record) } } }]
}

import type { ListSource } from '#generated/language.ts'
import type { Labels } from '#meta/labels.ts'
import type { ResolvedEntity, ScreenAction } from '#meta/resolved.ts'

/** What is done with master records as a whole: taken off, put back, deleted. */
export const upkeepActions = ['deactivate', 'activate', 'delete'] as const
export type UpkeepAction = (typeof upkeepActions)[number]

const tones = { deactivate: 'warning', activate: 'neutral', delete: 'negative' } as const

/** Buttons every list of masters has whose records can be opened; those of a list seen through another permission (`guard`) it has not. */
export function upkeepIn(list: ListSource, entity: ResolvedEntity, labels: Labels): readonly ScreenAction[] {
  if (entity.base !== 'master' || list.upkeep === false || list.guard !== undefined || (list.open ?? list.panel) === undefined) return []
  return upkeepActions.map((action) => ({
    id: action,
    label: labels.pick(`action.${entity.id}.${action}`, `action.${action}`),
    tone: tones[action],
    scope: 'rows',
    guard: `${entity.resource}-${action === 'delete' ? 'delete' : 'edit'}`,
    does: { kind: 'transition', action, isUpkeep: true },
    params: [],
    reason: 'none',
    confirm: action === 'delete',
  }))
}

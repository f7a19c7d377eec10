import type { DetailScreen, ScreenAction } from '#meta/resolved.ts'

/**
 * What a list offers for one row, where the row's record is looked at. Steps of the workflow, the form and the print are there of themselves; a record
 * is deleted from its list, where what is left of it can be seen.
 */
export function besideRecord(actions: readonly ScreenAction[], { print, edit }: Pick<DetailScreen, 'print' | 'edit'>): readonly ScreenAction[] {
  return actions.filter(({ scope, does }) => {
    if (scope === 'page') return false
    if (does.kind === 'transition') return does.isUpkeep === true && does.action !== 'delete'
    return does.kind !== 'goto' || !(does.path.includes('{IDs}') || does.path === print || does.path === edit)
  })
}

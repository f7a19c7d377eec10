import type { ScreenId } from '#generated/names.ts'
import type { Metadata, ResolvedCommand } from '#meta/metadata.ts'
import type { ReportScreen, ResolvedEntity, Screen, Transition } from '#meta/resolved.ts'
import { decidedAction } from '#meta/screenUse.ts'
import type { User } from '#server/context.ts'
import { fail } from '#server/problemError.ts'
import { isBehindScreens, isReached, reachOf, type Behind } from './reach.ts'
import { isPersonal } from './scope.ts'

/*
 * Who may do what. Two things are asked, always both: the permission (GuardName) of what is done, and that a route in the user's menu asks for it,
 * so that what only hidden screens show cannot be fetched. Listing, reading, choosing, saving, moving and deciding ask here themselves: no endpoint
 * can forget it.
 */

/** What is done with records: many are listed, one is viewed. */
export type RecordAction = 'list' | 'view' | 'create' | 'edit' | 'delete' | 'export'

/** Refuses with FORBIDDEN_GUARD unless the user's role holds the guard. */
export function requireGuard(user: User, guard: string): void {
  if (!user.guards.has(guard)) fail('FORBIDDEN_GUARD.permission', { guard })
}

/** May the user do `action` on records of the entity? Lines follow their header; owned records also their owner. */
export function hasEntityGuard(metadata: Metadata, user: User, entity: ResolvedEntity, action: RecordAction): boolean {
  return isPersonal(entity) || (holds(metadata, user, entity, action) && isShown(metadata, user, behindRecords(metadata, entity, action))) || isSeenWithOwner(metadata, user, entity, action)
}

/** One record of another that is shown with it is seen by whoever may open that one, though its own list is not in his menu. */
function isSeenWithOwner(metadata: Metadata, user: User, entity: ResolvedEntity, action: RecordAction): boolean {
  const above = action === 'view' ? aboveOf(metadata, entity) : undefined
  return above !== undefined && hasEntityGuard(metadata, user, above, 'view')
}

export function requireEntityGuard(metadata: Metadata, user: User, entity: ResolvedEntity, action: RecordAction): void {
  if (hasEntityGuard(metadata, user, entity, action)) return
  if (holds(metadata, user, entity, action)) hidden()
  fail('FORBIDDEN_GUARD.permission', { guard: guardsFor(metadata, entity, action)[0] ?? action })
}

/** Guards of which one is needed to do `action` on records of the entity. */
export function guardsFor(metadata: Metadata, entity: ResolvedEntity, action: RecordAction): readonly string[] {
  const asked = action === 'list' ? 'view' : action
  const above = aboveOf(metadata, entity)
  // Whoever may edit a customer may add and remove his addresses.
  const inherited = asked === 'create' || asked === 'delete' ? 'edit' : asked
  return [`${entity.resource}-${asked}`, ...(above ? [`${above.resource}-${inherited}`] : [])]
}

/**
 * What screens must ask for before `action` is possible; undefined: behind no screen. What is never listed is behind the screens that open it one
 * by one, what no form changes behind those that show it, a line or an owned record behind those of what it belongs to.
 */
export function behindRecords(metadata: Metadata, entity: ResolvedEntity, action: RecordAction): Behind | undefined {
  const first = action === 'list' || action === 'export' ? 'lists' : action === 'view' ? 'reads' : 'writes'
  const found = ([first, 'reads'] as const).map((part) => ({ part, name: entity.id })).find((behind) => isBehindScreens(metadata, behind))
  const above = aboveOf(metadata, entity)
  return found ?? (above && behindRecords(metadata, above, action))
}

/** May the user take the workflow action? */
export function hasTransition(metadata: Metadata, user: User, entity: ResolvedEntity, transition: Pick<Transition, 'guard'>): boolean {
  return user.guards.has(transition.guard) && isReached(metadata, user, { part: 'moves', name: entity.id })
}

export function requireTransition(metadata: Metadata, user: User, entity: ResolvedEntity, transition: Pick<Transition, 'guard'>): void {
  requireGuard(user, transition.guard)
  if (!hasTransition(metadata, user, entity, transition)) hidden()
}

export function requireCommand(metadata: Metadata, user: User, command: ResolvedCommand): void {
  requireGuard(user, command.guard)
  if (!isReached(metadata, user, { part: 'commands', name: command.name })) hidden()
}

/** Is a route with this screen, or with another that holds it, open to the user? */
export function hasScreen(metadata: Metadata, user: User, screen: Pick<Screen, 'id' | 'guard'>): boolean {
  return (screen.guard === '' || user.guards.has(screen.guard)) && reachOf(metadata, user).open.screens.has(screen.id)
}

export function requireScreen(metadata: Metadata, user: User, screen: Pick<Screen, 'id' | 'guard'>): void {
  if (screen.guard !== '') requireGuard(user, screen.guard)
  if (!hasScreen(metadata, user, screen)) hidden()
}

/** One of these screens must be open: for calls that hand-written parts of them make. */
export function requireOneOf(metadata: Metadata, user: User, screens: readonly ScreenId[]): void {
  if (!screens.some((id) => reachOf(metadata, user).open.screens.has(id))) hidden()
}

export function hasReport(metadata: Metadata, user: User, screen: ReportScreen): boolean {
  const guard = metadata.datasets[screen.dataset]?.guard
  return (guard === undefined || user.guards.has(guard)) && hasScreen(metadata, user, screen)
}

export function requireReport(metadata: Metadata, user: User, screen: ReportScreen): void {
  const guard = metadata.datasets[screen.dataset]?.guard
  if (guard !== undefined) requireGuard(user, guard)
  requireScreen(metadata, user, screen)
}

/** Permission to decide on documents of an entity; undefined where no role can hold one. The matrix then decides alone. */
export function approvalGuard(metadata: Metadata, entity: ResolvedEntity): string | undefined {
  const name = `${entity.resource}-approve`
  return metadata.guards.some((guard) => guard.name === name) ? name : undefined
}

/** Does the user's menu hold the queue in which such requests are decided? Whether it is his turn the matrix says. */
export function hasQueue(metadata: Metadata, user: User, entity: ResolvedEntity, transition: string): boolean {
  const guard = approvalGuard(metadata, entity)
  return (guard === undefined || user.guards.has(guard)) && isReached(metadata, user, { part: 'decides', name: `${entity.id} ${decidedAction(transition)}` })
}

export function requireQueue(metadata: Metadata, user: User, entity: ResolvedEntity, transition: string): void {
  const guard = approvalGuard(metadata, entity)
  if (guard !== undefined) requireGuard(user, guard)
  if (!hasQueue(metadata, user, entity, transition)) hidden()
}

/**
 * Choosing a record needs less than opening its list: a screen of the menu that lets the user choose one. He then gets code, name and what
 * choosing fills; whoever may view the records gets every column. Undefined: nothing.
 */
export function lookupColumns(metadata: Metadata, user: User, entity: ResolvedEntity): 'all' | ReadonlySet<string> | undefined {
  return hasEntityGuard(metadata, user, entity, 'view') ? 'all' : reachOf(metadata, user).lookups.get(entity.id)
}

export function requireLookup(metadata: Metadata, user: User, entity: ResolvedEntity): void {
  if (lookupColumns(metadata, user, entity) !== undefined) return
  if (holds(metadata, user, entity, 'view')) hidden()
  fail('FORBIDDEN_GUARD.permission', { guard: `${entity.resource}-view` })
}

/** Are the journals of the entity's documents shown on a screen of the menu? Else they need what the journal itself needs. */
export function requireJournals(metadata: Metadata, user: User, entity: ResolvedEntity): void {
  const journal = metadata.entities['journal']
  if (journal && !reachOf(metadata, user).open.journals.has(entity.id)) requireEntityGuard(metadata, user, journal, 'view')
}

/** May the user see the column `hop` of the record a reference of `entity` points to: because he may view such records, or a screen of his shows it? */
export function mayHop(metadata: Metadata, user: User, entity: ResolvedEntity, hop: string, target: ResolvedEntity): boolean {
  const [, column = ''] = hop.split('.')
  if (target.display.includes(column) || hasEntityGuard(metadata, user, target, 'view')) return true
  return reachOf(metadata, user).hops.get(entity.id)?.has(hop) === true
}

function holds(metadata: Metadata, user: User, entity: ResolvedEntity, action: RecordAction): boolean {
  return guardsFor(metadata, entity, action).some((guard) => user.guards.has(guard))
}

function isShown(metadata: Metadata, user: User, behind: Behind | undefined): boolean {
  return behind === undefined || isReached(metadata, user, behind)
}

/** The header of a line, the owner of an owned record. */
function aboveOf(metadata: Metadata, entity: ResolvedEntity): ResolvedEntity | undefined {
  const id = entity.parent ?? entity.fields.find((field) => field.name === entity.owner)?.entity
  return id === undefined ? undefined : metadata.entities[id]
}

function hidden(): never {
  return fail('FORBIDDEN_GUARD.hidden')
}

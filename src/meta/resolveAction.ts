import type { ActionSource } from '#generated/language.ts'
import { fieldsOf } from '#meta/operands.ts'
import type { ResolvedEntity, ScreenAction, Tone } from '#meta/resolved.ts'
import { resolveParams } from '#meta/resolveWorkflow.ts'
import { conditionIn, type Scope } from '#meta/scope.ts'
import { SourceError } from '#meta/sources.ts'

/** A button of a screen: what the workflow or the command says about it is filled in unless the screen says otherwise. */
export function resolveAction(scope: Scope, entity: ResolvedEntity, source: ActionSource): ScreenAction {
  const known = behind(scope, entity, source)
  const id = source.id ?? known.id
  if (id === undefined) throw new SourceError('An action that goes to a path or opens a panel needs an id')
  const tone = source.tone ?? known.tone
  const reasonUsage = source.reasonUsage ?? known.reasonUsage
  const params = source.params === undefined ? known.params : resolveParams(entity.id, source.params, scope.entities, scope.labels)
  const reads = params.flatMap(({ name, lookupWhere, begins, each }) => [
    ...(begins === true ? [name] : []),
    ...(lookupWhere === undefined ? [] : fieldsOf(lookupWhere)),
    ...(each === undefined || each.lines !== undefined ? [] : [each.field, ...(each.begins === undefined ? [] : [each.begins]), ...each.columns].map((column) => column.name)),
  ])
  return {
    id,
    label: source.label ?? scope.labels.pick(`action.${entity.id}.${id}`, `action.${id}`),
    tone,
    scope: source.scope ?? known.scope,
    guard: source.guard ?? known.guard,
    ...(source.when === undefined ? {} : { when: conditionIn(scope, entity.id, source.when) }),
    ...(source.refusals === undefined ? {} : { refusals: source.refusals.map(({ when, text }) => ({ when: conditionIn(scope, entity.id, when), text: scope.labels.pick(text) })) }),
    does: known.does,
    ...(known.answers === undefined ? {} : { answers: known.answers }),
    params,
    ...(reads.length === 0 ? {} : { reads }),
    reason: source.reason ?? known.reason,
    ...(reasonUsage === undefined ? {} : { reasonUsage }),
    confirm: source.confirm ?? known.confirm,
  }
}

interface Known extends Pick<ScreenAction, 'does' | 'tone' | 'guard' | 'scope' | 'params' | 'reason' | 'confirm' | 'answers'> {
  readonly id?: string
  readonly reasonUsage?: string
}

const plain = { tone: 'neutral', params: [], reason: 'none', confirm: false } as const satisfies { tone: Tone } & Partial<Known>

function behind(scope: Scope, entity: ResolvedEntity, source: ActionSource): Known {
  if (source.transition !== undefined) {
    const name = source.transition
    const transition = scope.workflows[entity.id]?.transitions.find(({ action }) => action === name)
    if (transition === undefined) throw new SourceError(`${entity.id} has no transition "${name}"`)
    const { tone, guard, params, reason, reasonUsage, confirm } = transition
    return {
      id: name, tone, guard, scope: 'rows', params, reason, confirm, does: { kind: 'transition', action: name },
      ...(reasonUsage === undefined ? {} : { reasonUsage }),
    }
  }
  if (source.command !== undefined) {
    const command = scope.commands[source.command]
    if (command === undefined) throw new SourceError(`Unknown command "${source.command}"`)
    return {
      ...plain, id: command.name, guard: command.guard, params: command.params,
      scope: command.rows === 'none' ? 'page' : 'rows', does: { kind: 'command', command: command.name }, ...(command.readOnly ? { answers: true } : {}),
    }
  }
  if (source.goto !== undefined) return { ...plain, guard: `${entity.resource}-view`, scope: 'page', does: { kind: 'goto', path: source.goto } }
  if (source.panel !== undefined) {
    const guard = `${entity.resource}-${source.scope === 'rows' ? 'edit' : 'create'}`
    return { ...plain, guard, scope: 'page', does: { kind: 'panel', screen: source.panel } }
  }
  throw new SourceError('An action needs one of transition, command, goto, panel')
}

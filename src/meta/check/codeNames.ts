import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** Effects, preconditions, commands, slots, pages and print layouts named in schemas are there in code. */
export function* codeNames({ sources, uses, implemented }: World): Iterable<Report> {
  const among = (registry: string, what: string, path: string, at: Report['at'], name: string): readonly Report[] => {
    const known = implemented[registry]
    if (known === undefined || known.has(name)) return []
    return [{ path, at, code: `unknown-${what}`, message: `no code registers the ${what} "${name}"${didYouMean(name, known)}` }]
  }
  for (const { path, value } of sources.workflow) {
    for (const [i, transition] of (value.transitions ?? []).entries()) {
      for (const [j, name] of (transition.effects ?? []).entries()) yield* among('EffectName', 'effect', path, ['transitions', i, 'effects', j], name)
      for (const [j, name] of (transition.preconditions ?? []).entries()) yield* among('PreconditionName', 'precondition', path, ['transitions', i, 'preconditions', j], name)
    }
    if (value.approval?.reasons !== undefined) yield* among('ReasonsName', 'reasons', path, ['approval', 'reasons'], value.approval.reasons)
    for (const [at, { checks = [], then = [] }] of [[['approval'], value.approval ?? {}], [['approval', 'reversal'], value.approval?.reversal ?? {}]] as const) {
      for (const [j, name] of then.entries()) yield* among('EffectName', 'effect', path, [...at, 'then', j], name)
      for (const [j, name] of checks.entries()) yield* among('PreconditionName', 'precondition', path, [...at, 'checks', j], name)
    }
    for (const [i, { name }] of (value.commands ?? []).entries()) yield* among('CommandName', 'command', path, ['commands', i, 'name'], name)
  }
  for (const { path, at, name } of uses.slots) yield* among('SlotName', 'slot', path, at, name)
  for (const [i, { page, print }] of sources.routes.entries()) {
    if (page !== undefined) yield* among('PageName', 'page', 'schemas/routes.json', [i, 'page'], page)
    if (print !== undefined) yield* among('PrintName', 'print', 'schemas/routes.json', [i, 'print'], print)
  }
}

import type { Entities } from '#meta/fieldOf.ts'
import type { Guard, ResolvedCommand } from '#meta/metadata.ts'
import type { ResolvedDataset, ResolvedEntity, ResolvedWorkflow, Route, Screen } from '#meta/resolved.ts'

const actions = {
  plain: ['view', 'create', 'edit', 'delete', 'export'],
  internal: [],
  master: ['view', 'create', 'edit', 'delete', 'export', 'import'],
  document: ['view', 'create', 'edit', 'delete', 'export', 'import', 'print'],
  line: [],
  view: ['view', 'export'],
} as const satisfies Record<ResolvedEntity['base'], readonly string[]>

/** Every permission of the product: what bases bring, then what workflows, commands, datasets, screens and hand-written pages ask for. Sorted by name. */
export function guardsOf(
  entities: Entities,
  workflows: Readonly<Record<string, ResolvedWorkflow>>,
  commands: Readonly<Record<string, ResolvedCommand>>,
  datasets: Readonly<Record<string, ResolvedDataset>>,
  screens: Readonly<Record<string, Screen>>,
  routes: readonly Pick<Route, 'permission'>[] = [],
): readonly Guard[] {
  const names = new Set<string>()
  for (const { resource, base, permissions = [] } of Object.values(entities)) for (const action of [...actions[base], ...permissions]) names.add(`${resource}-${action}`)
  for (const { transitions } of Object.values(workflows)) for (const { guard } of transitions) names.add(guard)
  for (const { guard } of Object.values(commands)) names.add(guard)
  for (const { guard } of Object.values(datasets)) names.add(guard).add(guard.replace(/-view$/, '-export'))
  for (const screen of Object.values(screens)) {
    if (screen.guard !== '') names.add(screen.guard)
    if (screen.kind === 'list') for (const { guard } of screen.actions) names.add(guard)
  }
  for (const { permission } of routes) if (permission !== undefined) names.add(permission)
  return [...names].sort().map((name) => ({ name, module: moduleOf(name) }))
}

/** `sales-order-approve` → `sales-order`. */
export function moduleOf(guard: string): string {
  return guard.replace(/-[^-]+$/, '')
}

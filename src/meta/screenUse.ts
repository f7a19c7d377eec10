import type { Condition } from '#meta/condition.ts'
import { gridsOf } from '#meta/formGrids.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Column, DetailTab, Field, FormField, FormScreen, LineColumn, ListScreen, Route, Screen, ScreenAction } from '#meta/resolved.ts'

/**
 * What a route asks the server for, worked out from the screen that serves it and every panel, tab and form that screen opens by itself. The
 * server lets nobody fetch what only screens outside his menu ask for.
 */
export interface ScreenUse {
  /** Entities whose rows are listed. */
  readonly lists: ReadonlySet<string>
  /** Entities of which single records are opened, beside those listed. */
  readonly reads: ReadonlySet<string>
  /** Entities whose records are made and changed. */
  readonly writes: ReadonlySet<string>
  /** Entities whose documents are moved by workflow actions. */
  readonly moves: ReadonlySet<string>
  readonly commands: ReadonlySet<string>
  /** `docType action`: what is decided. */
  readonly decides: ReadonlySet<string>
  /** Screens that serve the route or stand inside it. */
  readonly screens: ReadonlySet<string>
  /** Entities whose documents show their journals. */
  readonly journals: ReadonlySet<string>
  /** Entity → columns asked for beside code and name when one of its records is chosen. */
  readonly lookups: ReadonlyMap<string, ReadonlySet<string>>
  /** Entity → columns reached over its references (`customer_id.phone`). */
  readonly hops: ReadonlyMap<string, ReadonlySet<string>>
}

/** The uses of every served route, by path. */
export function screenUses(metadata: Metadata): ReadonlyMap<string, ScreenUse> {
  const uses = new Map<string, ScreenUse>()
  for (const route of metadata.routes) {
    if (route.screen === undefined && route.page === undefined) continue
    const gathered = new Gathering(metadata)
    gathered.route(route)
    uses.set(route.path, gathered.use)
  }
  return uses
}

/** Action of a request for changed values, and for a new record that waits to be taken up; no workflow has it. */
export const changeAction = 'change'

/** The final approval of an entry is called `approve`, whatever action asked for it. */
export function decidedAction(transition: string): string {
  return transition === 'submit' || transition === 'post' ? 'approve' : transition
}

class Gathering {
  readonly use = {
    lists: new Set<string>(), reads: new Set<string>(), writes: new Set<string>(), moves: new Set<string>(), commands: new Set<string>(), decides: new Set<string>(),
    screens: new Set<string>(), journals: new Set<string>(), lookups: new Map<string, Set<string>>(), hops: new Map<string, Set<string>>(),
  }
  readonly #metadata: Metadata

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  route({ screen, reads = [], runs = [] }: Route): void {
    for (const entity of reads) this.use.reads.add(entity)
    for (const command of runs) this.#command(command)
    this.#screen(screen)
  }

  #screen(id: string | undefined): void {
    const screen = id === undefined ? undefined : this.#metadata.screens[id]
    if (!screen || this.use.screens.has(screen.id)) return
    this.use.screens.add(screen.id)
    this.#parts(screen)
  }

  #parts(screen: Screen): void {
    switch (screen.kind) {
      case 'list':
        return this.#list(screen)
      case 'form':
        return this.#form(screen)
      case 'detail':
        this.use.reads.add(screen.entity)
        this.#columns(screen.entity, screen.facts)
        for (const transition of this.#metadata.workflows[screen.entity]?.transitions ?? []) if (!transition.system) this.#move(screen.entity, transition)
        for (const action of screen.actions) this.#action(screen.entity, action)
        for (const tab of screen.tabs) this.#tab(screen.entity, tab)
        return screen.edit?.startsWith('/') === true ? undefined : this.#screen(screen.edit)
      case 'approval':
        this.use.decides.add(`${screen.docType} ${decidedAction(screen.transition)}`)
        this.#columns(screen.docType, screen.columns)
        for (const field of screen.filters) this.#chooses(field)
        this.#reasons()
        return this.#screen(screen.peek)
      case 'report':
        for (const field of [...screen.parameters, ...screen.filters]) this.#chooses(field)
        return undefined
      case 'import':
        for (const { records, columns } of screen.sheets) {
          for (const { entity, lines } of records) if (lines === undefined) this.use.writes.add(entity)
          for (const column of columns) this.#chooses(column)
        }
        return undefined
      case 'workbench':
        for (const tab of screen.tabs) this.#screen(tab.screen)
        return undefined
      default:
        return undefined
    }
  }

  #list(screen: ListScreen): void {
    const { entity } = screen
    this.use.lists.add(entity)
    this.#columns(entity, screen.columns)
    this.#columns(entity, screen.filters)
    this.#condition(entity, screen.where)
    for (const { where } of screen.presets) this.#condition(entity, where)
    for (const { field } of screen.sort) this.#hop(entity, field)
    // A typed filter offers what the column refers to.
    for (const column of [...screen.columns.filter(({ filterable }) => filterable), ...screen.filters]) this.#chooses(column)
    for (const action of screen.actions) this.#action(entity, action)
    this.#screen(screen.panel)
    this.#screen(screen.importer)
    if (screen.order !== undefined) this.#command(screen.order.command)
  }

  #form(screen: FormScreen): void {
    const { entity, lines } = screen
    this.use.reads.add(entity)
    this.use.writes.add(entity)
    // The panel beside a saved document.
    if (this.#metadata.entities[entity]?.base === 'document') this.use.journals.add(entity)
    this.#columns(entity, screen.sections.flatMap((section) => section.fields))
    for (const field of screen.sections.flatMap((section) => section.fields)) if (!field.readOnly) this.#chooses(field)
    for (const transition of this.#metadata.workflows[entity]?.transitions ?? []) if (screen.transitions.includes(transition.action)) this.#move(entity, transition)
    for (const { ticks } of screen.sections) if (ticks !== undefined) this.use.reads.add(ticks.entity)
    for (const { columns } of gridsOf(screen)) for (const column of columns) if (column.entry) this.#chooses(column)
    if (lines?.compute !== undefined) this.#command(lines.compute)
    this.#screen(screen.closed)
  }

  #tab(entity: string, tab: DetailTab): void {
    if (tab.kind === 'list') this.#screen(tab.screen)
    if (tab.kind === 'journal') this.use.journals.add(entity)
    if (tab.kind === 'fields') for (const { fields } of tab.sections) this.#columns(entity, fields)
    if (tab.kind === 'lines') this.#columns(tab.entity, tab.columns)
  }

  #action(entity: string, { does, params, reason }: ScreenAction): void {
    for (const field of params) this.#chooses(field)
    if (reason !== 'none') this.#reasons()
    if (does.kind === 'panel') this.#screen(does.screen)
    if (does.kind === 'command') this.#command(does.command)
    if (does.kind !== 'transition' || does.isUpkeep === true) return
    this.use.moves.add(entity)
  }

  #move(entity: string, { params, reason }: Pick<ScreenAction, 'params' | 'reason'>): void {
    this.use.moves.add(entity)
    for (const field of params) this.#chooses(field)
    if (reason !== 'none') this.#reasons()
  }

  #command(name: string): void {
    this.use.commands.add(name)
    const command = this.#metadata.commands[name]
    for (const field of command?.params ?? []) this.#chooses(field)
    if (command !== undefined && command.rows !== 'none') this.#reasons()
  }

  /** Dialogs that ask why. */
  #reasons(): void {
    this.#lookup('reason', ['usage'])
  }

  /** A reference that somebody chooses: what choosing fills and what restricts the choice come with it. */
  #chooses(field: Field & Partial<Pick<FormField & LineColumn, 'fills' | 'lookupWhere' | 'create' | 'records' | 'prefers'>>): void {
    for (const entity of Object.values(field.records?.of ?? {})) this.#lookup(entity, this.#metadata.entities[entity]?.lookup?.columns ?? [])
    if (field.entity === undefined || field.name.includes('.')) return
    const { columns = [], tree } = this.#metadata.entities[field.entity]?.lookup ?? {}
    this.#lookup(field.entity, [...Object.values(field.fills ?? {}), ...namesIn(field.lookupWhere), ...columns, ...(tree === undefined ? [] : [tree])])
    if (field.prefers !== undefined) this.#lookup(field.prefers.entity, [field.prefers.column])
    this.#screen(field.create?.screen)
  }

  #lookup(entity: string, columns: readonly string[]): void {
    const known = this.use.lookups.get(entity) ?? new Set()
    for (const column of columns) known.add(column)
    this.use.lookups.set(entity, known)
  }

  #columns(entity: string, fields: readonly (Field | Column)[]): void {
    for (const { name } of fields) this.#hop(entity, name)
  }

  #condition(entity: string, condition: Condition | undefined): void {
    for (const name of namesIn(condition)) this.#hop(entity, name)
  }

  #hop(entity: string, name: string): void {
    if (!name.includes('.')) return
    this.use.hops.set(entity, (this.use.hops.get(entity) ?? new Set()).add(name))
  }
}

/** Columns a condition tests. */
function namesIn(condition: Condition | undefined): readonly string[] {
  if (condition === undefined) return []
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap((part: Condition) => namesIn(part))
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap((part: Condition) => namesIn(part))
  if ('not' in condition) return namesIn(condition.not as Condition)
  return Object.keys(condition)
}

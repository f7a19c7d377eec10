import { byDemand, resolveBankFile } from '#meta/resolveBankFile.ts'
import { resolveEntities } from '#meta/resolveEntity.ts'
import { labelsOf, type Labels } from '#meta/labels.ts'
import { servedMenu } from '#meta/menuTree.ts'
import type { Metadata } from '#meta/metadata.ts'
import { resolveFirstSteps, resolveHome } from '#meta/resolveHome.ts'
import { guardsOf } from '#meta/guards.ts'
import { resolveApproval, resolveList, resolveWorkbench, withPreview } from '#meta/resolveList.ts'
import { besideOthers, resolveDetail } from '#meta/resolveDetail.ts'
import { resolveForm } from '#meta/resolveForm.ts'
import { resolvePostings } from '#meta/resolvePosting.ts'
import { resolveDashboard } from '#meta/resolveDashboard.ts'
import { resolveImport } from '#meta/resolveImport.ts'
import { withImports } from '#meta/listImport.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import { asksOf } from '#meta/permitted.ts'
import { resolveDataset } from '#meta/resolveDataset.ts'
import { resolveReport } from '#meta/resolveReport.ts'
import { resolveCommands, resolveWorkflow } from '#meta/resolveWorkflow.ts'
import type { MenuNode, Screen } from '#meta/resolved.ts'
import { isServed } from '#meta/routePath.ts'
import { type Scope, sharedConditions } from '#meta/scope.ts'
import { type Source, SourceError, type Sources } from '#meta/sources.ts'

/** Why a file could not be resolved; the others are. */
export interface ResolveProblem {
  readonly path: string
  readonly at: readonly (string | number)[]
  readonly message: string
}

export interface Resolved {
  readonly metadata: Metadata
  readonly labels: Labels
  readonly problems: readonly ResolveProblem[]
}

/** All schema files as flat shapes: bases, fragments, hops, labels and defaults worked out. Pure; the same input gives the same output, with a memory only sooner. */
export function resolve(sources: Sources, memory: ResolveMemory = new ResolveMemory()): Resolved {
  const labels = labelsOf(sources.messages)
  const problems: ResolveProblem[] = []
  const taken = <R>({ results, problems: found, used }: Part<R>): readonly R[] => {
    problems.push(...found)
    labels.note(used)
    return results
  }
  const each = <T, R>(files: readonly Source<T>[], work: (file: Source<T>) => R): readonly R[] => taken(resolveEach(files, work))

  const foundation = memory.foundation(sources)
  problems.push(...foundation.problems)
  labels.note(foundation.used)
  const { entities, workflows, commands, datasets } = foundation
  const scope: Scope = { ...foundation, labels }
  const screensOf = <T extends object>(files: readonly Source<T>[], work: (scope: Scope, file: Source<T>) => Screen): readonly Screen[] =>
    files.flatMap((file) => taken(memory.screen(foundation, file, work, sources.messages)))

  const simple: Screen[] = [
    ...screensOf(sources.list, resolveList),
    ...screensOf(sources.form, resolveForm),
    ...screensOf(sources.detail, resolveDetail),
    ...screensOf(sources.approval, resolveApproval),
    ...screensOf(sources.report, resolveReport),
    ...screensOf(sources.import, resolveImport),
  ]
  const guardOf = (screen: string): string => {
    const found = simple.find(({ id }) => id === screen)
    if (found === undefined) throw new SourceError(`Unknown screen "${screen}"`, ['tabs'])
    return found.guard
  }
  const shown = simple.map((screen) => (screen.kind === 'list' ? withPreview(screen, simple) : screen.kind === 'detail' ? besideOthers(screen, simple, sources.routes) : screen))
  const workbenches = each(sources.workbench, (file) => resolveWorkbench(scope, file, guardOf))
  const screens = byKey(
    [
      ...withImports(scope, shown, workbenches, sources.routes),
      ...workbenches,
      ...each(sources.dashboard, (file) => resolveDashboard(scope, file, simple)),
    ].map(withAsks),
    ({ id }) => id,
  )
  const served = new Set(sources.routes.filter(isServed).map(({ path }) => path))
  const menu = servedMenu(sources.menu, served).map((node): MenuNode => ({
    name: node.name,
    label: labels.pick(`menu.${node.name}`),
    icon: node.icon,
    submenu: node.submenu.map(({ kind, scope, ...entry }) => ({
      ...entry,
      label: labels.pick(`menu.${entry.name}`),
      ...(kind === undefined ? {} : { kind, kindLabel: labels.pick(`menu.${kind}`) }),
      ...(scope === undefined ? {} : { scope, scopeLabel: labels.pick(`menu.${scope}`) }),
    })),
  }))
  return {
    metadata: {
      entities,
      entityByResource: Object.fromEntries(Object.values(entities).map(({ resource, id }) => [resource, id])),
      workflows,
      commands,
      postings: byKey(each(sources.posting, resolvePostings).flat(), ({ event }) => event),
      bankFiles: byDemand(each(sources.bankfile, resolveBankFile)),
      payFiles: sources.payfile.map(({ value: { $schema: _schema, kind: _kind, version: _version, ...file } }) => file),
      datasets,
      screens,
      routes: sources.routes,
      menu,
      firstSteps: resolveFirstSteps(sources.list, Object.values(screens), sources.routes),
      homeCounts: resolveHome(sources.list, Object.values(screens), sources.routes, labels),
      guards: guardsOf(entities, workflows, commands, datasets, screens, sources.routes),
    },
    labels,
    problems,
  }
}

/** Said of a screen once, so that nobody looks through those whose fields ask for nothing. */
function withAsks(screen: Screen): Screen {
  const asks = asksOf(screen)
  return asks.length === 0 ? screen : withOrigin({ ...screen, asks }, () => ({ ...originOf(screen), asks: 'default' }))
}

/** What resolving files of one kind came to, with the message keys it chose. */
interface Part<R> {
  readonly results: readonly R[]
  readonly problems: readonly ResolveProblem[]
  readonly used: readonly string[]
}

function resolveEach<T, R>(files: readonly Source<T>[], work: (file: Source<T>) => R): Part<R> {
  const problems: ResolveProblem[] = []
  const results = files.flatMap((file) => {
    try {
      return [work(file)]
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      problems.push({ path: file.path, at: error.at, message: error.message })
      return []
    }
  })
  return { results, problems, used: [] }
}

/** What every screen stands on. */
interface Foundation extends Omit<Scope, 'labels'> {
  readonly problems: readonly ResolveProblem[]
  readonly used: readonly string[]
}

/**
 * What was resolved last, for a process that resolves again and again while one file changes: a screen is worked out anew when its own file has
 * changed, and all of them when an entity, a workflow, a dataset, a fragment or the set of texts has.
 */
export class ResolveMemory {
  #parts: readonly unknown[] = []
  #texts: ReadonlySet<string> = new Set()
  #foundation: Foundation | undefined
  #screens = new WeakMap<object, { readonly foundation: Foundation; readonly path: string; readonly part: Part<Screen> }>()

  foundation(sources: Sources): Foundation {
    const { entity, workflow, dataset, fragment, detail, sql, messages } = sources
    const parts = [
      ...[...entity, ...workflow, ...dataset, ...fragment].flatMap(({ path, value }): readonly unknown[] => [path, value]),
      ...Object.entries(sql).flat(),
      // Detail screens say which states a document can have.
      ...detail.map(({ value }) => `${value.entity} ${(value.states ?? []).join(' ')}`),
    ]
    const keys = Object.keys(messages)
    const isSame = parts.length === this.#parts.length && parts.every((part, i) => part === this.#parts[i]) && keys.length === this.#texts.size && keys.every((key) => this.#texts.has(key))
    if (this.#foundation !== undefined && isSame) return this.#foundation
    this.#parts = parts
    this.#texts = new Set(keys)
    this.#foundation = foundationOf(sources)
    return this.#foundation
  }

  screen<T extends object>(foundation: Foundation, file: Source<T>, work: (scope: Scope, file: Source<T>) => Screen, messages: Sources['messages']): Part<Screen> {
    const known = this.#screens.get(file.value)
    if (known?.foundation === foundation && known.path === file.path) return known.part
    const labels = labelsOf(messages)
    const part = { ...resolveEach([file], (one) => work({ ...foundation, labels }, one)), used: [...labels.used] }
    this.#screens.set(file.value, { foundation, path: file.path, part })
    return part
  }
}

function foundationOf(sources: Sources): Foundation {
  const labels = labelsOf(sources.messages)
  const entities = resolveEntities(sources, labels)
  const workflows = resolveEach(sources.workflow, ({ value }) => resolveWorkflow(value, entities, labels, sharedConditions(sources.fragment)))
  const commands = resolveEach(sources.workflow, ({ value }) => resolveCommands(value, entities, labels))
  const datasets = resolveEach(sources.dataset, (file) => resolveDataset(file, sources.sql, labels))
  return {
    entities,
    workflows: byKey(workflows.results, ({ entity }) => entity),
    commands: byKey(commands.results.flat(), ({ name }) => name),
    datasets: byKey(datasets.results, ({ id }) => id),
    fragments: Object.fromEntries(sources.fragment.map((file) => [file.value.id, file])),
    problems: [...workflows.problems, ...commands.problems, ...datasets.problems],
    used: [...labels.used],
  }
}

function byKey<T>(values: readonly T[], key: (value: T) => string): Record<string, T> {
  return Object.fromEntries(values.map((value) => [key(value), value]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

import { resolveEntities } from '#meta/resolveEntity.ts'
import { labelsOf, type Labels } from '#meta/labels.ts'
import type { Metadata } from '#meta/metadata.ts'
import { resolveHome } from '#meta/resolveHome.ts'
import { guardsOf } from '#meta/guards.ts'
import { resolveApproval, resolveList, resolveWorkbench, withPreview } from '#meta/resolveList.ts'
import { besideOthers, resolveDetail } from '#meta/resolveDetail.ts'
import { resolveForm } from '#meta/resolveForm.ts'
import { resolvePostings } from '#meta/resolvePosting.ts'
import { resolveDashboard } from '#meta/resolveDashboard.ts'
import { resolveImport } from '#meta/resolveImport.ts'
import { withImports } from '#meta/listImport.ts'
import { resolveDataset } from '#meta/resolveDataset.ts'
import { resolveReport } from '#meta/resolveReport.ts'
import { resolveCommands, resolveWorkflow } from '#meta/resolveWorkflow.ts'
import type { MenuNode, Screen } from '#meta/resolved.ts'
import type { Scope } from '#meta/scope.ts'
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

/** All schema files as flat shapes: bases, fragments, hops, labels and defaults worked out. Pure; the same input gives the same output. */
export function resolve(sources: Sources): Resolved {
  const labels = labelsOf(sources.messages)
  const problems: ResolveProblem[] = []
  const each = <T, R>(files: readonly Source<T>[], work: (file: Source<T>) => R): R[] =>
    files.flatMap((file) => {
      try {
        return [work(file)]
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        problems.push({ path: file.path, at: error.at, message: error.message })
        return []
      }
    })

  const entities = resolveEntities(sources, labels)
  const workflows = byKey(each(sources.workflow, ({ value }) => resolveWorkflow(value, entities, labels)), ({ entity }) => entity)
  const commands = byKey(each(sources.workflow, ({ value }) => resolveCommands(value, entities, labels)).flat(), ({ name }) => name)
  const datasets = byKey(each(sources.dataset, (file) => resolveDataset(file, sources.sql, labels)), ({ id }) => id)
  const fragments = Object.fromEntries(sources.fragment.map((file) => [file.value.id, file]))
  const scope: Scope = { entities, workflows, commands, datasets, fragments, labels }

  const simple: Screen[] = [
    ...each(sources.list, (file) => resolveList(scope, file)),
    ...each(sources.form, (file) => resolveForm(scope, file)),
    ...each(sources.detail, (file) => resolveDetail(scope, file)),
    ...each(sources.approval, (file) => resolveApproval(scope, file)),
    ...each(sources.report, (file) => resolveReport(scope, file)),
    ...each(sources.import, (file) => resolveImport(scope, file)),
  ]
  const guardOf = (screen: string): string => {
    const found = simple.find(({ id }) => id === screen)
    if (found === undefined) throw new SourceError(`Unknown screen "${screen}"`, ['tabs'])
    return found.guard
  }
  const shown = simple.map((screen) => (screen.kind === 'list' ? withPreview(screen, simple) : screen.kind === 'detail' ? besideOthers(screen, simple) : screen))
  const workbenches = each(sources.workbench, (file) => resolveWorkbench(scope, file, guardOf))
  const screens = byKey(
    [
      ...withImports(scope, shown, workbenches, sources.routes),
      ...workbenches,
      ...each(sources.dashboard, (file) => resolveDashboard(scope, file, simple)),
    ],
    ({ id }) => id,
  )
  const menu = sources.menu.map((node): MenuNode => ({
    name: node.name,
    label: labels.pick(`menu.${node.name}`),
    icon: node.icon,
    submenu: node.submenu.map((entry) => ({ ...entry, label: labels.pick(`menu.${entry.name}`) })),
  }))
  return {
    metadata: {
      entities,
      entityByResource: Object.fromEntries(Object.values(entities).map(({ resource, id }) => [resource, id])),
      workflows,
      commands,
      postings: byKey(each(sources.posting, resolvePostings).flat(), ({ event }) => event),
      datasets,
      screens,
      routes: sources.routes,
      menu,
      homeCounts: resolveHome(sources.list, Object.values(screens), sources.routes, labels),
      guards: guardsOf(entities, workflows, commands, datasets, screens, sources.routes),
    },
    labels,
    problems,
  }
}

function byKey<T>(values: readonly T[], key: (value: T) => string): Record<string, T> {
  return Object.fromEntries(values.map((value) => [key(value), value]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

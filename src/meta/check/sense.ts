import type { Keys, Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { ConditionSource } from '#generated/language.ts'

/** What is well formed and still makes no sense: a column twice, a filter nobody fills, two columns called the same, many of one importance, harm without a question. */
export function* sense(world: World): Iterable<Report> {
  yield* twice(world)
  yield* sameLabels(world)
  yield* sameImportance(world)
  yield* unboundParameters(world)
  yield* unasked(world)
  yield* otherClosed(world)
}

/** What stands in a form's place shows the same document, and only a document that moves on leaves its form. */
function* otherClosed({ sources, resolved: { metadata: { screens } } }: World): Iterable<Report> {
  for (const { path, value: { closed, entity, transitions = [] } } of sources.form) {
    const detail = closed === undefined ? undefined : screens[closed]
    if (detail?.kind !== 'detail') continue
    if (detail.entity !== entity) yield { path, at: ['closed'], code: 'wrong-closed', message: `"${closed}" shows ${detail.entity}, the form ${entity}` }
    else if (transitions.length === 0) yield { path, at: ['closed'], code: 'wrong-closed', message: 'the form has no transitions: its records are always edited in it' }
  }
}

function* twice({ sources }: World): Iterable<Report> {
  const repeated = function* (path: string, at: Keys, parts: readonly (string | object)[]): Iterable<Report> {
    const seen = new Set<string>()
    for (const [i, part] of parts.entries()) {
      const name = typeof part === 'string' ? part : 'field' in part ? String(part.field) : undefined
      if (name === undefined) continue
      if (seen.has(name)) yield { path, at: [...at, i], code: 'duplicate-field', message: `"${name}" stands here a second time` }
      seen.add(name)
    }
  }
  for (const { path, value } of sources.list) {
    yield* repeated(path, ['columns'], value.columns)
    yield* repeated(path, ['filters'], value.filters ?? [])
  }
  for (const { path, value } of [...sources.approval, ...sources.report]) yield* repeated(path, ['columns'], value.columns)
  for (const { path, value } of sources.form) {
    const fields = new Set<string>()
    for (const [i, section] of value.sections.entries()) {
      for (const [j, field] of (section.fields ?? []).entries()) {
        const name = typeof field === 'string' ? field : 'field' in field ? field.field : undefined
        if (name === undefined) continue
        if (fields.has(name)) yield { path, at: ['sections', i, 'fields', j], code: 'duplicate-field', message: `"${name}" is already in this form` }
        fields.add(name)
      }
    }
    if (value.lines !== undefined) yield* repeated(path, ['lines', 'columns'], value.lines.columns)
  }
}

function* sameLabels({ sources, resolved, catalogues }: World): Iterable<Report> {
  for (const { path, value } of [...sources.list, ...sources.report]) {
    const screen = resolved.metadata.screens[value.id]
    if (screen === undefined || !('columns' in screen)) continue
    const seen = new Map<string, string>()
    for (const [i, column] of screen.columns.entries()) {
      const text = catalogues.en[column.label] ?? column.label
      const other = seen.get(text)
      if (other !== undefined && other !== column.name && value.columns.length === screen.columns.length) {
        yield { path, at: ['columns', i], severity: 'warning', code: 'same-label', message: `"${column.name}" and "${other}" are both called "${text}"` }
      }
      seen.set(text, column.name)
    }
  }
}

/** So many columns of middling importance can be taken in at a glance. */
const mostAlike = 12
/** So few need no rank. */
const mostUnnamed = 6

/** Where there is little room, columns of high importance name a row and those of low importance go first: somebody has to say which they are. */
function* sameImportance({ sources, resolved }: World): Iterable<Report> {
  for (const { path, value } of [...sources.list, ...sources.report]) {
    const screen = resolved.metadata.screens[value.id]
    if (screen === undefined || !('columns' in screen)) continue
    const shown = screen.columns.filter(({ hidden }) => !hidden)
    const alike = shown.filter(({ importance }) => importance === 'medium').length
    if (shown.length > mostUnnamed && !shown.some(({ importance }) => importance === 'high')) {
      yield { path, at: ['columns'], severity: 'warning', code: 'no-importance', message: `none of ${shown.length} columns has "importance": "high": on a phone a row is called by whichever comes first` }
    } else if (alike > mostAlike) {
      yield { path, at: ['columns'], severity: 'warning', code: 'no-importance', message: `${alike} columns have the same importance, ${mostAlike} at most: give "high" to what names a row, "low" to what may go first` }
    }
  }
}

/** A list that filters by a path parameter is opened only where something gives it. */
function* unboundParameters({ sources }: World): Iterable<Report> {
  for (const { path, value } of sources.list) {
    if (value.where === undefined) continue
    for (const name of parametersOf(value.where)) {
      for (const [i, route] of sources.routes.entries()) {
        if (route.screen !== value.id || route.path.includes(`{${name}}`) || route.params?.[name] !== undefined) continue
        yield { path: 'schemas/routes.json', at: [i, 'screen'], code: 'unbound-parameter', message: `${value.id} needs the parameter "${name}", which ${route.path} does not have` }
      }
      for (const detail of sources.detail) {
        for (const [i, tab] of detail.value.tabs.entries()) {
          if (tab.kind !== 'list' || tab.screen !== value.id || tab.params?.[name] !== undefined) continue
          yield { path: detail.path, at: ['tabs', i], code: 'unbound-parameter', message: `${value.id} needs the parameter "${name}" (${path})` }
        }
      }
    }
  }
}

function parametersOf(condition: ConditionSource): readonly string[] {
  return [...JSON.stringify(condition).matchAll(/"param":"(\w+)"/g)].map((match) => match[1] ?? '')
}

function* unasked({ sources }: World): Iterable<Report> {
  for (const { path, value } of sources.workflow) {
    for (const [i, { tone, confirm, reason, system }] of (value.transitions ?? []).entries()) {
      if (tone === 'negative' && confirm === false && (reason ?? 'none') === 'none' && system !== true) {
        yield { path, at: ['transitions', i, 'confirm'], severity: 'warning', code: 'no-question', message: 'a transition that does harm should ask first' }
      }
    }
  }
}

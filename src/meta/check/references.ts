import { didYouMean, type Report } from '#meta/check/finding.ts'
import { screenFiles, type World } from '#meta/check/world.ts'
import { linesOf } from '#meta/scope.ts'
import { changeAction } from '#meta/screenUse.ts'

/** Screens, fragments, transitions, commands, lines, reasons and states named in a file exist. */
export function* references({ sources, uses, resolved }: World): Iterable<Report> {
  const { metadata } = resolved
  const screens = new Map(screenFiles(sources).map(({ value }) => [value.id, value.kind]))
  const unknown = (path: string, at: Report['at'], what: string, name: string, known: Iterable<string>): Report => ({
    path, at, code: `unknown-${what}`, message: `"${name}" is no ${what}${didYouMean(name, known)}`,
  })
  for (const { path, at, name, kinds } of uses.screens) {
    const found = screens.get(name)
    if (found === undefined) yield unknown(path, at, 'screen', name, screens.keys())
    else if (kinds !== undefined && !kinds.includes(found)) yield { path, at, code: 'wrong-screen', message: `"${name}" is a ${found} screen; a ${kinds.join(' or ')} screen is expected` }
  }
  for (const { path, at, name, type } of uses.fragments) {
    const known = sources.fragment.filter(({ value }) => value.type === type).map(({ value }) => value.id)
    if (!known.includes(name)) yield unknown(path, at, 'fragment', name, known)
  }
  for (const { path, at, entity, action } of uses.actions) {
    const kinds = (['transition', 'command', 'goto', 'panel'] as const).filter((key) => action[key] !== undefined)
    if (kinds.length !== 1) yield { path, at, code: 'action-kind', message: `an action has exactly one of transition, command, goto and panel, not ${kinds.length === 0 ? 'none' : kinds.join(' and ')}` }
    if (action.id === undefined && action.transition === undefined && action.command === undefined) yield { path, at, code: 'missing-key', message: 'an action that goes somewhere or opens a panel needs an "id"' }
    const transitions = (metadata.workflows[entity]?.transitions ?? []).map((transition) => transition.action)
    if (action.transition !== undefined && !transitions.includes(action.transition)) yield unknown(path, [...at, 'transition'], 'transition', action.transition, transitions)
    if (action.command !== undefined && metadata.commands[action.command] === undefined) yield unknown(path, [...at, 'command'], 'command', action.command, Object.keys(metadata.commands))
    const usage = metadata.entities['reason']?.fields.find(({ name }) => name === 'usage')?.choices?.map(({ value }) => String(value)) ?? []
    if (action.reasonUsage !== undefined && !usage.includes(action.reasonUsage)) yield unknown(path, [...at, 'reasonUsage'], 'reason usage', action.reasonUsage, usage)
  }
  for (const { path, value } of sources.entity) {
    for (const [name, field] of Object.entries(value.fields)) {
      const values = (field.values ?? []).map(String)
      for (const [deciding, chosen] of Object.entries(field.valuesBy?.of ?? {})) {
        for (const [i, one] of chosen.entries()) {
          if (!values.includes(one)) yield { path, at: ['fields', name, 'valuesBy', 'of', deciding, i], code: 'unknown-value', message: `"${one}" is none of the values of ${name}${didYouMean(one, values)}` }
        }
      }
    }
  }
  const settings = metadata.entities['setting_oms']?.fields.find(({ name }) => name === 'description')?.choices?.map(({ value }) => String(value)) ?? []
  for (const { path, value } of sources.entity) {
    const actions = (metadata.workflows[value.parent ?? value.id]?.transitions ?? []).map(({ action }) => action)
    for (const [name, { against }] of Object.entries(value.fields)) {
      if (against === undefined) continue
      if (!settings.includes(against.beyond)) yield unknown(path, ['fields', name, 'against', 'beyond'], 'setting', against.beyond, settings)
      for (const [i, action] of against.on.entries()) if (!actions.includes(action)) yield unknown(path, ['fields', name, 'against', 'on', i], 'transition', action, actions)
    }
  }
  for (const { path, value } of sources.list) {
    const command = value.order?.command
    if (command !== undefined && metadata.commands[command] === undefined) yield unknown(path, ['order', 'command'], 'command', command, Object.keys(metadata.commands))
  }
  for (const { path, value } of sources.form) {
    const transitions = (metadata.workflows[value.entity]?.transitions ?? []).map((transition) => transition.action)
    for (const [i, name] of (value.transitions ?? []).entries()) {
      if (!transitions.includes(name)) yield unknown(path, ['transitions', i], 'transition', name, transitions)
    }
    const compute = value.lines?.compute
    if (compute !== undefined && metadata.commands[compute] === undefined) yield unknown(path, ['lines', 'compute'], 'command', compute, Object.keys(metadata.commands))
    for (const [i, section] of value.sections.entries()) {
      yield* linesProblem(path, ['sections', i, 'lines', 'name'], value.entity, section.lines?.name)
      const parts = (['fields', 'lines', 'ticks', 'files', 'slot'] as const).filter((key) => section[key] !== undefined)
      if (parts.length > 1) yield { path, at: ['sections', i], code: 'section-kind', message: `a section has one of fields, lines, ticks, files and slot, not ${parts.join(' and ')}` }
      if (section.ticks !== undefined && (section.ticks.look === 'tree') !== (section.ticks.parent !== undefined)) {
        yield { path, at: ['sections', i, 'ticks'], code: 'missing-key', message: 'a tree of ticks needs "parent", a matrix and groups need "group" instead' }
      }
    }
    for (const name of Object.keys(value.copy?.lines ?? {})) yield* linesProblem(path, ['copy', 'lines', name], value.entity, name)
    yield* linesProblem(path, ['lines', 'name'], value.entity, value.lines === undefined ? undefined : (value.lines.name ?? 'lines'))
  }
  for (const { path, at } of uses.deep) yield { path, at, code: 'too-deep', message: 'a computation has at most 3 levels; past that the server works it out' }
  for (const { path, value } of sources.entity) {
    for (const [name, child] of Object.entries(value.children ?? {})) {
      const owner = metadata.entities[child]?.fields.find((field) => field.name === metadata.entities[child]?.owner)
      if (metadata.entities[child] !== undefined && owner?.entity !== value.id) {
        yield { path, at: ['children', name], code: 'not-owned', message: `"${child}" is not owned by ${value.id}: its "owner" must be a reference to it` }
      }
    }
  }
  for (const { path, value } of sources.detail) {
    for (const [i, tab] of value.tabs.entries()) if (tab.kind === 'lines') yield* linesProblem(path, ['tabs', i, 'lines'], value.entity, tab.lines ?? 'lines')
    const states = metadata.entities[value.entity]?.fields.find(({ name, type }) => name === 'status' && type === 'status')?.choices
    for (const [i, state] of (value.states ?? []).entries()) {
      if (states !== undefined && !states.some((choice) => choice.value === state)) {
        yield { path, at: ['states', i], code: 'unknown-value', message: `${value.entity} is never in status ${state}; there may be ${states.map((choice) => choice.value).join(', ')}` }
      }
    }
  }
  for (const { path, value } of sources.list) {
    const presets = (value.presets ?? []).map(({ id }) => id)
    for (const [i, { preset }] of (value.home ?? []).entries()) {
      if (preset !== undefined && !presets.includes(preset)) yield unknown(path, ['home', i, 'preset'], 'preset', preset, presets)
      else if (JSON.stringify(value.where ?? {}).includes('"param"')) yield { path, at: ['home', i], code: 'home-count', message: `the home page cannot count a list that needs a parameter` }
      else if (!metadata.homeCounts.some((count) => count.screen === value.id && count.path !== undefined)) {
        yield { path, at: ['home', i], code: 'home-count', message: `no route and no workbench tab leads to ${value.id}, so its number would lead nowhere` }
      }
    }
  }
  for (const { path, value } of sources.entity) {
    if (value.find === true && value.page === undefined) yield { path, at: ['find'], code: 'missing-key', message: 'what the search finds needs a "page" to open' }
  }
  for (const { path, value } of sources.entity) {
    const [name] = Object.entries(value.fields).find(([, field]) => field.approval === true) ?? []
    if (name === undefined) continue
    if (value.base !== 'master') yield { path, at: ['fields', name, 'approval'], code: 'approval-base', message: 'only changes of a master are approved field by field; a document has a workflow' }
    else if (!sources.approval.some((screen) => screen.value.docType === value.id && screen.value.transition === changeAction)) {
      yield { path, at: ['fields', name, 'approval'], code: 'approval-nowhere', message: `no approval screen decides on the transition "${changeAction}" of ${value.id}, so no change would ever count` }
    }
  }
  for (const { path, value } of sources.approval) {
    const transitions = [
      ...(metadata.workflows[value.docType]?.transitions ?? []).map((transition) => transition.action),
      ...(metadata.entities[value.docType]?.fields.some((field) => field.approval) === true ? [changeAction] : []),
    ]
    if (!transitions.includes(value.transition)) yield unknown(path, ['transition'], 'transition', value.transition, transitions)
  }

  function* linesProblem(path: string, at: Report['at'], entity: string, name: string | undefined): Iterable<Report> {
    const header = metadata.entities[entity]
    if (header === undefined || name === undefined) return
    try {
      linesOf(header, name)
    } catch {
      yield unknown(path, at, 'lines', name, header.lines.flatMap((lines) => [lines.name, lines.entity]))
    }
  }
}

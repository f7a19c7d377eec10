import { requireGuard } from '#server/access/guards.ts'
import type { Row } from '#server/context.ts'
import { fail, invalid } from '#server/problemError.ts'
import { runReport } from '#server/reports/runReport.ts'
import { parseParams } from '#server/workflow/transitionInput.ts'
import type { Api } from './api.ts'
import { command, rowIds } from './command.ts'
import { bodyOf } from './read.ts'

/** Named commands and reports. */
export function commandEndpoints(api: Api): void {
  api.post('/api/v1/command/:name', { summary: 'A named command, on the rows of `IDs` where it works on rows', tag: 'Commands', headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const { metadata, commands } = call.services
    const name = call.params['name'] ?? ''
    const declared = Object.hasOwn(metadata.commands, name) ? metadata.commands[name] : undefined
    if (!declared) return fail('NOT_FOUND', 'There is no such command.')
    requireGuard(call.user, declared.guard)
    const implementation = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!implementation) throw new Error(`Nothing implements the command ${name}`)
    const body = bodyOf(call)
    const ids = declared.rows === 'none' ? [] : rowIds(body)
    if (declared.rows === 'one' && ids.length !== 1) return invalid([{ field: 'IDs', code: 'WRONG_TYPE', text: 'Exactly one record is expected.' }])
    // A command without declared params takes a whole document and checks it itself.
    const { IDs: _ids, ...rest } = body
    const params = new Map(declared.params.map((field) => [field.wire, field]))
    const parsed: Row = params.size === 0 ? {} : paramsByWire(parseParams(params, declared.rows === 'none' ? pick(body, params) : rest, true), params)
    return command(call, (run) => implementation(run, { ids, params: parsed, body }))
  })
  api.get(
    '/api/v1/report/:screen',
    { summary: 'Rows of a report; its parameters by name beside these', tag: 'Reports', query: { search: '', length: '1 to 5000', page: 'From 1', order: '', sort: '', filter: 'Condition as JSON over the columns' } },
    async (call) => {
      const { metadata } = call.services
      const id = call.params['screen'] ?? ''
      const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
      if (screen?.kind !== 'report') return fail('NOT_FOUND', 'There is no such report.')
      requireGuard(call.user, screen.guard)
      const guard = metadata.datasets[screen.dataset]?.guard
      if (guard !== undefined) requireGuard(call.user, guard)
      return runReport(call.services, call.user, screen, call.query)
    },
  )
}

/** Commands know their params by wire name. */
function paramsByWire(input: Row, params: ReadonlyMap<string, { readonly name: string; readonly wire: string }>): Row {
  const wires = new Map([...params.values()].map((field) => [field.name, field.wire]))
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [wires.get(name) ?? (name === 'reason_id' ? 'ReasonID' : name === 'note' ? 'Note' : 'ReasonText'), value]))
}

/** Of a body that also carries a whole document, what the params name. */
function pick(body: Readonly<Record<string, unknown>>, params: ReadonlyMap<string, unknown>): Row {
  return Object.fromEntries(Object.entries(body).filter(([key]) => params.has(key)))
}

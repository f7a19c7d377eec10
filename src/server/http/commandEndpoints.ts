import type { ReportScreen } from '#meta/resolved.ts'
import { requireCommand, requireReport } from '#server/access/guards.ts'
import type { Row } from '#server/context.ts'
import { checkParams } from '#server/documents/checkReferences.ts'
import { deriveCommand } from '#server/documents/deriveCommand.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { madeDocuments } from '#server/documents/madeDocuments.ts'
import { requireKnownKeys } from '#server/documents/parseRecord.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { datasetOf } from '#server/reports/datasetQuery.ts'
import { runReport } from '#server/reports/runReport.ts'
import { runSummary } from '#server/reports/runSummary.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { parseParams } from '#server/workflow/transitionInput.ts'
import { expectOnly, type Api, type Call } from './api.ts'
import { command, question, rowIds } from './command.ts'
import { bodyOf } from './read.ts'

/** Named commands and reports. */
export function commandEndpoints(api: Api): void {
  api.post('/api/v1/command/:name', { summary: 'A named command, on the rows of `IDs` where it works on rows', tag: 'Commands', headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const { metadata, commands } = call.services
    const name = call.params['name'] ?? ''
    const declared = Object.hasOwn(metadata.commands, name) ? metadata.commands[name] : undefined
    if (!declared) return fail('NOT_FOUND.command')
    requireCommand(metadata, call.user, declared)
    const implementation = declared.derives === true ? deriveCommand(knownEntity(metadata, declared.entity)) : Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!implementation) throw new Error(`Nothing implements the command ${name}`)
    const body = bodyOf(call)
    const ids = declared.rows === 'none' ? [] : rowIds(body)
    if (declared.rows === 'one' && ids.length !== 1) return invalid([wrong('IDs', 'WRONG_TYPE.one')])
    const { IDs: _ids, ...rest } = body
    const params = new Map(declared.params.map((field) => [field.wire, field]))
    const hasRows = declared.rows !== 'none'
    const isRecord = declared.body === 'record'
    if (isRecord) requireKnownKeys(call.services, knownEntity(metadata, declared.entity), keysOf(body, (key) => !params.has(key)))
    const parsed = parseParams(params, isRecord ? keysOf(body, (key) => params.has(key)) : hasRows ? rest : body, hasRows)
    const input = { ids, params: paramsByWire(parsed, params), body }
    const work = async (context: CommandRun): Promise<Row> => {
      await checkParams(context, declared.params, parsed)
      return implementation(context, input)
    }
    if (declared.readOnly) return question(call, work)
    return command(call, async (context) => ({ ...(await work(context)), ...(await madeDocuments(context)) }), '', (context) => implementation.ahead?.(context, input))
  })
  api.get(
    '/api/v1/report/:screen',
    { summary: 'Rows of a report; its parameters by name beside these', tag: 'Reports', query: rowParameters, takesMore: true },
    async (call) => runReport(call.services, call.user, reportIn(call, rowParameters), call.query),
  )
  api.get(
    '/api/v1/report/:screen/summary',
    {
      summary: 'A report grouped by dimensions, with sub-totals and totals', tag: 'Reports',
      query: summaryParameters, takesMore: true,
    },
    async (call) => runSummary(call.services, call.user, reportIn(call, summaryParameters), call.query),
  )
}

const rowParameters = { search: '', length: '1 to 5000', page: 'From 1', order: '', sort: '', filter: 'Condition as JSON over the columns' }
const summaryParameters = { group: '', across: '', measures: '', compare: '', ...rowParameters }

/** The report of the path, if the user may open it. Its parameters come under their own names beside those it shares with all reports. */
function reportIn(call: Call, shared: Readonly<Record<string, string>>): ReportScreen {
  const { metadata } = call.services
  const id = call.params['screen'] ?? ''
  const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
  if (screen?.kind !== 'report') return fail('NOT_FOUND.report')
  requireReport(metadata, call.user, screen)
  const { parameters } = datasetOf(call.services, screen)
  expectOnly(call.query, [...Object.keys(shared), ...parameters.map(({ name }) => name)], parameters.map(({ wire }) => wire))
  return screen
}

function keysOf(body: Row, isWanted: (key: string) => boolean): Row {
  return Object.fromEntries(Object.entries(body).filter(([key]) => isWanted(key)))
}

/** Commands know their params by wire name. */
function paramsByWire(input: Row, params: ReadonlyMap<string, { readonly name: string; readonly wire: string }>): Row {
  const wires = new Map([...params.values()].map((field) => [field.name, field.wire]))
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [wires.get(name) ?? (name === 'reason_id' ? 'ReasonID' : name === 'note' ? 'Note' : 'ReasonText'), value]))
}

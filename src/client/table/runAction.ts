import type { RowResult } from '#api/data.ts'
import type { Warning, WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { readable } from '../app/format.ts'
import { inWords, t } from '../app/messages.ts'
import { labelOf } from '../data/around.ts'
import { newKey, type Refusal } from '../data/http.ts'
import { runCommand, transitionRecord, transitionRecords } from '../data/records.ts'

/** One intention of the user: what to do with which rows. Keys stay the same when it is sent again after a warning. */
export interface Run {
  readonly action: ScreenAction
  readonly resource: string
  readonly rows: readonly WireRecord[]
  /** ReasonID, Note and params by wire name. */
  readonly input: Readonly<Record<string, unknown>>
  readonly keys: ReadonlyMap<number, string>
  /** Warnings accepted, by row; 0 for a command over all rows. */
  readonly accepted: ReadonlyMap<number, readonly string[]>
}

export interface RowOutcome {
  readonly id: number
  readonly label: string
  readonly ok: boolean
  readonly text: string
  /** What stands in the way, each with the page that shows it. */
  readonly obstacles?: RowResult['obstacles'] | undefined
}

export interface RowWarnings {
  /** 0: of the whole command. */
  readonly id: number
  readonly label: string
  readonly warnings: readonly Warning[]
}

export interface Outcome {
  readonly results: readonly RowOutcome[]
  /** Rows that wait for somebody to accept their warnings; nothing has happened to them. */
  readonly warned: readonly RowWarnings[]
  /** Wrong params: shown in the dialog, nothing has happened. */
  readonly errors: readonly FieldProblem[]
  /** Records as they stand after a transition. */
  readonly changed: readonly WireRecord[]
}

export function startRun(action: ScreenAction, resource: string, rows: readonly WireRecord[], input: Run['input'] = {}): Run {
  return { action, resource, rows, input, keys: new Map([[0, newKey()], ...rows.map((row): [number, string] => [row.ID, newKey()])]), accepted: new Map() }
}

/** Rows for which the server offers the action: a transition by name in `Actions`, anything else always. */
export function offers(action: ScreenAction, row: WireRecord): boolean {
  return action.does.kind !== 'transition' || (row.Actions?.includes(action.does.action) ?? false)
}

/** How far a run over many rows is, and whether it shall stop. */
export interface Progress {
  readonly onDone: (done: number) => void
  readonly signal: AbortSignal
}

/** Up to so many rows each make a call of their own, with the record as answer; more go in chunks. */
const mostSingle = 1
const chunkLength = 20

/** Carries the run out: calls for some rows at a time for a transition, one call for a command. */
export async function perform(run: Run, progress?: Progress): Promise<Outcome> {
  const { does } = run.action
  if (does.kind === 'command') return performCommand(run, does.command)
  if (does.kind !== 'transition') throw new Error(`${run.action.id} is not carried out by the server`)
  return run.rows.length > mostSingle || does.isUpkeep === true ? performChunks(run, does.action, progress) : performSingle(run, does.action)
}

/** Each row is a transaction of its own: stopping leaves what is done done and the rest as it was. */
async function performChunks(run: Run, action: string, progress: Progress | undefined): Promise<Outcome> {
  const results: RowOutcome[] = []
  const warned: RowWarnings[] = []
  for (let at = 0; at < run.rows.length; at += chunkLength) {
    if (progress?.signal.aborted === true) return { results: [...results, ...stopped(run.rows.slice(at))], warned, errors: [], changed: [] }
    const rows = run.rows.slice(at, at + chunkLength)
    const versions = rows.flatMap((row) => row.Version ?? [])
    const answer = await transitionRecords(
      run.resource,
      action,
      { ...run.input, IDs: rows.map((row) => row.ID), ...(versions.length === rows.length ? { Versions: versions } : {}) },
      { key: `${run.keys.get(0)}-${at}`, acknowledge: rows.flatMap((row) => run.accepted.get(row.ID) ?? []) },
    )
    if (!answer.ok) {
      if (isInputProblem(answer.problem) && results.length === 0) return { results, warned, errors: answer.problem.errors, changed: [] }
      results.push(...rows.map((row): RowOutcome => ({ id: row.ID, label: labelOf(row), ok: false, text: readable(answer.problem.text) })))
    } else {
      const labels = new Map(rows.map((row) => [row.ID, labelOf(row)]))
      for (const result of answer.value.results) {
        if (result.warnings !== undefined && result.warnings.length > 0) warned.push({ id: result.ID, label: labels.get(result.ID) ?? '', warnings: result.warnings.map((warning) => ({ ...warning, text: inWords(warning) })) })
        else results.push(outcomeOf(result, labels))
      }
    }
    progress?.onDone(Math.min(at + chunkLength, run.rows.length))
  }
  return { results, warned, errors: [], changed: [] }
}

function stopped(rows: readonly WireRecord[]): readonly RowOutcome[] {
  return rows.map((row) => ({ id: row.ID, label: labelOf(row), ok: false, text: t('ui.bulk.not-done') }))
}

async function performSingle(run: Run, action: string): Promise<Outcome> {
  const outcome: { results: RowOutcome[]; warned: RowWarnings[]; errors: FieldProblem[]; changed: WireRecord[] } = { results: [], warned: [], errors: [], changed: [] }
  for (const row of run.rows) {
    const label = labelOf(row)
    const answer = await transitionRecord(run.resource, row.ID, action, row.Version, run.input, {
      key: run.keys.get(row.ID),
      acknowledge: run.accepted.get(row.ID),
    })
    if (answer.ok) {
      outcome.results.push({ id: row.ID, label, ok: true, text: '' })
      outcome.changed.push(answer.value.record)
    } else if (answer.problem.warnings.length > 0) {
      outcome.warned.push({ id: row.ID, label, warnings: answer.problem.warnings })
    } else if (isInputProblem(answer.problem) && outcome.results.length === 0) {
      return { ...outcome, errors: answer.problem.errors }
    } else {
      outcome.results.push({ id: row.ID, label, ok: false, text: readable(answer.problem.text) })
    }
  }
  return outcome
}

async function performCommand(run: Run, command: string): Promise<Outcome> {
  const labels = new Map(run.rows.map((row) => [row.ID, labelOf(row)]))
  const answer = await runCommand(command, { ...(run.rows.length === 0 ? {} : { IDs: run.rows.map((row) => row.ID) }), ...run.input }, { key: run.keys.get(0), acknowledge: run.accepted.get(0) })
  const nothing = { results: [], warned: [], errors: [], changed: [] }
  if (answer.ok) return { ...nothing, results: (answer.value.results ?? []).map((result) => outcomeOf(result, labels)) }
  const { problem } = answer
  if (problem.warnings.length > 0) return { ...nothing, warned: [{ id: 0, label: '', warnings: problem.warnings }] }
  if (isInputProblem(problem)) return { ...nothing, errors: problem.errors }
  return { ...nothing, results: [{ id: 0, label: '', ok: false, text: readable(problem.text) }] }
}

function outcomeOf(result: RowResult, labels: ReadonlyMap<number, string>): RowOutcome {
  return { id: result.ID, label: labels.get(result.ID) ?? `#${result.ID}`, ok: result.ok, text: readable(inWords(result)), obstacles: result.obstacles }
}

function isInputProblem(problem: Refusal): boolean {
  return problem.code === 'VALIDATION_FAILED' && problem.errors.length > 0
}

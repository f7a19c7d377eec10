import type { RowResult } from '#api/data.ts'
import { isProblemCode, type FieldProblem } from '#api/problems.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { readable } from '../app/format.ts'
import { inWords } from '../app/messages.ts'
import { newKey, type Refusal } from '../data/http.ts'
import { runCommand, transitionRecord, transitionRecords } from '../data/records.ts'
import { forgetTyped, typingPlace } from '../data/typed.ts'
import type { Outcome, RowOutcome, RowWarnings, Run } from './runAction.ts'

/** How far a run over many rows is, and whether it shall stop. */
export interface Progress {
  readonly onDone: (done: number) => void
  readonly signal: AbortSignal
}

/** Up to so many rows each make a call of their own, with the record as answer; more go in chunks. */
const mostSingle = 1
const chunkLength = 20

export function startRun(action: ScreenAction, resource: string, rows: readonly WireRecord[], nameOf: Run['nameOf'], input: Run['input'] = {}): Run {
  return { action, resource, place: typingPlace(`${resource}.${action.id}`, rows), rows, nameOf, input, keys: new Map([[0, newKey()], ...rows.map((row): [number, string] => [row.ID, newKey()])]), accepted: new Map() }
}

/** The rows that were warned about, once more, with what has now been accepted. */
export function accepting(run: Run, warned: readonly RowWarnings[]): Run {
  const ids = new Set(warned.map((row) => row.id))
  const accepted = warned.map((row): [number, readonly string[]] => [row.id, [...(run.accepted.get(row.id) ?? []), ...row.warnings.map((warning) => warning.id)]])
  return {
    ...run,
    rows: ids.has(0) ? run.rows : run.rows.filter((row) => ids.has(row.ID)),
    // A command that told row by row has been answered: fewer rows are another one.
    keys: ids.has(0) ? run.keys : new Map([...run.keys, [0, newKey()]]),
    accepted: new Map([...run.accepted, ...accepted]),
  }
}

/** Carries the run out: calls for some rows at a time for a transition, one call for a command. What was typed for it is kept until something of it is done. */
export async function perform(run: Run, progress?: Progress): Promise<Outcome> {
  const outcome = await carryOut(run, progress)
  const { results, warned, errors } = outcome
  if (results.some(({ ok }) => ok) || results.length + warned.length + errors.length === 0) forgetTyped(run.place)
  return outcome
}

async function carryOut(run: Run, progress: Progress | undefined): Promise<Outcome> {
  const { does } = run.action
  if (does.kind === 'command') return performCommand(run, does.command)
  if (does.kind !== 'transition') throw new Error(`${run.action.id} is not carried out by the server`)
  return run.rows.length > mostSingle || does.isUpkeep === true ? performChunks(run, does.action, progress) : performSingle(run, does.action)
}

/** Each row is a transaction of its own: stopping leaves what is done done and the rest as it was. */
async function performChunks(run: Run, action: string, progress: Progress | undefined): Promise<Outcome> {
  const results: RowOutcome[] = []
  const warned: RowWarnings[] = []
  const answered: RowResult[] = []
  for (let at = 0; at < run.rows.length; at += chunkLength) {
    if (progress?.signal.aborted === true) return { results: [...results, ...left(run, run.rows.slice(at))], warned, errors: [], changed: [] }
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
      results.push(...rows.map((row): RowOutcome => ({ id: row.ID, label: run.nameOf(row), ok: false, text: readable(answer.problem.text) })))
      if (isSessionLost(answer.problem)) return { results: [...results, ...left(run, run.rows.slice(at + chunkLength))], warned, errors: [], changed: [] }
    } else {
      answered.push(...answer.value.results)
      const labels = new Map(rows.map((row) => [row.ID, run.nameOf(row)]))
      const outcome = told(answer.value.results, labels)
      warned.push(...outcome.warned)
      results.push(...outcome.results)
    }
    progress?.onDone(Math.min(at + chunkLength, run.rows.length))
  }
  const errors = answered.length === run.rows.length ? saidOnce(run, answered) : []
  return errors.length > 0 ? { results: [], warned: [], errors, changed: [] } : { results, warned, errors, changed: [] }
}

function left(run: Run, rows: readonly WireRecord[]): readonly RowOutcome[] {
  return rows.map((row) => ({ id: row.ID, label: run.nameOf(row), ok: false, text: '', left: row }))
}

/** With the session lost, whoever signs in next would go on with what somebody else began. */
function isSessionLost({ code, status }: Refusal): boolean {
  return code === 'NETWORK' || status === 401
}

async function performSingle(run: Run, action: string): Promise<Outcome> {
  const outcome: { results: RowOutcome[]; warned: RowWarnings[]; errors: FieldProblem[]; changed: WireRecord[] } = { results: [], warned: [], errors: [], changed: [] }
  for (const row of run.rows) {
    const label = run.nameOf(row)
    const answer = await transitionRecord(run.resource, row.ID, action, row.Version, run.input, {
      key: run.keys.get(row.ID),
      acknowledge: run.accepted.get(row.ID),
    })
    if (answer.ok) {
      outcome.results.push({ id: row.ID, label, ok: true, text: '', made: answer.value.made })
      outcome.changed.push(answer.value.record)
    } else if (answer.problem.warnings.length > 0) {
      outcome.warned.push({ id: row.ID, label, warnings: answer.problem.warnings })
    } else {
      const errors = saidWhereTyped(run, answer.problem)
      if (errors.length > 0 && outcome.results.length === 0) return { ...outcome, errors }
      outcome.results.push({ id: row.ID, label, ok: false, text: readable(answer.problem.text) })
    }
  }
  return outcome
}

async function performCommand(run: Run, command: string): Promise<Outcome> {
  const labels = new Map(run.rows.map((row) => [row.ID, run.nameOf(row)]))
  const answer = await runCommand(command, { ...(run.rows.length === 0 ? {} : { IDs: run.rows.map((row) => row.ID) }), ...run.input }, { key: run.keys.get(0), acknowledge: [...run.accepted.values()].flat() })
  const nothing = { results: [], warned: [], errors: [], changed: [] }
  if (answer.ok) {
    const { results = [], made } = answer.value
    const errors = saidOnce(run, results)
    return errors.length > 0 ? { ...nothing, errors } : { ...nothing, ...withMade(told(results, labels), made) }
  }
  const { problem } = answer
  if (problem.warnings.length > 0) return { ...nothing, warned: [{ id: 0, label: '', warnings: problem.warnings }] }
  const errors = saidWhereTyped(run, problem)
  if (errors.length > 0) return { ...nothing, errors }
  return { ...nothing, results: [{ id: 0, label: '', ok: false, text: readable(problem.text) }] }
}

function withMade<T extends Pick<Outcome, 'results'>>(outcome: T, made: RowOutcome['made']): T {
  if (made === undefined) return outcome
  const [first = { id: 0, label: '', ok: true, text: '' }, ...rest] = outcome.results
  return { ...outcome, results: [{ ...first, made }, ...rest] }
}

/** What became of each row, and which of them wait for somebody to accept their warnings. */
function told(rows: readonly RowResult[], labels: ReadonlyMap<number, string>): Pick<Outcome, 'results' | 'warned'> {
  const waits = ({ warnings = [] }: RowResult): boolean => warnings.length > 0
  return {
    results: rows.filter((row) => !waits(row)).map((row) => outcomeOf(row, labels)),
    warned: rows.filter(waits).map(({ ID, warnings = [] }) => ({ id: ID, label: labels.get(ID) ?? '', warnings: warnings.map((warning) => ({ ...warning, text: inWords(warning) })) })),
  }
}

function outcomeOf(result: RowResult, labels: ReadonlyMap<number, string>): RowOutcome {
  return { id: result.ID, label: labels.get(result.ID) ?? '', ok: result.ok, text: readable(inWords(result)), obstacles: result.obstacles, made: result.made }
}

/** The record is no longer what it was when the action was begun. */
const movedCodes: readonly string[] = ['VERSION_CONFLICT', 'SELECTION_CHANGED', 'ILLEGAL_TRANSITION', 'PENDING_TRANSITION', 'NOT_IN_SCOPE', 'NOT_FOUND']

/** A refusal that stands in the dialog, where it can be put right and nothing typed is lost; nothing where trying again cannot help. */
function saidWhereTyped({ action }: Run, problem: Pick<Refusal, 'code' | 'errors' | 'text'>): readonly FieldProblem[] {
  if (isInputProblem(problem)) return problem.errors
  const isTyped = action.reason !== 'none' || action.params.some(({ type, each }) => type !== 'json' || each !== undefined)
  return isTyped && !movedCodes.includes(problem.code) ? [{ field: '', code: problem.code, key: `problem.${problem.code}`, text: readable(problem.text) }] : []
}

/** Every row was refused, and all for one reason: it is said like the refusal of a single one. */
function saidOnce(run: Run, rows: readonly RowResult[]): readonly FieldProblem[] {
  const [first] = rows
  const code = first?.code
  if (first === undefined || !isProblemCode(code)) return []
  const text = inWords(first)
  const isAlike = rows.every((row) => !row.ok && row.code === code && row.obstacles === undefined && row.warnings === undefined && inWords(row) === text)
  return isAlike ? saidWhereTyped(run, { code, errors: [], text }) : []
}

function isInputProblem(problem: Pick<Refusal, 'code' | 'errors'>): boolean {
  return problem.code === 'VALIDATION_FAILED' && problem.errors.length > 0
}

import { Suspense, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { loadChunk } from '../app/chunks.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { fillPath, labelOf } from '../data/around.ts'
import type * as Perform from './perform.ts'
import type { RowOutcome, RowWarnings, Run } from './runAction.ts'

const ActionDialog = lazy(() => import('./ActionDialog.tsx').then((module) => ({ default: module.ActionDialog })))
const WarningsDialog = lazy(() => import('./WarningsDialog.tsx').then((module) => ({ default: module.WarningsDialog })))
const BulkNotice = lazy(() => import('./BulkNotice.tsx').then((module) => ({ default: module.BulkNotice })))

interface ActionsProps {
  readonly resource: string
  /** Where a row leads, as a list says it. */
  readonly open?: string | undefined
  /** What a row is called. */
  readonly nameOf?: (row: WireRecord) => string
  /** After something has been carried out, with the records as they now stand where the server told. */
  readonly onDone: (changed: readonly WireRecord[]) => void
  /** Opens a form (or detail) screen beside the page; `row` absent: a new record. */
  readonly onPanel: (screen: string, row: WireRecord | undefined) => void
}

export interface Actions {
  readonly run: (action: ScreenAction, rows: readonly WireRecord[]) => void
  readonly isBusy: boolean
  /** The dialogs of the action under way. */
  readonly dialog: ReactNode
  /** How far an action on many rows is, then what became of each: stays on the page until it is closed. */
  readonly notice: ReactNode
}

/** An action over many rows under way. */
interface Running {
  readonly action: ScreenAction
  readonly done: number
  readonly total: number
  readonly stop: AbortController
}

/** From so many rows on one is told how far it is. */
const tellFrom = 20

type Step =
  | { readonly kind: 'asking'; readonly action: ScreenAction; readonly rows: readonly WireRecord[]; readonly errors: readonly FieldProblem[] }
  | { readonly kind: 'warned'; readonly run: Run; readonly warned: readonly RowWarnings[]; readonly results: readonly RowOutcome[] }

/** What a run is begun and carried out with; it comes when one is. */
type Means = typeof Perform

/** Carries out the actions of a screen: asks what they need, shows warnings to accept, tells what became of each row. */
export function useActions({ resource, open, nameOf = labelOf, onDone, onPanel }: ActionsProps): Actions {
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>()
  const [isBusy, setBusy] = useState(false)
  const [running, setRunning] = useState<Running>()
  const origin = useRef<Element>(null)
  const [told, setTold] = useState<{ readonly run: Run; readonly results: readonly RowOutcome[] }>()

  const carryOut = async (begin: (means: Means) => Run, earlier: readonly RowOutcome[] = []) => {
    setBusy(true)
    setTold(undefined)
    const means = await loadChunk(() => import('./perform.ts')).catch((error: unknown) => {
      setBusy(false)
      throw error
    })
    const { perform } = means
    const run = begin(means)
    const stop = new AbortController()
    const total = run.rows.length
    if (total >= tellFrom && run.action.does.kind === 'transition') {
      setStep(undefined)
      setRunning({ action: run.action, done: 0, total, stop })
    }
    const outcome = await perform(run, { signal: stop.signal, onDone: (done) => setRunning((before) => before && { ...before, done }) })
    setBusy(false)
    setRunning(undefined)
    if (outcome.errors.length > 0) return setStep({ kind: 'asking', action: run.action, rows: run.rows, errors: outcome.errors })
    const results = [...earlier, ...outcome.results]
    if (outcome.warned.length > 0) return setStep({ kind: 'warned', run, warned: outcome.warned, results })
    onDone(outcome.changed)
    return finish(run, results)
  }
  const finish = (run: Run, results: readonly RowOutcome[]) => {
    const { action } = run
    const refused = results.filter((result) => !result.ok)
    const [only] = results
    setStep(undefined)
    if (results.some(({ made }) => made)) setTold({ run, results })
    if (action.answers || only?.obstacles !== undefined || (results.length > 1 && (refused.length > 0 || results.some((result) => result.text !== '')))) return setTold({ run, results })
    void loadChunk(() => import('./goOnFrom.ts')).then(({ goOnFrom }) => goOnFrom(origin.current))
    if (only !== undefined && !only.ok) return void notify({ tone: 'error', title: t(action.label), text: only.text, lasts: 6000 })
    const text = results.length > 1 ? t('ui.action.done-many', { action: t(action.label), n: results.length }) : t('ui.action.done', { action: t(action.label), document: only?.label ?? '' })
    return void notify({ tone: 'success', text: only?.text ? (only.label === '' ? only.text : `${text} ${only.text}`) : text, ...(only?.text ? { lasts: 12000 } : {}) })
  }

  const run = (action: ScreenAction, rows: readonly WireRecord[]) => {
    const { does } = action
    if (does.kind === 'goto') {
      const path = fillPath(does.path, { ...rows[0], IDs: rows.map(({ ID }) => ID).join() })
      if (path?.startsWith('/api/') === true) void loadChunk(() => import('../export/downloadFile.ts')).then(({ fetchFile }) => fetchFile(path))
      else if (path !== undefined) void navigate(path)
      return
    }
    if (does.kind === 'panel') return onPanel(does.screen, rows[0])
    origin.current = document.activeElement?.closest('[data-keys]') ?? null
    if (action.confirm || asksForInput(action, rows)) setStep({ kind: 'asking', action, rows, errors: [] })
    else void carryOut(({ startRun }) => startRun(action, resource, rows, nameOf))
  }

  const goOn = ({ run, results }: NonNullable<typeof told>) => {
    const rows = results.flatMap(({ left }) => left ?? [])
    void carryOut(({ startRun }) => startRun(run.action, resource, rows, nameOf, run.input), results.filter(({ left }) => left === undefined))
  }
  const close = () => setStep(undefined)
  const dialog = (
    <Suspense>
      {step?.kind === 'asking' && (
        <ActionDialog
          action={step.action}
          resource={resource}
          rows={step.rows}
          nameOf={nameOf}
          isBusy={isBusy}
          errors={step.errors}
          onRun={(input) => void carryOut(({ startRun }) => startRun(step.action, resource, step.rows, nameOf, input))}
          onClose={close}
        />
      )}
      {step?.kind === 'warned' && (
        <WarningsDialog
          title={t(step.run.action.label)}
          warned={step.warned}
          isBusy={isBusy}
          onAccept={() => void carryOut(({ accepting }) => accepting(step.run, step.warned), step.results)}
          onClose={() => {
            const { action, rows } = step.run
            // Nothing is done yet: whoever has seen the warning goes on where he typed what it is about.
            if (step.results.length === 0 && asksForInput(action, rows)) return setStep({ kind: 'asking', action, rows, errors: [] })
            onDone([])
            if (step.results.length > 0) finish(step.run, step.results)
            else close()
          }}
        />
      )}
    </Suspense>
  )
  const notice = (running !== undefined || told !== undefined) && (
    <Suspense>
      <BulkNotice open={open} {...(running === undefined ? {} : { running })} {...(told === undefined ? {} : { told: { action: told.run.action, results: told.results } })} onGoOn={() => told !== undefined && goOn(told)} onClose={() => setTold(undefined)} />
    </Suspense>
  )
  return { run, isBusy, dialog, notice }
}

/** Is something typed for it? Numbers by line are asked for of one document. */
function asksForInput({ reason, params }: ScreenAction, rows: readonly WireRecord[]): boolean {
  return reason !== 'none' || params.some(({ type, each }) => type !== 'json' || (each !== undefined && rows.length < 2))
}

import { Suspense, useEffect, useState, type ReactNode } from 'react'
import type { ApprovalRow, Decision, DecisionBody } from '#api/approval.ts'
import type { Warning } from '#api/envelope.ts'
import { readable } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { inWords, t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { newKey } from '../data/http.ts'
import { decideApproval, listReasons } from '../data/records.ts'
import { typedAt, typingPlace, type Typed } from '../data/typed.ts'
import type { ReasonChoice } from '../ui/ConfirmDialog.tsx'
import type { RowResultLine } from '../ui/RowResults.tsx'

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))
const RowResults = lazy(() => import('../ui/RowResults.tsx').then((module) => ({ default: module.RowResults })))
const WarningsDialog = lazy(() => import('../table/WarningsDialog.tsx').then((module) => ({ default: module.WarningsDialog })))

interface Pending {
  readonly decision: Decision
  /** Kept until something is decided. */
  readonly typed: Typed
  readonly rows: readonly ApprovalRow[]
  readonly body: DecisionBody
  readonly keys: ReadonlyMap<number, string>
  readonly accepted: ReadonlyMap<number, readonly string[]>
  readonly results: readonly Told[]
}

interface Told extends RowResultLine {
  readonly isMoved?: boolean
}

interface Warned {
  readonly id: number
  readonly label: string
  readonly warnings: readonly Warning[]
}

type Step =
  | { readonly kind: 'asking'; readonly decision: Decision; readonly rows: readonly ApprovalRow[]; readonly typed: Typed; readonly reasons: readonly ReasonChoice[]; readonly isNoteAside?: boolean; readonly problem?: string }
  | { readonly kind: 'warned'; readonly pending: Pending; readonly warned: readonly Warned[] }
  | { readonly kind: 'results'; readonly decision: Decision; readonly results: readonly RowResultLine[] }

export interface Decisions {
  /** One document is approved at once unless told to confirm (a key is pressed by mistake more easily than a button) or to take a note; everything else asks first. */
  readonly ask: (decision: Decision, rows: readonly ApprovalRow[], how?: 'confirm' | 'note') => void
  readonly isBusy: boolean
  /** A dialog of it is open, or on its way: keys are not the page's. */
  readonly isAsking: boolean
  readonly dialog: ReactNode
}

const typedFor = (decision: Decision, rows: readonly ApprovalRow[]): Typed => typedAt(typingPlace(`approval.${decision}`, rows))

/** Refused because it no longer stands where this page shows it. */
const movedCodes: readonly string[] = ['ILLEGAL_TRANSITION', 'NOT_YOUR_LEVEL']

/**
 * Approve, with a note where one is wanted, reject with a reason, return with a note: one call and one result for each request. `onDecided`: which were decided, and which somebody else
 * has decided meanwhile.
 */
export function useDecisions(onDecided: (ids: readonly number[], moved: readonly number[]) => void): Decisions {
  const [step, setStep] = useState<Step>()
  const [isBusy, setBusy] = useState(false)
  // What is typed right after its key goes into its note.
  useEffect(() => afterPaint(() => void ConfirmDialog.preload()), [])

  const carryOut = async (pending: Pending) => {
    setBusy(true)
    const results = [...pending.results]
    const warned: Warned[] = []
    for (const row of pending.rows) {
      const answer = await decideApproval(row.ID, pending.decision, pending.body, { key: pending.keys.get(row.ID), acknowledge: pending.accepted.get(row.ID) })
      if (answer.ok) results.push({ id: row.ID, label: row.DocCode, ok: true, text: answer.value.isFinal ? '' : inWords(answer.value) })
      else if (answer.problem.warnings.length > 0) warned.push({ id: row.ID, label: row.DocCode, warnings: answer.problem.warnings })
      else results.push({ id: row.ID, label: row.DocCode, ok: false, text: readable(answer.problem.text), isMoved: movedCodes.includes(answer.problem.code) })
    }
    setBusy(false)
    if (results.some(({ ok }) => ok)) pending.typed.forget()
    if (warned.length > 0) return setStep({ kind: 'warned', pending: { ...pending, results }, warned })
    return finish(pending.decision, results)
  }
  const finish = (decision: Decision, results: readonly Told[]) => {
    const idsOf = (those: readonly Told[]) => those.map(({ id }) => id)
    onDecided(idsOf(results.filter(({ ok }) => ok)), idsOf(results.filter(({ isMoved }) => isMoved === true)))
    const [only] = results
    if (results.length > 1) return setStep({ kind: 'results', decision, results })
    // A refusal of what was typed stands where it was typed: nothing of it is lost.
    if (step?.kind === 'asking' && only?.ok === false && only.isMoved !== true) return setStep({ ...step, problem: only.text })
    setStep(undefined)
    if (only === undefined) return undefined
    if (!only.ok) return void notify({ tone: 'error', title: only.label, text: only.text, lasts: 6000 })
    return void notify({ tone: 'success', text: only.text === '' ? t(`ui.approval.done.${decision}`, { document: only.label }) : `${only.label}: ${only.text}` })
  }
  const start = (decision: Decision, rows: readonly ApprovalRow[], body: DecisionBody) =>
    void carryOut({ decision, typed: typedFor(decision, rows), rows, body, keys: new Map(rows.map((row) => [row.ID, newKey()])), accepted: new Map(), results: [] })

  const ask = (decision: Decision, rows: readonly ApprovalRow[], how?: 'confirm' | 'note') => {
    if (decision === 'approve' && rows.length === 1 && how === undefined) return start(decision, rows, {})
    if (decision !== 'reject') return setStep({ kind: 'asking', decision, rows, typed: typedFor(decision, rows), reasons: [], isNoteAside: decision === 'approve' && how !== 'note' })
    return void listReasons('REJECT').then((answer) => {
      if (answer.ok) setStep({ kind: 'asking', decision, rows, typed: typedFor(decision, rows), reasons: answer.value })
      else void notify({ tone: 'error', title: t('ui.reasons.not-read'), text: answer.problem.text, lasts: 6000 })
    })
  }
  const dialog = (
    <Suspense>
      {step?.kind === 'asking' && (
        <ConfirmDialog
          title={t(`action.${step.decision}`)}
          text={step.rows.length === 1 ? t('ui.action.one', { document: step.rows[0]?.DocCode }) : t('ui.action.many', { n: step.rows.length })}
          confirm={t(`action.${step.decision}`)}
          look={step.decision === 'reject' ? 'negative' : 'primary'}
          reason={step.decision === 'approve' ? 'optional' : 'required'}
          isNoteAside={step.isNoteAside === true}
          reasons={step.reasons}
          labels={{ reason: t('ui.reason'), note: t('ui.note'), missing: t('ui.reason-missing'), choose: t('ui.choose-reason') }}
          typed={step.typed}
          busy={isBusy}
          problem={step.problem}
          onConfirm={({ reasonId, note }) => start(step.decision, step.rows, { ...(reasonId === undefined ? {} : { ReasonID: reasonId }), ...(note === undefined ? {} : { Note: note }) })}
          onClose={() => {
            step.typed.forget()
            setStep(undefined)
          }}
        />
      )}
      {step?.kind === 'warned' && (
        <WarningsDialog
          title={t(`action.${step.pending.decision}`)}
          warned={step.warned}
          isBusy={isBusy}
          onAccept={() =>
            void carryOut({
              ...step.pending,
              rows: step.pending.rows.filter((row) => step.warned.some((one) => one.id === row.ID)),
              accepted: new Map(step.warned.map((one) => [one.id, [...(step.pending.accepted.get(one.id) ?? []), ...one.warnings.map((warning) => warning.id)]])),
            })
          }
          onClose={() => finish(step.pending.decision, step.pending.results)}
        />
      )}
      {step?.kind === 'results' && (
        <RowResults
          title={t(`action.${step.decision}`)}
          labels={{ done: t('ui.results.done'), refused: t('ui.results.refused'), document: t('ui.results.document'), result: t('ui.results.result') }}
          results={step.results}
          onClose={() => setStep(undefined)}
        />
      )}
    </Suspense>
  )
  return { ask, isBusy, isAsking: step !== undefined, dialog }
}

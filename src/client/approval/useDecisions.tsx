import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { ApprovalRow, Decision, DecisionBody } from '#api/approval.ts'
import type { Warning } from '#api/envelope.ts'
import type { Param } from '#meta/resolved.ts'
import { readable } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { inWords, t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { newKey } from '../data/http.ts'
import { beforeLeaving } from '../data/leaving.ts'
import { decideApproval, listReasons } from '../data/records.ts'
import { beforeSignOut } from '../data/session.ts'
import { typedAt, typingPlace, type Typed } from '../data/typed.ts'
import type { ReasonChoice } from '../ui/ConfirmDialog.tsx'
import type { RowResultLine } from '../ui/RowResults.tsx'
import { HeldQueue, type Held, type SendingTime } from './heldQueue.ts'

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))
const CutDialog = lazy(() => import('./CutDialog.tsx').then((module) => ({ default: module.CutDialog })))
const RowResults = lazy(() => import('../ui/RowResults.tsx').then((module) => ({ default: module.RowResults })))
const WarningsDialog = lazy(() => import('../table/WarningsDialog.tsx').then((module) => ({ default: module.WarningsDialog })))

/** What somebody has decided, of one request or of several at once. */
export interface Made {
  readonly decision: Decision
  /** Kept until something is decided. */
  readonly typed: Typed
  readonly rows: readonly ApprovalRow[]
  readonly body: DecisionBody
  readonly keys: ReadonlyMap<number, string>
  readonly accepted: ReadonlyMap<number, readonly string[]>
}

interface Told extends RowResultLine {
  readonly isMoved?: boolean
}

interface Warned {
  readonly id: number
  readonly label: string
  readonly warnings: readonly Warning[]
}

interface Asking {
  readonly decision: Decision
  readonly rows: readonly ApprovalRow[]
  readonly typed: Typed
  readonly reasons: readonly ReasonChoice[]
  readonly isNoteAside?: boolean
  /** Why the same was refused when it was sent. */
  readonly problem?: string
}

interface Cutting {
  readonly row: ApprovalRow
  readonly params: readonly Param[]
  readonly resource: string
}

/** An answer that wants to be read: shown once no other dialog is open. */
type Telling =
  | { readonly kind: 'warned'; readonly made: Made; readonly warned: readonly Warned[] }
  | { readonly kind: 'results'; readonly decision: Decision; readonly results: readonly RowResultLine[] }

export interface Decisions {
  /** One document is approved at once unless told to confirm (a key is pressed by mistake more easily than a button) or to take a note; everything else asks first. */
  readonly ask: (decision: Decision, rows: readonly ApprovalRow[], how?: 'confirm' | 'note') => void
  /** One document is approved with less of its lines: `params` say what is asked, `resource` where it is read. */
  readonly askCut: (row: ApprovalRow, params: readonly Param[], resource: string) => void
  /** A dialog of it is open, or on its way: keys are not the page's. */
  readonly isAsking: boolean
  /** Decided and not sent yet, oldest first. */
  readonly held: readonly Held<Made>[]
  readonly undo: (held: Held<Made>) => void
  /** Requests that have left the queue of this page, though the server may not know it yet. */
  readonly gone: ReadonlySet<number>
  readonly dialog: ReactNode
}

interface Listening {
  /** Decided here: the next one can be looked at. */
  readonly onHeld: (ids: readonly number[]) => void
  readonly onUndone: (rows: readonly ApprovalRow[]) => void
  /** Answered. `moved`: those that somebody else has decided meanwhile. */
  readonly onAnswered: (moved: readonly ApprovalRow[]) => void
}

const typedFor = (decision: Decision, rows: readonly ApprovalRow[]): Typed => typedAt(typingPlace(`approval.${decision}`, rows))

/** Refused because it no longer stands where this page shows it. */
const movedCodes: readonly string[] = ['ILLEGAL_TRANSITION', 'NOT_YOUR_LEVEL']

/**
 * Approve, with a note where one is wanted, reject with a reason, return with a note: one call and one result for each request. However it was decided, by key, click or for several at once, it
 * waits in one queue, where it can be undone, before it is sent. `queue`: what the page has read last.
 */
export function useDecisions(queue: unknown, listening: Listening): Decisions {
  const [asking, setAsking] = useState<Asking>()
  const [cutting, setCutting] = useState<Cutting>()
  const [tellings, setTellings] = useState<readonly Telling[]>([])
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set())
  const decided = useRef(new Set<number>())
  const isHere = useRef(true)
  // What is typed right after its key goes into its note.
  useEffect(() => afterPaint(() => void ConfirmDialog.preload()), [])

  const open = (decision: Decision, rows: readonly ApprovalRow[], more: Pick<Asking, 'isNoteAside' | 'problem'>) => {
    if (decision !== 'reject') return setAsking({ decision, rows, typed: typedFor(decision, rows), reasons: [], ...more })
    return void listReasons('REJECT').then((answer) => {
      if (answer.ok) setAsking({ decision, rows, typed: typedFor(decision, rows), reasons: answer.value, ...more })
      else void notify({ tone: 'error', title: t('ui.reasons.not-read'), text: answer.problem.text, lasts: 6000 })
    })
  }
  const carryOut = async (made: Made, time: SendingTime) => {
    const { decision, rows, body, keys, accepted } = made
    const sendOne = async (row: ApprovalRow) => ({ row, answer: await decideApproval(row.ID, decision, body, { key: keys.get(row.ID), acknowledge: accepted.get(row.ID), isLeaving: time === 'window-hidden' }) })
    // Of what is sent while the window goes nothing may wait for an answer; else one after the other, for they touch the same credit.
    const answers = time === 'window-hidden' ? await Promise.all(rows.map(sendOne)) : []
    if (time !== 'window-hidden') for (const row of rows) answers.push(await sendOne(row))
    const results: Told[] = []
    const warned: Warned[] = []
    for (const { row, answer } of answers) {
      if (answer.ok) results.push({ id: row.ID, label: row.DocCode, ok: true, text: answer.value.isFinal ? '' : inWords(answer.value) })
      else if (answer.problem.warnings.length > 0) warned.push({ id: row.ID, label: row.DocCode, warnings: answer.problem.warnings })
      else results.push({ id: row.ID, label: row.DocCode, ok: false, text: readable(answer.problem.text), isMoved: movedCodes.includes(answer.problem.code) })
    }
    if (results.some(({ ok }) => ok)) made.typed.forget()
    for (const { id, ok, isMoved } of results) if (ok || isMoved === true) decided.current.add(id)
    if (!isHere.current) {
      // There is nowhere left to ask: it stays undecided, and that is said.
      for (const result of [...results, ...warned.map(({ id, label, warnings }) => ({ id, label, ok: false, text: warnings.map(({ text }) => text).join(' ') }))]) say(decision, result)
      return
    }
    setGone((before) => new Set([...before].filter((id) => decided.current.has(id) || !rows.some((row) => row.ID === id))))
    listening.onAnswered(rows.filter((row) => results.some(({ id, isMoved }) => id === row.ID && isMoved === true)))
    const told: Telling[] = []
    if (results.length > 1) told.push({ kind: 'results', decision, results })
    else {
      for (const result of results) {
        if (result.isMoved === true) continue
        // What was chosen and typed is there again, with why it was refused.
        if (!result.ok && decision !== 'approve' && asking === undefined) open(decision, rows, { problem: result.text })
        else say(decision, result)
      }
    }
    if (warned.length > 0) told.push({ kind: 'warned', made, warned })
    setTellings((before) => [...before, ...told])
  }
  const current = useRef(carryOut)
  useEffect(() => {
    current.current = carryOut
  })
  const [waiting] = useState(() => new HeldQueue<Made>((made, time) => current.current(made, time)))
  const held = useSyncExternalStore(waiting.subscribe, waiting.list)
  // Whoever leaves has decided: on another page nothing would show that it can still be undone, and what a closed window kept back would never be sent.
  useEffect(() => {
    isHere.current = true
    const calledOff = [beforeLeaving(() => void waiting.sendAll('window-hidden')), beforeSignOut(() => waiting.sendAll('page-left'))]
    return () => {
      isHere.current = false
      for (const callOff of calledOff) callOff()
      void waiting.sendAll('page-left')
    }
  }, [waiting])
  // What has been read since says itself where a decided request stands.
  useEffect(() => {
    const those = [...decided.current]
    decided.current.clear()
    if (those.length > 0) setGone((before) => new Set([...before].filter((id) => !those.includes(id))))
  }, [queue])

  const hold = (made: Made) => {
    const rows = made.rows.filter(({ ID }) => !gone.has(ID))
    setAsking(undefined)
    if (rows.length === 0) return
    setGone((before) => new Set([...before, ...rows.map(({ ID }) => ID)]))
    waiting.hold({ ...made, rows })
    listening.onHeld(rows.map(({ ID }) => ID))
  }
  const undo = (one: Held<Made>) => {
    if (!waiting.undo(one)) return
    const { rows } = one.item
    setGone((before) => new Set([...before].filter((id) => !rows.some((row) => row.ID === id))))
    listening.onUndone(rows)
  }
  const start = (decision: Decision, rows: readonly ApprovalRow[], body: DecisionBody) =>
    hold({ decision, typed: typedFor(decision, rows), rows, body, keys: new Map(rows.map((row) => [row.ID, newKey()])), accepted: new Map() })

  const ask = (decision: Decision, rows: readonly ApprovalRow[], how?: 'confirm' | 'note') => {
    if (decision === 'approve' && rows.length === 1 && how === undefined) return start(decision, rows, {})
    open(decision, rows, decision === 'approve' && how !== 'note' ? { isNoteAside: true } : {})
  }
  const [telling] = asking === undefined && cutting === undefined ? tellings : []
  const wasTold = () => setTellings((before) => before.slice(1))
  const dialog = (
    <Suspense>
      {asking !== undefined && (
        <ConfirmDialog
          title={t(`action.${asking.decision}`)}
          text={asking.rows.length === 1 ? t('ui.action.one', { document: asking.rows[0]?.DocCode }) : t('ui.action.many', { n: asking.rows.length })}
          confirm={t(`action.${asking.decision}`)}
          look={asking.decision === 'reject' ? 'negative' : 'primary'}
          reason={asking.decision === 'approve' ? 'optional' : 'required'}
          isNoteAside={asking.isNoteAside === true}
          reasons={asking.reasons}
          labels={{ reason: t('ui.reason'), note: t('ui.note'), missing: t('ui.reason-missing'), choose: t('ui.choose-reason') }}
          typed={asking.typed}
          problem={asking.problem}
          onConfirm={({ reasonId, note }) => start(asking.decision, asking.rows, { ...(reasonId === undefined ? {} : { ReasonID: reasonId }), ...(note === undefined ? {} : { Note: note }) })}
          onClose={() => {
            asking.typed.forget()
            setAsking(undefined)
          }}
        />
      )}
      {cutting !== undefined && (
        <CutDialog
          {...cutting}
          onApprove={(typed, body) => {
            setCutting(undefined)
            hold({ decision: 'approve', typed, rows: [cutting.row], body, keys: new Map([[cutting.row.ID, newKey()]]), accepted: new Map() })
          }}
          onClose={() => setCutting(undefined)}
        />
      )}
      {telling?.kind === 'warned' && (
        <WarningsDialog
          title={t(`action.${telling.made.decision}`)}
          warned={telling.warned}
          isBusy={false}
          onAccept={() => {
            const { made, warned } = telling
            wasTold()
            hold({
              ...made,
              rows: made.rows.filter((row) => warned.some((one) => one.id === row.ID)),
              accepted: new Map(warned.map((one) => [one.id, [...(made.accepted.get(one.id) ?? []), ...one.warnings.map((warning) => warning.id)]])),
            })
          }}
          onClose={wasTold}
        />
      )}
      {telling?.kind === 'results' && (
        <RowResults
          title={t(`action.${telling.decision}`)}
          labels={{ done: t('ui.results.done'), refused: t('ui.results.refused'), document: t('ui.results.document'), result: t('ui.results.result') }}
          results={telling.results}
          onClose={wasTold}
        />
      )}
    </Suspense>
  )
  const askCut = (row: ApprovalRow, params: readonly Param[], resource: string) => setCutting({ row, params, resource })
  return { ask, askCut, isAsking: asking !== undefined || cutting !== undefined || telling !== undefined, held, undo, gone, dialog }
}

function say(decision: Decision, { ok, label, text }: Told): void {
  if (!ok) return void notify({ tone: 'error', title: label, text, lasts: 6000 })
  return void notify({ tone: 'success', text: text === '' ? t(`ui.approval.done.${decision}`, { document: label }) : `${label}: ${text}` })
}

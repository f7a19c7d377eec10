import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Param, ScreenAction } from '#meta/resolved.ts'
import { today } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { listReasons, readRecord } from '../data/records.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { useTyped } from '../data/useTyped.ts'
import { HeldBack } from '../form/heldBack.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { ErrorState } from '../ui/States.tsx'
import { TextBox } from '../ui/TextBox.tsx'
import { leaveWord } from '../ui/words.ts'
import { inputOf, isBlank, startValues } from './actionInput.ts'
import { LineQuantities } from './LineQuantities.tsx'
import lineCss from './LineQuantities.module.css'
import css from './ActionDialog.module.css'
import { ParamInput } from './ParamInput.tsx'
import { restricted } from './restricted.ts'

interface ActionDialogProps {
  readonly action: ScreenAction
  readonly resource: string
  readonly rows: readonly WireRecord[]
  readonly nameOf: (row: WireRecord) => string
  readonly isBusy: boolean
  readonly errors: readonly FieldProblem[]
  readonly onRun: (input: Readonly<Record<string, unknown>>) => void
  readonly onClose: () => void
}

/** Asks what an action needs: confirmation, a reason, parameters. Lines it asks about are read first: a row of a list comes without them. */
export function ActionDialog(props: ActionDialogProps) {
  const [only] = props.rows
  const isRead = shownParams(props.action, props.rows).every(({ each }) => each?.lines === undefined || Array.isArray(only?.[each.lines]))
  return isRead || only === undefined ? <Asking {...props} /> : <ReadFirst {...props} row={only} />
}

function ReadFirst({ row, ...props }: ActionDialogProps & { readonly row: WireRecord }) {
  const read = useAnswer(`${props.resource} ${row.ID}`, (signal) => readRecord(props.resource, row.ID, signal))
  if (read.value !== undefined) return <Asking {...props} rows={[read.value.record]} />
  if (read.problem === undefined) return null
  return (
    <Dialog title={t(props.action.label)} onClose={props.onClose}>
      <ErrorState title={props.nameOf(row)} text={read.problem.text} onRetry={read.reload} />
    </Dialog>
  )
}

function Asking({ action, resource, rows, nameOf, isBusy, errors, onRun, onClose }: ActionDialogProps) {
  const id = useId()
  const user = useAtomValue(sessionAtom)?.user
  const params = shownParams(action, rows)
  // Refs beside the state: Enter in a field changes its value and submits in one go.
  const typed = useTyped(`${resource}.${action.id}`, rows)
  const [begun] = useState(() => startValues(params, rows, today()))
  const values = useRef<Record<string, unknown>>({ ...begun, ...typed.values })
  const [shown, setShown] = useState(values.current)
  const unread = useRef<Readonly<Record<string, string | undefined>>>({})
  const [shownUnread, setShownUnread] = useState(unread.current)
  const [held] = useState(() => new HeldBack())
  const isHandingIn = useRef(false)
  const [tried, setTried] = useState(false)
  const [reasons, setReasons] = useState<readonly { readonly id: number; readonly label: string }[]>()
  const [refusal, setRefusal] = useState<string>()
  const [tries, setTries] = useState(0)
  const { reason, reasonUsage } = action
  // Their box stands before they have come: work in the dialog begins there.
  const hasReasons = reasons === undefined || reasons.length > 0

  useEffect(() => {
    if (reason === 'none') return undefined
    let isStale = false
    void listReasons(reasonUsage).then((answer) => {
      if (isStale) return
      if (answer.ok) setReasons(answer.value)
      setRefusal(answer.ok ? undefined : answer.problem.text)
    })
    return () => {
      isStale = true
    }
  }, [reason, reasonUsage, tries])

  const set = (wire: string, value: unknown) => {
    values.current = { ...values.current, [wire]: value }
    setShown(values.current)
    if (params.find((param) => param.wire === wire)?.type !== 'secret') typed.keep(wire, value)
  }
  const setUnread = (wire: string, text: string | undefined) => {
    unread.current = { ...unread.current, [wire]: text }
    setShownUnread(unread.current)
  }
  const leave = () => {
    typed.forget()
    onClose()
  }
  const isMissing = (wire: string) => isBlank(values.current[wire])
  const isReasonMissing = () => reason === 'required' && isMissing(hasReasons ? 'ReasonID' : 'Note')
  const submit = async () => {
    if (isHandingIn.current) return
    isHandingIn.current = true
    try {
      await held.handIn()
    } finally {
      isHandingIn.current = false
    }
    setTried(true)
    const wrong = params.find((param) => (param.required && isMissing(param.wire)) || unread.current[param.wire] !== undefined)?.wire ?? (isReasonMissing() ? (hasReasons ? 'reason' : 'note') : undefined)
    if (wrong !== undefined) return document.getElementById(`${id}-${wrong}`)?.focus()
    onRun(inputOf(params, begun, values.current))
  }
  const problemsOf = (wire: string, isRequired: boolean) => [
    ...(shownUnread[wire] === undefined ? [] : [shownUnread[wire]]),
    ...(tried && isRequired && isMissing(wire) ? [t('ui.required')] : []),
    ...errors.filter((error) => error.field === wire).map((error) => error.text),
  ]
  const isByLine = params.some(({ each }) => each !== undefined)
  const others = errors.filter((error) => !params.some((param) => (param.each === undefined ? param.wire === error.field : error.field.startsWith(`${param.wire}.`))) && error.field !== 'ReasonID' && error.field !== 'Note')
  return (
    <Dialog
      title={t(action.label)}
      shape={isByLine ? 'wide' : 'box'}
      onClose={leave}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={leave}>{leaveWord(t(action.label))}</Button>
          <Button type="submit" look={action.tone === 'negative' ? 'negative' : 'primary'} busy={isBusy}>
            {t(action.label)}
          </Button>
        </>
      }
    >
      <div className={isByLine ? lineCss['fields'] : input['stack']}>
        {rows.length === 1 && <p>{t('ui.action.one', { document: rows.map(nameOf).join() })}</p>}
        {rows.length > 1 && <Several rows={rows} nameOf={nameOf} />}
        {params.map((param) => {
          const fieldId = `${id}-${param.wire}`
          const { each } = param
          const [only] = rows
          if (each !== undefined && only !== undefined) {
            return (
              <LineQuantities
                key={param.wire}
                param={{ ...param, each }}
                id={fieldId}
                lines={each.lines === undefined ? rows : linesIn(only, each.lines)}
                value={shown[param.wire]}
                errors={errors}
                onChange={(value) => set(param.wire, value)}
                onUnread={(text) => setUnread(param.wire, text)}
                holdBack={(name, handIn) => held.add(name, handIn)}
              />
            )
          }
          const problems = problemsOf(param.wire, param.required)
          return (
            <Field key={param.wire} id={fieldId} label={t(param.label)} required={param.required} errors={problems}>
              <ParamInput
                field={param}
                filter={param.lookupWhere === undefined ? undefined : restricted(param.lookupWhere, rows)}
                id={fieldId}
                value={shown[param.wire]}
                userId={user?.user_id ?? 0}
                invalid={problems.length > 0}
                describedBy={problems.length > 0 ? describedBy(fieldId) : undefined}
                onChange={(value) => set(param.wire, value)}
                onUnread={(text) => setUnread(param.wire, text)}
                holdBack={(handIn) => held.add(param.wire, handIn)}
              />
            </Field>
          )
        })}
        {reason !== 'none' && hasReasons && (
          <Field id={`${id}-reason`} label={t('ui.reason')} required={reason === 'required'} errors={problemsOf('ReasonID', reason === 'required')}>
            <select
              id={`${id}-reason`}
              className={input['input']}
              value={String(shown['ReasonID'] ?? '')}
              onChange={(event) => set('ReasonID', event.target.value === '' ? null : Number(event.target.value))}
            >
              <option value="">{t('ui.choose-reason')}</option>
              {reasons?.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.label}
                </option>
              ))}
            </select>
          </Field>
        )}
        {refusal !== undefined && (
          <p role="alert" className={input['problem']}>
            {t('ui.reasons.not-read')}. {refusal} <Button onClick={() => setTries(tries + 1)}>{t('ui.retry')}</Button>
          </p>
        )}
        {reason !== 'none' && (
          <TextBox
            id={`${id}-note`}
            label={t('ui.note')}
            required={reason === 'required' && !hasReasons}
            errors={problemsOf('Note', reason === 'required' && !hasReasons)}
            lines={2}
            longest={500}
            value={String(shown['Note'] ?? '')}
            onChange={(text) => set('Note', text)}
          />
        )}
        {others.length > 0 && (
          <p role="alert" className={input['problem']}>
            {others.map((error) => error.text).join(' ')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** So many are named; who has chosen more knows them by their filter. */
const mostNamed = 12

/** How many are concerned, and which: lines of one document share its name. */
function Several({ rows, nameOf }: Pick<ActionDialogProps, 'rows' | 'nameOf'>) {
  const known = [...new Set(rows.flatMap((row) => (nameOf(row) === String(row.ID) ? [] : nameOf(row))))]
  const rest = known.length - mostNamed
  return (
    <div>
      <p>{t('ui.action.many', { n: rows.length })}</p>
      <p className={css['named']}>
        {known.slice(0, mostNamed).join(', ')}
        {rest > 0 && ` … ${t('ui.stars.more', { n: rest })}`}
      </p>
    </div>
  )
}

/** More rows than these are not gone through one by one: each goes as it stands. */
const mostByRow = 100

/** Parameters a person fills in. Numbers by line are asked for of one document; of several each goes as it stands. */
function shownParams(action: ScreenAction, rows: readonly WireRecord[]): readonly Param[] {
  return action.params.filter(({ type, each }) => type !== 'json' || (each !== undefined && rows.length <= (each.lines === undefined ? mostByRow : 1)))
}

function linesIn(record: WireRecord, wire: string): readonly WireRecord[] {
  const lines = record[wire]
  return Array.isArray(lines) ? (lines as readonly WireRecord[]) : []
}

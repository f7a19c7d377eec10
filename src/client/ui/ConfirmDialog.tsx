import { useId, useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { describedBy, Field } from './Field.tsx'
import input from './input.module.css'
import { TextBox } from './TextBox.tsx'
import { leaveWord } from './words.ts'

export interface ReasonChoice {
  readonly id: number
  readonly label: string
}

/** What is typed, kept somewhere until it is sent: `reasonId` and `note`. */
export interface KeptTyping {
  readonly values: Readonly<Record<string, unknown>>
  readonly keep: (name: string, value: string) => void
}

interface ConfirmDialogProps {
  readonly title: string
  readonly text?: ReactNode
  /** The button that goes on: say the deed, not "OK". */
  readonly confirm: string
  readonly look?: 'primary' | 'negative' | 'positive'
  readonly reason?: 'none' | 'optional' | 'required'
  /** The note may be passed over: work begins at the button that goes on, so that Enter is enough. */
  readonly isNoteAside?: boolean
  /** Reasons to choose from; empty: free text only. */
  readonly reasons?: readonly ReasonChoice[]
  readonly labels?: { readonly reason: string; readonly note: string; readonly missing: string; readonly choose: string }
  readonly typed?: KeptTyping
  readonly busy?: boolean
  /** A refusal to show while the dialog stays open. */
  readonly problem?: string | undefined
  readonly onConfirm: (answer: { readonly reasonId?: number; readonly note?: string }) => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Asks before something is done, with a reason where one is wanted. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, look = 'primary', reason = 'none', isNoteAside = false, reasons = [], typed, busy = false, problem, onConfirm, onClose, children } = props
  const labels = props.labels ?? { reason: 'Reason', note: 'Note', missing: 'Give a reason.', choose: 'Choose a reason' }
  const id = useId()
  const [reasonId, setReasonId] = useState(String(typed?.values['reasonId'] ?? ''))
  const [note, setNote] = useState(String(typed?.values['note'] ?? ''))
  const [tried, setTried] = useState(false)
  const isMissing = reason === 'required' && (reasons.length > 0 ? reasonId === '' : note.trim() === '')
  const submit = () => {
    setTried(true)
    if (isMissing) return document.getElementById(`${id}-${reasons.length > 0 ? 'reason' : 'note'}`)?.focus()
    onConfirm({ ...(reasonId === '' ? {} : { reasonId: Number(reasonId) }), ...(note.trim() === '' ? {} : { note: note.trim() }) })
  }
  const reasonErrors = tried && isMissing ? [labels.missing] : []
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{leaveWord(confirm)}</Button>
          <Button type="submit" look={look === 'primary' ? 'primary' : look} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={input['stack']}>
        {text !== undefined && <p>{text}</p>}
        {children}
        {reason !== 'none' && reasons.length > 0 && (
          <Field id={`${id}-reason`} label={labels.reason} required={reason === 'required'} errors={reasonErrors}>
            <select
              id={`${id}-reason`}
              className={input['input']}
              value={reasonId}
              aria-invalid={reasonErrors.length > 0}
              aria-describedby={describedBy(`${id}-reason`)}
              onChange={(event) => {
                setReasonId(event.target.value)
                typed?.keep('reasonId', event.target.value)
              }}
            >
              <option value="">{labels.choose}</option>
              {reasons.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.label}
                </option>
              ))}
            </select>
          </Field>
        )}
        {reason !== 'none' && (
          <TextBox
            id={`${id}-note`}
            label={labels.note}
            required={reason === 'required' && reasons.length === 0}
            errors={reasons.length === 0 ? reasonErrors : []}
            lines={2}
            longest={500}
            isAside={isNoteAside}
            value={note}
            onChange={(text) => {
              setNote(text)
              typed?.keep('note', text)
            }}
          />
        )}
        {problem !== undefined && (
          <p role="alert" className={input['problem']}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

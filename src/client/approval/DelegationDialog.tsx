import { useId, useState } from 'react'
import type { Delegate } from '#api/approval.ts'
import type { FieldProblem } from '#api/problems.ts'
import { addDays } from '#base/date.ts'
import { today } from '../app/format.ts'
import { inWords, t } from '../app/messages.ts'
import { handOver, listDelegates } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { areTexts, isText, isTrueOrFalse, useTyped, useTypedPart } from '../data/useTyped.ts'
import { DateInput } from '../form/DateInput.tsx'
import { say } from '../form/message.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { TextBox } from '../ui/TextBox.tsx'
import { FieldRow, Tick, Ticks } from '../ui/Records.tsx'

interface DelegationDialogProps {
  /** Documents the user decides on. */
  readonly docTypes: readonly string[]
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Hands approvals over: to whom, from when until when, for which documents. */
export function DelegationDialog({ docTypes, onMade, onClose }: DelegationDialogProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const people = useAnswer(`delegates ${search}`, (signal) => listDelegates(search, signal))
  const typed = useTyped('delegation.make')
  const [to, setTo] = useTypedPart<Delegate | null>(typed, 'to', null, isPerson)
  const [from, setFrom] = useTypedPart(typed, 'from', today(), isText)
  const [until, setUntil] = useTypedPart(typed, 'until', addDays(today(), 6), isText)
  const [ticked, setTicked] = useTypedPart(typed, 'documents', [], areTexts)
  const chosen = ticked.filter((docType) => docTypes.includes(docType))
  const [note, setNote] = useTypedPart(typed, 'note', '', isText)
  const [errors, setErrors] = useState<readonly FieldProblem[]>([])
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [unread, setUnread] = useState<Readonly<Record<string, string | undefined>>>({})
  const textsOf = (field: string) => (unread[field] === undefined ? errors.filter((error) => error.field === field).map((error) => inWords(error)) : [unread[field]])
  const save = async () => {
    setBusy(true)
    const answer = await handOver({ ToUserID: to?.ID ?? 0, ValidFrom: from, ValidTo: until, DocTypes: chosen, ...(note.trim() === '' ? {} : { Note: note.trim() }) })
    setBusy(false)
    if (answer.ok) {
      typed.forget()
      return onMade()
    }
    setErrors(answer.problem.errors)
    return setProblem(answer.problem.errors.length === 0 ? answer.problem.text : undefined)
  }
  const days = [
    { field: 'ValidFrom', label: t('ui.delegation.from'), value: from, set: setFrom },
    { field: 'ValidTo', label: t('ui.delegation.until'), value: until, set: setUntil },
  ]
  const submit = () => {
    const wrong = days.find(({ field }) => unread[field] !== undefined)
    if (wrong !== undefined) return document.getElementById(`${id}-${wrong.field}`)?.focus()
    if (to !== null) return void save()
    return setErrors([{ field: 'ToUserID', code: 'REQUIRED', key: 'field.REQUIRED', text: t('field.REQUIRED') }])
  }
  const found = people.value?.records ?? []
  const beyond = to === null ? [] : docTypes.filter((docType) => !to.DocTypes.includes(docType) && (chosen.length === 0 || chosen.includes(docType)))
  const hint = () => {
    if (to !== null) {
      const documents = beyond.map((docType) => t(`entity.${docType}`)).join(', ')
      return [beyond.length > 0 && t('ui.delegation.unable', { name: to.Name, documents }), to.IsNarrower && t('ui.delegation.narrower', { name: to.Name })].filter(Boolean).join(' ') || undefined
    }
    return people.value !== undefined && found.length === 0 ? t('ui.delegation.nobody') : undefined
  }
  // Whoever was chosen stays on view, whatever is searched for afterwards.
  const known = to === null || found.some(({ ID }) => ID === to.ID) ? found : [to, ...found]
  const leave = () => {
    typed.forget()
    onClose()
  }
  return (
    <Dialog
      title={t('ui.delegation.new')}
      onClose={leave}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={leave}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t('ui.delegation.hand-over')}
          </Button>
        </>
      }
    >
      <div className={input['stack']}>
        <Field id={`${id}-to`} label={t('ui.delegation.to')} required errors={textsOf('ToUserID')} hint={hint()}>
          <select id={`${id}-to`} className={input['input']} value={to?.ID ?? ''} aria-invalid={textsOf('ToUserID').length > 0} aria-describedby={describedBy(`${id}-to`)} onChange={(event) => setTo(known.find(({ ID }) => String(ID) === event.target.value) ?? null)}>
            <option value="">{t('ui.delegation.choose')}</option>
            {known.map((person) => (
              <option key={person.ID} value={person.ID}>{`${person.Name} · ${person.RoleName}`}</option>
            ))}
          </select>
        </Field>
        {people.problem !== undefined && (
          <p role="alert" className={input['problem']}>
            {people.problem.text} <Button onClick={people.reload}>{t('ui.retry')}</Button>
          </p>
        )}
        {(found.length >= 20 || search !== '') && (
          <Field id={`${id}-search`} label={t('ui.search')}>
            <input id={`${id}-search`} type="search" className={input['input']} value={search} onChange={(event) => setSearch(event.target.value)} />
          </Field>
        )}
        <FieldRow>
          {days.map(({ field, label, value, set }) => (
            <Field key={field} id={`${id}-${field}`} label={label} required errors={textsOf(field)}>
              <DateInput
                id={`${id}-${field}`}
                label={label}
                value={value}
                required
                invalid={textsOf(field).length > 0}
                describedBy={describedBy(`${id}-${field}`)}
                onChange={(day) => set(day ?? '')}
                onUnread={(message) => setUnread((before) => ({ ...before, [field]: message === undefined ? undefined : say(message, t) }))}
              />
            </Field>
          ))}
        </FieldRow>
        {docTypes.length > 1 && (
          <Ticks legend={t('ui.delegation.documents')} hint={t('ui.delegation.none-is-all')}>
            {docTypes.map((docType) => (
              <Tick
                key={docType}
                isOn={chosen.includes(docType)}
                onChange={(isOn) => setTicked(isOn ? [...chosen, docType] : chosen.filter((one) => one !== docType))}
              >
                {t(`entity.${docType}`)}
              </Tick>
            ))}
          </Ticks>
        )}
        {textsOf('DocTypes').map((text) => (
          <p key={text} role="alert" className={input['problem']}>
            {text}
          </p>
        ))}
        <TextBox id={`${id}-note`} label={t('ui.note')} errors={textsOf('Note')} lines={2} longest={500} value={note} onChange={setNote} />
        {problem !== undefined && (
          <p role="alert" className={input['problem']}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function isPerson(kept: unknown): kept is Delegate {
  return typeof kept === 'object' && kept !== null && 'ID' in kept && typeof kept.ID === 'number' && 'Name' in kept && isText(kept.Name) && 'RoleName' in kept && isText(kept.RoleName) && 'DocTypes' in kept && areTexts(kept.DocTypes) && 'IsNarrower' in kept && isTrueOrFalse(kept.IsNarrower)
}

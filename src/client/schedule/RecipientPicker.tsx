import { useDeferredValue, useId, useState } from 'react'
import type { ScheduleRecipient } from '#api/schedule.ts'
import { t } from '../app/messages.ts'
import type { Answer } from '../data/http.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { Tick } from '../ui/Records.tsx'
import css from './Schedule.module.css'

interface RecipientPickerProps {
  /** What is asked about, so that each is asked anew. */
  readonly question: string
  readonly find: (search: string, signal: AbortSignal) => Promise<Answer<{ readonly records: readonly ScheduleRecipient[] }>>
  readonly legend?: string
  readonly chosen: readonly ScheduleRecipient[]
  readonly onChange: (chosen: readonly ScheduleRecipient[]) => void
  readonly errors: readonly string[]
}

/** People ticked in a list; those chosen stand first, whatever is looked for. */
export function RecipientPicker({ question, find, legend, chosen, onChange, errors }: RecipientPickerProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const asked = useDeferredValue(search)
  const { value, problem } = useAnswer(`people ${question} ${asked}`, (signal) => find(asked, signal))
  const [last, setLast] = useState<readonly ScheduleRecipient[]>([])
  if (value !== undefined && value.records !== last) setLast(value.records)
  const found = last.filter(({ ID }) => !chosen.some((one) => one.ID === ID))
  const row = (person: ScheduleRecipient, isChosen: boolean) => (
    <Tick key={person.ID} isOn={isChosen} onChange={() => onChange(isChosen ? chosen.filter(({ ID }) => ID !== person.ID) : [...chosen, person])}>
      {person.Name}
      <span className={css['note']}>{person.RoleName}</span>
      {person.IsLeftOut && <Badge tone="warning">{t('schedule.may-not-open')}</Badge>}
    </Tick>
  )
  return (
    <fieldset className={css['people']}>
      <legend>{legend ?? t('schedule.recipients')}</legend>
      <Field id={id} label={t('schedule.find')} errors={problem === undefined ? errors : [problem.text]}>
        <input
          id={id}
          type="search"
          autoComplete="off"
          className={input['input']}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter looks, it does not save.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Field>
      <div className={css['persons']}>
        {chosen.map((person) => row(person, true))}
        {found.map((person) => row(person, false))}
        {value !== undefined && chosen.length + found.length === 0 && <span className={css['note']}>{t('schedule.nobody')}</span>}
      </div>
    </fieldset>
  )
}

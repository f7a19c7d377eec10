import { Suspense, useEffect, useState } from 'react'
import type { Condition } from '#meta/condition.ts'
import type { Field } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { lookupRecords } from '../data/records.ts'
import { DateInput } from '../form/DateInput.tsx'
import { Lookup } from '../form/Lookup.tsx'
import type { HoldBack } from '../form/heldBack.ts'
import { codeOf, nameOf } from '../form/lookupClient.ts'
import { NumberEntry, TextEntry } from '../form/TextEntry.tsx'
import input from '../ui/input.module.css'
import { tooLong } from '../ui/tooLong.ts'

const MonthInput = lazy(() => import('../form/widgets/MonthInput.tsx').then((module) => ({ default: module.MonthInput })))

interface ParamInputProps {
  readonly field: Field
  /** Of a reference: restricts the records offered. */
  readonly filter?: Condition | undefined
  readonly id: string
  readonly value: unknown
  readonly userId: number
  readonly invalid: boolean
  readonly describedBy?: string | undefined
  /** `label`: how a chosen record is called. */
  readonly onChange: (value: unknown, label?: string) => void
  /** Something typed cannot be taken (a day that is none, a text too long): the text to show, undefined when it can again. */
  readonly onUnread: (text: string | undefined) => void
  readonly holdBack?: HoldBack
  /** How a typed number is written here, where it may be written as elsewhere. */
  readonly reads?: (typed: string) => string
}

interface Chosen {
  readonly code: string
  readonly name: string
  readonly id: number | null
}

const nobody: Chosen = { code: '', name: '', id: null }

/** Input for a parameter of an action or a filter, by the type of its field. */
export function ParamInput({ field, filter, id, value, userId, invalid, describedBy, onChange, onUnread, holdBack, reads }: ParamInputProps) {
  const [chosen, setChosen] = useState<Chosen>(nobody)
  const { entity } = field
  useEffect(() => {
    // A value that came from outside (a URL): only its id is known yet.
    if (entity === undefined || typeof value !== 'number' || value === chosen.id) return undefined
    const stop = new AbortController()
    void lookupRecords(entity, { ids: String(value), length: 1 }, stop.signal).then((answer) => {
      const record = answer.ok ? answer.value.records[0] : undefined
      if (record !== undefined) setChosen({ code: codeOf(record), name: nameOf(record), id: record.ID })
    })
    return () => stop.abort()
  }, [entity, value, chosen.id])
  const common = { id, invalid, describedBy, required: field.required, ...(holdBack === undefined ? {} : { holdBack }) }
  const reading = reads === undefined ? {} : { reads }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const unread = (message: { readonly key: string; readonly params?: Readonly<Record<string, string | number>> } | { readonly text: string } | undefined) =>
    onUnread(message === undefined ? undefined : 'text' in message ? message.text : t(message.key, message.params))
  const take = (next: string) => {
    onUnread(field.maxLength === undefined ? undefined : tooLong(next, field.maxLength))
    onChange(next)
  }
  // A text that has words to choose from is chosen.
  const type = field.type === 'text' && field.choices !== undefined ? 'enum' : field.type
  switch (type) {
    case 'ref':
      return (
        <Lookup
          {...common}
          label={t(field.label)}
          source={{ entity: field.entity ?? '', filter, columns: [] }}
          userId={userId}
          code={value === chosen.id ? chosen.code : ''}
          name={value === chosen.id ? chosen.name : ''}
          onUnread={unread}
          onChoose={(option) => {
            setChosen(option === null ? nobody : { code: codeOf(option), name: nameOf(option), id: option.ID })
            onChange(option?.ID ?? null, option === null ? undefined : nameOf(option) || codeOf(option))
          }}
        />
      )
    case 'date':
    case 'datetime':
      return <DateInput {...common} label={t(field.label)} value={text} onUnread={unread} onChange={onChange} />
    case 'integer':
      return <NumberEntry {...common} type="integer" signed {...reading} value={text} onUnread={unread} onChange={(next) => onChange(next === null ? null : Number(next))} />
    case 'money':
    case 'quantity':
    case 'price':
    case 'cost':
    case 'percent':
    case 'rate':
      return <NumberEntry {...common} type={type} signed {...reading} value={text} onUnread={unread} onChange={onChange} />
    case 'boolean':
      return <input id={id} type="checkbox" className={input['check']} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
    case 'enum':
    case 'status':
      return (
        <select
          id={id}
          className={input['input']}
          value={text}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => onChange(field.choices?.find((choice) => String(choice.value) === event.target.value)?.value ?? null)}
        >
          {/* What has to be there is exchanged, not taken away. */}
          {(field.required !== true || text === '') && <option value="">{t('ui.choose')}</option>}
          {field.choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {t(choice.label)}
            </option>
          ))}
        </select>
      )
    case 'period':
      return (
        <Suspense>
          <MonthInput {...common} field={field} readOnly={false} value={value} onUnread={unread} onChange={onChange} />
        </Suspense>
      )
    case 'longtext':
      return <TextEntry {...common} value={text} lines={3} onChange={take} />
    case 'id':
    case 'code':
    case 'text':
    case 'email':
    case 'textlist':
    case 'json':
    case 'secret':
      return <TextEntry {...common} value={text} onChange={take} />
  }
}

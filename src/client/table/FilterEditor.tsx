import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import { operatorWord } from '#api/operatorWord.ts'
import type { Filter, FilterValue } from '#api/view.ts'
import { halfWidth } from '#base/unseen.ts'
import { decimalProofs, withPoint } from '#domain/importing/recognise.ts'
import type { Operator } from '#meta/condition.ts'
import type { Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { sessionAtom } from '../data/session.ts'
import { HeldBack, type HandIn } from '../form/heldBack.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import css from './FilterBar.module.css'
import { comparisonsOf, familyOf, isComplete, periodWords, referenceKey, relativePeriods, type Comparison, type ReferenceNames } from './filters.ts'
import { inOrder } from './inOrder.ts'
import { ParamInput } from './ParamInput.tsx'

interface FilterEditorProps {
  readonly field: Field
  readonly filter: Filter
  readonly names: ReferenceNames
  /** By `referenceKey`. */
  readonly onName: (key: string, name: string) => void
  readonly onApply: (filter: Filter) => void
}

/** Operator and value of one filter. */
export function FilterEditor({ field, filter, names, onName, onApply }: FilterEditorProps) {
  const id = useId()
  const [comparison, setComparison] = useState<Comparison>(filter.op === 'empty' && filter.value === false ? 'filled' : filter.op)
  const [value, setValue] = useState<FilterValue>(filter.value)
  /** What of the typed cannot be read, by the box it stands in. */
  const [unread, setUnread] = useState<Readonly<Record<string, string | undefined>>>({})
  const [isAsked, setAsked] = useState(false)
  const [held] = useState(() => new HeldBack())
  const isHandedIn = useRef(false)
  const [handedIn, setHandedIn] = useState(0)
  const problem = Object.values(unread).find((text) => text !== undefined)
  const offered = comparisonsOf(field)
  const op: Operator = comparison === 'filled' ? 'empty' : comparison
  const said = problem ?? (isAsked && !isComplete({ field: field.name, op, value }) ? t('ui.required') : undefined)
  const form = useRef<HTMLFormElement>(null)
  // The comparison is usually the right one already: the value comes first.
  useEffect(() => {
    const value = form.current?.querySelector<HTMLElement>('input, textarea') ?? [...(form.current?.querySelectorAll<HTMLElement>('select') ?? [])].at(-1)
    value?.focus()
  }, [])
  // Drawn with what a code typed last has come to, it is asked once more.
  useEffect(() => {
    if (handedIn > 0) form.current?.requestSubmit()
  }, [handedIn])
  const change = (next: Comparison) => {
    setComparison(next)
    setValue(startValue(next, familyOf(field), value))
    setUnread({})
    setAsked(false)
  }
  return (
    <form
      ref={form}
      className={css['editor']}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        // A code typed last is looked up first.
        const coming = isHandedIn.current ? undefined : held.handIn()
        isHandedIn.current = coming !== undefined
        if (coming !== undefined) return void coming.then(() => setHandedIn((times) => times + 1))
        setAsked(true)
        if (problem === undefined && isComplete({ field: field.name, op, value })) onApply(inOrder({ field: field.name, op, value }))
      }}
    >
      <strong>{t(field.label)}</strong>
      {offered.length > 1 && (
        <select className={input['input']} aria-label={t('ui.filter.operator')} value={comparison} onChange={(event) => change(offered.find((one) => one === event.target.value) ?? comparison)}>
          {offered.map((one) => (
            <option key={one} value={one}>
              {t(operatorWord(one, field.type))}
            </option>
          ))}
        </select>
      )}
      <ValueEditor id={id} held={held} field={field} op={op} value={value} names={names} onName={onName} onChange={setValue} onUnread={(box, text) => setUnread((before) => (before[box] === text ? before : { ...before, [box]: text }))} />
      {(op === 'ne' || op === 'nin') && !field.required && <span className={css['count']}>{t('ui.filter.or-empty')}</span>}
      {said !== undefined && (
        <span className={css['problem']} role="alert" id={`${id}-problem`}>
          {said}
        </span>
      )}
      <Button type="submit" look="primary">
        {t('ui.filter.apply')}
      </Button>
    </form>
  )
}

interface ValueEditorProps {
  readonly id: string
  readonly field: Field
  readonly op: Operator
  readonly value: FilterValue
  readonly names: ReferenceNames
  readonly held: HeldBack
  readonly onName: (key: string, name: string) => void
  readonly onChange: (value: FilterValue) => void
  /** What was typed into a box cannot be read, and why; undefined: it can again. */
  readonly onUnread: (box: string, problem: string | undefined) => void
}

function ValueEditor({ id, held, field, op, value, names, onName, onChange, onUnread }: ValueEditorProps) {
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const list = Array.isArray(value) ? value : []
  const [began] = useState(list)
  const plain: Field = { ...field, required: false, type: field.type === 'datetime' ? 'date' : field.type }
  // The comparison says it all.
  if (op === 'empty') return null
  if (op === 'within') return <PeriodChoice value={String(value)} onUnread={(text) => onUnread('days', text)} onChange={onChange} />
  if (field.choices !== undefined) {
    const { choices } = field
    // A view may hold what is offered no more: what narrows the rows can be seen and taken off.
    const gone = began.filter((one) => !choices.some((choice) => choice.value === one)).map((one) => ({ value: one, label: undefined }))
    return (
      <div className={css['options']}>
        {[...choices, ...gone].map((choice) => (
          <label key={choice.value} className={css['option']} htmlFor={`${id}-${choice.value}`}>
            <input
              id={`${id}-${choice.value}`}
              type="checkbox"
              className={input['check']}
              checked={list.includes(choice.value)}
              onChange={(event) => onChange(event.target.checked ? [...list, choice.value] : list.filter((one) => one !== choice.value))}
            />
            {choice.label === undefined ? t('ui.filter.gone', { value: choice.value }) : t(choice.label)}
          </label>
        ))}
      </div>
    )
  }
  const single = { id, userId, invalid: false, describedBy: `${id}-problem`, onUnread: (text: string | undefined) => onUnread('', text), holdBack: (handIn: HandIn) => held.add('', handIn), reads: withoutDoubt }
  if (field.type === 'ref' && (op === 'in' || op === 'nin')) {
    return (
      <>
        {list.map((one) => (
          <span key={one} className={css['picked']}>
            {names.get(referenceKey(field, one)) ?? `#${one}`}
            <button type="button" aria-label={t('ui.remove')} onClick={() => onChange(list.filter((other) => other !== one))}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <ParamInput
          {...single}
          key={list.length}
          field={plain}
          value={null}
          onChange={(next, name) => {
            if (typeof next !== 'number' || list.includes(next)) return
            onName(referenceKey(field, next), name ?? `#${next}`)
            onChange([...list, next])
          }}
        />
      </>
    )
  }
  if (op === 'in' || op === 'nin') return <SeveralValues value={list} onUnread={(text) => onUnread('several', text)} onChange={onChange} />
  if (op === 'between') {
    const [from = '', to = ''] = list
    return (
      <div className={css['range']}>
        <ParamInput {...single} id={`${id}-from`} field={plain} value={from} onUnread={(text) => onUnread('from', text)} onChange={(next) => onChange([asValue(next), to])} />
        <span>–</span>
        <ParamInput {...single} id={`${id}-to`} field={plain} value={to} holdBack={(handIn) => held.add('to', handIn)} onUnread={(text) => onUnread('to', text)} onChange={(next) => onChange([from, asValue(next)])} />
      </div>
    )
  }
  // A reference compared by text is compared with its code and name.
  const typed: Field = field.type === 'ref' ? { ...plain, type: 'text' } : plain
  return <ParamInput {...single} field={typed} value={Array.isArray(value) ? '' : value} onChange={(next) => onChange(asValue(next))} />
}

const mostDays = 9999

/** A period by name, or any number of days before and after today. */
function PeriodChoice({ value, onUnread, onChange }: { readonly value: string; readonly onUnread: (problem: string | undefined) => void; readonly onChange: (value: string) => void }) {
  const days = /^(last|next):(\d+)d$/.exec(value)
  const isNamed = relativePeriods.some((period) => period === value)
  const [isOwn, setOwn] = useState(!isNamed)
  return (
    <>
      <select
        className={input['input']}
        aria-label={t('ui.filter.period')}
        value={isOwn ? 'days' : value}
        onChange={(event) => {
          setOwn(event.target.value === 'days')
          onUnread(undefined)
          onChange(event.target.value === 'days' ? 'last:14d' : event.target.value)
        }}
      >
        {relativePeriods.map((period) => (
          <option key={period} value={period}>
            {periodWords(period)}
          </option>
        ))}
        <option value="days">{t('ui.period.days')}</option>
      </select>
      {isOwn && (
        <div className={css['range']}>
          <select className={input['input']} aria-label={t('ui.period.direction')} value={days?.[1] ?? 'last'} onChange={(event) => onChange(`${event.target.value}:${days?.[2] ?? 14}d`)}>
            <option value="last">{t('ui.period.before')}</option>
            <option value="next">{t('ui.period.after')}</option>
          </select>
          <input
            className={input['input']}
            aria-label={t('ui.period.number')}
            inputMode="numeric"
            defaultValue={days?.[2] ?? '14'}
            onChange={(event) => {
              const wanted = Number(halfWidth(event.target.value.trim()))
              const isDays = Number.isInteger(wanted) && wanted > 0 && wanted <= mostDays
              onUnread(isDays ? undefined : t('ui.period.count', { limit: mostDays }))
              if (isDays) onChange(`${days?.[1] ?? 'last'}:${wanted}d`)
            }}
          />
        </div>
      )}
    </>
  )
}

const most = 2000

/** Several texts, one a line: a column copied from a spreadsheet is pasted as it is. */
function SeveralValues({ value, onUnread, onChange }: { readonly value: readonly (string | number)[]; readonly onUnread: (problem: string | undefined) => void; readonly onChange: (value: readonly string[]) => void }) {
  const [text, setText] = useState(() => value.join('\n'))
  return (
    <>
      <textarea
        className={input['input']}
        rows={5}
        aria-label={t('ui.filter.values')}
        placeholder={t('ui.filter.values')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          const values = [...new Set(event.target.value.split(/[\n\t;]/).map((part) => part.trim()).filter(Boolean))]
          onUnread(values.length > most ? t('ui.filter.too-many', { limit: most }) : undefined)
          onChange(values)
        }}
      />
      {value.length > 1 && <span className={css['count']}>{t('ui.filter.several', { n: value.length })}</span>}
    </>
  )
}

function asValue(value: unknown): string | number {
  return typeof value === 'number' || typeof value === 'string' ? value : ''
}

function startValue(comparison: Comparison, family: ReturnType<typeof familyOf>, before: FilterValue): FilterValue {
  if (comparison === 'empty' || comparison === 'filled') return comparison === 'empty'
  if (comparison === 'within') return 'thisMonth'
  if (comparison === 'in' || comparison === 'nin') return Array.isArray(before) && family !== 'date' && family !== 'number' ? before : []
  if (comparison === 'between') return ['', '']
  return typeof before === 'string' && !relativePeriods.some((period) => period === before) && !/^(last|next):/.test(before) ? before : ''
}

/** A number that can only be meant with a decimal comma ("1.000.000,5") is taken as that. */
function withoutDoubt(typed: string): string {
  const text = halfWidth(typed.trim())
  return decimalProofs([text]).comma > 0 ? withPoint(text) : typed
}

import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import type { Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import css from './FilterBar.module.css'
import { familyOf, isComplete, operatorsOf, periodWords, relativePeriods } from './filters.ts'
import type { Filter, FilterOperator, FilterValue } from './listState.ts'
import { ParamInput } from './ParamInput.tsx'

interface FilterEditorProps {
  readonly field: Field
  readonly filter: Filter
  readonly names: ReadonlyMap<number, string>
  readonly onName: (id: number, name: string) => void
  readonly onApply: (filter: Filter) => void
}

/** Operator and value of one filter. */
export function FilterEditor({ field, filter, names, onName, onApply }: FilterEditorProps) {
  const id = useId()
  const [op, setOp] = useState<FilterOperator>(filter.op)
  const [value, setValue] = useState<FilterValue>(filter.value)
  const operators = operatorsOf(field.type)
  const form = useRef<HTMLFormElement>(null)
  // The comparison is usually the right one already: the value comes first.
  useEffect(() => {
    form.current?.querySelector('input')?.focus()
  }, [])
  const change = (next: FilterOperator) => {
    setOp(next)
    setValue(startValue(next, familyOf(field.type), value))
  }
  return (
    <form
      ref={form}
      className={css['editor']}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (isComplete({ field: field.name, op, value })) onApply({ field: field.name, op, value })
      }}
    >
      <strong>{t(field.label)}</strong>
      {operators.length > 1 && (
        <select className={input['input']} aria-label={t('ui.filter.operator')} value={op} onChange={(event) => change(operators.find((one) => one === event.target.value) ?? op)}>
          {operators.map((operator) => (
            <option key={operator} value={operator}>
              {t(`ui.operator.${operator}`)}
            </option>
          ))}
        </select>
      )}
      <ValueEditor id={id} field={field} op={op} value={value} names={names} onName={onName} onChange={setValue} />
      <Button type="submit" look="primary" disabled={!isComplete({ field: field.name, op, value })}>
        {t('ui.filter.apply')}
      </Button>
    </form>
  )
}

interface ValueEditorProps {
  readonly id: string
  readonly field: Field
  readonly op: FilterOperator
  readonly value: FilterValue
  readonly names: ReadonlyMap<number, string>
  readonly onName: (id: number, name: string) => void
  readonly onChange: (value: FilterValue) => void
}

function ValueEditor({ id, field, op, value, names, onName, onChange }: ValueEditorProps) {
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const list = Array.isArray(value) ? value : []
  const plain: Field = { ...field, required: false, type: field.type === 'datetime' ? 'date' : field.type }
  if (op === 'empty') {
    return (
      <label className={css['option']} htmlFor={id}>
        <input id={id} type="checkbox" className={input['check']} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        {t('ui.filter.no-value')}
      </label>
    )
  }
  if (op === 'within') {
    return (
      <select className={input['input']} aria-label={t('ui.filter.period')} value={String(value)} onChange={(event) => onChange(event.target.value)}>
        {relativePeriods.map((period) => (
          <option key={period} value={period}>
            {periodWords(period)}
          </option>
        ))}
      </select>
    )
  }
  if (field.choices !== undefined) {
    return (
      <div className={css['options']}>
        {field.choices.map((choice) => (
          <label key={choice.value} className={css['option']} htmlFor={`${id}-${choice.value}`}>
            <input
              id={`${id}-${choice.value}`}
              type="checkbox"
              className={input['check']}
              checked={list.includes(choice.value)}
              onChange={(event) => onChange(event.target.checked ? [...list, choice.value] : list.filter((one) => one !== choice.value))}
            />
            {t(choice.label)}
          </label>
        ))}
      </div>
    )
  }
  const single = { id, userId, invalid: false, onUnread: () => undefined }
  if (field.type === 'ref') {
    return (
      <>
        {list.map((one) => (
          <span key={one} className={css['picked']}>
            {names.get(Number(one)) ?? `#${one}`}
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
            onName(next, name ?? `#${next}`)
            onChange([...list, next])
          }}
        />
      </>
    )
  }
  if (op === 'between') {
    const [from = '', to = ''] = list
    return (
      <div className={css['range']}>
        <ParamInput {...single} id={`${id}-from`} field={plain} value={from} onChange={(next) => onChange([asValue(next), to])} />
        <span>–</span>
        <ParamInput {...single} id={`${id}-to`} field={plain} value={to} onChange={(next) => onChange([from, asValue(next)])} />
      </div>
    )
  }
  return <ParamInput {...single} field={plain} value={Array.isArray(value) ? '' : value} onChange={(next) => onChange(asValue(next))} />
}

function asValue(value: unknown): string | number {
  return typeof value === 'number' || typeof value === 'string' ? value : ''
}

function startValue(op: FilterOperator, family: ReturnType<typeof familyOf>, before: FilterValue): FilterValue {
  if (op === 'empty') return true
  if (op === 'within') return 'thisMonth'
  if (op === 'in' || op === 'nin') return Array.isArray(before) && family !== 'date' && family !== 'number' ? before : []
  if (op === 'between') return ['', '']
  return typeof before === 'string' && !before.includes(':') && !/^(this|last|to|yes)/.test(before) ? before : ''
}

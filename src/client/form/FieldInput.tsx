import { Suspense, useCallback, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { referenceNames, wireName } from '#base/wireName.ts'
import { unreachable } from '#base/result.ts'
import { fieldsOf } from '#meta/operands.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import input from '../ui/input.module.css'
import { describedBy } from '../ui/Field.tsx'
import { DateInput } from './DateInput.tsx'
import css from './FormHost.module.css'
import { isRange } from './check.ts'
import { isSigned } from './entry.ts'
import { asksFirst, fieldId, useFormShared } from './FormContext.ts'
import { boundFilter, brokenRule, deciderOf } from './formModel.ts'
import { fillColumns, fillValues } from './fills.ts'
import { Lookup } from './Lookup.tsx'
import { NumberEntry, TextEntry } from './TextEntry.tsx'
import type { FormField } from '#meta/resolved.ts'
import { offeredForm, optionsOf, searchOptions, type LookupSource, type Option } from './lookupClient.ts'
import type { HandIn, HoldBack } from './heldBack.ts'
import type { Message } from './message.ts'

const WidgetInput = lazy(async () => ({ default: (await import('./widgets/WidgetInput.tsx')).WidgetInput }))

/** Types that have no plain input. */
const always: readonly string[] = ['datetime', 'period', 'textlist']
/** Said in the schema only to be clear: these are what the type gives anyway. */
const plain: readonly unknown[] = [undefined, 'select', 'textarea']

/** Most fields ask no other field what they may be: they are not asked again with every change of the form. */
const unheard = () => () => undefined

interface FieldInputProps {
  readonly field: FormField
  readonly value: unknown
  readonly required: boolean
  readonly readOnly: boolean
  /** What is wrong with it stands under it. */
  readonly problem: string | undefined
}

/** The input of a field by its type. What is entered goes to the form's store; problems come from there. */
export function FieldInput({ field, value, required, readOnly, problem }: FieldInputProps) {
  const { session, prefix } = useFormShared()
  const { store } = session
  const id = fieldId(prefix, field.wire)
  const change = (next: unknown) => store.set({ [field.wire]: next })
  const holdBack = useCallback((flush: HandIn) => store.holdBack(field.wire, flush), [store, field.wire])
  const onUnread = (why: Message | undefined, text?: string) => store.setUnread(field.wire, why, text)
  const generation = useSyncExternalStore(store.onLoad, () => store.generation)
  const offered = useSyncExternalStore(field.choicesBy === undefined ? unheard : store.onChange, () => field.choicesBy?.of[String(store.values[field.choicesBy.by])])
  const common = {
    id,
    readOnly,
    required,
    invalid: problem !== undefined,
    describedBy: problem === undefined && !asksFirst(field, session, readOnly) ? undefined : describedBy(id),
    holdBack,
    start: store.typed[field.wire],
  }
  if (!plain.includes(field.widget) || always.includes(field.type) || field.file !== undefined) {
    return (
      <Suspense fallback={<div className={css['wait']} />}>
        <WidgetInput key={generation} {...common} field={field} value={value} onUnread={onUnread} onChange={change} />
      </Suspense>
    )
  }
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  const choices = offered === undefined ? (field.choicesBy === undefined ? field.choices : undefined) : offered.flatMap((one) => field.choices?.find((choice) => choice.value === one) ?? [])
  // A text that has words to choose from is chosen.
  const type = field.type === 'text' && choices !== undefined ? 'enum' : field.type
  switch (type) {
    case 'ref':
      return <ReferenceInput key={generation} field={field} required={required} readOnly={readOnly} problem={problem} holdBack={holdBack} start={common.start} />
    case 'integer':
      return <NumberEntry key={generation} {...common} type={type} signed={isSigned(field)} ranged={isRange(field)} value={text} onUnread={onUnread} onChange={(next) => change(next === null ? null : Number(next))} />
    case 'money':
    case 'quantity':
    case 'price':
    case 'percent':
    case 'cost':
    case 'rate':
      return (
        <WithUnit field={field}>
          <NumberEntry key={generation} {...common} type={type} signed={isSigned(field)} ranged={isRange(field)} value={text} onUnread={onUnread} onChange={change} />
        </WithUnit>
      )
    case 'date':
      return <DateInput key={generation} {...common} label={t(field.label)} value={text} allows={field.allows && ((day) => brokenRule(field, day, store.values, store.around) === undefined)} onUnread={onUnread} onChange={change} />
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          className={input['check']}
          disabled={readOnly}
          checked={value === true}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={common.describedBy}
          onChange={(event) => change(event.target.checked)}
        />
      )
    case 'enum':
    case 'status':
      return (
        <select
          id={id}
          className={input['input']}
          disabled={readOnly}
          value={text}
          aria-required={required || undefined}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={common.describedBy}
          onChange={(event) => change(choices?.find((choice) => String(choice.value) === event.target.value)?.value ?? null)}
        >
          {(!required || text === '') && <option value="">{required ? t('ui.choose') : ''}</option>}
          {text !== '' && choices?.every((choice) => String(choice.value) !== text) === true && <option value={text}>{text}</option>}
          {choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {t(choice.label)}
            </option>
          ))}
        </select>
      )
    case 'longtext':
      return <TextEntry key={generation} {...common} value={text} lines={3} onChange={change} />
    case 'email':
      return <TextEntry key={generation} {...common} value={text} type="email" onChange={change} />
    case 'datetime':
    case 'period':
    case 'id':
    case 'code':
    case 'text':
    case 'secret':
    case 'textlist':
    case 'json':
      return <TextEntry key={generation} {...common} value={text} {...(field.widget === 'textarea' ? { lines: 3 } : {})} onChange={change} />
    default:
      return unreachable(type)
  }
}

/** The number with what it counts: its currency, its unit of measure, percent. */
function WithUnit({ field, children }: { readonly field: FormField; readonly children: ReactNode }) {
  const { session } = useFormShared()
  const { store } = session
  const unit = useSyncExternalStore(store.onChange, () => (field.unit === undefined ? '' : textOf(store.values[field.unit])))
  const shown = field.type === 'percent' && unit === '' ? '%' : unit
  if (shown === '') return children
  return (
    <div className={css['withUnit']}>
      {children}
      <span>{shown}</span>
    </div>
  )
}

function ReferenceInput({ field, required, readOnly, problem, holdBack, start }: Omit<FieldInputProps, 'value'> & { readonly holdBack: HoldBack; readonly start: string | undefined }) {
  const { session, prefix, userId } = useFormShared()
  const { store } = session
  const names = referenceNames(field.name)
  const code = useSyncExternalStore(store.onChange, () => textOf(store.values[names.code]))
  const name = useSyncExternalStore(store.onChange, () => textOf(store.values[names.name]))
  // The restriction as text: a new object only when a value it reads has changed.
  const bound = useSyncExternalStore(store.onChange, () =>
    field.lookupWhere === undefined ? '' : JSON.stringify(boundFilter(field.lookupWhere, store.values, store.around) ?? null),
  )
  const source = useMemo(
    () => ({ entity: field.entity ?? '', filter: bound === '' || bound === 'null' ? undefined : (JSON.parse(bound) as NonNullable<FormField['lookupWhere']>), columns: fillColumns(field.fills) }),
    [field, bound],
  )
  const id = fieldId(prefix, field.wire)
  usePreferred(field, source, bound, readOnly)
  const choose = (option: Option | null) => store.set(chosen(field, option))
  return (
    <Lookup
      id={id}
      label={t(field.label)}
      source={source}
      userId={userId}
      code={code}
      name={name}
      blocked={bound === 'null' ? missingLabel(field, session.screen.sections.flatMap((section) => section.fields)) : undefined}
      required={required}
      readOnly={readOnly}
      create={offeredForm(field.create, bound === 'null' ? undefined : source.filter)}
      invalid={problem !== undefined}
      describedBy={problem === undefined && !asksFirst(field, session, readOnly) ? undefined : describedBy(id)}
      onChoose={choose}
      onUnread={(why, text) => store.setUnread(field.wire, why, text)}
      holdBack={holdBack}
      start={start}
    />
  )
}

/**
 * While nothing is chosen: what another field's record names (the unit's own warehouse), or where the fields beside it leave one choice (the
 * customer's only address), that one. Nothing is changed that has a value.
 */
function usePreferred(field: FormField, source: LookupSource, bound: string, readOnly: boolean): void {
  const { session } = useFormShared()
  const { store } = session
  const { prefers } = field
  const asked = useSyncExternalStore(store.onChange, () => (prefers === undefined ? null : (store.values[prefers.wire] ?? null)))
  const reason = `${bound} ${String(asked)}`
  const first = useRef(reason)
  useEffect(() => {
    const isRestricted = field.lookupWhere !== undefined && fieldsOf(field.lookupWhere).length > 0
    // What a record was opened with stays: only a change of what decides, while the form is open, chooses.
    if ((!isRestricted && asked === null) || readOnly || bound === 'null' || (reason === first.current && !session.isNew) || !store.isEmpty(field.wire)) return undefined
    const abort = new AbortController()
    const choose = async (): Promise<void> => {
      const option = (await named(prefers, asked, source, abort.signal)) ?? (isRestricted ? await only(source, abort.signal) : undefined)
      if (!abort.signal.aborted && option !== undefined && store.isEmpty(field.wire)) store.prefill(chosen(field, option))
    }
    void choose()
    return () => abort.abort()
  }, [field, prefers, source, bound, asked, reason, readOnly, session, store])
}

/** What the record of another field names, if it may be chosen here. */
async function named(prefers: FormField['prefers'], asked: unknown, source: LookupSource, signal: AbortSignal): Promise<Option | undefined> {
  if (prefers === undefined || typeof asked !== 'number') return undefined
  const answer = await optionsOf({ entity: prefers.entity, filter: undefined, columns: [prefers.column] }, [asked])
  const id = answer.ok ? answer.value[0]?.[wireName(prefers.column)] : undefined
  if (typeof id !== 'number' || signal.aborted) return undefined
  const found = await searchOptions({ ...source, filter: source.filter === undefined ? { id } : { all: [source.filter, { id }] } }, '', signal, 1)
  return found?.[0]
}

async function only(source: LookupSource, signal: AbortSignal): Promise<Option | undefined> {
  const found = await searchOptions(source, '', signal, 2)
  return found?.length === 1 ? found[0] : undefined
}

function chosen(field: FormField, option: Option | null): Readonly<Record<string, unknown>> {
  const names = referenceNames(field.name)
  return {
    [field.wire]: option?.ID ?? null,
    [names.code]: option?.['Code'] ?? null,
    [names.name]: option?.['Name'] ?? null,
    ...(option === null || field.fills === undefined ? {} : fillValues(field.fills, option)),
  }
}

/** Label of the field a restricted lookup waits for. */
export function missingLabel(field: FormField, fields: readonly FormField[]): string {
  const decider = deciderOf(field, fields)
  return decider === undefined ? '' : t(decider.label)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

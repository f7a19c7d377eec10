import { Fragment, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Filter, Match } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { lookupRecords } from '../data/records.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './FilterBar.module.css'
import { filterText, isComplete, referenceKey, startingFilter, type ReferenceNames } from './filters.ts'

const FilterEditor = lazy(() => import('./FilterEditor.tsx').then((module) => ({ default: module.FilterEditor })))
const TurnRound = lazy(() => import('./TurnRound.tsx').then((module) => ({ default: module.TurnRound })))
const FieldMenu = lazy(() => import('./FieldMenu.tsx').then((module) => ({ default: module.FieldMenu })))

/** Whoever comes near a filter finds its code there when it opens. */
const prepare = (): void => {
  void FieldMenu.preload()
  void FilterEditor.preload()
}

interface FilterBarProps {
  readonly fields: readonly Field[]
  readonly filters: readonly Filter[]
  readonly onChange: (filters: readonly Filter[]) => void
  /** Whether all filters must hold or one of them; absent: always all. */
  readonly match?: Match | undefined
  readonly onMatch?: ((match: Match) => void) | undefined
  /** Chips of what narrows the rows beside these filters, and what takes off all of it. */
  readonly beside?: ReactNode
  readonly onClear?: () => void
  /** Field of a filter begun elsewhere (the menu of a heading); not a boolean one, which asks for nothing. */
  readonly begun?: Field | undefined
  readonly onBegun?: (() => void) | undefined
}

/** A chip for each filter in effect, and one button to add more. */
export function FilterBar({ fields, filters, onChange, match = 'all', onMatch, beside, onClear, begun, onBegun }: FilterBarProps) {
  const [added, setAdded] = useState<Filter>()
  const begin = (field: Field) => {
    const start = startingFilter(field)
    if (field.type === 'boolean') onChange([...filters, start])
    else setAdded(start)
  }
  const adding = added ?? (begun === undefined ? undefined : startingFilter(begun))
  const names = useReferenceNames(fields, filters)
  const bar = useRef<HTMLDivElement>(null)
  /** Which chip the focus goes to once the filters have changed: it does not go with the button that was pressed. Behind the last one stands "Filter". */
  const next = useRef<number>(undefined)
  useEffect(() => {
    if (next.current === undefined) return
    const chips = bar.current?.querySelectorAll<HTMLElement>(`.${css['words']}, .${css['add']}`)
    chips?.[Math.min(next.current, chips.length - 1)]?.focus()
    next.current = undefined
  }, [filters, beside])
  const change = (changed: readonly Filter[], place: number) => {
    next.current = place
    onChange(changed)
  }
  const addedField = fields.find((field) => field.name === adding?.field)
  if (fields.length === 0) return null
  return (
    <div ref={bar} className={css['bar']} role="group" aria-label={t('ui.filters')} onPointerEnter={prepare} onFocus={prepare}>
      {beside}
      {filters.map((filter, index) => {
        const field = fields.find((one) => one.name === filter.field)
        if (field === undefined) return null
        const text = filterText(field, filter, names.found)
        return (
          <Fragment key={`${filter.field} ${index}`}>
            <span className={css['chip']}>
              <Popover trigger={text} triggerClass={css['words']} label={text}>
                {(close) => (
                  <Suspense fallback={<Skeleton />}>
                    <FilterEditor
                      field={field}
                      filter={filter}
                      names={names.found}
                      onName={names.add}
                      onApply={(edited) => {
                        close()
                        change(filters.with(index, edited), index)
                      }}
                    />
                  </Suspense>
                )}
              </Popover>
              <button type="button" className={css['remove']} aria-label={t('ui.filter.remove', { filter: text })} onClick={() => change(filters.toSpliced(index, 1), index)}>
                <Icon name="close" size={12} />
              </button>
            </span>
            {filter.op === 'between' && (
              <Suspense>
                <TurnRound filter={filter} onTurn={(turned) => change(filters.with(index, turned), index)} />
              </Suspense>
            )}
          </Fragment>
        )
      })}
      {adding !== undefined && addedField !== undefined && (
        <span className={css['chip']}>
          <Popover
            key={adding.field}
            startOpen
            trigger={t(addedField.label)}
            triggerClass={css['words']}
            label={t(addedField.label)}
            onClose={() => {
              setAdded(undefined)
              onBegun?.()
            }}
          >
            {(close) => (
              <Suspense fallback={<Skeleton />}>
                <FilterEditor
                  field={addedField}
                  filter={adding}
                  names={names.found}
                  onName={names.add}
                  onApply={(applied) => {
                    close()
                    setAdded(undefined)
                    onBegun?.()
                    if (isComplete(applied)) change([...filters, applied], filters.length)
                  }}
                />
              </Suspense>
            )}
          </Popover>
        </span>
      )}
      <Popover
        trigger={
          <>
            <Icon name="filter" size={15} /> {t('ui.filter.add')}
          </>
        }
        triggerClass={css['add']}
        label={t('ui.filter.add')}
      >
        {(close) => (
          <Suspense fallback={<Skeleton lines={6} />}>
            <FieldMenu
              fields={fields}
              onChoose={(field) => {
                close()
                begin(field)
              }}
            />
          </Suspense>
        )}
      </Popover>
      {filters.length > 1 && onMatch !== undefined && (
        <select className={css['match']} aria-label={t('ui.filter.match')} value={match} onChange={(event) => onMatch(event.target.value === 'any' ? 'any' : 'all')}>
          <option value="all">{t('ui.filter.match-all')}</option>
          <option value="any">{t('ui.filter.match-any')}</option>
        </select>
      )}
      {(filters.length > 0 || beside !== undefined) && (
        <button
          type="button"
          className={css['clear']}
          onClick={() => {
            next.current = 0
            if (onClear === undefined) onChange([])
            else onClear()
          }}
        >
          {t('ui.filter.clear')}
        </button>
      )}
    </div>
  )
}

/** Names of the ids in reference filters, for filters that came with the URL. */
function useReferenceNames(fields: readonly Field[], filters: readonly Filter[]) {
  const [found, setFound] = useState<ReferenceNames>(new Map())
  const wanted = filters
    .flatMap((filter) => {
      const field = fields.find((one) => one.name === filter.field && one.type === 'ref')
      const ids = (Array.isArray(filter.value) ? filter.value : [filter.value]).filter((id) => typeof id === 'number' && field !== undefined && !found.has(referenceKey(field, id)))
      return field?.entity === undefined || ids.length === 0 ? [] : `${field.entity}:${ids.join(',')}`
    })
    .join(' ')
  useEffect(() => {
    if (wanted === '') return undefined
    const stop = new AbortController()
    for (const part of wanted.split(' ')) {
      const [entity = '', ids = ''] = part.split(':')
      void lookupRecords(entity, { ids, length: ids.split(',').length }, stop.signal).then((answer) => {
        if (!answer.ok) return
        setFound((before) => new Map([...before, ...answer.value.records.map((record): [string, string] => [referenceKey({ entity }, record.ID), String(record['Name'] ?? record['Code'])])]))
      })
    }
    return () => stop.abort()
  }, [wanted])
  const add = (key: string, name: string) => setFound((before) => new Map([...before, [key, name]]))
  return { found, add }
}

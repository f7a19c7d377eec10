import { useEffect, useState, type MouseEvent } from 'react'
import { conditionOf } from '#api/listQuery.ts'
import { isNarrowed, presetOf, type ListState } from '#api/listState.ts'
import type { ListScreen, ScreenAction } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { countRecords } from '../data/records.ts'
import { countText } from '../table/presetCounts.ts'
import type { List } from '../table/useList.ts'
import { Button } from '../ui/Button.tsx'
import { Buttons, EmptyState, Skeleton } from '../ui/States.tsx'

export interface NoRowsProps {
  readonly screen: ListScreen
  readonly state: ListState
  readonly params: Readonly<Record<string, string>>
  /** How it was asked for: the search looks at what its columns refer to. */
  readonly list: Pick<List, 'query'>
  /** Shows another preset with the search and the filters there are; 'none': all rows. */
  readonly onPreset: (id: string) => void
  /** Something is chosen above the list. */
  readonly isScoped: boolean
  /** Takes off whatever narrows the list. */
  readonly onClear: () => void
  readonly pageActions: readonly ScreenAction[]
  readonly onAction: (action: ScreenAction) => void
}

/** Nothing at all says how to begin; nothing that fits says where it stands, and how to see more. */
export function NoRows(props: NoRowsProps) {
  const { screen, state, isScoped, onPreset, onClear } = props
  const isHeld = isScoped || isNarrowed(state)
  const preset = presetOf(screen, state)
  const elsewhere = useElsewhere(props)
  if (!isHeld) {
    if (elsewhere === undefined) return <Skeleton />
    if (elsewhere.length === 0) return <NothingYet {...props} />
  }
  return (
    <EmptyState icon="filter" title={preset === undefined ? t('ui.nothing-matches') : t('ui.nothing-matches-in', { preset: t(preset.label) })}>
      <Buttons>
        {elsewhere?.map(({ id, label, count }) => (
          <Button key={id} onClick={(event) => leave(event, () => onPreset(id))}>
            {label} ({count})
          </Button>
        ))}
        {isHeld && (
          <Button look={preset === undefined ? 'default' : 'plain'} onClick={(event) => leave(event, onClear)}>
            {t('ui.show-all-rows')}
          </Button>
        )}
      </Buttons>
    </EmptyState>
  )
}

function NothingYet({ screen, pageActions, onAction }: NoRowsProps) {
  const [action] = pageActions
  return (
    <EmptyState title={t(screen.empty)}>
      {action !== undefined && (
        <Button look="primary" icon={action.id === 'new' ? 'plus' : undefined} onClick={() => onAction(action)}>
          {t(action.label)}
        </Button>
      )}
    </EmptyState>
  )
}

/** The button goes as the rows come; keys go on at the search. */
function leave({ currentTarget }: MouseEvent<HTMLButtonElement>, go: () => void): void {
  if (currentTarget.matches(':focus-visible')) currentTarget.closest('section')?.querySelector<HTMLElement>('[type=search]')?.focus()
  go()
}

interface Elsewhere {
  readonly id: string
  readonly label: string
  readonly count: string
}

/** The other presets that hold what this one does not, all rows first; none where all rows are shown already or the server does not say; undefined: not known yet. */
function useElsewhere({ screen, state, params, list }: NoRowsProps): readonly Elsewhere[] | undefined {
  const current = presetOf(screen, state)
  const others = current === undefined ? [] : [{ id: 'none', label: 'ui.all' }, ...screen.presets.filter((preset) => preset.count !== false && preset !== current)]
  const question = JSON.stringify({
    filters: JSON.stringify(others.map(({ id }) => conditionOf(screen, { ...state, preset: id }, params) ?? null)),
    ...(state.search === '' ? {} : { search: state.search, columns: list.query.columns }),
  })
  const [known, setKnown] = useState<{ readonly question: string; readonly counts: readonly number[]; readonly limit: number }>()
  const isAsked = others.length > 0
  useEffect(() => {
    if (!isAsked) return undefined
    const stop = new AbortController()
    void countRecords(screen.resource, JSON.parse(question) as { filters: string; search?: string; columns?: string }, stop.signal).then((answer) => {
      if (!stop.signal.aborted) setKnown({ question, ...(answer.ok ? answer.value : { counts: [], limit: 0 }) })
    })
    return () => stop.abort()
  }, [screen.resource, question, isAsked])
  if (!isAsked) return []
  if (known?.question !== question) return undefined
  return others.flatMap(({ id, label }, i) => {
    const count = known.counts[i] ?? 0
    return count === 0 ? [] : [{ id, label: t(label), count: countText(count, known.limit) }]
  })
}

import { useAtom } from 'jotai'
import { useCallback, useId, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Condition } from '#meta/condition.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { columnChoiceAtom } from '../app/preferences.ts'
import { fillPath } from '../data/around.ts'
import { readReport } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { type AnyRecord } from '../table/cells.tsx'
import { ColumnChooser } from '../table/ColumnChooser.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import { Pager } from '../table/Pager.tsx'
import { SearchBox } from '../table/SearchBox.tsx'
import { Table } from '../table/Table.tsx'
import { useUrlListState } from '../table/useListState.ts'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { GroupTotals } from './GroupTotals.tsx'
import { ParameterBar, sayParameters } from './ParameterBar.tsx'
import css from './ReportPage.module.css'
import { missingParameters, readParameters, writeParameter } from './reportState.ts'

const defaultLength = 100

/** A report: parameters, filters, the sentence that says what is shown, rows with sub-totals and totals over the whole filter. */
export function ReportPage({ screen }: PageProps<ReportScreen>) {
  const id = useId()
  const [query, setQuery] = useSearchParams()
  const [state, setState] = useUrlListState()
  const [choices, setChoices] = useAtom(columnChoiceAtom)
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const choice = choices[screen.id]
  const visible = useMemo(() => screen.columns.filter((column) => choice?.[column.name] ?? (!column.hidden && column.importance !== 'low')), [screen, choice])
  const parameters = useMemo(() => readParameters(screen, query), [screen, query])
  const missing = missingParameters(screen, parameters)
  const sort = state.sort ?? screen.sort
  const length = state.length ?? defaultLength
  const asked = {
    ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
    length,
    page: state.page,
    order: sort.map(({ field }) => field).join(','),
    sort: sort.map(({ dir }) => dir).join(','),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.filters.length === 0 ? {} : { filter: JSON.stringify({ all: state.filters.map(({ field, op, value }): Condition => ({ [field]: { [op]: value } })) }) }),
  }
  const isAsking = missing.length === 0
  const { shown, problem, isLoading, reload } = useReport(screen.id, isAsking ? JSON.stringify(asked) : '')

  const set = useCallback((name: string, value: string) => setQuery((before) => writeParameter(screen, before, name, value)), [screen, setQuery])
  const rows = isAsking ? (shown?.rows ?? noRows) : noRows
  const pathOf = useMemo(() => (screen.drill === undefined ? undefined : (row: AnyRecord) => fillPath(screen.drill ?? '', row)), [screen])
  // Sub-totals belong to runs of equal values: only while the rows are ordered by the group first.
  const group = screen.columns.find((column) => column.name === screen.groupBy)
  const groups = group !== undefined && sort[0]?.field === group.name ? shown?.groups : undefined
  const after =
    group === undefined || groups === undefined
      ? undefined
      : (row: AnyRecord, index: number) => {
          const value = row[group.wire]
          if (rows[index + 1]?.[group.wire] === value) return null
          const found = groups.find((one) => one.value === value)
          return found === undefined ? null : <GroupTotals key={`group ${String(value)}`} columns={visible} field={group} row={row} group={found} />
        }
  return (
    <section className={css['report']} aria-labelledby={id}>
      <header className={css['head']}>
        <h1 id={id}>{t(screen.title)}</h1>
        <SearchBox value={state.search} onSearch={(search) => setState({ search }, 'replace')} />
        <div className={css['tools']}>
          <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
          <ColumnChooser
            columns={screen.columns}
            visible={visible}
            onChange={(name, isShown) => setChoices({ ...choices, [screen.id]: { ...choice, [name]: isShown } })}
            onReset={() => setChoices({ ...choices, [screen.id]: {} })}
            rows={rows}
          />
          <IconButton icon="print" label={t('ui.print')} onClick={() => window.print()} />
        </div>
      </header>
      <ParameterBar
        parameters={screen.parameters}
        values={parameters}
        problems={problem?.errors ?? []}
        onChange={set}
        onName={(name, text) => setNames((before) => ({ ...before, [name]: text }))}
      />
      <FilterBar fields={screen.filters} filters={state.filters} onChange={(filters) => setState({ filters })} />
      {isAsking && <p className={css['sentence']}>{sayParameters(screen, shown?.parameters ?? parameters, names)}</p>}
      <div className={css['card']}>
        {!isAsking ? (
          <EmptyState icon="chart" title={t('ui.report.choose', { fields: missing.map((parameter) => t(parameter.label)).join(', ') })} />
        ) : problem !== undefined ? (
          <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
        ) : shown === undefined ? (
          <Skeleton lines={12} />
        ) : rows.length === 0 ? (
          <EmptyState icon="chart" title={t(screen.empty)} />
        ) : (
          <>
            <Table
              label={t(screen.title)}
              columns={screen.columns}
              visible={visible}
              rows={rows}
              rowId={rowIdOf(rows)}
              sort={sort}
              onSort={(next) => setState({ sort: next.length === 0 ? screen.sort : next })}
              isLoading={isLoading}
              totals={shown.totals}
              totalsLabel={t('ui.totals', { n: formatNumber(shown.recordsTotal) })}
              {...(pathOf === undefined ? {} : { pathOf })}
              {...(after === undefined ? {} : { after })}
            />
            <Pager page={state.page} length={length} total={shown.recordsTotal} onPage={(page) => setState({ page })} onLength={(next) => setState({ length: next })} />
          </>
        )}
      </div>
    </section>
  )
}

const noRows: readonly AnyRecord[] = []

/** The answer to a question; while the next one is under way the last answer stays on screen. */
function useReport(screenId: string, question: string) {
  const [last, setLast] = useState<{ readonly screenId: string; readonly value: NonNullable<typeof answer.value> }>()
  const answer = useAnswer(`${screenId} ${question}`, async (signal) => {
    if (question === '') return new Promise<never>(() => undefined)
    return readReport(screenId, JSON.parse(question) as Record<string, string | number>, signal)
  })
  if (answer.value !== undefined && last?.value !== answer.value) setLast({ screenId, value: answer.value })
  return { shown: answer.value ?? (last?.screenId === screenId ? last.value : undefined), problem: answer.problem, isLoading: answer.isLoading, reload: answer.reload }
}

/** Report rows have no id: their place on the page is all they are known by. */
function rowIdOf(rows: readonly AnyRecord[]): (row: AnyRecord) => string {
  const places = new Map(rows.map((row, i) => [row, String(i)]))
  return (row) => places.get(row) ?? ''
}

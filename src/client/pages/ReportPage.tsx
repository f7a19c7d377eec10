import { Suspense, useCallback, useId, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { LayoutQuery } from '#meta/placeLink.ts'
import type { Column, ReportScreen } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import type { PageProps } from '../app/pageProps.ts'
import { t } from '../app/messages.ts'
import { ExportButton } from '../export/ExportButton.tsx'
import { chartPlan } from '../report/chartPlan.ts'
import { LayoutBar } from '../report/LayoutBar.tsx'
import { groupOf, ReportRows } from '../report/ReportRows.tsx'
import { sayLayout } from '../report/sayLayout.ts'
import { useReport, type Shown } from '../report/useReport.ts'
import { useScope } from '../scope/useScope.tsx'
import { ColumnChooser } from '../table/ColumnChooser.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import { Pager } from '../table/Pager.tsx'
import { SearchBox } from '../table/SearchBox.tsx'
import { useLayout } from '../table/useLayout.ts'
import { useUrlListState } from '../table/useListState.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { ParameterBar, sayParameters } from './ParameterBar.tsx'
import css from './ReportPage.module.css'
import { filterOf, isGrouped, missingParameters, narrowing, questionOf, readLayout, readParameters, writeLayout, writeParameter } from './reportState.ts'

const ReportSummary = lazy(() => import('../report/ReportSummary.tsx').then((module) => ({ default: module.ReportSummary })))
const ReportChart = lazy(() => import('../report/ReportChart.tsx').then((module) => ({ default: module.ReportChart })))

const defaultLength = 100
const mostRows = 5_000

/** A report: parameters, filters, the sentence that says what is shown, rows or groups with sub-totals and totals over the whole filter. */
export function ReportPage({ screen }: PageProps<ReportScreen>) {
  const id = useId()
  const [query, setQuery] = useSearchParams()
  const [state, setState] = useUrlListState()
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const parameters = useMemo(() => readParameters(screen, query), [screen, query])
  const layout = useMemo(() => readLayout(screen, query), [screen, query])
  const isSummary = isGrouped(layout)
  const single = useLayout(screen.id, screen.columns, isShownFirst)
  const grouped = useLayout(`${screen.id} summary`, screen.measures, isShownFirst)
  const columns = isSummary ? grouped : single
  const missing = missingParameters(screen, parameters)
  const isAsking = missing.length === 0
  const scope = useScope(screen.filters.map((field) => field.name))
  const { shown, problem, isLoading, reload } = useReport(screen.id, isAsking ? questionOf(screen, parameters, state, layout, defaultLength, scope.condition) : undefined, layout)
  const sort = state.sort ?? (isSummary ? [] : screen.sort)
  const plan = layout.show === 'table' ? undefined : chartPlan(screen, layout, grouped.shown)

  const set = useCallback((name: string, value: string) => setQuery((before) => writeParameter(screen, before, name, value)), [screen, setQuery])
  const setShape = useCallback((change: LayoutQuery) => setQuery((before) => writeLayout(screen, before, change), { preventScrollReset: true }), [screen, setQuery])
  const exported = () => {
    const filter = filterOf(state.filters, scope.condition)
    const group = isSummary ? undefined : groupOf(screen, sort)
    return {
      sort: isSummary ? screen.sort : sort,
      parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
      ...(state.search === '' ? {} : { search: state.search }),
      ...(filter === undefined ? {} : { filter }),
      ...(group === undefined ? {} : { groupBy: [{ field: group.name }] }),
    }
  }
  const body = (found: Shown) =>
    found.kind === 'rows' ? (
      <ReportRows screen={screen} answer={found.answer} columns={single.shown} sized={single.sized} deeds={single.deeds} sort={sort} onSort={(next) => setState({ sort: next.length === 0 ? screen.sort : next })} isLoading={isLoading} />
    ) : (
      <Suspense fallback={<Skeleton lines={12} />}>
        <ReportSummary screen={screen} layout={found.layout} answer={found.answer} columns={grouped.layout} sort={sort} onSort={(next) => setState({ sort: next })} isLoading={isLoading} />
      </Suspense>
    )
  return (
    <section className={css['report']} aria-labelledby={id}>
      <header className={css['head']}>
        <h1 id={id}>{t(screen.title)}</h1>
        <SearchBox value={state.search} onSearch={(search) => setState({ search }, 'replace')} />
        <div className={css['tools']}>
          <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
          <ColumnChooser columns={isSummary ? screen.measures : screen.columns} layout={columns.layout} onChange={columns.setLayout} onReset={columns.reset} />
          {isAsking && <ExportButton screen={screen} seen={single.shown} total={shown === undefined ? 0 : rowsIn(shown)} question={exported} />}
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
      <LayoutBar screen={screen} layout={layout} onChange={setShape} />
      {scope.bar}
      <FilterBar fields={screen.filters} filters={state.filters} onChange={(filters) => setState({ filters })} />
      {isAsking && (
        <p className={css['sentence']}>
          {sayParameters(screen, shown?.answer.parameters ?? parameters, names)} {sayLayout(screen, layout, shown?.kind === 'summary' ? shown.answer.before : undefined)}
        </p>
      )}
      {isAsking && plan !== undefined && (
        <div className={classes(css['card'], css['drawn'])}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <ReportChart screenId={screen.id} plan={plan} narrowing={narrowing(parameters, state, scope.condition)} label={t('ui.report.chart-of', { report: t(screen.title) })} height={layout.show === 'chart' ? 380 : 240} />
          </Suspense>
        </div>
      )}
      {(layout.show !== 'chart' || plan === undefined || !isAsking) && (
        <div className={css['card']}>
          {!isAsking ? (
            <EmptyState icon="chart" title={t('ui.report.choose', { fields: missing.map((parameter) => t(parameter.label)).join(', ') })} />
          ) : problem !== undefined ? (
            <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
          ) : shown === undefined ? (
            <Skeleton lines={12} />
          ) : rowsIn(shown) === 0 ? (
            <EmptyState icon="chart" title={t(screen.empty)} />
          ) : (
            <>
              {body(shown)}
              {(shown.kind === 'rows' || shown.layout.rows.length > 0) && (
                <Pager
                  most={mostRows}
                  page={state.page}
                  length={state.length ?? defaultLength}
                  total={shown.answer.recordsTotal}
                  counter={shown.kind === 'rows' ? 'ui.counter' : 'ui.group.counter'}
                  onPage={(page) => setState({ page })}
                  onLength={(next) => setState({ length: next })}
                />
              )}
            </>
          )}
        </div>
      )}
    </section>
  )
}

function isShownFirst(column: Column): boolean {
  return !column.hidden && column.importance !== 'low'
}

/** Single rows of the whole filter. */
function rowsIn(shown: Shown): number {
  if (shown.kind === 'rows') return shown.answer.recordsTotal
  return shown.answer.totals.reduce((sum, { cells: [cell] }) => sum + (cell?.count ?? 0), 0)
}

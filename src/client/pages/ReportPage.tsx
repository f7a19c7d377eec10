import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useCallback, useContext, useEffect, useId, useMemo, useState } from 'react'
import type { Heads } from '#api/heads.ts'
import { definitionOf, isChanged, writeState } from '#api/listState.ts'
import type { Layout } from '#api/view.ts'
import type { ViewDefinition } from '#api/view.ts'
import type { LayoutQuery } from '#meta/placeLink.ts'
import { addressNow } from '#meta/renames.ts'
import type { Column, ReportScreen } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import type { PageProps } from '../app/pageProps.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { layoutsAtom, pageSizeAtom } from '../app/preferences.ts'
import { saidTime } from '../app/saidTime.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { viewsAtom } from '../data/views.ts'
import { exportBody } from '../export/exportBody.ts'
import { ExportButton } from '../export/ExportButton.tsx'
import { chartPlan } from '../report/chartPlan.ts'
import { LayoutBar } from '../report/LayoutBar.tsx'
import { ReportAnswersContext } from '../report/reportAnswers.ts'
import { groupOf, ReportRows } from '../report/ReportRows.tsx'
import { mostPrinted, usePrintAll, usePrinted } from '../report/usePrintAll.ts'
import { fitAddress, fixedDays, isReshaped, layoutNames, reportSetup, shapeOf, withHeads, withoutShape } from '../report/reportView.ts'
import { sayLayout, sayTogether } from '../report/sayLayout.ts'
import { useMovedNotice } from '../report/useMovedNotice.ts'
import { useMainScroll } from '../report/useMainScroll.ts'
import { useReport, type Shown } from '../report/useReport.ts'
import { ScheduleButton } from '../schedule/ScheduleButton.tsx'
import { useScope } from '../scope/useScope.tsx'
import { ColumnChooser } from '../table/ColumnChooser.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import { Pager } from '../table/Pager.tsx'
import { isCommonSize } from '../table/pageSize.ts'
import { SearchBox } from '../table/SearchBox.tsx'
import { useDroppedNotice } from '../table/useDroppedNotice.ts'
import { useLayout } from '../table/useLayout.ts'
import { useUrlListState, viewQuery } from '../table/useListState.ts'
import { ViewsMenu } from '../table/ViewsMenu.tsx'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import page from '../ui/Page.module.css'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import { ParameterBar, sayParameters } from './ParameterBar.tsx'
import css from './ReportPage.module.css'
import { filterOf, isGrouped, missingParameters, narrowing, questionOf, readLayout, readParameters, sortIn, writeLayout, writeParameter } from './reportState.ts'

const ReportSummary = lazy(() => import('../report/ReportSummary.tsx').then((module) => ({ default: module.ReportSummary })))
const ReportChart = lazy(() => import('../report/ReportChart.tsx').then((module) => ({ default: module.ReportChart })))

/** Groups are read together, as is what the studio tries out. Single rows come as many to a page as in lists. */
const wholeLength = 100
const mostRows = 5_000

/** A report. An address kept under names its dataset no longer has goes on under those of today, and says so. */
export function ReportPage({ screen }: Pick<PageProps<ReportScreen>, 'screen'>) {
  const [query, setQuery] = useUrlQuery()
  const moved = useMemo(() => addressNow(screen.renamed, query), [screen, query])
  const [old, setOld] = useState<readonly string[]>([])
  useEffect(() => {
    if (moved === undefined) return
    setOld(moved.old)
    setQuery(() => new URLSearchParams(moved.query), { replace: true })
  }, [moved, setQuery])
  useMovedNotice(screen, old)
  return moved === undefined ? <OpenReport screen={screen} /> : <Skeleton lines={12} />
}

/** Parameters, filters, the sentence that says what is shown, rows or groups with sub-totals and totals over the whole filter. */
function OpenReport({ screen: delivered }: Pick<PageProps<ReportScreen>, 'screen'>) {
  const id = useId()
  // A draft has neither views nor exports, and shows its first rows only.
  const tried = useContext(ReportAnswersContext)
  const Heading = tried === undefined ? 'h1' : 'h2'
  const [address, setQuery] = useUrlQuery()
  const allViews = useAtomValue(viewsAtom)
  const setLayouts = useSetAtom(layoutsAtom)
  const chosen = address.get('view')
  // Whatever else the address says, the view chosen stays the same objects: what hangs on it is not worked out again.
  const setup = useMemo(() => reportSetup(delivered, new URLSearchParams(chosen === null ? {} : { view: chosen }), allViews), [delivered, chosen, allViews])
  const { base, view, views } = setup
  const [heads, setHeads] = useState<Heads>()
  const screen = useMemo(() => withHeads(setup.screen, heads), [setup, heads])
  const [asked, setState] = useUrlListState(base)
  const { state, query, dropped } = useMemo(() => fitAddress(delivered, address, asked), [delivered, address, asked])
  useDroppedNotice({ view, dropped: [...setup.dropped, ...dropped] }, chosen, [...delivered.columns, ...delivered.filters, ...delivered.parameters])
  useMovedNotice(delivered, setup.moved)
  const [words, setWords] = useState<Readonly<Record<string, string>>>({})
  const parameters = useMemo(() => readParameters(screen, query), [screen, query])
  const layout = useMemo(() => readLayout(screen, query), [screen, query])
  const isSummary = isGrouped(layout)
  const [pageSize, setPageSize] = useAtom(pageSizeAtom)
  const defaultLength = isSummary || tried !== undefined ? wholeLength : pageSize
  const names = layoutNames(screen.id, view)
  const kept = useMemo(() => keptColumns(screen, base), [screen, base])
  const single = useLayout(names.rows, screen.columns, isShownFirst, kept.rows)
  const grouped = useLayout(names.groups, screen.measures, isShownFirst, kept.groups)
  const columns = isSummary ? grouped : single
  const missing = missingParameters(screen, parameters)
  const isAsking = missing.length === 0
  const scope = useScope(screen.filters.map((field) => field.name))
  const paper = usePrintAll(isAsking && tried === undefined)
  const seen = paper.isAll ? { ...state, page: 1, length: mostPrinted } : state
  const { shown, problem, isLoading, reload } = useReport(screen.id, isAsking ? questionOf(screen, parameters, seen, layout, defaultLength, scope.condition) : undefined, layout)
  // What is missing or was refused is told at its parameter; trying again would change nothing.
  const unfit = isAsking ? screen.parameters.filter(({ name }) => problem?.errors.some(({ field }) => field === name) === true) : missing
  usePrinted(paper, id, isLoading || shown === undefined ? undefined : shown.answer.rows.length, problem !== undefined)
  // Days set anew since the last answer: their heads follow.
  if (shown !== undefined && JSON.stringify(shown.answer.heads) !== JSON.stringify(heads)) setHeads(shown.answer.heads)
  const sort = sortIn(screen, state, layout)
  const plan = useMemo(() => (layout.show === 'table' ? undefined : chartPlan(screen, layout, grouped.shown)), [screen, layout, grouped.shown])

  const set = useCallback((name: string, value: string) => setQuery((before) => writeParameter(screen, before, name, value)), [screen, setQuery])
  const setShape = useCallback((change: LayoutQuery) => setQuery((before) => writeLayout(screen, before, change), { preventScrollReset: true }), [screen, setQuery])
  const chooseView = (next: typeof view) => {
    const forgotten = [view, next].flatMap((one) => Object.values(layoutNames(screen.id, one)))
    // Whoever opens a view afresh sees it as it was kept, columns included.
    setLayouts((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !forgotten.includes(name))))
    const isStandard = next === undefined && views.some(({ IsDefault }) => IsDefault)
    setQuery((before) => viewQuery(withoutShape(delivered, before), isStandard ? 'standard' : next === undefined ? undefined : String(next.ID)))
  }
  const isModified = isChanged(state, base) || isReshaped(delivered, query) || (view !== undefined && columns.reset !== undefined)
  const exported = () => {
    const filter = filterOf(state.filters, scope.condition)
    const group = isSummary ? undefined : groupOf(screen, sort)
    return {
      sort,
      ...(isSummary ? { summary: { rows: layout.rows.map(({ key }) => key), ...(layout.across === undefined ? {} : { across: layout.across.key }), ...(layout.compare === undefined ? {} : { compare: layout.compare }) } } : {}),
      parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
      ...(state.search === '' ? {} : { search: state.search }),
      ...(filter === undefined ? {} : { filter }),
      ...(group === undefined ? {} : { groupBy: [{ field: group.name }] }),
    }
  }
  // Paper is wide enough for the table.
  const isNarrow = useMedia('(width < 768px)') && !paper.isWhole
  useMainScroll(`report ${screen.id}`, isNarrow && !isLoading && tried === undefined)
  const body = (found: Shown) =>
    found.kind === 'rows' ? (
      <ReportRows screen={screen} answer={found.answer} columns={single.shown} sized={single.sized} deeds={single.deeds} sort={sort} onSort={(next) => setState({ sort: next.length === 0 ? screen.sort : next })} isLoading={isLoading} isWhole={paper.isWhole} isNarrow={isNarrow} />
    ) : (
      <Suspense fallback={<Skeleton lines={12} />}>
        <ReportSummary screen={screen} layout={found.layout} answer={found.answer} columns={grouped.layout} filters={state.filters} sort={sort} onSort={(next) => setState({ sort: next })} isLoading={isLoading} isNarrow={isNarrow} />
      </Suspense>
    )
  return (
    <section className={page['page']} aria-labelledby={id} data-keys="report">
      <header className={classes(page['head'], css['head'])}>
        <Heading id={id}>{t(screen.title)}</Heading>
        {tried === undefined && <ViewsMenu
          screen={screen.id}
          views={views}
          view={view}
          isModified={isModified}
          isMisfit={setup.dropped.length > 0}
          definition={() => ({ ...definitionOf(state, base), columns: columns.layout, ...shapeOf(delivered, query, layout, view?.Definition ?? {}) })}
          onChoose={chooseView}
          daysIn={(definition) => fixedDays(delivered, definition)}
        />}
        <SearchBox value={state.search} onSearch={(search, how) => setState({ search }, how)} />
        <div className={css['tools']}>
          <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
          <ColumnChooser columns={isSummary ? screen.measures : screen.columns} layout={columns.layout} onChange={columns.setLayout} onReset={columns.reset} />
          {isAsking && tried === undefined && <ExportButton screen={screen} seen={columns.shown} all={isSummary ? screen.measures : screen.columns} total={shown === undefined ? 0 : isSummary ? shown.answer.recordsTotal : rowsIn(shown)} question={exported} />}
          {tried === undefined && <ScheduleButton screen={screen} seen={isAsking ? (format) => exportBody(screen.id, format, columns.shown, exported()) : undefined} />}
          {tried === undefined && <IconButton icon="print" label={t('ui.print')} disabled={paper.isAll} onClick={isAsking ? paper.print : () => window.print()} />}
        </div>
      </header>
      <div className={css['setup']}>
        <ParameterBar
          parameters={screen.parameters}
          values={parameters}
          problems={problem?.errors ?? []}
          onChange={set}
          onName={(name, text) => setWords((before) => ({ ...before, [name]: text }))}
        />
        <LayoutBar screen={screen} layout={layout} plan={isAsking ? plan : undefined} onChange={setShape} />
      </div>
      {scope.bar}
      <div className={css['said']}>
        <FilterBar fields={screen.filters} filters={state.filters} onChange={(filters) => setState({ filters })} beside={scope.chips} onClear={() => setQuery((before) => new URLSearchParams(writeState({ ...state, filters: [], page: 1 }, scope.without(before), base)))} />
        {unfit.length === 0 && (
          <p className={css['sentence']}>
            {sayTogether(sayParameters(screen, shown?.answer.parameters ?? parameters, words), sayLayout(screen, layout, shown?.kind === 'summary' ? shown.answer.before : undefined))}
            {paper.isWhole && <PrintedAt />}
          </p>
        )}
      </div>
      {isAsking && plan !== undefined && (
        <div className={classes(css['card'], css['drawn'])}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <ReportChart screen={screen} layout={layout} plan={plan} narrowing={narrowing(parameters, state, scope.condition)} filters={state.filters} label={t('ui.report.chart-of', { report: t(screen.title) })} height={layout.show === 'chart' ? 380 : 240} />
          </Suspense>
        </div>
      )}
      {(layout.show !== 'chart' || plan === undefined || !isAsking) && (
        <div className={classes(css['card'], isNarrow && shown !== undefined && css['narrow'])}>
          {unfit.length > 0 ? (
            <EmptyState icon="chart" title={t('ui.report.choose', { fields: unfit.map((parameter) => t(parameter.label)).join(', ') })} />
          ) : problem !== undefined ? (
            <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
          ) : shown === undefined ? (
            <Skeleton lines={12} />
          ) : rowsIn(shown) === 0 ? (
            <EmptyState icon="chart" title={t(screen.empty)} />
          ) : (
            <>
              {paper.isPart && shown.answer.rows.length < shown.answer.recordsTotal && <p className={css['first']}>{t('ui.print.part', { n: formatNumber(shown.answer.rows.length), total: formatNumber(shown.answer.recordsTotal) })}</p>}
              {body(shown)}
              {paper.isAll && shown.answer.recordsTotal > mostPrinted && <p className={css['first']}>{t('ui.report.printed', { n: formatNumber(mostPrinted), total: formatNumber(shown.answer.recordsTotal) })}</p>}
              {tried !== undefined && shown.answer.recordsTotal > tried.most && <p className={css['first']}>{t('studio.first', { n: tried.most, total: formatNumber(shown.answer.recordsTotal) })}</p>}
              {tried === undefined && (shown.kind === 'rows' || shown.layout.rows.length > 0) && (
                <div className={css['pager']}>
                  <Pager
                    most={mostRows}
                    page={seen.page}
                    length={seen.length ?? defaultLength}
                    total={shown.answer.recordsTotal}
                    counter={shown.kind === 'rows' ? 'ui.counter' : 'ui.group.counter'}
                    onPage={(page) => setState({ page })}
                    onLength={(next) => {
                      if (!isSummary && isCommonSize(next)) setPageSize(next)
                      setState({ length: next })
                    }}
                  />
                </div>
              )}
            </>
          )}
        </div>
      )}
    </section>
  )
}

/** Figures on paper are of a moment. */
function PrintedAt() {
  const [at] = useState(() => new Date().toISOString())
  return ` · ${saidTime(at)}`
}

function isShownFirst(column: Column): boolean {
  return !column.hidden && column.importance !== 'low'
}

/** Columns a view keeps: those of its rows, or the measures of its groups, as it opens. */
function keptColumns(screen: ReportScreen, { columns }: ViewDefinition): { readonly rows?: Layout; readonly groups?: Layout } {
  if (columns === undefined) return {}
  const isSummary = isGrouped(readLayout(screen, new URLSearchParams()))
  const known = new Set((isSummary ? screen.measures : screen.columns).map(({ name }) => name))
  const fitting = columns.filter(({ name }) => known.has(name))
  return fitting.length === 0 ? {} : isSummary ? { groups: fitting } : { rows: fitting }
}

/** Single rows of the whole filter. */
function rowsIn(shown: Shown): number {
  if (shown.kind === 'rows') return shown.answer.recordsTotal
  return shown.answer.totals.reduce((sum, { cells: [cell] }) => sum + (cell?.count ?? 0), 0)
}

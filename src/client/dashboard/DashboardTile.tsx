import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ChartAnswer, TileAnswer, TileView } from '#api/dashboard.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { chartModel, type LeadOf } from '../charts/chartModel.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { useMayOpen } from '../companion/mayOpen.ts'
import { readTile } from '../data/dashboards.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import css from './DashboardTile.module.css'
import { ApprovalsTile } from './ApprovalsTile.tsx'
import { CountsTile } from './CountsTile.tsx'
import { KpiTile } from './KpiTile.tsx'
import { ListTile } from './ListTile.tsx'

interface DashboardTileProps {
  readonly dashboard: string
  readonly tile: TileView
  /** Counts up when everything is to be asked for again. */
  readonly round: number
}

/** One tile: its own request, skeleton, error and retry; asked again when the user comes back to the window. */
export function DashboardTile({ dashboard, tile, round }: DashboardTileProps) {
  const id = useId()
  const { value, problem, reload } = useAnswer(`tile ${dashboard} ${tile.id}`, (signal) => readTile(dashboard, tile.id, signal))
  const [isTable, setTable] = useState(false)
  const mayOpen = useMayOpen()
  useOnReturn(reload)
  useEffect(() => {
    if (round > 0) reload()
  }, [round, reload])
  const link = value === undefined || !('link' in value) || !mayOpen(value.link) ? undefined : value.link
  return (
    <section className={classes(css['tile'], css[tile.size], css[tile.kind])} aria-labelledby={id} aria-busy={value === undefined && problem === undefined}>
      <header className={css['head']}>
        <h2 id={id}>{link === undefined ? t(tile.title) : <Link to={link} className={css['link']}>{t(tile.title)}</Link>}</h2>
        {value?.kind === 'chart' && (
          <IconButton className={css['toggle']} icon={isTable ? 'chart' : 'density'} label={t(isTable ? 'ui.report.as-chart' : 'ui.report.as-table')} onClick={() => setTable(!isTable)} />
        )}
      </header>
      {problem !== undefined && (
        <div className={css['problem']} role="alert">
          <p>{problem.text}</p>
          <Button icon="refresh" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {value === undefined ? problem === undefined && <Waiting /> : <Content tile={tile} value={value} isTable={isTable} mayOpen={mayOpen} />}
    </section>
  )
}

interface ContentProps {
  readonly tile: TileView
  readonly value: TileAnswer
  readonly isTable: boolean
  readonly mayOpen: (path: string) => boolean
}

function Content({ tile, value, isTable, mayOpen }: ContentProps) {
  switch (value.kind) {
    case 'kpi':
      return <KpiTile answer={value} />
    case 'counts':
      return <CountsTile answer={value} mayOpen={mayOpen} />
    case 'chart':
      return <ChartTile answer={value} label={t(tile.title)} view={isTable ? 'table' : 'chart'} isOpen={mayOpen(value.link)} />
    case 'list':
      return <ListTile answer={value} label={t(tile.title)} mayOpen={mayOpen} />
    case 'approvals':
      return <ApprovalsTile answer={value} mayOpen={mayOpen} />
  }
}

interface ChartTileProps {
  readonly answer: ChartAnswer
  readonly label: string
  readonly view: 'chart' | 'table'
  /** May the report be opened? */
  readonly isOpen: boolean
}

/** A chart whose marks lead to their rows, as those on the page of its report do. */
function ChartTile({ answer, label, view, isOpen }: ChartTileProps) {
  const model = useMemo(() => {
    const { chart, summary, leads } = answer
    const placeOf: LeadOf = (row, at, isBefore) => {
      const lead = leads?.[chart.by === undefined ? 0 : summary.rows.indexOf(row)]?.[at ?? 0]
      return isBefore ? lead?.before : lead?.now
    }
    return chartModel(chart, summary, isOpen && leads !== undefined ? placeOf : undefined)
  }, [answer, isOpen])
  return <ChartView model={model} label={label} view={view} height={240} />
}

/** Grey where the figure will be; shows itself only when an answer takes its time. */
function Waiting() {
  return (
    <div className={css['waiting']} role="status" aria-label={t('ui.loading')}>
      <span />
      <span />
    </div>
  )
}

/** Numbers this old are asked for again when the window gets the focus back. */
const stale = 20_000

function useOnReturn(act: () => void): void {
  const last = useRef(0)
  useEffect(() => {
    last.current = Date.now()
    const onFocus = () => {
      if (document.visibilityState !== 'visible' || Date.now() - last.current < stale) return
      last.current = Date.now()
      act()
    }
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onFocus)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onFocus)
    }
  }, [act])
}

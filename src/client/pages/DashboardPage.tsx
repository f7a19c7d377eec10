import { useState } from 'react'
import type { DashboardScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { t } from '../app/messages.ts'
import { readDashboard } from '../data/dashboards.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { DashboardTile } from '../dashboard/DashboardTile.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './DashboardPage.module.css'

/** Figures, charts and short lists; each tile loads by itself and leads to where its numbers come from. */
export function DashboardPage({ screen }: PageProps<DashboardScreen>) {
  const [round, setRound] = useState(0)
  const { value, problem, reload } = useAnswer(`dashboard ${screen.id}`, (signal) => readDashboard(screen.id, signal))
  return (
    <section className={css['dashboard']}>
      <header className={css['head']}>
        <h1>{t(screen.title)}</h1>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={() => setRound((before) => before + 1)} />
      </header>
      {value === undefined ? (
        problem === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
        )
      ) : value.tiles.length === 0 ? (
        <EmptyState icon="chart" title={t('ui.nothing-allowed')} />
      ) : (
        <div className={css['grid']}>
          {value.tiles.map((tile) => (
            <DashboardTile key={tile.id} dashboard={screen.id} tile={tile} round={round} />
          ))}
        </div>
      )}
    </section>
  )
}

import { useNavigate } from 'react-router-dom'
import { routes } from '#generated/routes.ts'
import { pageTitle } from '../app/routeTable.ts'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { ScheduleList } from './ScheduleList.tsx'
import { listSchedules } from './schedules.ts'
import css from './Schedule.module.css'

/** All reports the user has sent at certain times. */
export function SchedulesPage() {
  const navigate = useNavigate()
  const { value, problem, reload } = useAnswer('schedules', (signal) => listSchedules(undefined, signal))
  const pathOf = (screen: string) => routes.find((route) => route.screen === screen)?.path
  return (
    <section className={css['page']} aria-label={t('page.report-schedules')}>
      <header className={css['head']}>
        <h1>{t('page.report-schedules')}</h1>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
      </header>
      <p className={css['hint']}>{t('schedule.about')}</p>
      {problem !== undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={6} />
      ) : value.records.length === 0 ? (
        <EmptyState icon="calendar" title={t('schedule.none-yet')} />
      ) : (
        <div className={css['card']}>
          <ScheduleList
            records={value.records}
            onChanged={reload}
            onEdit={({ ID, Request }) => void navigate(`${pathOf(Request.screen) ?? '/home'}?schedule=${ID}`)}
            reportOf={({ Request }) => t(pageTitle(pathOf(Request.screen) ?? '') ?? '')}
          />
        </div>
      )}
    </section>
  )
}

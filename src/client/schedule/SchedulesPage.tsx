import { useNavigate } from 'react-router-dom'
import { routes } from '#generated/routes.ts'
import { pageTitle } from '../app/routeTable.ts'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { RecordsPage } from '../ui/Records.tsx'
import { ScheduleList } from './ScheduleList.tsx'
import { listSchedules } from './schedules.ts'

/** All reports the user has sent at certain times. */
export function SchedulesPage() {
  const navigate = useNavigate()
  const { value, problem, reload } = useAnswer('schedules', (signal) => listSchedules(undefined, signal))
  const pathOf = (screen: string) => routes.find((route) => route.screen === screen)?.path
  return (
    <RecordsPage title={t('page.report-schedules')} hint={t('schedule.about')} tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />}>
      <ScheduleList
        records={value?.records}
        problem={problem?.text}
        empty={t('schedule.none-yet')}
        onChanged={reload}
        onEdit={({ ID, Request }) => void navigate(`${pathOf(Request.screen) ?? '/home'}?schedule=${ID}`)}
        reportOf={({ Request }) => t(pageTitle(pathOf(Request.screen) ?? '') ?? '')}
      />
    </RecordsPage>
  )
}

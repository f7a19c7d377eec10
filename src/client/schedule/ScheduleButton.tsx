import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import type { ExportBody, ExportFormat } from '#api/export.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { sessionAtom } from '../data/session.ts'
import { IconButton } from '../ui/Button.tsx'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx').then((module) => ({ default: module.ScheduleDialog })))

interface ScheduleButtonProps {
  readonly screen: ReportScreen
  /** What is seen now, as a file is asked for; undefined: nothing yet. */
  readonly seen: ((format: ExportFormat) => ExportBody) | undefined
}

/** Opens the times at which this report goes out by mail; `?schedule=` in the address opens them with one of them in hand. */
export function ScheduleButton({ screen, seen }: ScheduleButtonProps) {
  const guards = useAtomValue(sessionAtom)?.guards
  const [query, setQuery] = useUrlQuery()
  const asked = query.get('schedule')
  if (guards?.has(screen.guard.replace(/-view$/, '-export')) !== true) return null
  const open = (which: string | undefined) => setQuery({ schedule: which }, { preventScrollReset: true })
  return (
    <>
      <IconButton icon="calendar" label={t('schedule.title')} aria-haspopup="dialog" onClick={() => open('all')} />
      {asked !== null && (
        <Suspense>
          <ScheduleDialog screen={screen} seen={seen} start={Number(asked)} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}

import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ExportBody, ExportFormat } from '#api/export.ts'
import type { ReportSchedule } from '#api/schedule.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'
import { ScheduleList } from './ScheduleList.tsx'
import { listSchedules } from './schedules.ts'

interface ScheduleDialogProps {
  readonly screen: ReportScreen
  readonly seen: ((format: ExportFormat) => ExportBody) | undefined
  /** Id of the schedule to begin with; none: NaN. */
  readonly start: number
  readonly onClose: () => void
}

/** The user's schedules of one report: those there are, and a form for a new one or one of them. */
export function ScheduleDialog({ screen, seen, start, onClose }: ScheduleDialogProps) {
  const navigate = useNavigate()
  const { value, problem, reload } = useAnswer(`schedules ${screen.id}`, (signal) => listSchedules(screen.id, signal))
  const [edited, setEdited] = useState<ReportSchedule | 'new' | 'closed'>()
  const records = value?.records
  const current = edited ?? records?.find(({ ID }) => ID === start) ?? 'closed'
  const report = t(screen.title)
  if (current !== 'closed') {
    return (
      <ScheduleForm
        screen={screen}
        seen={seen}
        schedule={current === 'new' ? undefined : current}
        onClose={() => setEdited('closed')}
        onSaved={(name) => {
          setEdited('closed')
          reload()
          void notify({ tone: 'success', text: t('schedule.saved', { name }) })
        }}
      />
    )
  }
  return (
    <Dialog
      title={t('schedule.of', { report })}
      onClose={onClose}
      footer={
        <>
          <Button look="plain" onClick={() => void navigate('/report-schedules')}>
            {t('schedule.all')}
          </Button>
          <Button look="primary" icon="plus" disabled={seen === undefined} onClick={() => setEdited('new')}>
            {t('schedule.new')}
          </Button>
        </>
      }
    >
      <ScheduleList isBare records={records} problem={problem?.text} empty={t('schedule.none')} onChanged={reload} onEdit={setEdited} />
    </Dialog>
  )
}

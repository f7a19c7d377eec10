import { useEffect, useState } from 'react'
import type { ReportSchedule } from '#api/schedule.ts'
import { inWords, t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import type { Answer } from '../data/http.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { RecordItem, Records } from '../ui/Records.tsx'
import { deleteSchedule, saveSchedule, sayTime, sendSchedule } from './schedules.ts'

interface ScheduleListProps {
  /** Undefined: not answered yet. */
  readonly records: readonly ReportSchedule[] | undefined
  readonly problem: string | undefined
  /** Said where there are none. */
  readonly empty: string
  /** Inside a dialog: without a frame. */
  readonly isBare?: boolean
  readonly onChanged: () => void
  readonly onEdit: (schedule: ReportSchedule) => void
  /** Name of the report of each, where there are several. */
  readonly reportOf?: (schedule: ReportSchedule) => string
}

/** Schedules with when and to whom they go, what became of the last one, and what can be done with them. */
export function ScheduleList({ records, problem, empty, isBare = false, onChanged, onEdit, reportOf }: ScheduleListProps) {
  return (
    <Records records={records} problem={problem === undefined ? undefined : { title: t('ui.load-failed'), text: problem, onRetry: onChanged }} empty={{ icon: 'calendar', title: empty }} isBare={isBare}>
      {(schedule) => <Schedule key={schedule.ID} schedule={schedule} report={reportOf?.(schedule)} onChanged={onChanged} onEdit={() => onEdit(schedule)} />}
    </Records>
  )
}

function Schedule({ schedule, report, onChanged, onEdit }: { readonly schedule: ReportSchedule; readonly report: string | undefined; readonly onChanged: () => void; readonly onEdit: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { Name, IsActive, NextAt, LastAt, LastState, Problem, Recipients, Request } = schedule
  // When it last went as it was sent by hand: until that has moved it is on its way, and its next time is past.
  const [sentAfter, setSentAfter] = useState<string | null>()
  const isDue = IsActive && sentAfter === LastAt
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setTimeout(onChanged, 2_000)
    return () => clearTimeout(timer)
  }, [isDue, schedule, onChanged])
  const act = async (asking: Promise<Answer<unknown>>, done: string) => {
    setBusy(true)
    const answer = await asking
    setBusy(false)
    if (answer.ok) void notify({ tone: 'success', text: done })
    else void notify({ tone: 'error', title: t('schedule.refused'), text: answer.problem.errors[0]?.text ?? answer.problem.text, lasts: 6000 })
    onChanged()
    return answer.ok
  }
  const send = async () => {
    if (await act(sendSchedule(schedule), t('schedule.sending', { name: Name }))) setSentAfter(LastAt)
  }
  const leftOut = Recipients.filter((person) => person.IsLeftOut)
  const last = LastAt === null || LastState === null ? undefined : t(`schedule.last.${LastState}`, { at: saidTime(LastAt) })
  return (
    <RecordItem
      title={Name}
      badge={<Badge tone={IsActive ? (LastState === 'FAILED' ? 'warning' : 'positive') : 'neutral'}>{t(IsActive ? 'schedule.active' : 'schedule.stopped')}</Badge>}
      facts={[
        [report === Name ? undefined : report, sayTime(schedule), Request.format === 'xlsx' ? 'Excel' : 'CSV', Recipients.map((person) => person.Name).join(', ')].filter(Boolean).join(' · '),
        [isDue ? t('schedule.due') : IsActive ? t('schedule.next', { at: saidTime(NextAt) }) : undefined, last].filter(Boolean).join(' · '),
      ]}
      problem={Problem !== null ? inWords(Problem) : leftOut.length > 0 ? t('schedule.left-out', { people: leftOut.map((person) => person.Name).join(', ') }) : undefined}
      deeds={
        isDeleting ? (
          <>
            <span>{t('schedule.delete-sure')}</span>
            <Button look="negative" busy={isBusy} onClick={() => void act(deleteSchedule(schedule), t('schedule.deleted', { name: Name }))}>
              {t('ui.view.delete')}
            </Button>
            <Button onClick={() => setDeleting(false)}>{t('ui.cancel')}</Button>
          </>
        ) : (
          <>
            {IsActive && (
              <Button busy={isBusy} onClick={() => void send()}>
                {t('schedule.send')}
              </Button>
            )}
            <Button busy={isBusy} onClick={() => void act(saveSchedule(schedule, { IsActive: !IsActive }), t(IsActive ? 'schedule.now-stopped' : 'schedule.now-active', { name: Name }))}>
              {t(IsActive ? 'schedule.stop' : 'schedule.resume')}
            </Button>
            <Button icon="edit" onClick={onEdit}>
              {t('ui.edit')}
            </Button>
            <Button look="plain" icon="trash" aria-label={t('schedule.delete-one', { name: Name })} onClick={() => setDeleting(true)}>
              {t('ui.view.delete')}
            </Button>
          </>
        )
      }
    />
  )
}

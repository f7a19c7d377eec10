import type { HistoryEntry } from '#api/data.ts'
import type { Choice } from '#meta/resolved.ts'
import { formatDate, formatMoney, formatTime } from '../app/format.ts'
import { t, tFirst } from '../app/messages.ts'
import { readHistory } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './HistoryTab.module.css'

interface HistoryTabProps {
  readonly resource: string
  readonly id: number
  readonly states: readonly Choice[]
  /** Labels of the entity's columns, by column name. */
  readonly labels: Readonly<Record<string, string>>
}

/** Who did what when, with every field that changed. Newest first. */
export function HistoryTab({ resource, id, states, labels }: HistoryTabProps) {
  const { value, problem, reload } = useAnswer(`history ${resource} ${id}`, (signal) => readHistory(resource, id, signal))
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={5} />
  if (value.records.length === 0) return <EmptyState title={t('ui.history.none')} icon="clock" />
  return (
    <ol className={css['history']}>
      {value.records.map((entry) => (
        <Entry key={entry.ID} entry={entry} states={states} labels={labels} />
      ))}
    </ol>
  )
}

function Entry({ entry, states, labels }: { readonly entry: HistoryEntry; readonly states: readonly Choice[]; readonly labels: Readonly<Record<string, string>> }) {
  const to = states.find((state) => state.value === entry.ToStatus)
  const from = states.find((state) => state.value === entry.FromStatus)
  return (
    <li className={css['entry']}>
      <div className={css['head']}>
        <strong>{tFirst([`ui.history.${entry.Action}`, `action.${entry.Action}`], entry.Action)}</strong>
        {from !== undefined && to !== undefined && from !== to && (
          <>
            <Badge tone={from.tone}>{t(from.label)}</Badge> → <Badge tone={to.tone}>{t(to.label)}</Badge>
          </>
        )}
        <span className={css['who']}>
          {entry.ActorName} · <time dateTime={entry.At}>{formatTime(entry.At)}</time>
        </span>
      </div>
      {entry.Note !== null && entry.Note !== '' && <p className={css['note']}>{entry.Note}</p>}
      {entry.Diff.length > 0 && (
        <dl className={css['changes']}>
          {entry.Diff.map((change) => (
            <div key={change.Field}>
              <dt>{tFirst([labels[change.Field] ?? '', change.Label], change.Field)}</dt>
              <dd>
                <del>{shown(change.From)}</del> → <ins>{shown(change.To)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('ui.nothing')
  if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDate(text)
  return /^-?\d+\.\d{2}$/.test(text) ? formatMoney(text) : text
}

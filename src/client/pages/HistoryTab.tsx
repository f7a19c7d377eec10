import type { HistoryChange, HistoryEntry } from '#api/data.ts'
import type { Choice, FieldType } from '#meta/resolved.ts'
import { t, tFirst } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { readHistory } from '../data/aboutRecord.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { isNothing } from '../form/same.ts'
import { cellOf } from '../table/cells.tsx'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './HistoryTab.module.css'

interface HistoryTabProps {
  readonly resource: string
  readonly id: number
  readonly states: readonly Choice[]
}

/** Who did what when, with every field that changed, of the lines too. Newest first. */
export function HistoryTab({ resource, id, states }: HistoryTabProps) {
  const { value, problem, reload } = useAnswer(`history ${resource} ${id}`, (signal) => readHistory(resource, id, signal))
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={5} />
  if (value.records.length === 0) return <EmptyState title={t('ui.history.none')} icon="clock" />
  return (
    <ol className={css['history']}>
      {value.records.map((entry) => (
        <Entry key={entry.ID} entry={entry} states={states} />
      ))}
    </ol>
  )
}

/** An action is called by what it did, by what it is called on its button, or by the state it led to. */
export function wordsOf(action: string): readonly string[] {
  return [`ui.history.${action}`, `action.${action}`, `enum.${action.toUpperCase()}`]
}

function Entry({ entry, states }: { readonly entry: HistoryEntry; readonly states: readonly Choice[] }) {
  const to = states.find((state) => state.value === entry.ToStatus)
  const from = states.find((state) => state.value === entry.FromStatus)
  const header = entry.Diff.filter((change) => change.Line === null)
  const lines = [...new Set(entry.Diff.flatMap((change) => change.Line ?? []))].toSorted((a, b) => a - b)
  const isLine = ({ Type }: HistoryChange) => Type === 'line'
  const actor = entry.ActorName ?? t('ui.history.system')
  return (
    <li className={css['entry']}>
      <div className={css['head']}>
        <strong>{tFirst(wordsOf(entry.Action), entry.Action)}</strong>
        {from !== undefined && to !== undefined && from !== to && (
          <>
            <Badge tone={from.tone}>{t(from.label)}</Badge> → <Badge tone={to.tone}>{t(to.label)}</Badge>
          </>
        )}
        <span className={css['who']}>
          {entry.OnBehalfOfName === null ? actor : t('ui.on-behalf', { name: actor, other: entry.OnBehalfOfName })} · <Moment at={entry.At} />
        </span>
      </div>
      {entry.Note !== null && entry.Note !== '' && <p className={css['note']}>{entry.Note}</p>}
      {header.length > 0 && <Changes changes={header} />}
      {lines.map((line) => {
        const changes = entry.Diff.filter((change) => change.Line === line)
        return (
          <div key={line} className={css['line']}>
            <h3>{`${t('ui.history.line')} ${line}`}</h3>
            {changes.filter(isLine).map((change) => (
              <WholeLine key={change.Field} change={change} />
            ))}
            <Changes changes={changes.filter((change) => !isLine(change))} />
          </div>
        )
      })}
    </li>
  )
}

function Changes({ changes }: { readonly changes: readonly HistoryChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={css['changes']}>
      {changes.map((change) => (
        <div key={change.Field}>
          <dt>{tFirst([change.Label], change.Field)}</dt>
          <dd>
            {isNothing(change.From) ? t('ui.nothing') : <del>{shown(change.Type, change.Choices, change.From)}</del>} → <ins>{shown(change.Type, change.Choices, change.To)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A line that came or went, with what stood in it. */
function WholeLine({ change }: { readonly change: HistoryChange }) {
  const isNew = change.From === null
  const text = (change.Parts ?? []).map((part) => `${t(part.Label)} ${shown(part.Type, part.Choices, part.Value)}`).join(' · ')
  return (
    <p className={css['whole']}>
      <Badge tone={isNew ? 'positive' : 'negative'}>{t(isNew ? 'ui.history.line-added' : 'ui.history.line-removed')}</Badge> {isNew ? <ins>{text}</ins> : <del>{text}</del>}
    </p>
  )
}

/** A value as its field is shown anywhere else. References come as code and name. */
function shown(type: HistoryChange['Type'], choices: HistoryChange['Choices'], value: unknown): string {
  if (isNothing(value)) return t('ui.nothing')
  if (type === 'boolean') return t(value === true ? 'ui.yes' : 'ui.no')
  if (type === 'line' || type === 'ref') return String(value)
  const field = { name: '', wire: '', label: '', type: type satisfies FieldType, required: false, readOnly: true, ...(choices === undefined ? {} : { choices }) }
  return cellOf(type).text(value, field, {}) || t('ui.nothing')
}

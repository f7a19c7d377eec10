import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { readHistory } from '../data/aboutRecord.ts'
import { useAnswer } from '../data/useAnswer.ts'
import css from './Refusal.module.css'

/** Why a document is back: who has rejected or returned it last, with what he said. Nothing where it has not been, or has gone on since. */
export function Refusal({ resource, id }: { readonly resource: string; readonly id: number }) {
  const { value } = useAnswer(`history ${resource} ${id}`, (signal) => readHistory(resource, id, signal))
  const last = value?.records.find(({ FromStatus, ToStatus }) => ToStatus !== null && FromStatus !== ToStatus)
  if (last === undefined || (last.Action !== 'reject' && last.Action !== 'return')) return null
  const actor = last.ActorName ?? t('ui.history.system')
  const name = last.OnBehalfOfName === null ? actor : t('ui.on-behalf', { name: actor, other: last.OnBehalfOfName })
  return (
    <aside className={css['refusal']}>
      <strong>{t(`ui.refusal.${last.Action}`, { name })}</strong>
      {last.Note !== null && last.Note !== '' && <p>{last.Note}</p>}
      <span>
        <Moment at={last.At} />
      </span>
    </aside>
  )
}

import type { ApprovalRow } from '#api/approval.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import css from './HeldBar.module.css'
import { undoMs, type Held } from './heldQueue.ts'
import type { Made } from './useDecisions.tsx'

interface HeldBarProps {
  readonly held: readonly Held<Made>[]
  readonly onUndo: (held: Held<Made>) => void
  /** Decided by somebody else before the decision made here arrived. */
  readonly moved: readonly ApprovalRow[]
  readonly onShow: (row: ApprovalRow) => void
}

/** What has been decided and can still be undone; and what somebody else was faster with. It lies over the page: nothing under a finger moves for it. */
export function HeldBar({ held, onUndo, moved, onShow }: HeldBarProps) {
  return (
    <div className={css['bar']} role="status">
      {held.map((one) => {
        const { decision, rows } = one.item
        return (
          <div key={rows[0]?.ID} className={css['line']}>
            <span>{t(`ui.approval.held.${decision}`, { document: rows.length === 1 ? rows[0]?.DocCode : t('ui.approval.requests', { n: formatNumber(rows.length) }) })}</span>
            <Button icon="undo" onClick={() => onUndo(one)}>
              {t('ui.undo')}
            </Button>
            <span className={css['time']} style={{ animationDuration: `${undoMs}ms` }} />
          </div>
        )
      })}
      {moved.map((row) => (
        <div key={row.ID} className={css['line']}>
          <span>{t('ui.approval.moved', { document: row.DocCode })}</span>
          <Button onClick={() => onShow(row)}>{t('ui.show')}</Button>
        </div>
      ))}
    </div>
  )
}

import { useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { say } from '../form/message.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { refusedOf, type PasteReport, type Rejected } from './paste.ts'
import type { LineStore } from './lineStore.ts'

interface PasteResultProps {
  /** `failed`: its codes could not be looked up. */
  readonly report: PasteReport | 'failed'
  readonly store: LineStore
  readonly onClose: () => void
  readonly onJump: (cell: Rejected) => void
}

/** What became of a paste: every refused cell with its row, column and reason, until it is put right. Where all went well the cells themselves say so. */
export function PasteResult({ report, ...rest }: PasteResultProps) {
  return report === 'failed' ? <PasteNote isBad text={t('ui.paste.failed')} onClose={rest.onClose} /> : <PasteOutcome report={report} {...rest} />
}

function PasteOutcome({ report, store, onClose, onJump }: PasteResultProps & { readonly report: PasteReport }) {
  const rows = useSyncExternalStore(store.onAny, () => store.rows)
  const cells = useMemo(() => refusedOf(rows, store.columns, report), [rows, store, report])
  if (store.steps < report.steps || cells.length + report.skipped + report.overflow === 0) return null
  const notes = [
    t('ui.paste.taken', { count: formatNumber(report.total - cells.length) }),
    report.skipped > 0 && t('ui.paste.skipped', { count: formatNumber(report.skipped) }),
    report.foreign.length > 0 && t('ui.paste.foreign', { names: report.foreign.join(', ') }),
    report.overflow > 0 && t('ui.paste.overflow', { count: formatNumber(report.overflow) }),
    cells.length > 0 && t('ui.paste.rejected', { count: formatNumber(cells.length) }),
  ].filter((note) => note !== false)
  return (
    <PasteNote isBad={cells.length > 0} text={notes.join(' ')} onClose={onClose}>
      {cells.length > 0 && (
        <ul>
          {cells.map((cell) => (
            <li key={`${cell.row} ${cell.column.wire}`}>
              <button type="button" onClick={() => onJump(cell)}>
                {t('ui.paste.cell', { row: cell.row, column: t(cell.column.label), text: cell.text, reason: say(cell.reason, t) })}
              </button>
            </li>
          ))}
        </ul>
      )}
    </PasteNote>
  )
}

/** Said over the lines until it is closed. */
export function PasteNote({ isBad, text, onClose, children }: { readonly isBad: boolean; readonly text: string; readonly onClose: () => void; readonly children?: ReactNode }) {
  return (
    <div className={classes(css['report'], isBad && css['hasRejected'])} role="status">
      <p>
        {text}
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </p>
      {children}
    </div>
  )
}

import { formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { say } from '../../form/message.ts'
import { PasteNote } from '../../grid/PasteResult.tsx'
import { Button } from '../../ui/Button.tsx'
import type { Lines } from './allocation.ts'
import type { PastedInvoices } from './pasteAllocation.ts'

/** What became of a paste, and the lines before and after it. */
export interface Told extends Omit<PastedInvoices, 'lines'> {
  /** Whose invoices they are. */
  readonly customerId: number
  readonly before: Lines
  readonly after: Lines
}

/** Invoices ticked by a paste and every row refused with its reason; `onUndo` as long as nothing else has been entered since. */
export function PastedNote({ told: { taken, refused }, onUndo, onClose }: { readonly told: Told; readonly onUndo: (() => void) | undefined; readonly onClose: () => void }) {
  const notes = [t('ui.payment.pasted', { count: formatNumber(taken) }), refused.length > 0 && t('ui.paste.rejected', { count: formatNumber(refused.length) })].filter((note) => note !== false)
  return (
    <PasteNote isBad={refused.length > 0} text={notes.join(' ')} onClose={onClose}>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ row, text, reason }) => (
            <li key={row}>{t('ui.payment.pasted-row', { row, text, reason: say(reason, t) })}</li>
          ))}
        </ul>
      )}
      {onUndo !== undefined && (
        <Button look="plain" onClick={onUndo}>
          {t('ui.grid.undo')}
        </Button>
      )}
    </PasteNote>
  )
}

import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Obstacles } from '../app/Obstacles.tsx'
import { words } from '../ui/words.ts'
import type { RowWarnings } from './runAction.ts'
import css from './WarningsDialog.module.css'

interface WarningsDialogProps {
  readonly title: string
  readonly warned: readonly RowWarnings[]
  readonly isBusy: boolean
  readonly onAccept: () => void
  readonly onClose: () => void
}

/** What a person must see before the server goes on: each warning with its document. */
export function WarningsDialog({ title, warned, isBusy, onAccept, onClose }: WarningsDialogProps) {
  return (
    <Dialog
      title={t('ui.warnings.title', { action: title })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words().cancel}</Button>
          <Button look="primary" busy={isBusy} onClick={onAccept}>
            {t('ui.warnings.accept')}
          </Button>
        </>
      }
    >
      <p>{t('ui.warnings.text')}</p>
      <ul className={css['list']}>
        {warned.map((row) => (
          <li key={row.id}>
            {row.label !== '' && <strong>{row.label}</strong>}
            <ul className={css['warnings']}>
              {row.warnings.map((warning) => (
                <li key={warning.id}>
                  {warning.text}
                  {warning.obstacles !== undefined && <Obstacles obstacles={warning.obstacles} beside />}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

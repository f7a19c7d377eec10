import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Obstacles } from '../app/Obstacles.tsx'
import css from './FormView.module.css'
import type { Warning } from '#api/envelope.ts'

/** The server wants a person to have seen these before it goes on. */
export function WarningsDialog({ warnings, onContinue, onClose }: { readonly warnings: readonly Warning[]; readonly onContinue: () => void; readonly onClose: () => void }) {
  return (
    <Dialog
      title={t('ui.warnings.title')}
      onClose={onClose}
      onSubmit={onContinue}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary">
            {t('ui.warnings.continue')}
          </Button>
        </>
      }
    >
      <p>{t('ui.warnings.text')}</p>
      <ul className={css['warnings']}>
        {warnings.map((warning) => (
          <li key={warning.id}>
            {warning.text}
            {warning.obstacles !== undefined && <Obstacles obstacles={warning.obstacles} beside />}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

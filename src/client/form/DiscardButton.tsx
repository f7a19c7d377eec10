import { useState } from 'react'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import type { FormSession } from './formSession.ts'

/** Takes everything entered away again, draft included. It stands beside the buttons that are meant, so it asks first. */
export function DiscardButton({ session }: { readonly session: FormSession }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="plain" onClick={() => setAsking(true)}>
        {t('ui.form.discard')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('ui.form.discardTitle')}
          text={t('ui.form.discardText')}
          confirm={t('ui.form.discard')}
          look="negative"
          onConfirm={() => session.discard()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useHistory } from './historyContext.ts'
import { t } from './messages.ts'

/** The password is too old: nothing else goes on until it is changed. */
export function PasswordAlert() {
  const history = useHistory()
  return (
    <Dialog
      title={t('ui.password-age.title')}
      dismissable={false}
      onClose={() => undefined}
      footer={
        <Button look="primary" onClick={() => history.push('/profile/change-password')}>
          {t('ui.password-age.button')}
        </Button>
      }
    >
      <p>{t('ui.password-age.text')}</p>
    </Dialog>
  )
}

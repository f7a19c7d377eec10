import { useId, useState } from 'react'
import { send } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import input from '../ui/input.module.css'
import { t } from './messages.ts'

const reloadAfterMs = 2000

/** The terms of service, to be agreed to before work goes on. */
export function TermsDialog() {
  const id = useId()
  const [agrees, setAgrees] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const answer = await send({ method: 'PUT', path: '/api/v1/setting/tos', body: { agree: true } })
    if (answer.ok) setTimeout(() => location.reload(), reloadAfterMs)
    else setBusy(false)
  }
  return (
    <Dialog
      title={t('ui.terms.title')}
      dismissable={false}
      onClose={() => undefined}
      footer={
        <Button look="primary" disabled={!agrees} busy={isBusy} onClick={() => void submit()}>
          {t('ui.terms.submit')}
        </Button>
      }
    >
      <div className={input['stack']}>
        <p>{t('ui.terms.text')}</p>
        <label htmlFor={id}>
          <input id={id} type="checkbox" className={input['check']} checked={agrees} onChange={(event) => setAgrees(event.target.checked)} /> {t('ui.terms.agree')}
        </label>
      </div>
    </Dialog>
  )
}

import { useLocation } from 'react-router-dom'
import { useHistory } from '../app/historyContext.ts'
import { troubleOf } from '../app/leave.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'
import css from './ErrorPage.module.css'

/** The server has failed: what to tell support, and the way back to where it happened. What was typed there is offered again as a draft. */
export function ServerErrorPage() {
  const history = useHistory()
  const trouble = troubleOf(useLocation())
  return (
    <ErrorPage code="500" title={t('ui.server-error.title')} text={t('ui.server-error.text')}>
      {trouble?.incident !== undefined && (
        <p className={css['incident']}>
          {t('ui.server-error.incident')} <code>{trouble.incident}</code>
          {/* Absent on a plain http address. */}
          {'clipboard' in navigator && (
            <Button look="plain" icon="copy" onClick={() => void navigator.clipboard.writeText(trouble.incident ?? '')}>
              {t('ui.copy-number')}
            </Button>
          )}
        </p>
      )}
      {trouble !== undefined && (
        <Button look="primary" icon="refresh" onClick={() => history.replace(trouble.from)}>
          {t('ui.retry')}
        </Button>
      )}
    </ErrorPage>
  )
}

import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { ErrorPage } from './ErrorPage.tsx'

export function ServerErrorPage() {
  return (
    <ErrorPage code="500" title={t('ui.server-error.title')} text={t('ui.server-error.text')}>
      <Link to="/home">{t('ui.go-home')}</Link>
    </ErrorPage>
  )
}

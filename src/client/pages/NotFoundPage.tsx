import { t } from '../app/messages.ts'
import { ErrorPage } from './ErrorPage.tsx'

export function NotFoundPage() {
  return <ErrorPage code="404" title={t('ui.not-found.title')} text={t('ui.not-found.text')} />
}

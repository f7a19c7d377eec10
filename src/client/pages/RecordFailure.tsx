import { useLocation } from 'react-router-dom'
import { documentPath } from '../app/documents.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { matchRoute } from '../app/routeTable.ts'
import { ErrorState } from '../ui/States.tsx'
import type { Refusal } from '../data/http.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'

interface RecordFailureProps {
  readonly title: string
  readonly problem: Refusal | undefined
  readonly entity: string
  readonly onRetry: () => void
  /** In a panel the list stands beside it. */
  readonly inPanel?: boolean
}

/** Why a record is not shown. Where there is none, another try would find none either: the way leads to its list. */
export function RecordFailure({ title, problem, entity, onRetry, inPanel = false }: RecordFailureProps) {
  const { pathname } = useLocation()
  const text = problem?.text ?? ''
  if (problem?.status !== 404) return <ErrorState title={title} text={text} onRetry={onRetry} />
  const list = inPanel ? undefined : listOf(pathname, entity)
  return (
    <ErrorState title={t('ui.record-missing')} text={text}>
      {list?.title !== undefined && <Link to={list.path}>{t('ui.record-missing.list', { list: t(list.title) })}</Link>}
    </ErrorState>
  )
}

/** The list the page belongs to; else the one of the pages that show such records. */
export function listOf(pathname: string, entity: string): ClientRoute | undefined {
  const own = parentOf(matchRoute(pathname)?.route)
  return own ?? parentOf(matchRoute(documentPath(entity, 0) ?? pathname)?.route)
}

function parentOf(route: ClientRoute | undefined): ClientRoute | undefined {
  const guard = route !== undefined && typeof route.guard === 'object' ? route.guard : undefined
  return guard === undefined || guard.url === route?.path ? undefined : matchRoute(guard.url)?.route
}

import type { ApprovalsAnswer } from '#api/dashboard.ts'
import { Link } from '../app/Link.tsx'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Badge } from '../ui/Badge.tsx'
import css from './DashboardTile.module.css'

/** How many documents wait in each queue; an empty queue is named as well, so that nobody wonders. */
export function ApprovalsTile({ answer, mayOpen }: { readonly answer: ApprovalsAnswer; readonly mayOpen: (path: string) => boolean }) {
  return (
    <ul className={css['entries']}>
      {answer.items.map(({ docType, title, count, link }) => {
        const content = (
          <>
            <span>{t(title)}</span>
            <Badge tone={count > 0 ? 'warning' : 'neutral'}>{formatNumber(count)}</Badge>
          </>
        )
        return <li key={`${docType} ${link}`}>{mayOpen(link) ? <Link to={link}>{content}</Link> : <div>{content}</div>}</li>
      })}
    </ul>
  )
}

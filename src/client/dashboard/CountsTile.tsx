import type { CountsAnswer } from '#api/dashboard.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { Badge } from '../ui/Badge.tsx'
import css from './DashboardTile.module.css'
import { amountsOf, fullText, markedText } from './figure.tsx'

/** Figures with their names, each leading to its own place. */
export function CountsTile({ answer, mayOpen }: { readonly answer: CountsAnswer; readonly mayOpen: (path: string) => boolean }) {
  return (
    <ul className={css['entries']}>
      {answer.items.map((item) => {
        const content = (
          <>
            <span>{t(item.title)}</span>
            <span className={css['badges']}>
              {amountsOf(item.amounts).map((amount) => (
                <Badge key={amount.currency ?? ''} tone={item.tone} title={fullText(item.type, amount.value)}>
                  {markedText(item.type, amount.value, amount.currency, item.amounts.length > 1)}
                </Badge>
              ))}
            </span>
          </>
        )
        return <li key={item.id}>{mayOpen(item.link) ? <Link to={item.link}>{content}</Link> : <div>{content}</div>}</li>
      })}
    </ul>
  )
}

import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import type { JournalView } from '#api/data.ts'
import { exact } from '#base/decimal.ts'
import { standardView, withQuery } from '#meta/placeLink.ts'
import { isAllowed } from '#api/menuAccess.ts'
import { formatDate, formatMoney } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t, tFirst } from '../app/messages.ts'
import { matchRoute } from '../app/routeTable.ts'
import { readJournals } from '../data/aboutRecord.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import css from './JournalTab.module.css'

const report = '/report/journal'

/** The journals a document has made: accounts, debit, credit, both sides equal. Number and account lead into the journal report where the user may open it. */
export function JournalTab({ resource, id }: { readonly resource: string; readonly id: number }) {
  const { value, problem, reload } = useAnswer(`journal ${resource} ${id}`, (signal) => readJournals(resource, id, signal))
  const menu = useAtomValue(sessionAtom)?.menu ?? []
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={5} />
  if (value.records.length === 0) return <EmptyState title={t('ui.journal.none')} />
  const route = matchRoute(report)?.route
  const mayDrill = route !== undefined && isAllowed(route, menu)
  return (
    <div className={css['journals']}>
      {value.records.map((journal) => (
        <Journal key={journal.ID} journal={journal} mayDrill={mayDrill} />
      ))}
    </div>
  )
}

function Journal({ journal, mayDrill }: { readonly journal: JournalView; readonly mayDrill: boolean }) {
  // Beside both amounts there is no room for names: they stand over them.
  const isNarrow = useMedia('(width < 576px)')
  const isBalanced = exact(journal.TotalDebit).eq(journal.TotalCredit)
  const day = journal.PostingDate.slice(0, 10)
  const whole = withQuery(report, [['date_from', day], ['date_to', day], ['f.journal_code', `eq:${JSON.stringify(journal.Code)}`], standardView])
  const account = (code: string) => withQuery(report, [['date_from', `${day.slice(0, 7)}-01`], ['date_to', day], ['account_from', code], ['account_to', code], standardView])
  const sides = (
    <>
      <th scope="col" className={css['amount']}>
        {t('ui.journal.debit')}
      </th>
      <th scope="col" className={css['amount']}>
        {t('ui.journal.credit')}
      </th>
    </>
  )
  const total = (
    <th scope="row" colSpan={2}>
      {t('ui.total')}
    </th>
  )
  return (
    <section className={css['journal']}>
      <header className={css['head']}>
        <h2>{mayDrill ? <Link to={whole}>{journal.Code}</Link> : journal.Code}</h2>
        <span>{formatDate(journal.PostingDate)}</span>
        <Badge>{tFirst([`event.${journal.SourceEvent.replace(/_REV$/, '')}`], journal.SourceEvent)}</Badge>
        {journal.ReversalOfCode !== null && <Badge tone="negative">{t('ui.journal.reverses', { journal: journal.ReversalOfCode })}</Badge>}
        {journal.ReversedByCode !== null && <Badge tone="negative">{t('ui.journal.reversed-by', { journal: journal.ReversedByCode })}</Badge>}
        <Badge tone={isBalanced ? 'positive' : 'negative'}>{t(isBalanced ? 'ui.journal.balanced' : 'ui.journal.unbalanced')}</Badge>
        <span className={css['text']}>{journal.Description}</span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways on a phone, so the keyboard must get there */}
      <div className={css['scroll']} role="region" aria-label={journal.Code} tabIndex={0}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col" {...(isNarrow ? { colSpan: 2 } : {})}>
                {t('ui.journal.account')}
              </th>
              {!isNarrow && <th scope="col">{t('ui.journal.memo')}</th>}
              {!isNarrow && sides}
            </tr>
            {isNarrow && <tr>{sides}</tr>}
          </thead>
          <tbody>
            {journal.Lines.map((line, i) => {
              const name = (
                <>
                  {line.AccountName} {mayDrill ? <Link to={account(line.AccountCode)}>{line.AccountCode}</Link> : <span className={css['code']}>{line.AccountCode}</span>}
                </>
              )
              const amounts = (
                <>
                  <td className={css['amount']}>{side(line.Debit)}</td>
                  <td className={css['amount']}>{side(line.Credit)}</td>
                </>
              )
              return isNarrow ? (
                <Fragment key={i}>
                  <tr>
                    <td colSpan={2}>
                      {name}
                      {line.Memo !== null && <span className={css['memo']}>{line.Memo}</span>}
                    </td>
                  </tr>
                  <tr className={css['below']}>{amounts}</tr>
                </Fragment>
              ) : (
                <tr key={i}>
                  <td>{name}</td>
                  <td>{line.Memo}</td>
                  {amounts}
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            {isNarrow && <tr>{total}</tr>}
            <tr className={isNarrow ? css['below'] : undefined}>
              {!isNarrow && total}
              <td className={css['amount']}>{formatMoney(journal.TotalDebit)}</td>
              <td className={css['amount']}>{formatMoney(journal.TotalCredit)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

/** The side that is not meant stays empty. */
function side(amount: string): string {
  return /[1-9]/.test(amount) ? formatMoney(amount) : ''
}

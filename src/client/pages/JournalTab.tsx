import type { JournalView } from '#api/data.ts'
import { formatDate, formatMoney } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { readJournals } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './JournalTab.module.css'

/** The journals a document has made: accounts, debit, credit. */
export function JournalTab({ resource, id }: { readonly resource: string; readonly id: number }) {
  const { value, problem, reload } = useAnswer(`journal ${resource} ${id}`, (signal) => readJournals(resource, id, signal))
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={5} />
  if (value.records.length === 0) return <EmptyState title={t('ui.journal.none')} />
  return (
    <div className={css['journals']}>
      {value.records.map((journal) => (
        <Journal key={journal.ID} journal={journal} />
      ))}
    </div>
  )
}

function Journal({ journal }: { readonly journal: JournalView }) {
  return (
    <section className={css['journal']}>
      <header className={css['head']}>
        <h2>{journal.Code}</h2>
        <span>{formatDate(journal.PostingDate)}</span>
        <Badge>{journal.SourceEvent}</Badge>
        <span className={css['text']}>{journal.Description}</span>
      </header>
      {/* Scrolls sideways on a phone: reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css['scroll']} role="region" aria-label={journal.Code} tabIndex={0}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{t('ui.journal.account')}</th>
              <th scope="col">{t('ui.journal.memo')}</th>
              <th scope="col" className={css['amount']}>
                {t('ui.journal.debit')}
              </th>
              <th scope="col" className={css['amount']}>
                {t('ui.journal.credit')}
              </th>
            </tr>
          </thead>
          <tbody>
            {journal.Lines.map((line, i) => (
              <tr key={i}>
                <td>
                  {line.AccountName} <span className={css['code']}>{line.AccountCode}</span>
                </td>
                <td>{line.Memo}</td>
                <td className={css['amount']}>{side(line.Debit)}</td>
                <td className={css['amount']}>{side(line.Credit)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {t('ui.total')}
              </th>
              <td className={css['amount']}>{formatMoney(journal.TotalDebit)}</td>
              <td className={css['amount']}>{formatMoney(journal.TotalDebit)}</td>
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

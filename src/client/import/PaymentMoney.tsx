import { useState } from 'react'
import type { ImportBatch } from '#api/import.ts'
import { formatMoney } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Pager } from '../table/Pager.tsx'
import { classes } from '../ui/classes.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { readMoney } from './calls.ts'
import css from './Import.module.css'

const pageLength = 50
const amounts = ['Amount', 'Allocated', 'Remaining', 'Unapplied'] as const
const sums: ReadonlySet<string> = new Set(['amount', 'allocated', 'remaining', 'unapplied'])
const heads = ['payment', 'customer', 'invoice', 'amount', 'allocated', 'remaining', 'unapplied'] as const

/** Beside each row of a payment file the receipt it is part of and what the money did to the invoice. */
export function PaymentMoney({ batch }: { readonly batch: ImportBatch }) {
  const [page, setPage] = useState(1)
  const { value, problem, reload } = useAnswer(JSON.stringify([batch.ID, page, batch.RowsImported]), (signal) => readMoney(batch.ID, { page, length: pageLength }, signal))
  return (
    <section className={css['stack']} aria-label={t('import.money')}>
      <h2>{t('import.money')}</h2>
      {problem !== undefined && value === undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <div className={css['scroll']} tabIndex={0} role="region" aria-label={t('import.money')}>
          <table className={css['table']}>
            <thead>
              <tr>
                <th scope="col">{t('import.row')}</th>
                {heads.map((head) => (
                  <th key={head} scope="col" className={classes(sums.has(head) && css['amount'])}>
                    {t(`import.money.${head}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {value.rows.map((row) => (
                <tr key={row.RowNo}>
                  <th scope="row">{row.RowNo}</th>
                  <td>{row.PaymentID === null ? t('import.money.waiting') : <Link to={`/finance/account-receivable/payment-received/edit/${row.PaymentID}`}>{row.PaymentCode}</Link>}</td>
                  <td>{row.Customer}</td>
                  <td>{row.InvoiceCode}</td>
                  {amounts.map((name) => (
                    <td key={name} className={css['amount']}>
                      {row[name] === null ? '' : formatMoney(row[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value !== undefined && value.recordsTotal > pageLength && <Pager page={page} length={pageLength} total={value.recordsTotal} onPage={setPage} />}
    </section>
  )
}

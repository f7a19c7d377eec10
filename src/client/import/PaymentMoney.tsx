import { useState } from 'react'
import type { ImportBatch } from '#api/import.ts'
import { formatMoney } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { classes } from '../ui/classes.ts'
import { readMoney } from './calls.ts'
import css from './Import.module.css'
import { pageLength, RowsTable } from './RowsTable.tsx'

const amounts = ['Amount', 'Allocated', 'Remaining', 'Unapplied'] as const
const sums: ReadonlySet<string> = new Set(['amount', 'allocated', 'remaining', 'unapplied'])
const heads = ['payment', 'customer', 'invoice', 'amount', 'allocated', 'remaining', 'unapplied'] as const

/** Beside each row of a payment file the receipt it is part of and what the money did to the invoice. */
export function PaymentMoney({ batch }: { readonly batch: ImportBatch }) {
  const [page, setPage] = useState(1)
  const answer = useAnswer(JSON.stringify([batch.ID, page, batch.RowsImported]), (signal) => readMoney(batch.ID, { page, length: pageLength }, signal))
  return (
    <section className={css['stack']} aria-label={t('import.money')}>
      <h2>{t('import.money')}</h2>
      <RowsTable
        label={t('import.money')} answer={answer} page={page} onPage={setPage}
        heads={heads.map((head) => (
          <th key={head} scope="col" className={classes(sums.has(head) && css['amount'])}>
            {t(`import.money.${head}`)}
          </th>
        ))}
      >
        {(row) => (
          <>
            <td>{row.PaymentID === null ? t('import.money.waiting') : <Link to={`/finance/account-receivable/payment-received/edit/${row.PaymentID}`}>{row.PaymentCode}</Link>}</td>
            <td>{row.Customer}</td>
            <td>{row.InvoiceCode}</td>
            {amounts.map((name) => (
              <td key={name} className={css['amount']}>
                {row[name] === null ? '' : formatMoney(row[name])}
              </td>
            ))}
          </>
        )}
      </RowsTable>
    </section>
  )
}

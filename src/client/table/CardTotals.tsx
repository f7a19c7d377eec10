import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import css from './CardTotals.module.css'
import { valueText } from './cells.tsx'

interface CardTotalsProps {
  readonly columns: readonly Column[]
  /** What they are totals of. */
  readonly label: string
  readonly totals: Readonly<Record<string, string>>
  /** Only with several currencies: totals of each. */
  readonly currencies?: readonly { readonly currency: string; readonly totals: Readonly<Record<string, string>> }[] | undefined
}

/** Totals below the cards of a phone. */
export function CardTotals({ columns, label, totals, currencies }: CardTotalsProps) {
  const lines = currencies ?? [{ currency: '', totals }]
  // A list of terms without a value is none.
  if (!lines.some((line) => columns.some(({ name }) => line.totals[name] !== undefined))) return <p className={css['totals']}>{label}</p>
  return (
    <dl className={css['totals']}>
      <dt>{label}</dt>
      {lines.map((line) =>
        columns.map((column) => {
          const sum = line.totals[column.name]
          return sum === undefined ? null : (
            <dd key={`${line.currency} ${column.name}`}>
              {t(column.label)} <strong>{`${line.currency} ${valueText(column, { [column.wire]: sum })}`.trim()}</strong>
            </dd>
          )
        }),
      )}
    </dl>
  )
}

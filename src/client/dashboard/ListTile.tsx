import type { ListTileAnswer } from '#api/dashboard.ts'
import { headed } from '#api/heads.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { groupName, groupText } from '../charts/groupText.ts'
import { EmptyState } from '../ui/States.tsx'
import css from './DashboardTile.module.css'
import { fullText, markedText } from './figure.tsx'

interface ListTileProps {
  readonly answer: ListTileAnswer
  readonly label: string
  readonly mayOpen: (path: string) => boolean
}

/** The first groups of a report with their figures; each row leads to its own documents. */
export function ListTile({ answer, label, mayOpen }: ListTileProps) {
  const { by, measures, summary, rowLinks } = answer
  if (summary.rows.length === 0) return <EmptyState icon="check" title={t('ui.report.none')} />
  const isSeveral = summary.totals.length > 1
  // Bars are held against the longest of their own currency.
  const mostIn = (currency: string | null): number => Math.max(...summary.rows.map((row) => (row.currency === currency ? Math.abs(Number(row.cells[0]?.values[0] ?? 0)) : 0)), 1)
  const [first] = measures
  return (
    <>
      <table className={css['rows']} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t(by.label)}</th>
            {measures.map((measure) => (
              <th key={measure.name} scope="col" className={css['number']}>
                {t(headed(measure, summary.heads, t).label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summary.rows.map((row, i) => {
            const key = groupText(by, row.keys[0])
            const name = groupName(by, row.about)
            const link = rowLinks[i]
            const shown = (
              <>
                {name ?? key} {name !== undefined && <span className={css['code']}>{key}</span>}
              </>
            )
            return (
              <tr key={`${String(row.keys[0])} ${row.currency ?? ''}`}>
                <th scope="row">{link !== undefined && mayOpen(link) ? <Link to={link}>{shown}</Link> : shown}</th>
                {measures.map((measure, n) => {
                  const value = row.cells[0]?.values[n] ?? null
                  return (
                    <td key={measure.name} className={css['number']} title={fullText(measure.type, value)}>
                      {n === 0 && <span className={css['bar']} style={{ inlineSize: `${(Math.abs(Number(value ?? 0)) / mostIn(row.currency)) * 100}%` }} aria-hidden="true" />}
                      {markedText(measure.type, value, row.currency, isSeveral && n === 0)}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
      {isSeveral && first !== undefined && (
        <p className={css['note']}>
          {t('ui.tile.each-currency', { first: summary.rows[0]?.currency ?? '', sums: summary.totals.map(({ currency, cells: [cell] }) => markedText(first.type, cell?.values[0], currency, true)).join(' · ') })}
        </p>
      )}
    </>
  )
}

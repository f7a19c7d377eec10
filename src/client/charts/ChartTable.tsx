import { t } from '../app/messages.ts'
import { cellOf } from '../table/cells.tsx'
import css from './Chart.module.css'
import { sharesOf, type ChartModel } from './chartModel.ts'

/** The numbers of a chart for those who read. */
export function ChartTable({ model, label }: { readonly model: ChartModel; readonly label: string }) {
  const { show } = cellOf(model.valueType)
  const field = { name: '', wire: '', type: model.valueType, label: '', required: false, readOnly: true }
  const [first] = model.series
  const shares = model.type === 'share' && first !== undefined ? sharesOf(first.values) : undefined
  return (
    <table className={css['table']} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{model.axis ?? <span className="visually-hidden">{t('ui.report.measure')}</span>}</th>
          {model.series.map((series) => (
            <th key={series.name} scope="col" className={css['number']}>
              {series.name}
            </th>
          ))}
          {shares !== undefined && (
            <th scope="col" className={css['number']}>
              {t('ui.report.share')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {model.places.map((place, i) => model.gaps.has(i) ? null : (
          <tr key={`${place} ${i}`}>
            <th scope="row">{place}</th>
            {model.series.map((series) => (
              <td key={series.name} className={css['number']}>
                {show(series.values[i], field, {})}
              </td>
            ))}
            {shares !== undefined && <td className={css['number']}>{shares[i] === null ? '' : `${shares[i]} %`}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

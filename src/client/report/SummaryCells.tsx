import { figureOf, type GroupRow } from '#domain/reporting/summaryTable.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { groupName, groupText } from '../charts/groupText.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import { Icon } from '../ui/Icon.tsx'
import { classes } from '../ui/classes.ts'
import { figureText } from './figureText.ts'
import type { Figure } from './summaryColumns.ts'
import css from './SummaryTable.module.css'

/** The single rows behind a row of the summary: at a value across, now or in the earlier period. */
export type PlaceOf = (row: Pick<GroupRow, 'keys' | 'currency'>, at?: number, isBefore?: boolean, measure?: string) => string

interface GroupHeadProps {
  readonly layout: ReportLayout
  readonly row: GroupRow
  /** Undefined: there is nothing within. */
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
  /** There are others: the group says which it is in. */
  readonly hasCurrencies: boolean
  readonly placeOf: PlaceOf
}

/** What the group is called; leads to its single rows. */
export function GroupHead({ layout, row, isOpen, onToggle, hasCurrencies, placeOf }: GroupHeadProps) {
  const level = row.keys.length - 1
  const group = layout.rows[level]
  if (group === undefined) return <th scope="row" className={css['pinned']} />
  const key = groupText(group, row.keys[level])
  const name = groupName(group, row.about)
  return (
    <th scope="row" className={classes(css['pinned'], css[`level${level}`])}>
      <span className={css['group']}>
        {isOpen === undefined ? (
          layout.rows.length > 1 && <span className={css['gap']} />
        ) : (
          <button type="button" className={css['toggle']} aria-expanded={isOpen} aria-label={t('ui.report.within', { group: name ?? key })} onClick={onToggle}>
            <Icon name={isOpen ? 'chevron' : 'right'} size={14} />
          </button>
        )}
        <Link to={placeOf(row)} className={css['name']}>
          {name ?? key}
          {name !== undefined && <span className={css['code']}>{key}</span>}
          {hasCurrencies && row.currency !== null && <span className={css['code']}>{row.currency}</span>}
        </Link>
      </span>
    </th>
  )
}

interface FigureCellsProps {
  readonly row: GroupRow
  readonly figures: readonly Figure[]
  readonly placeOf: PlaceOf
}

/** The figures of a row; each leads to the single rows it is made of. Tab goes from group to group, arrow keys from figure to figure. */
export function FigureCells({ row, figures, placeOf }: FigureCellsProps) {
  return figures.map((figure) => {
    const { at, part, field } = figure
    const { text, isNothing, tone } = figureText(figure, figureOf(row, figure), row)
    const isRows = part === 'value' || part === 'before'
    return (
      <td key={`${String(at)} ${field.name} ${part}`} className={classes(css['number'], isNothing && css['nothing'], part !== 'value' && css['beside'], tone !== undefined && css[tone])}>
        {text !== '' && isRows ? (
          <Link to={placeOf(row, at, part === 'before')} tabIndex={-1}>
            {text}
          </Link>
        ) : (
          text
        )}
      </td>
    )
  })
}

import { Fragment, useMemo, useState, type ReactNode } from 'react'
import type { SummaryAnswer } from '#api/report.ts'
import { figureOf, summaryTree, type GroupRow, type TreeRow } from '#domain/reporting/summaryTable.ts'
import { Link } from '../app/Link.tsx'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { groupLabel, groupName, groupText } from '../charts/groupText.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import cards from '../table/CardList.module.css'
import { CardSort } from '../table/CardList.tsx'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Figures, type CardFigure } from './Figures.tsx'
import { figureText } from './figureText.ts'
import css from './ReportCards.module.css'
import { summaryColumns, type Figure } from './summaryColumns.ts'
import type { SummaryTableProps } from './SummaryTable.tsx'

/** Groups of a report on a phone: a card each with the figures that are not nothing, what stands across under its name, the groups within it below. */
export function SummaryCards({ layout, answer, measures, shown, sort, onSort, placeOf }: Omit<SummaryTableProps, 'label' | 'isLoading'>) {
  const tree = useMemo(() => summaryTree(answer), [answer])
  const places = useMemo(() => placesOf(answer, layout, measures.filter(({ name }) => shown.has(name))), [answer, layout, measures, shown])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [first] = layout.rows
  const offered = [...(first === undefined ? [] : [{ name: first.key, label: groupLabel(first), sortable: true }]), ...measures.filter(({ name }) => shown.has(name)).map(({ name, label, agg }) => ({ name, label, sortable: agg.kind !== 'none' }))]
  const say = (row: GroupRow) =>
    places.map((place) => {
      const figures = figuresAt(place, row, placeOf)
      return (
        figures.length > 0 && (
          <Fragment key={place.id}>
            {place.name !== undefined && <p className={css['place']}>{place.name}</p>}
            <Figures figures={figures} />
          </Fragment>
        )
      )
    })
  const draw = ({ id, row, children }: TreeRow): ReactNode => {
    const level = row.keys.length - 1
    const group = layout.rows[level]
    const key = group === undefined ? '' : groupText(group, row.keys[level])
    const name = group === undefined ? undefined : groupName(group, row.about)
    const isOpen = !closed.has(id)
    const turn = () => setClosed((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
    return (
      <section key={id} className={css['group']}>
        <div className={classes(cards['card'], css[children.length > 0 ? 'head' : 'card'])}>
          <h2 className={css['named']}>
            {children.length > 0 && (
              <IconButton icon={isOpen ? 'chevron' : 'right'} className={css['toggle']} aria-expanded={isOpen} label={t('ui.report.within', { group: name ?? key })} onClick={turn} />
            )}
            <Link to={placeOf(row)} className={css['title']}>
              {name ?? key}
            </Link>
            {name !== undefined && <span className={css['code']}>{key}</span>}
            {answer.totals.length > 1 && row.currency !== null && <span className={css['code']}>{row.currency}</span>}
          </h2>
          {say(row)}
        </div>
        {isOpen && children.length > 0 && <div className={css['within']}>{children.map(draw)}</div>}
      </section>
    )
  }
  return (
    <div className={css['report']}>
      <CardSort columns={offered} sort={sort} onSort={onSort} />
      {tree.map(draw)}
      {answer.totals.map((total) => (
        <div key={total.currency ?? ''} className={classes(cards['card'], css['head'])}>
          <h2 className={css['named']}>{[t('ui.totals', { n: formatNumber(total.cells[0]?.count ?? 0) }), answer.totals.length > 1 ? total.currency : null].filter(Boolean).join(' · ')}</h2>
          {say(total)}
        </div>
      ))}
    </div>
  )
}

interface Place {
  readonly id: string
  /** Undefined: nothing stands across. */
  readonly name: string | undefined
  /** Of each measure its value and what stands beside it of the earlier period. */
  readonly measures: readonly (readonly Figure[])[]
}

/** Over everything across first, then the places across, with their measures in the order of the columns. */
function placesOf(answer: SummaryAnswer, layout: ReportLayout, measures: SummaryTableProps['measures']): readonly Place[] {
  const all = [...summaryColumns(answer, layout, measures).figures.values()]
  const { across } = layout
  return [undefined, ...answer.across.keys()].map((at) => ({
    id: String(at),
    name: across === undefined ? undefined : at === undefined ? t('ui.report.across-all') : groupText(across, answer.across[at] ?? null),
    measures: measures.map((measure) => all.filter((figure) => figure.at === at && figure.field === measure)),
  }))
}

function figuresAt({ id, measures }: Place, row: GroupRow, placeOf: SummaryTableProps['placeOf']): readonly CardFigure[] {
  return measures.flatMap((parts): readonly CardFigure[] => {
    const said = parts.map((figure) => ({ ...figure, ...figureText(figure, figureOf(row, figure), row) })).filter(({ text, isNothing }) => text !== '' && !isNothing)
    const [first] = said
    if (first === undefined) return []
    const changes = said.filter(({ part }) => part === 'difference' || part === 'percent')
    return [
      {
        id: `${id} ${first.field.name}`,
        label: t(first.field.label),
        value: (
          <>
            {said.map(({ part, at, text }) => {
              if (part !== 'value' && part !== 'before') return null
              const isBefore = part === 'before'
              return (
                <div key={part} className={classes(isBefore && css['beside'])}>
                  {isBefore && `${t('ui.report.part.before')} `}
                  <Link to={placeOf(row, at, isBefore)}>{text}</Link>
                </div>
              )
            })}
            {changes.length > 0 && <div className={classes(css['beside'], changes[0]?.tone !== undefined && css[changes[0].tone])}>{changes.map(({ text }) => text).join(' · ')}</div>}
          </>
        ),
      },
    ]
  })
}

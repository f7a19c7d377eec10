import type { ReactNode } from 'react'
import type { RowGroup } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Grouping } from '#api/view.ts'
import type { Column, Field } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/States.tsx'
import { cellOf } from './cells.tsx'
import { GroupValue } from './GroupedBody.tsx'
import css from './GroupedCards.module.css'
import { groupLabel } from './groupFields.ts'
import { totalsLines } from './TotalsRow.tsx'
import { GroupBox } from './GroupedBox.tsx'
import { keyOf, type Groups } from './useGroups.ts'
import type { GroupTicks } from './useGroupTicks.ts'

interface GroupedCardsProps {
  readonly groups: Groups
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly columns: readonly Column[]
  /** Absent: rows cannot be selected. */
  readonly ticks: GroupTicks | undefined
  readonly cards: (rows: readonly WireRecord[]) => ReactNode
}

/** Groups on a phone: a heading with its sums, the cards of its rows below as it is opened. */
export function GroupedCards({ groups, groupings, fields, columns, ticks, cards }: GroupedCardsProps) {
  const draw = (path: readonly RowGroup[]): ReactNode => {
    const group = path.at(-1)
    const grouping = groupings[path.length - 1]
    const field = fields.find(({ name }) => name === grouping?.field)
    if (group === undefined || grouping === undefined || field === undefined) return null
    const opened = groups.opened.get(keyOf(path))
    const isOpen = opened?.isOpen === true
    return (
      <section key={keyOf(path)} className={classes(css['group'], path.length > 1 && css['inner'])}>
        <div className={css['bar']}>
          {ticks !== undefined && <GroupBox ticks={ticks} path={path} className={css['select']} />}
          <button type="button" className={css['head']} aria-expanded={isOpen} onClick={() => groups.toggle(path)}>
            <span className={classes(css['arrow'], isOpen && css['open'])}>
              <Icon name="right" size={14} />
            </span>
            <span className={css['name']}>
              <span className={css['field']}>{groupLabel(field, grouping)}:</span> <GroupValue field={field} grouping={grouping} group={group} />
            </span>
            <span className={css['count']}>{formatNumber(group.count)}</span>
          </button>
        </div>
        <dl className={css['sums']}>
          {totalsLines(group.totals, group.currencies).map(({ totals, note }) =>
            columns.map((column) => {
              const total = totals[column.name]
              return total === undefined ? null : (
                <div key={`${note ?? ''} ${column.name}`}>
                  <dt>{t(column.label)}</dt>
                  <dd>{[note, cellOf(column.type).text(total, column, {})].filter(Boolean).join(' ')}</dd>
                </div>
              )
            }),
          )}
        </dl>
        {isOpen && opened.groups?.map((one) => draw([...path, one]))}
        {isOpen && opened.rows !== undefined && cards(opened.rows)}
        {isOpen && opened.rows === undefined && opened.groups === undefined && <Skeleton lines={3} />}
        {isOpen && opened.next !== undefined && <Button onClick={() => groups.more(path)}>{t('ui.group.more', { n: formatNumber(group.count - (opened.rows?.length ?? 0)) })}</Button>}
      </section>
    )
  }
  return <div className={css['groups']}>{groups.groups.map((group) => draw([group]))}</div>
}

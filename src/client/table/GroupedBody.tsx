import type { KeyboardEvent, ReactNode } from 'react'
import type { RowGroup } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Grouping } from '#api/view.ts'
import type { Column, Field } from '#meta/resolved.ts'
import { formatDate, formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { cellOf, isNothing, showValue } from './cells.tsx'
import { groupLabel } from './groupFields.ts'
import { stepRow } from './gridFocus.ts'
import css from './GroupedBody.module.css'
import type { RowLook } from './rowLook.ts'
import type { DrawRow } from './DataTable.tsx'
import table from './DataTable.module.css'
import { totalsLines } from './TotalsRow.tsx'
import { GroupBox } from './GroupedBox.tsx'
import { groupLength, keyOf, type Groups } from './useGroups.ts'
import type { GroupTicks } from './useGroupTicks.ts'

interface GroupedBodyProps {
  readonly groups: Groups
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly look: RowLook
  readonly draw: DrawRow<WireRecord>
  /** Absent: rows cannot be selected. */
  readonly ticks: GroupTicks | undefined
}

/** Groups with count and sums over the whole filter, their rows below as they are opened. Rows keep their place in `groups.rows`. */
export function GroupedBody({ groups, groupings, fields, look, draw, ticks }: GroupedBodyProps) {
  let place = 0
  const drawGroup = (path: readonly RowGroup[]): ReactNode => {
    const group = path.at(-1)
    const grouping = groupings[path.length - 1]
    const field = fields.find(({ name }) => name === grouping?.field)
    if (group === undefined || grouping === undefined || field === undefined) return null
    const opened = groups.opened.get(keyOf(path))
    const isOpen = opened?.isOpen === true
    const rows = isOpen ? (opened.rows ?? []) : []
    return [
      <GroupRow key={keyOf(path)} path={path} group={group} grouping={grouping} field={field} isOpen={isOpen} look={look} ticks={ticks} onToggle={() => groups.toggle(path)} />,
      isOpen && opened.groups?.map((one) => drawGroup([...path, one])),
      rows.map((row) => draw(row, place++)),
      isOpen && opened.rows === undefined && opened.groups === undefined && opened.problem === undefined && <NoteRow key={`${keyOf(path)} wait`} look={look} text={t('ui.loading')} />,
      isOpen && opened.problem !== undefined && <NoteRow key={`${keyOf(path)} problem`} look={look} text={opened.problem.text} onDo={() => groups.more(path)} action={t('ui.retry')} />,
      isOpen && opened.next !== undefined && (
        <NoteRow
          key={`${keyOf(path)} more`}
          look={look}
          text={t('ui.counter', { start: 1, end: formatNumber(rows.length), total: formatNumber(group.count) })}
          onDo={() => groups.more(path)}
          action={t('ui.group.more', { n: formatNumber(Math.min(groupLength, group.count - rows.length)) })}
        />
      ),
    ]
  }
  return groups.groups.map((group) => drawGroup([group]))
}

interface GroupRowProps {
  readonly path: readonly RowGroup[]
  readonly group: RowGroup
  readonly grouping: Grouping
  readonly field: Field
  readonly isOpen: boolean
  readonly look: RowLook
  readonly ticks: GroupTicks | undefined
  readonly onToggle: () => void
}

function GroupRow({ path, group, grouping, field, isOpen, look, ticks, onToggle }: GroupRowProps) {
  const lines = totalsLines(group.totals, group.currencies)
  const firstSum = look.columns.findIndex((column) => lines.some((line) => line.totals[column.name] !== undefined))
  const labelSpan = Math.max(1, firstSum < 0 ? look.columns.length : firstSum)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (stepRow(event.currentTarget, event.key)) return event.preventDefault()
    // As on a row: Space selects, Enter and the arrows open.
    if (event.key === ' ' && ticks !== undefined) {
      event.preventDefault()
      return ticks.toggle(path)
    }
    const wanted = event.key === 'ArrowRight' ? true : event.key === 'ArrowLeft' ? false : undefined
    if (wanted === undefined || wanted === isOpen) return
    event.preventDefault()
    event.stopPropagation()
    onToggle()
  }
  return (
    <tr data-group={path.length} className={classes(css['group'], path.length > 1 && css['inner'])} onKeyDown={onKeyDown}>
      {ticks !== undefined && (
        <td className={classes(look.toolClass, css['box'])}>
          <GroupBox ticks={ticks} path={path} tabIndex={-1} />
        </td>
      )}
      <th scope="rowgroup" colSpan={labelSpan + (look.toolWidth > 0 && ticks === undefined ? 1 : 0)}>
        <button type="button" className={css['toggle']} aria-expanded={isOpen} onClick={onToggle}>
          <span className={classes(css['arrow'], isOpen && css['open'])}>
            <Icon name="right" size={14} />
          </span>
          <span className={css['field']}>{groupLabel(field, grouping)}:</span> <GroupValue field={field} grouping={grouping} group={group} /> <span className={css['count']}>({formatNumber(group.count)})</span>
        </button>
        {firstSum === 0 && look.columns.slice(0, 1).map((column) => <Sums key={column.name} column={column} lines={lines} />)}
      </th>
      {look.columns.slice(labelSpan).map((column, i) => (
        <td key={column.name} className={look.classes[labelSpan + i]}>
          <Sums column={column} lines={lines} />
        </td>
      ))}
    </tr>
  )
}

/** The value as its cell shows it; spans of days by their name. */
export function GroupValue({ field, grouping, group }: { readonly field: Field; readonly grouping: Grouping; readonly group: RowGroup }) {
  const { value } = group
  if (value === null || value === undefined || value === '') return t('ui.nothing')
  if (grouping.by !== undefined) return spanText(String(value), grouping.by)
  if (field.type === 'datetime') return formatDate(value)
  return showValue(field, group.record)
}

/** `2026-04-01` → 04/2026, Q2 2026, 2026. */
function spanText(first: string, by: NonNullable<Grouping['by']>): string {
  const [year = '', month = ''] = first.split('-')
  if (by === 'year') return year
  return by === 'month' ? `${month}/${year}` : t('ui.group.quarter', { quarter: Math.ceil(Number(month) / 3), year })
}

function Sums({ column, lines }: { readonly column: Column; readonly lines: ReturnType<typeof totalsLines> }) {
  return lines.map(({ totals, note }) => {
    const total = totals[column.name]
    if (total === undefined) return null
    const isZero = isNothing(column, { [column.wire]: total })
    return (
      <span key={note ?? ''} className={classes(css['sum'], isZero && table['nothing'])}>
        {note === undefined ? '' : `${note} `}
        {cellOf(column.type).text(total, column, {})}
      </span>
    )
  })
}

function NoteRow({ look, text, action, onDo }: { readonly look: RowLook; readonly text: string; readonly action?: string; readonly onDo?: () => void }) {
  return (
    <tr data-note="">
      <td colSpan={look.columns.length + (look.toolWidth > 0 ? 1 : 0)} className={css['note']}>
        {text}{' '}
        {onDo !== undefined && (
          <button type="button" className={css['more']} onClick={onDo}>
            {action}
          </button>
        )}
      </td>
    </tr>
  )
}

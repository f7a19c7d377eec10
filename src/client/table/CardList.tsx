import type { WireRecord } from '#api/envelope.ts'
import type { Column, Sort, Tone } from '#meta/resolved.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import css from './CardList.module.css'
import { cellOf, showValue } from './cells.tsx'
import type { RowSelection } from './useSelection.ts'

interface CardListProps {
  /** Entity of the rows: a reference to it names another of them, the one a row stands under. */
  readonly entity?: string
  readonly rows: readonly WireRecord[]
  readonly columns: readonly Column[]
  readonly toneOf: (row: WireRecord) => Tone | undefined
  readonly pathOf?: (row: WireRecord) => string | undefined
  readonly onOpen?: (row: WireRecord) => void
  readonly onMenu?: (row: WireRecord, anchor: HTMLElement) => void
  readonly selection: RowSelection
  readonly onSelection?: (selection: RowSelection) => void
}

/** The list on a phone: a card for each row, important columns first, the rest below. */
export function CardList({ entity, rows, columns, toneOf, pathOf, onOpen, onMenu, selection, onSelection }: CardListProps) {
  const [title, ...rest] = columns
  const status = rest.find((column) => column.type === 'status' && column.importance === 'high')
  const main = rest.filter((column) => column.importance === 'high' && column !== status)
  const minor = rest.filter((column) => column.importance === 'medium').slice(0, 4)
  if (title === undefined) return null
  return (
    <ul className={css['cards']}>
      {rows.map((row) => {
        const id = String(row.ID)
        const path = pathOf?.(row)
        const tone = toneOf(row)
        // A card without a name could not be opened: where the first column is empty, the next one names it. What a record stands under is another's name.
        const named = columns.find((column) => (column.entity === undefined || column.entity !== entity) && !isEmpty(row[column.wire])) ?? title
        const name = showValue(named, row) || '–'
        return (
          <li key={id} className={classes(css['card'], tone && css[tone], selection[id] === true && css['selected'])}>
            <div className={css['head']}>
              {onSelection !== undefined && (
                <label className={css['select']}>
                  <span className="visually-hidden">{t('ui.select-row')}</span>
                  <input type="checkbox" checked={selection[id] === true} onChange={(event) => onSelection(toggled(selection, id, event.target.checked))} />
                </label>
              )}
              {path !== undefined ? (
                <Link to={path} className={css['title']}>
                  {name}
                </Link>
              ) : onOpen !== undefined ? (
                <button type="button" className={css['title']} onClick={() => onOpen(row)}>
                  {name}
                </button>
              ) : (
                <span className={css['title']}>{name}</span>
              )}
              {status !== undefined && showValue(status, row)}
              {onMenu !== undefined && <IconButton icon="more" label={t('ui.actions')} onClick={(event) => onMenu(row, event.currentTarget)} />}
            </div>
            <dl className={css['fields']}>
              {[...(isEmpty(row[title.wire]) ? [] : [title]), ...main, ...minor].filter((column) => column !== named).map((column) => (
                <div key={column.name} className={classes(css['field'], cellOf(column.type).align === 'end' && css['end'])}>
                  <dt>{t(column.label)}</dt>
                  <dd>{showValue(column, row) || '–'}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

interface CardSortProps {
  readonly columns: readonly Column[]
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
}

/** The order of the cards of a phone, which have no headings to press. */
export function CardSort({ columns, sort, onSort }: CardSortProps) {
  const [first] = sort
  const offered = columns.filter(({ sortable }) => sortable).flatMap(({ name, label }) => (['asc', 'desc'] as const).map((dir) => ({ field: name, dir, label })))
  const at = offered.findIndex(({ field, dir }) => field === first?.field && dir === first.dir)
  return (
    <label className={css['sort']}>
      {t('ui.sort-by')}
      <select
        className={input['input']}
        value={at}
        onChange={(event) => {
          const chosen = offered[Number(event.target.value)]
          if (chosen !== undefined) onSort([{ field: chosen.field, dir: chosen.dir }])
        }}
      >
        {/* In the order of a column that is not shown. */}
        {at < 0 && <option value={at}>–</option>}
        {offered.map(({ field, dir, label }, place) => (
          <option key={`${field} ${dir}`} value={place}>
            {t(`ui.say.${dir}`, { column: t(label) })}
          </option>
        ))}
      </select>
    </label>
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function toggled(selection: RowSelection, id: string, isOn: boolean): RowSelection {
  const { [id]: _, ...others } = selection
  return isOn ? { ...others, [id]: true } : others
}

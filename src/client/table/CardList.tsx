import { memo, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
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
import { useWayBack } from './wayBack.ts'

interface CardListProps {
  /** Which list it is: Back finds the card one was on. Absent: it forgets. */
  readonly list?: string
  /** Entity of the rows: a reference to it names another of them, the one a row stands under. */
  readonly entity?: string
  /** Undefined: still on its way. */
  readonly rows: readonly (WireRecord | undefined)[]
  readonly columns: readonly Column[]
  readonly toneOf: (row: WireRecord) => Tone | undefined
  readonly pathOf?: (row: WireRecord) => string | undefined
  readonly onOpen?: (row: WireRecord) => void
  readonly onMenu?: (row: WireRecord, anchor: HTMLElement) => void
  readonly selection: RowSelection
  readonly onSelection?: (selection: RowSelection) => void
}

/** Up to this many cards are drawn as they are; more are drawn as they come into view. */
const allDrawn = 100

/** The list on a phone: a card for each row, important columns first, the rest below. */
export function CardList(props: CardListProps) {
  const { columns } = props
  const rows = useMemo(() => props.rows.filter((row) => row !== undefined), [props.rows])
  const frame = useRef<HTMLUListElement>(null)
  const { last, events } = useWayBack(frame, props.list, (key) => rows.some(({ ID }) => String(ID) === key))
  const look = useMemo(() => cardLook(columns), [columns])
  const deeds = useRef(props)
  deeds.current = props
  const { entity, selection, toneOf, pathOf } = props
  const [canOpen, canSelect, hasMenu] = [props.onOpen !== undefined, props.onSelection !== undefined, props.onMenu !== undefined]
  if (look === undefined) return null
  const draw = (row: WireRecord) => {
    const id = String(row.ID)
    return <Card key={id} row={row} look={look} entity={entity} tone={toneOf(row)} path={pathOf?.(row)} isSelected={selection[id] === true} canOpen={canOpen} canSelect={canSelect} hasMenu={hasMenu} deeds={deeds} />
  }
  return (
    <ul ref={frame} className={css['cards']} {...events}>
      {rows.length > allDrawn ? <Batches frame={frame} rows={rows} last={last} draw={draw} /> : rows.map(draw)}
    </ul>
  )
}

interface CardLook {
  readonly columns: readonly Column[]
  readonly title: Column
  readonly status: Column | undefined
  /** Shown below the name, in this order. */
  readonly fields: readonly Column[]
}

function cardLook(columns: readonly Column[]): CardLook | undefined {
  const [title, ...rest] = columns
  if (title === undefined) return undefined
  const status = rest.find((column) => column.type === 'status' && column.importance === 'high')
  const main = rest.filter((column) => column.importance === 'high' && column !== status)
  const minor = rest.filter((column) => column.importance === 'medium').slice(0, 4)
  return { columns, title, status, fields: [...main, ...minor] }
}

interface CardProps {
  readonly row: WireRecord
  readonly look: CardLook
  readonly entity: string | undefined
  readonly tone: Tone | undefined
  readonly path: string | undefined
  readonly isSelected: boolean
  readonly canOpen: boolean
  readonly canSelect: boolean
  readonly hasMenu: boolean
  /** What is done with a card: the same object always, so that it is not drawn anew for it. */
  readonly deeds: RefObject<Pick<CardListProps, 'selection' | 'onSelection' | 'onOpen' | 'onMenu'>>
}

const Card = memo(function Card({ row, look, entity, tone, path, isSelected, canOpen, canSelect, hasMenu, deeds }: CardProps) {
  const { columns, title, status, fields } = look
  const id = String(row.ID)
  // A card without a name could not be opened: where the first column is empty, the next one names it. What a record stands under is another's name.
  const named = columns.find((column) => (column.entity === undefined || column.entity !== entity) && !isEmpty(row[column.wire])) ?? title
  const name = showValue(named, row) || '–'
  return (
    <li data-key={id} className={classes(css['card'], tone && css[tone], isSelected && css['selected'])}>
      <div className={css['head']}>
        {canSelect && (
          <label className={css['select']}>
            <span className="visually-hidden">{t('ui.select-row')}</span>
            <input type="checkbox" checked={isSelected} onChange={(event) => deeds.current.onSelection?.(toggled(deeds.current.selection, id, event.target.checked))} />
          </label>
        )}
        {path !== undefined ? (
          <Link to={path} className={css['title']}>
            {name}
          </Link>
        ) : canOpen ? (
          <button type="button" className={css['title']} onClick={() => deeds.current.onOpen?.(row)}>
            {name}
          </button>
        ) : (
          <span className={css['title']}>{name}</span>
        )}
        {status !== undefined && showValue(status, row)}
        {hasMenu && <IconButton icon="more" label={t('ui.actions')} onClick={(event) => deeds.current.onMenu?.(row, event.currentTarget)} />}
      </div>
      <dl className={css['fields']}>
        {[...(isEmpty(row[title.wire]) ? [] : [title]), ...fields].filter((column) => column !== named).map((column) => (
          <div key={column.name} className={classes(css['field'], cellOf(column.type).align === 'end' && css['end'])}>
            <dt>{t(column.label)}</dt>
            <dd>{showValue(column, row) || '–'}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
})

/** So many cards are drawn together as they come near. */
const batchLength = 20

interface BatchesProps {
  readonly frame: RefObject<HTMLElement | null>
  readonly rows: readonly WireRecord[]
  /** The card one comes back to: there at once. */
  readonly last: string | undefined
  readonly draw: (row: WireRecord) => ReactNode
}

/** Thousands of cards, drawn as one comes near them; until then a blank of about their height stands in their place. */
function Batches({ frame, rows, last, draw }: BatchesProps) {
  const batches = useMemo(() => Array.from({ length: Math.ceil(rows.length / batchLength) }, (_, i) => rows.slice(i * batchLength, (i + 1) * batchLength)), [rows])
  const [height, setHeight] = useState(usualHeight)
  // The second batch begins where the first one ends: so high are cards of these columns.
  useEffect(() => {
    const [first, second] = [frame.current?.children[0], frame.current?.children[batchLength]]
    if (first instanceof HTMLElement && second instanceof HTMLElement) setHeight((second.offsetTop - first.offsetTop) / batchLength)
  }, [frame])
  return batches.map((batch, i) => <Batch key={`${i} ${batch[0]?.ID ?? ''}`} rows={batch} isDue={i === 0 || batch.some(({ ID }) => String(ID) === last)} height={height} draw={draw} />)
}

/** A card of five lines and the space below it. */
const usualHeight = 210

/** How far away from what is in view cards are drawn: more than one flick of a finger goes until the next look. */
const nearPixels = 2_500

interface BatchProps {
  readonly rows: readonly WireRecord[]
  /** Drawn without being near. */
  readonly isDue: boolean
  /** Pixels of a card with the space below it. */
  readonly height: number
  readonly draw: (row: WireRecord) => ReactNode
}

function Batch({ rows, isDue, height, draw }: BatchProps) {
  const [isDrawn, setDrawn] = useState(isDue)
  const blank = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isDrawn || blank.current === null) return undefined
    const observer = new IntersectionObserver((entries) => setDrawn(entries.some(({ isIntersecting }) => isIntersecting)), { root: blank.current.closest('main'), rootMargin: `${nearPixels}px 0px` })
    observer.observe(blank.current)
    return () => observer.disconnect()
  }, [isDrawn])
  return isDrawn ? rows.map(draw) : <li ref={blank} aria-hidden="true" style={{ height: rows.length * height - gap }} />
}

/** Space between two cards in pixels. */
const gap = 8

interface CardSortProps {
  readonly columns: readonly Pick<Column, 'name' | 'label' | 'sortable'>[]
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

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function toggled(selection: RowSelection, id: string, isOn: boolean): RowSelection {
  const { [id]: _, ...others } = selection
  return isOn ? { ...others, [id]: true } : others
}

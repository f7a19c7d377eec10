import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { FlowNode } from '#api/data.ts'
import { statusTone } from '../app/documents.ts'
import { formatDate, formatMoney } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t, tFirst } from '../app/messages.ts'
import { readFlow } from '../data/aboutRecord.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { useWayBack } from '../table/wayBack.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import css from './FlowTab.module.css'
import { flowPicture, neighbourIn, type FlowPicture, type PlacedNode } from './flowLayout.ts'

/** Statuses in which a document has no effect: rejected, cancelled, reversed, expired. */
const undone: readonly number[] = [5, 6, 7, 9]

/** Pixels of a document and of the gaps between documents. At the narrowest a number such as PAY/SBY/2611/00058 just fits, and a way of seven on a screen of 1440. */
const height = 120
const narrowest = 152
const widest = 216
const lying = 12
const upright = 16
const across = 16

/** From order to bank line as a picture: each document a link, lines for what came of what; the one looked at is marked. Down the screen on a phone. */
export function FlowTab({ resource, id, entity }: { readonly resource: string; readonly id: number; readonly entity: string }) {
  const { value, problem, reload } = useAnswer(`flow ${resource} ${id}`, (signal) => readFlow(resource, id, signal))
  const picture = useMemo(() => (value === undefined ? undefined : flowPicture(value.records)), [value])
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (picture === undefined) return <Skeleton lines={5} />
  if (picture.placed.length === 0) return <EmptyState title={t('ui.flow.none')} />
  return <Picture picture={picture} here={`${entity}:${id}`} />
}

function Picture({ picture, here }: { readonly picture: FlowPicture; readonly here: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const room = useWidth(frame)
  const isUpright = useMedia('(width < 768px)')
  const lanes = isUpright ? picture.rows : picture.columns
  const along = isUpright ? upright : lying
  const gap = isUpright ? across : along
  const width = Math.max(narrowest, Math.min(widest, Math.floor((room - 10 - (lanes - 1) * gap) / Math.max(1, lanes))))
  const placeOf = ({ column, row }: PlacedNode) => (isUpright ? { left: row * (width + across), top: column * (height + along) } : { left: column * (width + along), top: row * (height + across) })
  const size = isUpright
    ? { width: picture.rows * (width + across) - across, height: picture.columns * (height + along) - along }
    : { width: picture.columns * (width + along) - along, height: picture.rows * (height + across) - across }
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset['key'] : undefined
    const [x, y] = arrows[event.key] ?? [0, 0]
    if (key === undefined || (x === 0 && y === 0)) return
    const next = neighbourIn(picture, key, isUpright ? { column: y, row: x } : { column: x, row: y })
    if (next === undefined) return
    event.preventDefault()
    frame.current?.querySelector<HTMLElement>(`[data-key="${next.node.Key}"]`)?.focus()
  }
  const { last, events } = useWayBack(frame, here, (key) => picture.placed.some(({ node }) => node.Key === key))
  useEffect(() => {
    // The document one comes from is to be seen where the picture is wider than the screen; after Back that is the one left by.
    const box = frame.current
    const mark = (box?.querySelector<HTMLElement>(`[data-key="${last}"]`) ?? box?.querySelector<HTMLElement>('[aria-current]'))?.parentElement
    if (box != null && mark != null) box.scrollLeft = mark.offsetLeft - (box.clientWidth - mark.offsetWidth) / 2
  }, [picture, width, last])
  return (
    <div ref={frame} className={css['frame']} {...events}>
      <div className={css['picture']} style={size}>
        <svg className={css['lines']} width={size.width} height={size.height} aria-hidden="true">
          <defs>
            <marker id="flow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">
              <path d="M0 0.500L7 4L0 7.500z" />
            </marker>
          </defs>
          {picture.edges.map(({ from, to }) => (
            <path key={`${from.node.Key} ${to.node.Key}`} className={isUndone(from.node) || isUndone(to.node) ? css['faint'] : undefined} d={way(placeOf(from), placeOf(to), width, isUpright)} markerEnd="url(#flow-arrow)" />
          ))}
        </svg>
        <ol className={css['nodes']} onKeyDown={move}>
          {picture.placed.map((placed) => (
            <li key={placed.node.Key} style={{ ...placeOf(placed), width, height }}>
              <Document node={placed.node} parents={picture.placed.flatMap(({ node }) => (placed.node.Parents.includes(node.Key) ? [node.Code] : []))} isHere={placed.node.Key === here} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

const arrows: Readonly<Record<string, readonly [x: -1 | 0 | 1, y: -1 | 0 | 1]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

function Document({ node, parents, isHere }: { readonly node: FlowNode; readonly parents: readonly string[]; readonly isHere: boolean }) {
  const type = t(`entity.${node.DocType}`)
  const looks = classes(css['node'], isHere && css['here'], isUndone(node) && css['undone'], node.IsReversal && css['reversal'])
  const content = (
    <>
      <span className={css['type']}>{node.IsReversal ? t('ui.flow.reversal', { document: type }) : type}</span>
      <strong className={css['code']} title={node.Code}>
        <bdi>{node.Code}</bdi>
      </strong>
      <span className={css['line']}>
        <Badge tone={statusTone(node.Status)}>{tFirst([`status.${node.DocType}.${node.Status}`], t(`status.${node.Status}`))}</Badge>
      </span>
      <span className={css['date']}>{formatDate(node.Date)}</span>
      {node.Amount !== null && <span className={css['amount']}>{formatMoney(node.Amount)}</span>}
      {parents.length > 0 && <span className="visually-hidden">{t('ui.flow.from', { documents: parents.join(', ') })}</span>}
    </>
  )
  if (!isHere && node.Url !== null) {
    return (
      <Link to={node.Url} className={looks} data-key={node.Key}>
        {content}
      </Link>
    )
  }
  // Leads nowhere, but the keys walk over it and a reader hears it.
  return (
    <span role="link" aria-disabled="true" tabIndex={0} className={looks} aria-current={isHere ? 'page' : undefined} data-key={node.Key}>
      {content}
    </span>
  )
}

function isUndone(node: FlowNode): boolean {
  return undone.includes(node.Status) && !node.IsReversal
}

interface Corner {
  readonly left: number
  readonly top: number
}

/**
 * From the middle of one side to the middle of the facing one. Between neighbouring columns it goes straight, across and straight again, so that the lines of
 * one document to many others lie on one another; past a column it swings.
 */
function way(from: Corner, to: Corner, width: number, isUpright: boolean): string {
  const along = isUpright ? upright : lying
  const [start, end, side, otherSide] = isUpright
    ? [from.top + height, to.top - 1, from.left + width / 2, to.left + width / 2]
    : [from.left + width, to.left - 1, from.top + height / 2, to.top + height / 2]
  const point = (ahead: number, aside: number) => (isUpright ? `${aside} ${ahead}` : `${ahead} ${aside}`)
  if (end - start > along) {
    const bend = isUpright ? (end - start) / 2 : along / 2 + (end - start - along) / 4
    return `M${point(start, side)}C${point(start + bend, side)} ${point(end - bend, otherSide)} ${point(end, otherSide)}`
  }
  if (side === otherSide) return `M${point(start, side)}L${point(end, side)}`
  const middle = start + along / 2
  const corner = Math.sign(otherSide - side) * Math.min(along / 2 - 2, Math.abs(otherSide - side) / 2)
  return `M${point(start, side)}L${point(middle - Math.abs(corner), side)}Q${point(middle, side)} ${point(middle, side + corner)}L${point(middle, otherSide - corner)}Q${point(middle, otherSide)} ${point(middle + Math.abs(corner), otherSide)}L${point(end, otherSide)}`
}

/** Width of an element in pixels, kept up to date. */
function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

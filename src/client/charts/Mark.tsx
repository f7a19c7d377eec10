import { useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import css from './Chart.module.css'
import { leadsOn, namesSeries, type ChartModel } from './chartModel.ts'
import { valueText } from './valueText.ts'

interface MarkProps {
  readonly model: ChartModel
  /** Place along the axis, and number of the series. */
  readonly at: number
  readonly n: number
  readonly children: ReactNode
}

/** A bar, point or part that leads to the rows it stands for. Tab comes to one of them, arrow keys walk on. */
export function Mark({ model, at, n, children }: MarkProps) {
  const series = model.series[n]
  const to = series?.leads?.[at]
  const value = series?.values[at] ?? null
  if (series === undefined || to === undefined || value === null) return children
  const place = model.places[at] ?? ''
  const name = namesSeries(model) && model.series.length > 1 ? `${place}, ${series.name}` : place
  return (
    <Link to={to} className={css['lead']} tabIndex={isFirst(model, at, n) ? 0 : -1} data-at={at} data-series={n} aria-label={t('ui.report.mark', { name, value: valueText(model.valueType, value) })} onClick={holdFirstTouch}>
      {children}
    </Link>
  )
}

function isFirst({ series }: ChartModel, at: number, n: number): boolean {
  const first = series.findIndex(({ leads, values }) => leads?.some((lead, i) => lead !== undefined && (values[i] ?? null) !== null))
  return n === first && series[n]?.leads?.findIndex((lead, i) => lead !== undefined && (series[n]?.values[i] ?? null) !== null) === at
}

/** Fingers cannot point without touching: the first touch shows the figures, the next one leads on. */
function holdFirstTouch(event: MouseEvent<HTMLAnchorElement>): void {
  const { currentTarget, nativeEvent } = event
  if (!(nativeEvent instanceof PointerEvent) || nativeEvent.pointerType !== 'touch' || currentTarget.dataset['touched'] !== undefined) return
  event.preventDefault()
  for (const other of marksIn(currentTarget.closest('svg') ?? currentTarget)) delete other.dataset['touched']
  currentTarget.dataset['touched'] = ''
}

/** Where there is less room beside a mark its figures stand under it. */
const widestTip = 260

interface SeenMark {
  readonly at: number
  readonly left: number
  readonly top: number
}

interface MarksFrameProps {
  readonly model: ChartModel
  readonly tipOf: (at: number) => ReactNode
  readonly children: ReactNode
}

/** The drawing; a mark the keyboard has come to shows its figures as one that is pointed at. */
export function MarksFrame({ model, tipOf, children }: MarksFrameProps) {
  const [seen, setSeen] = useState<SeenMark>()
  if (!leadsOn(model)) return <div className={css['canvas']}>{children}</div>
  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    const mark = event.target.closest<HTMLElement>('[data-at]')
    if (mark === null || !mark.matches(':focus-visible')) return
    const [box, frame] = [mark.getBoundingClientRect(), event.currentTarget.getBoundingClientRect()]
    const beside = box.right - frame.left + 8
    const hasRoom = beside + widestTip <= frame.width
    setSeen({ at: Number(mark.dataset['at']), left: hasRoom ? beside : Math.max(0, frame.width - widestTip), top: (hasRoom ? box.top : box.bottom + 4) - frame.top })
  }
  return (
    <div className={css['canvas']} onFocus={onFocus} onBlur={() => setSeen(undefined)} onKeyDown={(event) => walk(event, model.horizontal)}>
      {children}
      {seen !== undefined && (
        <div className={css['seen']} style={{ insetInlineStart: seen.left, insetBlockStart: seen.top }}>
          {tipOf(seen.at)}
        </div>
      )}
    </div>
  )
}

function marksIn(drawing: Element): readonly HTMLElement[] {
  return [...drawing.querySelectorAll<HTMLElement>('[data-at]')]
}

/** From place to place with the arrows that lie along the axis, from series to series with the others. */
function walk(event: KeyboardEvent<HTMLDivElement>, isLying: boolean): void {
  const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null
  if (mark === null || event.altKey || event.ctrlKey || event.metaKey) return
  const next = nextMark(marksIn(event.currentTarget), mark, event.key, isLying)
  if (next === undefined) return
  event.preventDefault()
  mark.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

function nextMark(marks: readonly HTMLElement[], from: HTMLElement, key: string, isLying: boolean): HTMLElement | undefined {
  const number = (mark: HTMLElement, name: 'at' | 'series'): number => Number(mark.dataset[name])
  // Marks in one line, in their order.
  const line = (fixed: 'at' | 'series', along: 'at' | 'series') => marks.filter((mark) => number(mark, fixed) === number(from, fixed)).toSorted((a, b) => number(a, along) - number(b, along))
  const places = line('series', 'at')
  if (key === 'Home') return places[0]
  if (key === 'End') return places.at(-1)
  const isForth = key === 'ArrowRight' || key === 'ArrowDown'
  if (!isForth && key !== 'ArrowLeft' && key !== 'ArrowUp') return undefined
  const isAlong = isLying === (key === 'ArrowDown' || key === 'ArrowUp')
  const found = isAlong || new Set(marks.map((mark) => number(mark, 'series'))).size === 1 ? places : line('at', 'series')
  const here = found.indexOf(from)
  return isForth ? found[here + 1] : found[Math.max(0, here - 1)]
}

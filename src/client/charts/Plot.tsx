import { useAtomValue } from 'jotai'
import { memo, useId, useMemo, type ReactNode } from 'react'
import { Bar, BarChart, CartesianGrid, Cell, Line, LineChart, Pie, PieChart, Rectangle, ReferenceLine, Sector, Text, Tooltip, type BarShapeProps, type DotItemDotProps, type PieSectorShapeProps, type XAxisTickContentProps, XAxis, YAxis, type YAxisTickContentProps } from 'recharts'
import { languageAtom, t } from '../app/messages.ts'
import { useMedia } from '../ui/useMedia.ts'
import css from './Chart.module.css'
import { leadsOn, namesSeries, sharesOf, type ChartModel } from './chartModel.ts'
import { compact } from './compact.ts'
import { Mark, MarksFrame } from './Mark.tsx'
import { colourOf, fillOf, Patterns, Stroke, strokeOf, Swatch } from './patterns.tsx'
import { valueText } from './valueText.ts'

interface PlotProps {
  readonly model: ChartModel
  readonly label: string
}

/** The drawing alone, drawn anew only when its model is another. Numbers become floats here and nowhere else: they only decide how long a bar is. */
export const Plot = memo(function Plot({ model, label }: PlotProps) {
  const id = useId().replaceAll(':', '')
  const legend = model.type === 'share' || !namesSeries(model) ? undefined : <Legend id={id} model={model} type={model.type} />
  return (
    <div className={css['drawing']}>
      <MarksFrame model={model} tipOf={(at) => <TipText model={model} at={at} />}>
        {model.type === 'share' ? <Share id={id} model={model} label={label} /> : model.type === 'line' ? <Lines id={id} model={model} label={label} /> : <Bars id={id} model={model} label={label} />}
      </MarksFrame>
      {legend}
    </div>
  )
})

interface DrawingProps extends PlotProps {
  readonly id: string
}

/** Marks that lead on are walked through by themselves; else the drawing is, place by place. Bars and parts that lead on do not grow: each step would put another element under the pointer and the keyboard. */
function walkedBy(model: ChartModel) {
  return leadsOn(model) ? { accessibilityLayer: false, role: 'group' } : {}
}

interface Point {
  /** Two places may be called the same, so they are told apart by their number. */
  readonly at: number
  readonly [series: `s${number}`]: number | null
}

function pointsOf({ places, series }: ChartModel): Point[] {
  return places.map((_, i) => ({ at: i, ...Object.fromEntries(series.map(({ values }, n) => [`s${n}`, values[i] === null || values[i] === undefined ? null : Number(values[i])])) }))
}

/** Below nothing is told from above it by a line. */
function fallsBelow({ series }: ChartModel): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && Number(value) < 0))
}

/** The axis of values always holds nothing, wherever they lie: a bar that begins elsewhere is as long as chance has it. */
function domainOf(model: ChartModel): [number | 'auto', number | 'auto'] {
  return fallsBelow(model) && model.series.every(({ values }) => values.every((value) => Number(value) <= 0)) ? ['auto', 0] : [0, 'auto']
}

const margin = { top: 8, right: 12, bottom: 4, left: 4 }
const tick = { fill: 'var(--muted)', fontSize: 12 }

function Bars({ id, model, label }: DrawingProps) {
  const points = useMemo(() => pointsOf(model), [model])
  const language = useAtomValue(languageAtom)
  const isNarrow = useMedia('(width < 576px)')
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const isLying = model.horizontal
  const value = { tick, tickLine: false, axisLine: false, tickFormatter: (amount: number) => compact(amount, model.valueType, language), width: 56, domain: domainOf(model) }
  const nameOf = (at: number) => model.places[at] ?? ''
  const names = { dataKey: 'at', tick, tickLine: false, axisLine: { stroke: 'var(--border)' }, interval: isLying || model.places.length <= 8 ? 0 : ('preserveStartEnd' as const) }
  // As wide as the longest name, while that leaves room for the bars.
  const nameWidth = Math.min(isNarrow ? 128 : 190, Math.max(...model.places.map(roomOf), 0) + 14)
  return (
    <BarChart data={points} layout={isLying ? 'vertical' : 'horizontal'} margin={margin} responsive className={css['svg'] ?? ''} aria-label={label} stackOffset="sign" barGap={2} barCategoryGap="22%" maxBarSize={44} {...walkedBy(model)}>
      <Patterns id={id} count={model.series.length} />
      <CartesianGrid stroke="var(--border)" vertical={isLying} horizontal={!isLying} />
      {isLying ? <XAxis type="number" {...value} /> : <XAxis {...names} height={40} tickFormatter={nameOf} {...(names.interval === 0 ? { tick: (place: XAxisTickContentProps) => <NameUnderBar {...place} name={nameOf(Number(place.payload.value))} /> } : {})} />}
      {isLying ? <YAxis type="category" {...names} width={nameWidth} tick={(place: YAxisTickContentProps) => <NameBesideBar {...place} name={nameOf(Number(place.payload.value))} width={nameWidth} />} /> : <YAxis {...value} />}
      {fallsBelow(model) && <ReferenceLine {...(isLying ? { x: 0 } : { y: 0 })} stroke="var(--border-strong)" />}
      <Tooltip content={<Tip model={model} />} cursor={{ fill: 'var(--hover)' }} isAnimationActive={false} />
      {model.series.map((series, n) => (
        <Bar
          key={series.name}
          dataKey={`s${n}`}
          name={series.name}
          {...(model.type === 'stacked' ? { stackId: 'all' } : {})}
          fill={fillOf(id, n, series.isBefore)}
          stroke={colourOf(n)}
          strokeWidth={1}
          radius={model.type === 'stacked' ? 0 : isLying ? [0, 3, 3, 0] : [3, 3, 0, 0]}
          {...(series.leads === undefined ? {} : { shape: (bar: BarShapeProps) => <BarMark model={model} n={n} bar={bar} /> })}
          isAnimationActive={!isStill && series.leads === undefined}
          animationDuration={250}
        />
      ))}
    </BarChart>
  )
}

/** Pixels a name beside an axis takes at most: capitals are wider than other letters, Chinese characters as wide as they are high. */
function roomOf(name: string): number {
  return name.length * 7.5 + (name.match(/\p{Lu}/gu)?.length ?? 0) * 3 + (name.match(/[\u2e80-\uffef]/g)?.length ?? 0) * 5
}

/** As little as a finger or a mouse finds of a bar that is hardly there. */
const leastBar = 8

function BarMark({ model, n, bar }: { readonly model: ChartModel; readonly n: number; readonly bar: BarShapeProps }) {
  const { x, y, width, height, index } = bar
  const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)]
  const [across, down] = model.horizontal ? [Math.max(Math.abs(width), leastBar), Math.abs(height)] : [Math.abs(width), Math.max(Math.abs(height), leastBar)]
  return (
    <Mark model={model} at={index} n={n}>
      <Rectangle {...bar} />
      {model.type !== 'stacked' && <rect x={left} y={model.horizontal ? top : top + Math.abs(height) - down} width={across} height={down} fill="transparent" stroke="none" />}
    </Mark>
  )
}

/** A name has one line beside its bar, as much of it as there is room for; the whole of it stands in the table and where the bar is pointed at. */
function NameBesideBar({ x, y, width, name }: YAxisTickContentProps & { readonly name: string; readonly width: number }) {
  return (
    <Text x={x} y={y} width={width - 12} maxLines={1} breakAll textAnchor="end" verticalAnchor="middle" {...tick}>
      {name}
    </Text>
  )
}

/** Names that all stand under their bars are broken into two lines where they are longer than their place is wide. */
function NameUnderBar({ x, y, width, visibleTicksCount, name }: XAxisTickContentProps & { readonly name: string }) {
  return (
    <Text x={x} y={y} width={Number(width) / visibleTicksCount - 4} maxLines={2} textAnchor="middle" verticalAnchor="start" {...tick}>
      {name}
    </Text>
  )
}

function Lines({ id, model, label }: DrawingProps) {
  const points = useMemo(() => pointsOf(model), [model])
  const language = useAtomValue(languageAtom)
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const isSparse = model.places.length <= 14
  return (
    <LineChart data={points} margin={margin} responsive className={css['svg'] ?? ''} aria-label={label} {...walkedBy(model)}>
      <Patterns id={id} count={model.series.length} />
      <CartesianGrid stroke="var(--border)" vertical={false} />
      <XAxis dataKey="at" tickFormatter={(at: number) => model.places[at] ?? ''} tick={tick} tickLine={false} axisLine={{ stroke: 'var(--border)' }} interval="preserveStartEnd" minTickGap={16} />
      <YAxis tick={tick} tickLine={false} axisLine={false} width={56} domain={domainOf(model)} tickFormatter={(amount: number) => compact(amount, model.valueType, language)} />
      {fallsBelow(model) && <ReferenceLine y={0} stroke="var(--border-strong)" />}
      <Tooltip content={<Tip model={model} />} isAnimationActive={false} />
      {model.series.map((series, n) => (
        <Line
          key={series.name}
          type="linear"
          dataKey={`s${n}`}
          name={series.name}
          {...strokeOf(n, series.isBefore)}
          // A day on which nothing happened is no fall to nothing.
          connectNulls
          dot={dotOf(model, n, isSparse)}
          {...(series.leads === undefined ? {} : { activeDot: { pointerEvents: 'none' as const } })}
          isAnimationActive={!isStill}
          animationDuration={250}
        />
      ))}
    </LineChart>
  )
}

const point = { r: 3, fill: 'var(--surface)', strokeDasharray: 'none' }

/** Points are drawn where there are few, or one alone: that is no line. Those that lead on are always there to be found. */
function dotOf(model: ChartModel, n: number, isSparse: boolean) {
  const series = model.series[n]
  const isDrawn = isSparse || series?.values.filter((value) => value !== null).length === 1
  if (series?.leads === undefined) return isDrawn ? point : false
  return ({ index, cx, cy }: DotItemDotProps) =>
    cx === undefined || cy === undefined || (series.values[index] ?? null) === null ? null : (
      <Mark key={index} model={model} at={index} n={n}>
        <circle cx={cx} cy={cy} {...point} {...(isDrawn ? strokeOf(n, series.isBefore) : { stroke: 'none', fill: 'transparent' })} strokeDasharray="none" />
        <circle cx={cx} cy={cy} r={9} fill="transparent" stroke="none" />
      </Mark>
    )
}

/** A ring with its parts named beside it, so that nobody has to tell colours apart. */
function Share({ id, model, label }: DrawingProps) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const [series] = model.series
  if (series === undefined) return null
  const shares = sharesOf(series.values)
  const data = model.places.map((place, i) => ({ place, at: i, value: Math.max(0, Number(series.values[i] ?? 0)), text: series.values[i] ?? null }))
  return (
    <div className={css['share']}>
      <PieChart responsive className={css['ring'] ?? ''} aria-label={label} {...walkedBy(model)}>
        <Patterns id={id} count={data.length} />
        <Tooltip content={<Tip model={model} />} isAnimationActive={false} />
        <Pie
          data={data}
          dataKey="value"
          nameKey="place"
          innerRadius="58%"
          outerRadius="96%"
          paddingAngle={1}
          stroke="var(--surface)"
          isAnimationActive={!isStill && series.leads === undefined}
          animationDuration={250}
          {...(series.leads === undefined ? {} : { rootTabIndex: -1, shape: (sector: PieSectorShapeProps) => <PartMark model={model} sector={sector} /> })}
        >
          {data.map(({ at }, n) => (
            <Cell key={at} fill={fillOf(id, n, false)} />
          ))}
        </Pie>
      </PieChart>
      <ul className={css['parts']} aria-hidden="true">
        {data.map(({ place, at, text }, n) => (
          <li key={at}>
            <Swatch id={id} n={n} />
            <span className={css['part']}>{place}</span>
            <span className={css['amount']}>{valueText(model.valueType, text)}</span>
            <span className={css['percent']}>{shares[n] === null ? '' : `${shares[n]} %`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function PartMark({ model, sector }: { readonly model: ChartModel; readonly sector: PieSectorShapeProps }) {
  const { index, cx, cy, innerRadius, outerRadius, startAngle, endAngle, fill = 'none', stroke = 'none' } = sector
  return (
    <Mark model={model} at={index} n={0}>
      <Sector cx={cx} cy={cy} innerRadius={innerRadius} outerRadius={outerRadius} startAngle={startAngle} endAngle={endAngle} fill={fill} stroke={stroke} />
    </Mark>
  )
}

function Legend({ id, type, model: { series, measured } }: { readonly id: string; readonly type: ChartModel['type']; readonly model: ChartModel }) {
  return (
    <ul className={css['legend']} aria-hidden="true">
      {measured !== undefined && <li>{measured}</li>}
      {series.map(({ name, isBefore }, n) => (
        <li key={name}>
          {type === 'line' ? <Stroke n={n} isBefore={isBefore} /> : <Swatch id={id} n={n} isBefore={isBefore} />} {name}
        </li>
      ))}
    </ul>
  )
}

interface TipProps {
  readonly model: ChartModel
  /** Given by the chart. */
  readonly active?: boolean
  readonly payload?: readonly { readonly payload?: { readonly at?: number } }[]
}

function Tip({ model, active = false, payload = [] }: TipProps): ReactNode {
  const at = payload[0]?.payload?.at
  return active && at !== undefined ? <TipText model={model} at={at} /> : null
}

/** Exact values of the place pointed at; never the floats that were drawn. */
function TipText({ model, at }: { readonly model: ChartModel; readonly at: number }) {
  return (
    <div className={css['tip']}>
      <strong>{model.places[at]}</strong>
      <dl>
        {model.series.map((series) => (
          <div key={series.name}>
            {namesSeries(model) && <dt>{series.name}</dt>}
            <dd>{valueText(model.valueType, series.values[at] ?? null)}</dd>
          </div>
        ))}
      </dl>
      {model.series.some(({ leads }) => leads?.[at] !== undefined) && <p className={css['where']}>{t('ui.report.chart-leads')}</p>}
    </div>
  )
}

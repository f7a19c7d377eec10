import type { ReactNode } from 'react'
import './colours.css'
import css from './Chart.module.css'

/** Colours are told apart by everybody as far as colours can; the pattern over each tells the rest. */
const kinds = 8

export function colourOf(n: number): string {
  return `var(--chart-${(n % kinds) + 1})`
}

/** The colours come round again after the eighth, each with the next pattern: sixty-four are told apart before one is as another. */
function markOf(n: number): number {
  return (n + Math.floor(n / kinds)) % kinds
}

/** Fill of a bar or part: its colour with its own pattern; the period compared with only its outline and a light hatch. */
export function fillOf(id: string, n: number, isBefore: boolean): string {
  return `url(#${id}-${isBefore ? 'before' : n % kinds ** 2})`
}

/** Lines are told apart by their dashes. */
function dashOf(n: number): string {
  return ['0', '7 3', '2 3', '9 3 2 3', '4 2', '12 4', '1 2', '8 2 2 2 2 2'][markOf(n)] ?? '0'
}

/** How a line looks, in the drawing and beside its name. */
export function strokeOf(n: number, isBefore: boolean): { readonly stroke: string; readonly strokeWidth: number; readonly strokeDasharray: string } {
  return { stroke: colourOf(n), strokeWidth: isBefore ? 1.5 : 2.25, strokeDasharray: isBefore ? '2 3' : dashOf(n) }
}

const size = 8

/** What lies over the colour. */
const marks: readonly ReactNode[] = [
  null,
  <path key="rising" d="M-2 2l4-4M0 8l8-8M6 10l4-4" />,
  <circle key="dots" cx="4" cy="4" r="1.4" className={css['dot']} />,
  <path key="falling" d="M-2 6l4 4M0 0l8 8M6 -2l4 4" />,
  <path key="lying" d="M0 4h8" />,
  <path key="standing" d="M4 0v8" />,
  <path key="crossed" d="M0 0l8 8M8 0l-8 8" />,
  <path key="checked" d="M0 4h8M4 0v8" />,
]

export function Patterns({ id, count }: { readonly id: string; readonly count: number }) {
  return (
    <defs>
      {Array.from({ length: Math.min(count, kinds ** 2) }, (_, n) => (
        <pattern key={n} id={`${id}-${n}`} width={size} height={size} patternUnits="userSpaceOnUse">
          <rect width={size} height={size} fill={colourOf(n)} />
          <g className={css['mark']}>{marks[markOf(n)]}</g>
        </pattern>
      ))}
      <pattern id={`${id}-before`} width={size} height={size} patternUnits="userSpaceOnUse">
        <rect width={size} height={size} fill="var(--surface)" />
        <g className={css['faint']}>{marks[1]}</g>
      </pattern>
    </defs>
  )
}

export function Swatch({ id, n, isBefore = false }: { readonly id: string; readonly n: number; readonly isBefore?: boolean }) {
  return (
    <svg width="14" height="14" aria-hidden="true" focusable="false" className={css['swatch']}>
      <rect x="0.5" y="0.5" width="13" height="13" rx="3" fill={fillOf(id, n, isBefore)} stroke={colourOf(n)} />
    </svg>
  )
}

/** A piece of a line, for its name in the legend. */
export function Stroke({ n, isBefore }: { readonly n: number; readonly isBefore: boolean }) {
  return (
    <svg width="28" height="14" aria-hidden="true" focusable="false" className={css['swatch']}>
      <line x1="1" y1="7" x2="27" y2="7" {...strokeOf(n, isBefore)} />
    </svg>
  )
}

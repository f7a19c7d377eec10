import type { ReactNode } from 'react'
import css from './ReportCards.module.css'

export interface CardFigure {
  readonly id: string
  readonly label: string
  readonly value: ReactNode
}

/** Figures of a card or of the head of a group: each under its name, two beside one another. */
export function Figures({ figures }: { readonly figures: readonly CardFigure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className={css['figures']}>
      {figures.map(({ id, label, value }) => (
        <div key={id}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

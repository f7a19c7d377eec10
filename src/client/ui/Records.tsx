import type { ReactNode } from 'react'
import css from './Records.module.css'
import { classes } from './classes.ts'
import input from './input.module.css'
import { EmptyState, ErrorState, Skeleton } from './States.tsx'
import type { IconName } from './Icon.tsx'

interface RecordsPageProps {
  readonly title: string
  /** A sentence about what stands here. */
  readonly hint?: ReactNode
  /** Beside the title. */
  readonly tools?: ReactNode
  /** What makes another one; at the end of the line. */
  readonly actions?: ReactNode
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A page of things somebody has made or sent: title, what it is about, lists of them. */
export function RecordsPage({ title, hint, tools, actions, isWide = false, children }: RecordsPageProps) {
  return (
    <section className={classes(css['page'], isWide && css['wide'])} aria-label={title}>
      <header className={css['head']}>
        <h1>{title}</h1>
        {tools}
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      {hint !== undefined && <p className={css['hint']}>{hint}</p>}
      {children}
    </section>
  )
}

export interface RecordsProblem {
  readonly title: string
  readonly text: string
  readonly onRetry: () => void
}

interface RecordsProps<T> {
  /** Undefined: not answered yet. */
  readonly records: readonly T[] | undefined
  /** Why they could not be read; what was read before stays. */
  readonly problem?: RecordsProblem | undefined
  readonly empty: { readonly icon: IconName; readonly title: string }
  readonly label?: string | undefined
  /** Without a frame of its own, inside a dialog. */
  readonly isBare?: boolean
  readonly children: (record: T) => ReactNode
}

/** The things one under the other, or why there are none. */
export function Records<T>({ records, problem, empty, label, isBare = false, children }: RecordsProps<T>) {
  if (records === undefined) return problem === undefined ? <Skeleton lines={5} /> : <ErrorState {...problem} />
  if (records.length === 0) return <EmptyState icon={empty.icon} title={empty.title} />
  return (
    <ul className={classes(css['list'], isBare && css['bare'])} aria-label={label}>
      {records.map(children)}
    </ul>
  )
}

interface RecordItemProps {
  readonly title: ReactNode
  readonly badge?: ReactNode
  /** Lines in smaller type; empty ones are left out. */
  readonly facts: readonly (string | undefined)[]
  readonly problem?: string | undefined
  /** How far it is, 0 to 1; null: under way, nobody knows how far. */
  readonly progress?: { readonly label: string; readonly share: number | null } | undefined
  /** Opened where somebody wants to know. */
  readonly more?: { readonly summary: string; readonly lines: readonly string[] }
  /** Buttons at the end. */
  readonly deeds?: ReactNode
}

/** One of them: what it is called, how it stands, what can be done with it. */
export function RecordItem({ title, badge, facts, problem, progress, more, deeds }: RecordItemProps) {
  return (
    <li className={css['record']}>
      <div className={css['about']}>
        {typeof title === 'string' ? <strong>{title}</strong> : title}
        {badge}
        {facts
          .filter((fact) => fact !== undefined && fact !== '')
          .map((fact) => (
            <p key={fact} className={css['facts']}>
              {fact}
            </p>
          ))}
        {problem !== undefined && <p className={css['problem']}>{problem}</p>}
        {more !== undefined && (
          <details className={css['more']}>
            <summary>{more.summary}</summary>
            <ul>
              {more.lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
        {progress !== undefined && <progress aria-label={progress.label} {...(progress.share === null ? {} : { value: progress.share })} />}
      </div>
      {deeds !== undefined && <div className={css['deeds']}>{deeds}</div>}
    </li>
  )
}

/** Fields beside each other in a dialog, as many as fit. */
export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className={css['row']}>{children}</div>
}

interface TicksProps {
  readonly legend: string
  readonly hint?: string
  readonly children: ReactNode
}

/** Boxes to tick under one heading; each of them a `Tick`. */
export function Ticks({ legend, hint, children }: TicksProps) {
  return (
    <fieldset className={css['ticks']}>
      <legend>{legend}</legend>
      {children}
      {hint !== undefined && <p className={css['hint']}>{hint}</p>}
    </fieldset>
  )
}

interface TickProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly title?: string
  readonly children: ReactNode
}

export function Tick({ isOn, onChange, title, children }: TickProps) {
  return (
    <label className={css['tick']} title={title}>
      <input type="checkbox" className={input['check']} checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  )
}

import type { ReactNode } from 'react'
import css from './Badge.module.css'
import { classes } from './classes.ts'
import type { Tone } from './tone.ts'

/** A state in words on a tint; colour never says anything the words do not. */
export function Badge({ tone = 'neutral', children, title }: { readonly tone?: Tone; readonly children: ReactNode; readonly title?: string }) {
  return (
    <span className={looks[tone]} title={title}>
      {children}
    </span>
  )
}

/** The same without a component of its own, for tables with hundreds of them. */
export function badge(tone: Tone, text: string): ReactNode {
  return <span className={looks[tone]}>{text}</span>
}

const looks: Readonly<Record<Tone, string>> = {
  neutral: classes(css['badge'], css['neutral']),
  info: classes(css['badge'], css['info']),
  positive: classes(css['badge'], css['positive']),
  warning: classes(css['badge'], css['warning']),
  negative: classes(css['badge'], css['negative']),
}

import type { ReactNode } from 'react'
import css from './Badge.module.css'
import { classes } from './classes.ts'
import type { Tone } from './tone.ts'

/** A state in words on a tint; colour never says anything the words do not. */
export function Badge({ tone = 'neutral', children, title }: { readonly tone?: Tone; readonly children: ReactNode; readonly title?: string }) {
  return (
    <span className={classes(css['badge'], css[tone])} title={title}>
      {children}
    </span>
  )
}

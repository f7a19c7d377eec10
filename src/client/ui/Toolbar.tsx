import type { ReactNode } from 'react'
import css from './Toolbar.module.css'

/** A row of controls that wraps on narrow screens; `end` keeps to the right edge. */
export function Toolbar({ label, children, end }: { readonly label: string; readonly children: ReactNode; readonly end?: ReactNode }) {
  return (
    <div role="toolbar" aria-label={label} className={css['toolbar']}>
      {children}
      {end !== undefined && <div className={css['end']}>{end}</div>}
    </div>
  )
}

import type { ReactNode } from 'react'
import css from './ErrorPage.module.css'

/** A page of its own for what cannot be shown. */
export function ErrorPage({ code, title, text, children }: { readonly code: string; readonly title: string; readonly text: string; readonly children: ReactNode }) {
  return (
    <main className={css['page']}>
      <p className={css['code']}>{code}</p>
      <h1>{title}</h1>
      <p className={css['text']}>{text}</p>
      {children}
    </main>
  )
}

import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { languageAtom, languages, speak, t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { hasToken } from '../data/http.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './ReadingFrame.module.css'

const names = { en: 'English', cn: '中文', id: 'Bahasa Indonesia' } as const

/** A page to read for anybody, signed in or not: the product's name, a way on, one column of text. */
export function ReadingFrame({ title, about, children }: { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }) {
  const language = useAtomValue(languageAtom)
  usePageName(title)
  return (
    <div className={css['page']}>
      <header className={css['bar']}>
        <a className={css['brand']} href="/">
          <Logo size={24} /> Arus
        </a>
        <select className={css['language']} aria-label={t('ui.language')} value={language} onChange={(event) => void speak(languages.find((one) => one === event.target.value) ?? 'en')}>
          {languages.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </select>
        <a href="/">{t(hasToken() ? 'ui.go-home' : 'ui.sign-in.title')}</a>
      </header>
      <main className={css['text']}>
        <h1>{title}</h1>
        {about !== undefined && <div className={css['about']}>{about}</div>}
        {children}
      </main>
    </div>
  )
}

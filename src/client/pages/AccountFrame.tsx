import type { ReactNode } from 'react'
import { languages, storedLanguage, t, type Language } from '../app/messages.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './AccountFrame.module.css'

interface AccountFrameProps {
  /** Speaks another language from now on. */
  readonly onLanguage: (language: Language) => void
  readonly children: ReactNode
}

const names = { en: 'English', cn: '中文', id: 'Bahasa Indonesia' } as const

/** The pages around signing in: the product at one side, what there is to do at the other. */
export function AccountFrame({ onLanguage, children }: AccountFrameProps) {
  return (
    <div className={css['page']}>
      <header className={css['brand']}>
        <Logo size={40} />
        <span className={css['name']}>Arus</span>
        <p className={css['claim']}>{t('ui.sign-in.claim')}</p>
      </header>
      <main className={css['main']}>
        <div className={css['card']}>{children}</div>
      </main>
      <footer className={css['foot']}>
        <select className={css['language']} aria-label={t('ui.sign-in.language')} value={storedLanguage()} onChange={(event) => onLanguage(languages.find((language) => language === event.target.value) ?? 'en')}>
          {languages.map((language) => (
            <option key={language} value={language}>
              {names[language]}
            </option>
          ))}
        </select>
        <a href="/term-of-service">{t('ui.sign-in.terms')}</a>
        <a href="/privacy-police">{t('ui.sign-in.privacy')}</a>
        <a href="/pages/change-log">{t('ui.sign-in.change-log')}</a>
      </footer>
    </div>
  )
}

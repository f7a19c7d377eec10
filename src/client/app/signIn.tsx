import type { Root } from 'react-dom/client'
import { signInMessages } from 'virtual:sign-in-messages'
import { takeNotice } from '../data/notice.ts'
import { LoginPage } from '../pages/LoginPage.tsx'
import { hideOverlay, showOverlay } from './overlay.ts'
import { keepLanguage, setCatalogues, storedLanguage, t, type Language } from './messages.ts'
import { takePlace } from './returning.ts'
import { notify } from './toasts.ts'

/** The sign-in page alone: no router, no tables. The application is loaded once somebody has signed in. */
export async function startSignIn(root: Root): Promise<void> {
  history.replaceState(null, '', '/pages/login')
  const notice = takeNotice()
  const show = (language: Language): void => {
    setCatalogues(signInMessages['en'] ?? {}, signInMessages[language])
    keepLanguage(language)
    document.title = `${t('ui.sign-in.title')} · Arus`
    root.render(<LoginPage notice={notice} onLanguage={show} onSignedIn={(email) => void enter(root, email)} onAlready={() => void enter(root, undefined)} />)
  }
  show(storedLanguage())
  hideOverlay()
}

/** `email` has just signed in; undefined: somebody had done so already. */
async function enter(root: Root, email: string | undefined): Promise<void> {
  showOverlay()
  // Whose session was lost comes back to where he was; everybody else starts at /.
  history.replaceState(null, '', (email === undefined ? undefined : takePlace(email)) ?? '/')
  const [tone, text] = email !== undefined ? (['success', t('ui.sign-in.done')] as const) : (['warning', t('ui.sign-in.already')] as const)
  const { startApplication } = await import('./start.tsx')
  await startApplication(root)
  await notify({ tone, text, isAside: true })
}

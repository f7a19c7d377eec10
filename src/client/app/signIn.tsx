import type { Root } from 'react-dom/client'
import { signInMessages } from 'virtual:sign-in-messages'
import { LoginPage } from '../pages/LoginPage.tsx'
import { hideOverlay, showOverlay } from './overlay.ts'
import { setCatalogues, storedLanguage, t } from './messages.ts'
import { notify } from './toasts.ts'

/** The sign-in page alone: no router, no tables. The application is loaded once somebody has signed in. */
export async function startSignIn(root: Root): Promise<void> {
  history.replaceState(null, '', '/pages/login')
  setCatalogues(signInMessages['en'] ?? {}, signInMessages[storedLanguage()])
  document.title = `${t('ui.sign-in.title')} · Arus`
  root.render(<LoginPage onSignedIn={() => void enter(root)} />)
  hideOverlay()
}

async function enter(root: Root): Promise<void> {
  showOverlay()
  history.replaceState(null, '', '/')
  const greeting = t('ui.sign-in.done')
  const { startApplication } = await import('./start.tsx')
  await startApplication(root)
  await notify({ tone: 'success', text: greeting })
}

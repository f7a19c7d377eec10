import { createRoot } from 'react-dom/client'
import { rememberKeys } from './app/earlyKeys.ts'
import { applyTheme, onSystemTheme } from './app/theme.ts'
import { loadFirstTexts } from './app/messages.ts'
import { rememberPlace } from './app/returning.ts'
import { hasToken, onLeave } from './data/http.ts'
import { loadSession } from './data/session.ts'

applyTheme()
onSystemTheme(() => applyTheme())
const container = document.getElementById('root')
if (container === null) throw new Error('The page has no #root')
const root = createRoot(container)

// Without a token only the sign-in page and those anybody may read exist: the visitor of the former does not pay for the application.
const isForAnybody = /^\/(pages\/(error-|change-log|forgot-password|reset-password\/|privacy-police)|version|term-of-service|privacy-police|auth\/callback)/.test(location.pathname)
if (hasToken() || isForAnybody || (import.meta.env.DEV && location.pathname.startsWith('/studio/catalogue'))) {
  // Under way while the application's code is being loaded.
  if (hasToken()) {
    // It may turn out to be lost before there is more.
    onLeave((path) => {
      rememberPlace(undefined)
      location.assign(path)
    })
    void loadSession()
  }
  loadFirstTexts()
  // Awaited nowhere: a module that awaits keeps the bundler from putting others together.
  void import('./app/start.tsx').then(({ startApplication }) => startApplication(root))
} else {
  rememberKeys()
  void import('./app/signIn.tsx').then(({ startSignIn }) => startSignIn(root))
}

import { Provider } from 'jotai'
import type { Root } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { hasToken, onLeave } from '../data/http.ts'
import { loadSession, store } from '../data/session.ts'
import { speak, storedLanguage } from './messages.ts'
import { makeRouter } from './router.tsx'

/** Loads language, session and the first route together, then shows the application. */
export async function startApplication(root: Root): Promise<void> {
  const language = speak(storedLanguage())
  if (hasToken()) void loadSession()
  await language
  const router = makeRouter()
  onLeave((path) => {
    // The sign-in page starts afresh: nothing of the lost session stays in memory.
    if (path === '/pages/login') location.assign(path)
    else void router.navigate(path)
  })
  root.render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  )
}

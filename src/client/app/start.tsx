import { Provider } from 'jotai'
import type { Root } from 'react-dom/client'
import { ErrorState } from '../ui/States.tsx'
import { onLeave } from '../data/http.ts'
import { store } from '../data/session.ts'
import { AppHistory } from './history.ts'
import { speak, storedLanguage, t } from './messages.ts'
import { hideOverlay } from './overlay.ts'
import { AppRouter, guard } from './router.tsx'

/** Loads language, session and the first route together, then shows the application. */
export async function startApplication(root: Root): Promise<void> {
  const history = new AppHistory(guard)
  onLeave((path) => {
    // The sign-in page starts afresh: nothing of the lost session stays in memory.
    if (path === '/pages/login') location.assign(path)
    else history.push(path)
  })
  try {
    await Promise.all([speak(storedLanguage()), history.start()])
  } catch (error) {
    hideOverlay()
    root.render(<ErrorState title={t('ui.page-failed')} text={error instanceof Error ? error.message : String(error)} onRetry={() => location.reload()} />)
    return
  }
  root.render(
    <Provider store={store}>
      <AppRouter history={history} />
    </Provider>,
  )
}

import { Provider } from 'jotai'
import type { Root } from 'react-dom/client'
import { ErrorState } from '../ui/States.tsx'
import { afterPaint } from '../data/afterPaint.ts'
import { onLeave } from '../data/http.ts'
import { keepLastMenu } from '../data/lastMenu.ts'
import { keepWhenHidden } from '../data/leaving.ts'
import { sessionAtom, store } from '../data/session.ts'
import { loadChunk } from './chunks.ts'
import { AppHistory } from './history.ts'
import { leaveFor } from './leave.ts'
import { keepListHabits } from './listHabits.ts'
import { speakFirst, t, untilSpoken } from './messages.ts'
import { hideOverlay } from './overlay.ts'
import { adoptOnce } from './preferences.ts'
import { rememberWho } from './returning.ts'
import { AppRouter, guard } from './router.tsx'
import { forgetVisitsOnSignOut } from './visitsKept.ts'

/** Loads language, session and the first route together, then shows the application. */
export async function startApplication(root: Root): Promise<void> {
  const history = new AppHistory(guard)
  onLeave((path, refusal) => leaveFor(history, path, refusal))
  history.subscribe(() => {
    if (!history.place().isLoading) hideOverlay()
  })
  keepWhenHidden()
  keepLastMenu()
  forgetVisitsOnSignOut()
  // A page that was allowed before is drawn before the server has said who is here.
  store.sub(sessionAtom, () => rememberWho(store.get(sessionAtom)?.user.email))
  try {
    await Promise.all([speakFirst(), history.start()])
    const session = store.get(sessionAtom)
    if (session !== undefined) await adoptOnce(session.user)
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
  keepListHabits()
  afterPaint(() => void untilSpoken().catch(() => undefined))
  // Nothing is pasted before there is a box to paste into.
  afterPaint(() => void loadChunk(() => import('./unseenMarks.ts')).then(({ leaveOutUnseen }) => leaveOutUnseen(), () => undefined))
}

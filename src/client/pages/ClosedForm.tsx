import { useCallback, useSyncExternalStore } from 'react'
import type { ScreenModule } from '#meta/screenModule.ts'
import { loadedScreen } from '../app/screens.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { useScreens } from '../app/useScreens.tsx'
import type { FormSession } from '../form/formSession.ts'
import { Skeleton } from '../ui/States.tsx'
import { DetailView } from './DetailView.tsx'
import { DocumentActions } from './DocumentActions.tsx'

interface ClosedFormProps {
  /** Detail screen that stands in the form's place. */
  readonly screen: string
  readonly session: FormSession
  readonly onStep: (id: number) => void
}

/** A document that can no longer be edited, under the path of its form. Moved on, it may be one to be edited again. */
export function ClosedForm({ screen, session, onStep }: ClosedFormProps) {
  const [query, setQuery] = useUrlQuery()
  const select = useCallback((tab: string) => setQuery({ tab }, { replace: true }), [setQuery])
  const { failure } = useScreens([screen])
  const module = loadedScreen(screen)
  const { record } = session.state
  if (failure !== undefined) return failure
  if (module?.screen.kind !== 'detail' || record === undefined) return <Skeleton lines={8} />
  return (
    <DetailView screen={module.screen} module={module} id={record.ID} tab={query.get('tab') ?? query.get('notes') ?? undefined} onTab={select} onStep={onStep} onChanged={() => void session.open()} />
  )
}

/** A document that has left its form is moved on from there as from its page. */
export function ActionsOfClosed({ session, module }: { readonly session: FormSession; readonly module: ScreenModule }) {
  const { record } = useSyncExternalStore(session.subscribe, () => session.state)
  if (record === undefined) return null
  return <DocumentActions resource={session.screen.resource} entity={session.screen.entity} transitions={module.transitions} record={record} hasForm={false} saysPending onDone={() => void session.open()} />
}

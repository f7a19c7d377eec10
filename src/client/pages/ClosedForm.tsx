import { useCallback } from 'react'
import type { ScreenModule } from '#meta/screenModule.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { useScreens } from '../app/useScreens.tsx'
import { loadedScreen } from '../app/screens.ts'
import { Skeleton } from '../ui/States.tsx'
import { DetailView } from './DetailView.tsx'

interface ClosedFormProps {
  /** Detail screen that stands in the form's place. */
  readonly screen: string
  readonly id: number
  readonly onStep: (id: number) => void
  /** The document may be one to be edited again. */
  readonly onChanged: () => void
}

/** A document that can no longer be edited, under the path of its form. */
export function ClosedForm({ screen, id, onStep, onChanged }: ClosedFormProps) {
  const [query, setQuery] = useUrlQuery()
  const select = useCallback((tab: string) => setQuery({ tab }, { replace: true }), [setQuery])
  const { failure } = useScreens([screen])
  const module: ScreenModule | undefined = loadedScreen(screen)
  if (failure !== undefined) return failure
  if (module?.screen.kind !== 'detail') return <Skeleton lines={10} />
  return <DetailView screen={module.screen} module={module} id={id} tab={query.get('tab') ?? query.get('notes') ?? undefined} onTab={select} onStep={onStep} onChanged={onChanged} />
}

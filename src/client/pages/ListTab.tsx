import { useMemo, useState } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { DetailTab } from '#meta/resolved.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { fillPath } from '../data/around.ts'
import { useOwnPlace } from '../table/useListState.ts'
import { Skeleton } from '../ui/States.tsx'
import { ListView } from './ListView.tsx'

/** A list screen inside a detail, its parameters filled from the record. */
export function ListTab({ tab, record }: { readonly tab: Extract<DetailTab, { kind: 'list' }>; readonly record: WireRecord }) {
  const { failure } = useScreens([tab.screen])
  const module = loadedScreen(tab.screen)
  const place = useOwnPlace()
  const [edited, edit] = useState<string>()
  const params = useMemo(() => Object.fromEntries(Object.entries(tab.params).map(([name, template]) => [name, decodeURIComponent(fillPath(template, record) ?? '')])), [tab, record])
  if (module === undefined || module.screen.kind !== 'list') return failure ?? <Skeleton lines={6} />
  return <ListView screen={module.screen} params={params} place={place} edited={edited} onEdit={edit} />
}

import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { DetailScreen, ScreenAction } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import type { ScreenModule } from '../app/screens.ts'
import { lastVisited } from '../table/lastVisited.ts'
import { Drawer } from '../ui/Drawer.tsx'
import { DetailView } from './DetailView.tsx'

interface DetailPanelProps {
  readonly module: ScreenModule
  readonly screen: DetailScreen
  readonly id: number
  readonly onClose: () => void
  readonly onChanged: () => void
  readonly onStep?: ((id: number) => void) | undefined
  /** What the list offers for the row. */
  readonly offered?: readonly ScreenAction[] | undefined
}

/** The tabs open at the addresses visited last: Back finds the one a document was opened out of. */
const tabs = lastVisited<string>()

/** A document beside the list it was opened from. */
export function DetailPanel({ module, screen, id, onClose, onChanged, onStep, offered }: DetailPanelProps) {
  // A notification leads to the comments.
  const [query] = useSearchParams()
  const { key } = useLocation()
  const [tab, setTab] = useState(() => tabs.get(key) ?? query.get('notes') ?? undefined)
  useEffect(() => {
    if (tab !== undefined) tabs.set(key, tab)
  }, [key, tab])
  return (
    <Drawer title={t(screen.title)} onClose={onClose}>
      <DetailView key={id} screen={screen} module={module} id={id} tab={tab} onTab={setTab} onChanged={onChanged} onStep={onStep} offered={offered} isCompact />
    </Drawer>
  )
}

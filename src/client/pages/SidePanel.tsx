import type { WireRecord } from '#api/envelope.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { DetailPanel } from './DetailPanel.tsx'
import { FormPanel } from '../form/FormPanel.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Skeleton } from '../ui/States.tsx'

interface SidePanelProps {
  readonly screenId: string
  /** Record of the list's own entity. */
  readonly recordId?: number | undefined
  /** Row the panel was opened for by an action, and the entity it is of. */
  readonly row?: WireRecord | undefined
  readonly listEntity?: string
  readonly params: Readonly<Record<string, string>>
  readonly onClose: () => void
  readonly onSaved: () => void
  /** Turns to another record of the list. */
  readonly onStep?: (id: number) => void
  /** What the list offers for the row. */
  readonly offered?: readonly ScreenAction[]
}

/**
 * A form or a detail beside the list. Opened for a row of another entity, a form makes a new record
 * that may take the row's id from the parameter named after the list's entity (`invoice_id`).
 */
export function SidePanel({ screenId, recordId, row, listEntity, params, onClose, onSaved, onStep, offered }: SidePanelProps) {
  const { failure } = useScreens([screenId])
  const module = loadedScreen(screenId)
  if (module === undefined) {
    return (
      <Drawer title={t(failure === undefined ? 'ui.loading' : 'ui.page-failed')} onClose={onClose}>
        {failure ?? <Skeleton lines={6} />}
      </Drawer>
    )
  }
  const { screen } = module
  const isOwn = row === undefined || !('entity' in screen) || screen.entity === listEntity
  const id = recordId ?? (isOwn ? row?.ID : undefined)
  if (screen.kind === 'detail' && id !== undefined) return <DetailPanel module={module} screen={screen} id={id} onClose={onClose} onChanged={onSaved} onStep={onStep} offered={offered} />
  // What is saved is done with: the list shows it, and the next row can be opened.
  const saved = () => {
    onClose()
    onSaved()
  }
  return <FormPanel screenId={screenId} recordId={id} params={isOwn || row === undefined ? params : { ...params, [`${listEntity}_id`]: String(row.ID) }} onClose={onClose} onSaved={saved} />
}

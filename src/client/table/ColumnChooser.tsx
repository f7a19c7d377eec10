import { Suspense } from 'react'
import type { Layout } from '#api/view.ts'
import type { Column } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './ColumnChooser.module.css'

const ColumnPanel = lazy(() => import('./ColumnPanel.tsx').then((module) => ({ default: module.ColumnPanel })))

interface ColumnChooserProps {
  /** All columns of the screen. */
  readonly columns: readonly Column[]
  readonly layout: Layout
  readonly onChange: (layout: Layout) => void
  /** Back to the view as it was kept; absent: nothing has been changed. */
  readonly onReset?: (() => void) | undefined
}

/** Which columns are shown, in what order and where they stay in sight. */
export function ColumnChooser(props: ColumnChooserProps) {
  return (
    <Popover trigger={<Icon name="columns" />} triggerClass={css['button']} label={t('ui.columns')} align="end">
      {() => (
        <Suspense fallback={<Skeleton lines={8} />}>
          <ColumnPanel {...props} />
        </Suspense>
      )}
    </Popover>
  )
}

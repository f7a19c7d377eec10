import { Suspense } from 'react'
import type { Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './ColumnChooser.module.css'

const GroupPanel = lazy(() => import('./GroupPanel.tsx').then((module) => ({ default: module.GroupPanel })))

export interface GroupButtonProps {
  readonly fields: readonly Field[]
  readonly group: readonly Grouping[]
  readonly onChange: (group: readonly Grouping[]) => void
  /** Opens or closes all groups there are. */
  readonly onToggleAll?: ((isOpen: boolean) => void) | undefined
}

/** By which fields the rows are grouped. */
export function GroupButton(props: GroupButtonProps) {
  return (
    <Popover trigger={<Icon name="group" />} triggerClass={classes(css['button'], props.group.length > 0 && css['on'])} label={t('ui.group')} align="end">
      {() => (
        <Suspense fallback={<Skeleton lines={2} />}>
          <GroupPanel {...props} />
        </Suspense>
      )}
    </Popover>
  )
}

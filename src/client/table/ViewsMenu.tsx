import { Suspense } from 'react'
import type { SavedView, ViewDefinition } from '#api/view.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './ViewsMenu.module.css'

const ViewsPanel = lazy(() => import('./ViewsPanel.tsx').then((module) => ({ default: module.ViewsPanel })))

export interface ViewsProps {
  /** Id of the screen. */
  readonly screen: string
  readonly views: readonly SavedView[]
  /** The view chosen; undefined: as delivered. */
  readonly view: SavedView | undefined
  /** Something of it has been changed and not saved. */
  readonly isModified: boolean
  /** Part of it was left out: saved once more it fits again. */
  readonly isMisfit: boolean
  /** What is seen now, as it would be kept. */
  readonly definition: () => ViewDefinition
  /** Opens a view, or the screen as delivered (undefined); drops what was changed. */
  readonly onChoose: (view: SavedView | undefined) => void
  /** Of a report: the days a view opens with whatever day it is, in words; '' for none. */
  readonly daysIn?: (definition: ViewDefinition) => string
}

/** Name of the view chosen, marked when it has been changed; opens the views there are. */
export function ViewsMenu(props: ViewsProps) {
  const { view, isModified, daysIn } = props
  const days = view === undefined || isModified ? '' : (daysIn?.(view.Definition) ?? '')
  const name = view === undefined ? t('ui.view.standard') : view.Name
  return (
    <Popover
      trigger={
        <>
          <span className={css['name']}>{name}</span>
          {days !== '' && <span className={css['days']}>{t('ui.view.fixed', { days })}</span>}
          {isModified && <span className={css['mark']}>{t('ui.view.modified')}</span>}
          <Icon name="chevron" size={14} />
        </>
      }
      triggerClass={css['button']}
      label={`${t(isModified ? 'ui.view.choose-modified' : 'ui.view.choose', { name })}${days === '' ? '' : `, ${t('ui.view.fixed', { days })}`}`}
    >
      {(close) => (
        <Suspense fallback={<Skeleton lines={4} />}>
          <ViewsPanel {...props} close={close} />
        </Suspense>
      )}
    </Popover>
  )
}

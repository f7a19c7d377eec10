import { useAtom } from 'jotai'
import type { ReactNode } from 'react'
import type { Layout } from '#api/view.ts'
import type { Grouping } from '#api/view.ts'
import type { ListScreen, ScreenAction } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { densityAtom } from '../app/preferences.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import chooser from './ColumnChooser.module.css'
import { ColumnChooser } from './ColumnChooser.tsx'
import { filterFields } from './filters.ts'
import { GroupButton } from './GroupButton.tsx'
import css from './ListTools.module.css'

interface ListToolsProps {
  readonly screen: ListScreen
  readonly layout: Layout
  readonly onLayout: (layout: Layout) => void
  readonly onResetLayout: (() => void) | undefined
  readonly group: readonly Grouping[]
  readonly onGroup: (group: readonly Grouping[]) => void
  readonly onToggleGroups: ((isOpen: boolean) => void) | undefined
  /** The button that makes a file of the list. */
  readonly exporting: ReactNode
  /** Is there anything to copy or to look at? */
  readonly hasRows: boolean
  readonly isPreviewing: boolean
  readonly onPreview: () => void
  readonly onReload: () => void
  readonly onCopy: () => void
  readonly onPrint: () => void
  readonly onHelp: () => void
  readonly actions: readonly ScreenAction[]
  readonly onAction: (action: ScreenAction) => void
}

/** What can be done with the list as a whole. */
export function ListTools(props: ListToolsProps) {
  const { screen, actions, onAction } = props
  const [density, setDensity] = useAtom(densityAtom)
  return (
    <div className={css['tools']}>
      <IconButton icon="refresh" label={t('ui.reload')} onClick={props.onReload} />
      <GroupButton fields={filterFields(screen)} group={props.group} onChange={props.onGroup} onToggleAll={props.onToggleGroups} />
      <ColumnChooser columns={screen.columns} layout={props.layout} onChange={props.onLayout} onReset={props.onResetLayout} />
      {props.exporting}
      <IconButton icon="eye" label={t('ui.preview')} pressed={props.isPreviewing} disabled={!props.hasRows} onClick={props.onPreview} />
      <Menu
        trigger={<Icon name="more" />}
        triggerClass={chooser['button']}
        label={t('ui.more')}
        items={[
          { id: 'copy', label: t('ui.copy'), icon: 'copy', disabled: !props.hasRows, onSelect: props.onCopy },
          { id: 'print', label: t('ui.print'), icon: 'print', onSelect: props.onPrint },
          { id: 'density', label: t('ui.compact'), icon: 'density', isToggle: true, checked: density === 'compact', onSelect: () => setDensity(density === 'compact' ? 'comfortable' : 'compact') },
          { id: 'keys', label: t('ui.keys.title'), icon: 'keyboard', onSelect: props.onHelp },
        ]}
      />
      <div className={css['deeds']}>
        {actions.map((action, i) => (
          <Button key={action.id} look={i === 0 ? 'primary' : 'default'} icon={action.id === 'new' ? 'plus' : undefined} onClick={() => onAction(action)}>
            {t(action.label)}
          </Button>
        ))}
      </div>
    </div>
  )
}

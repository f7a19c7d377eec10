import type { RowGroup } from '#api/data.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { GroupTicks } from './useGroupTicks.ts'

interface GroupBoxProps {
  readonly ticks: GroupTicks
  readonly path: readonly RowGroup[]
  readonly className?: string | undefined
  readonly tabIndex?: number
}

/** Selects a whole group. */
export function GroupBox({ ticks, path, className, tabIndex }: GroupBoxProps) {
  const ticked = ticks.tickOf(path)
  const isBusy = ticks.isBusy(path)
  return (
    <label className={className}>
      <input
        type="checkbox"
        aria-label={t('ui.group.select', { n: formatNumber(path.at(-1)?.count ?? 0) })}
        tabIndex={tabIndex}
        // Ticked at once, also while the rows are on their way.
        checked={ticked === 'all' || isBusy}
        ref={(box) => {
          if (box) box.indeterminate = ticked === 'some' && !isBusy
        }}
        aria-busy={isBusy || undefined}
        onChange={() => ticks.toggle(path)}
      />
    </label>
  )
}

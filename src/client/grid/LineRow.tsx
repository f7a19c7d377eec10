import { memo, useSyncExternalStore } from 'react'
import { t } from '../app/messages.ts'
import { groupedNumber, shownPlaces } from '../form/entry.ts'
import { say } from '../form/message.ts'
import { unusualOf } from '#meta/unusual.ts'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { cellId } from './gridCells.ts'
import { isNumeric, shownText } from './gridModel.ts'
import type { LineOrigin } from '#meta/resolved.ts'
import type { LineStore } from './lineStore.ts'
import type { PlacedColumn } from './useGridColumns.ts'

interface LineRowProps {
  readonly id: string
  readonly store: LineStore
  readonly rowKey: string
  readonly index: number
  readonly top: number
  /** Where its cells stand, where they stand under one another. */
  readonly stacked: readonly PlacedColumn[] | undefined
  readonly mark: LineOrigin['mark'] | undefined
}

/** One line. Hears only of its own changes. */
export const LineRow = memo(function LineRow({ id, store, rowKey, index, top, stacked, mark }: LineRowProps) {
  const row = useSyncExternalStore(
    (listener) => store.onRow(rowKey, listener),
    () => store.row(rowKey),
  )
  if (row === undefined) return null
  const from = mark === undefined ? undefined : row.values[mark.code]
  return (
    <div role="row" aria-rowindex={index + 2} className={classes(css['row'], row.fixed && css['fixed'])} style={{ top }}>
      <div role="rowheader" data-row={index} data-col={-1} className={css['rowNumber']}>
        {index + 1}
      </div>
      {store.columns.map((column, i) => {
        const problem = row.problems[column.wire]
        const text = shownText(column, row, t)
        const place = stacked?.[i]
        const usual = unusualOf(column, row.values)
        const isUsualBeside = column.usually !== undefined && store.columns.some(({ wire }) => wire === column.usually)
        return (
          <div
            key={column.wire}
            id={cellId(id, index, i)}
            role="gridcell"
            aria-colindex={i + 2}
            aria-invalid={problem !== undefined || undefined}
            aria-readonly={!column.entry || row.fixed || undefined}
            data-row={index}
            data-col={i}
            data-label={place === undefined ? undefined : t(column.label)}
            style={place === undefined ? undefined : { left: place.left, top: place.top, width: place.width }}
            title={problem === undefined ? (row.beside?.[column.wire] ?? (text.length > 14 ? text : undefined)) : say(problem, t)}
            className={classes(css['cell'], isNumeric(column) && css['number'], !column.entry && css['computed'], usual !== undefined && css['unusual'], problem !== undefined && css['wrong'])}
          >
            {row.values['IsFree'] === true && i === 0 && <span className={css['free']}>{t('ui.grid.free')}</span>}
            {typeof from === 'string' && mark !== undefined && i === 0 && (
              <span className={css['part']} title={`${t(mark.label)}: ${String(row.values[mark.name])}`}>
                {from}
              </span>
            )}
            {usual !== undefined && !isUsualBeside && <s className={css['usual']}>{groupedNumber(usual, shownPlaces(column.type))}</s>}
            {text}
          </div>
        )
      })}
    </div>
  )
})

import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { isNumeric } from './gridModel.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { PlacedColumn } from './useGridColumns.ts'

interface GridHeadProps {
  readonly columns: readonly LineColumn[]
  readonly placed: readonly PlacedColumn[]
  /** Resizing begins at this pixel. */
  readonly startResize: (column: PlacedColumn, x: number) => void
}

/** Headings over the lines; their right edges are dragged. */
export function GridHead({ columns, placed, startResize }: GridHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={css['head']}>
      <div role="columnheader" className={css['corner']}>
        <span className="visually-hidden">{t('ui.grid.line')}</span>
      </div>
      {columns.map((column, i) => (
        <div key={column.wire} role="columnheader" aria-colindex={i + 2} className={classes(css['heading'], isNumeric(column) && css['number'])}>
          <span title={t(column.label)}>{t(column.label)}</span>
          {column.entry && column.required && (
            <span className={css['required']} aria-hidden="true">
              *
            </span>
          )}
          <span
            className={css['grip']}
            aria-hidden="true"
            onPointerDown={(event) => {
              event.preventDefault()
              const at = placed[i]
              if (at !== undefined) startResize(at, event.clientX)
            }}
          />
        </div>
      ))}
    </div>
  )
}

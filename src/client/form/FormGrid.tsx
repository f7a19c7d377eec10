import { Suspense, useCallback, useSyncExternalStore, type ReactNode } from 'react'
import { lazy } from '../app/lazy.tsx'
import { LineGrid } from '../grid/LineGrid.tsx'
import { useFormShared } from './FormContext.ts'
import css from './FormHost.module.css'
import { boundFilter } from './formModel.ts'
import type { Condition } from '#meta/condition.ts'
import type { FormLines, LineColumn } from '#meta/resolved.ts'
import type { GridRow } from '../grid/gridModel.ts'

const AdjustBar = lazy(async () => ({ default: (await import('./AdjustBar.tsx')).AdjustBar }))
const PickBar = lazy(async () => ({ default: (await import('./PickBar.tsx')).PickBar }))
const LineSums = lazy(async () => ({ default: (await import('./LineSums.tsx')).LineSums }))
const ReadFile = lazy(async () => ({ default: (await import('./ReadFile.tsx')).ReadFile }))

/** A line grid in the frame of a section; `children` stand under it. */
export function FormGrid({ lines, label, children }: { readonly lines: FormLines; readonly label: string; readonly children?: ReactNode }) {
  const { session, userId, readOnly: isShut, open } = useFormShared()
  // Where only some fields may be changed, lines are none of them.
  const readOnly = isShut || open !== undefined
  const store = session.grids.get(lines.wire)
  const computing = useSyncExternalStore(session.subscribe, () => (store === session.lines ? session.state.computing : 'done'))
  const onLeaveRow = useCallback((rowKey: string) => session.checkLine(lines.wire, rowKey), [session, lines])
  if (store === undefined) return null
  const filterOf = (column: LineColumn, row: GridRow | undefined): Condition | undefined =>
    column.lookupWhere === undefined ? undefined : boundFilter(column.lookupWhere, { ...session.store.values, ...row?.values }, session.store.around)
  return (
    <section className={css['section']} aria-label={label}>
      <h2 className={css['heading']}>{label}</h2>
      {lines.adjust !== undefined && !readOnly && (
        <Suspense>
          <AdjustBar store={store} adjust={lines.adjust} />
        </Suspense>
      )}
      {lines.file !== undefined && !readOnly && (
        <Suspense>
          <ReadFile store={store} lines={lines} />
        </Suspense>
      )}
      {lines.pick !== undefined && !readOnly && (
        <Suspense>
          <PickBar lines={lines} store={store} />
        </Suspense>
      )}
      <LineGrid
        store={store}
        name={store === session.lines ? session.screen.id : `${session.screen.id}.${lines.name}`}
        label={label}
        userId={userId}
        readOnly={readOnly}
        paste={lines.paste}
        files={lines.files}
        computing={computing}
        onSuggest={lines.suggests === undefined ? undefined : () => session.suggest()}
        mark={lines.origin?.mark}
        filterOf={filterOf}
        onLeaveRow={onLeaveRow}
      />
      {lines.adds !== undefined && (
        <Suspense>
          <LineSums adds={lines.adds} lines={store} store={session.store} />
        </Suspense>
      )}
      {children}
    </section>
  )
}

import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { referenceNames } from '#base/wireName.ts'
import type { FileRule, LineColumn } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { say, type Message } from '../form/message.ts'
import { FileBox } from '../form/widgets/FileBox.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field, describedBy } from '../ui/Field.tsx'
import { setValues, type GridRow } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

interface FileOfCellProps {
  readonly store: LineStore
  readonly rowKey: string
  readonly column: LineColumn
  readonly label: string
  readonly resource: string
  readonly readOnly: boolean
  readonly start?: File | undefined
  readonly onClose: () => void
}

/** Follows its row: lines above it may come and go while a file is sent. */
export function FileOfCell({ store, rowKey, column, label, resource, readOnly, start, onClose }: FileOfCellProps) {
  const row = useSyncExternalStore(
    (listener) => store.onRow(rowKey, listener),
    () => store.row(rowKey),
  )
  const { file } = column
  if (row === undefined || file === undefined) return null
  return (
    <CellFile
      row={row}
      column={{ ...column, file }}
      label={`${label}, ${t('ui.grid.lineNumber', { number: store.rows.indexOf(row) + 1 })}`}
      resource={resource}
      readOnly={readOnly || row.fixed || !column.entry}
      start={start}
      onValues={(values) => store.edit(setValues(store.rows, store.indexOf(rowKey) ?? -1, values))}
      onSending={(over) => store.await(over)}
      onClose={onClose}
    />
  )
}

interface CellFileProps {
  readonly row: GridRow
  readonly column: LineColumn & { readonly file: FileRule }
  readonly label: string
  /** Resource of the lines. */
  readonly resource: string
  readonly readOnly: boolean
  /** Dropped on the cell or pasted into it. */
  readonly start: File | undefined
  readonly onValues: (values: Readonly<Record<string, unknown>>) => void
  readonly onSending: (over: Promise<unknown>) => void
  readonly onClose: () => void
}

/** The file of a cell, in a window over the grid: a cell has room for its name alone. A new file ends it. */
function CellFile({ row, column, label, resource, readOnly, start, onValues, onSending, onClose }: CellFileProps) {
  const id = useId()
  const [problem, setProblem] = useState<Message>()
  // The button that chooses a file, rather than the one that closes.
  useEffect(() => document.getElementById(id)?.focus(), [id])
  const names = referenceNames(column.name)
  const [key, name] = [row.values[names.code], row.values[names.name]]
  const isThere = typeof row.values[column.wire] === 'number'
  return (
    <Dialog title={label} onClose={onClose} footer={<Button onClick={onClose}>{t('ui.close')}</Button>}>
      <Field id={id} label={t(column.label)} errors={problem === undefined ? [] : [say(problem, t)]}>
        <FileBox
          id={id}
          label={t(column.label)}
          resource={resource}
          field={column.name}
          rule={column.file}
          file={isThere ? { key: String(key ?? ''), name: String(name ?? '') } : undefined}
          readOnly={readOnly}
          invalid={problem !== undefined}
          describedBy={problem === undefined ? undefined : describedBy(id)}
          start={start}
          onPut={(file) => {
            onValues({ [column.wire]: file?.ID ?? null, [names.code]: file?.Key ?? null, [names.name]: file?.Name ?? null })
            if (file !== undefined) onClose()
          }}
          onUnread={setProblem}
          onSending={onSending}
        />
      </Field>
    </Dialog>
  )
}

import { useEffect, useState } from 'react'
import { t } from '../app/messages.ts'
import { emptyRow, enteredRows, isNumeric, shownText } from '../grid/gridModel.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/States.tsx'
import { formatNumber } from '../app/format.ts'
import { useFormShared } from './FormContext.ts'
import css from './LookupDialog.module.css'
import type { FormLines } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import type { Values } from './formModel.ts'

/** Opens the list of what may become lines, to be ticked. */
export function PickBar({ lines, store }: { readonly lines: FormLines; readonly store: LineStore }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t('ui.pick')}</Button>
      {isOpen && <PickDialog lines={lines} store={store} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** What may become lines and is none yet; those ticked come under the lines there are, as one step to undo. */
function PickDialog({ lines, store, onClose }: { readonly lines: FormLines; readonly store: LineStore; readonly onClose: () => void }) {
  const { session } = useFormShared()
  const [found, setFound] = useState<readonly Values[]>()
  const [isRefused, setRefused] = useState(false)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const named = lines.columns.find(({ type, entry }) => type === 'ref' && entry !== undefined)?.wire
  useEffect(() => {
    const abort = new AbortController()
    void session.candidates(abort.signal)?.then((answer) => {
      if (abort.signal.aborted) return
      setRefused(answer?.ok !== true)
      if (answer?.ok !== true) return setFound([])
      const there = new Set(store.rows.map((row) => (named === undefined ? undefined : row.values[named])))
      setFound(answer.value.record.Lines.filter((line) => named === undefined || !there.has(line[named])))
    })
    return () => abort.abort()
  }, [session, store, named])
  const take = () => {
    const rows = (found ?? []).flatMap((values, i) => (ticked.has(i) ? [emptyRow(store.newKey(), values)] : []))
    if (rows.length > 0) store.edit([...enteredRows(store.rows, store.columns), ...rows])
    onClose()
  }
  const all = found?.length ?? 0
  return (
    <Dialog
      title={t('ui.pick')}
      shape="wide"
      onClose={onClose}
      onSubmit={take}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" disabled={ticked.size === 0} onClick={take}>
            {t('ui.pick.take', { n: formatNumber(ticked.size) })}
          </Button>
        </>
      }
    >
      <div className={css['frame']}>
        {found === undefined ? (
          <Skeleton lines={6} />
        ) : all === 0 ? (
          <p role="status">{t(isRefused ? 'ui.lookup.unanswered' : 'ui.pick.none')}</p>
        ) : (
          <div className={css['scroll']}>
            <table className={css['table']}>
              <thead>
                <tr>
                  <th scope="col">
                    <input type="checkbox" aria-label={t('ui.pick.all')} checked={ticked.size === all} onChange={() => setTicked(ticked.size === all ? new Set() : new Set(found.keys()))} />
                  </th>
                  {lines.columns.map((column) => (
                    <th key={column.wire} scope="col" className={isNumeric(column) ? css['number'] : undefined}>
                      {t(column.label)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map((values, i) => {
                  const row = emptyRow(String(i), values)
                  const toggle = () => setTicked(new Set(ticked.has(i) ? [...ticked].filter((one) => one !== i) : [...ticked, i]))
                  const texts = lines.columns.map((column) => shownText(column, row, t))
                  return (
                    <tr key={named === undefined ? i : String(values[named])} onClick={toggle}>
                      <td>
                        <input type="checkbox" aria-label={texts.find((text) => text !== '')} checked={ticked.has(i)} onChange={toggle} onClick={(event) => event.stopPropagation()} />
                      </td>
                      {lines.columns.map((column, at) => (
                        <td key={column.wire} className={isNumeric(column) ? css['number'] : undefined}>
                          {texts[at]}
                        </td>
                      ))}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Dialog>
  )
}

import { useId, useState } from 'react'
import type { CellError, ImportBatch, ImportRow, ImportRowState } from '#api/import.ts'
import type { ImportSheet } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { inWords, t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { isText, isTrueOrFalse, useTyped, useTypedPart } from '../data/useTyped.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { useMedia } from '../ui/useMedia.ts'
import { Dialog } from '../ui/Dialog.tsx'
import input from '../ui/input.module.css'
import { TextBox } from '../ui/TextBox.tsx'
import { rowTones } from './batchWords.ts'
import { mendRows, readRows, type BatchAnswer } from './calls.ts'
import css from './Import.module.css'
import { pageLength, RowsTable } from './RowsTable.tsx'

/** Days, numbers and codes stay in one line. */
const shortText = 20

interface RowsStepProps {
  readonly batch: ImportBatch
  readonly sheet: ImportSheet
  readonly onTaken?: (answer: BatchAnswer) => boolean
}

/** The rows as they will be imported, each mistake in its cell with the way to mend it. */
export function RowsStep({ batch, sheet, onTaken }: RowsStepProps) {
  const counts: readonly (readonly [ImportRowState | 'ALL', number])[] = [
    ['ALL', batch.RowsTotal], ['ERROR', batch.RowsWrong], ['WARNING', batch.RowsWarned], ['VALID', batch.RowsRight], ['SKIPPED', batch.RowsSkipped], ['COMMITTED', batch.RowsImported],
  ]
  const [chosen, setState] = useState<ImportRowState | 'ALL'>(batch.RowsWrong > 0 ? 'ERROR' : 'ALL')
  // The last wrong row mended, the others are shown.
  const state = counts.some(([one, n]) => one === chosen && n > 0) ? chosen : 'ALL'
  const [page, setPage] = useState(1)
  const [mending, setMending] = useState<{ readonly row: ImportRow; readonly at: number }>()
  const prefix = useId()
  const idOf = (row: number, place: number) => `${prefix}-${row}-${place}`
  const isNarrow = useMedia('(width < 576px)')
  const question = JSON.stringify([batch.ID, state, page, batch.RowsWrong, batch.RowsWarned, batch.RowsRight, batch.RowsImported, batch.Status])
  const asked = useAnswer(question, (signal) => readRows(batch.ID, { state: state === 'ALL' ? undefined : state, page, length: pageLength }, signal))
  const shown = batch.Heads.map((head, i) => ({ head, i, column: sheet.columns.find(({ name }) => name === batch.Mapping[i]) }))
  // Who changed a column that is only shown, or misnamed one, should not think it was taken.
  const unread = shown.filter(({ head, column }) => column === undefined && head !== '').map(({ head }) => head)
  const mayMend = onTaken !== undefined && (batch.Status === 1 || batch.Status === 2) && batch.Actions.length > 0
  return (
    <div className={css['stack']}>
      <div className={css['buttons']} role="group" aria-label={t('import.show')}>
        {counts.filter(([one, n]) => one === 'ALL' || n > 0).map(([one, n]) => (
          <button
            key={one} type="button" aria-pressed={state === one} className={css['chip']}
            onClick={() => {
              setState(one)
              setPage(1)
            }}
          >
            {t(`import.state.${one}`)} <span className={css['number']}>{formatNumber(n)}</span>
          </button>
        ))}
      </div>
      {unread.length > 0 && <p className={css['muted']}>{t('import.unread', { heads: unread.join(', ') })}</p>}
      <RowsTable
        label={t('import.step.rows')} answer={asked} page={page} onPage={setPage}
        heads={
          <>
            <th scope="col">{t('import.row-state')}</th>
            {shown.map(({ head, i, column }) => (
              <th key={i} scope="col" className={classes(column === undefined && css['muted'])}>
                {head}
              </th>
            ))}
          </>
        }
      >
        {(row) => {
          // On a phone the cells lie beyond the edge: what is wrong in them is said beside the number of the row.
          const beside = row.Errors.filter(({ column }) => isNarrow || column === '' || !batch.Mapping.includes(column))
          return (
            <>
              <td>
                <Badge tone={rowTones[row.State]}>{t(`import.state.${row.State}`)}</Badge>
                <Made records={row.Records} />
                <Messages named errors={beside} />
                {!isNarrow && <Wrong row={row} shown={shown} idOf={idOf} />}
              </td>
              {shown.map(({ i, column }) => {
                const errors = column === undefined ? [] : row.Errors.filter((error) => error.column === column.name)
                const text = row.Cells[i] ?? ''
                const isWrong = errors.some(({ isWarning }) => isWarning !== true)
                const canMend = mayMend && column !== undefined && row.State !== 'COMMITTED'
                return (
                  <td key={i} id={idOf(row.RowNo, i)} tabIndex={isWrong && !canMend ? -1 : undefined} className={classes(css['cell'], isWrong ? css['bad'] : errors.length > 0 && css['odd'])}>
                    {canMend ? (
                      <button type="button" className={classes(css['value'], text.length <= shortText && css['short'])} aria-label={t('import.mend-cell', { column: column.name, row: row.RowNo, value: text })} onClick={() => setMending({ row, at: i })}>
                        {text === '' ? '–' : text}
                      </button>
                    ) : (
                      <span className={classes(column === undefined && css['muted'], text.length <= shortText && css['short'])}>{text}</span>
                    )}
                    {!isNarrow && <Messages errors={errors} />}
                  </td>
                )
              })}
            </>
          )
        }}
      </RowsTable>
      {mending !== undefined && onTaken !== undefined && (
        <Mend
          batch={batch} row={mending.row} column={batch.Mapping[mending.at] ?? ''} value={mending.row.Cells[mending.at] ?? ''} onClose={() => setMending(undefined)}
          onMended={(answer) => {
            if (!onTaken(answer)) return
            setMending(undefined)
            asked.reload()
          }}
        />
      )}
    </div>
  )
}

/** What a row became, where it can be seen as a way there. */
function Made({ records }: { readonly records: ImportRow['Records'] }) {
  const [first, ...others] = ofPages(records)
  if (first === undefined) return null
  return (
    <ul className={css['made']}>
      {[first, ...others].map(({ entity, id, name, path }) => (
        <li key={`${entity} ${id}`}>{path === undefined ? name : <Link to={path}>{name}</Link>}</li>
      ))}
    </ul>
  )
}

/** The record itself, and of what came with it what has a page. */
function ofPages(records: ImportRow['Records']): ImportRow['Records'] {
  return records.filter(({ path }, i) => i === 0 || path !== undefined)
}

interface WrongProps {
  readonly row: ImportRow
  readonly shown: readonly { readonly head: string; readonly i: number; readonly column: { readonly name: string } | undefined }[]
  readonly idOf: (row: number, place: number) => string
}

/** The columns something is wrong in, as ways to their cells: a file may be far wider than the page. */
function Wrong({ row, shown, idOf }: WrongProps) {
  const wrong = shown.filter(({ column }) => column !== undefined && row.Errors.some((error) => error.column === column.name && error.isWarning !== true))
  if (wrong.length === 0) return null
  const go = (place: number) => {
    const cell = document.getElementById(idOf(row.RowNo, place))
    cell?.scrollIntoView({ block: 'nearest', inline: 'center' })
    ;(cell?.querySelector('button') ?? cell)?.focus({ preventScroll: true })
  }
  return (
    <span className={css['ways']}>
      {wrong.map(({ head, i }) => (
        <button key={i} type="button" className={css['way']} onClick={() => go(i)}>
          {head}
        </button>
      ))}
    </span>
  )
}

/** `named`: the mistakes stand beside the row, not in their cells. */
function Messages({ errors, named = false }: { readonly errors: readonly CellError[]; readonly named?: boolean }) {
  if (errors.length === 0) return null
  return (
    <ul className={css['messages']}>
      {errors.map((error) => (
        <li key={`${error.column} ${error.code} ${error.text}`} className={classes(error.isWarning === true && css['warned'])}>
          {named && error.column !== '' ? `${error.column}: ` : ''}
          {inWords(error)} <span className={css['code']}>{error.code}</span>
        </li>
      ))}
    </ul>
  )
}

interface MendProps {
  readonly batch: ImportBatch
  readonly row: ImportRow
  readonly column: string
  readonly value: string
  readonly onMended: (answer: BatchAnswer) => void
  readonly onClose: () => void
}

function Mend({ batch, row, column, value, onMended, onClose }: MendProps) {
  const id = useId()
  const kept = useTyped(`import.mend ${column}`, [batch, { ID: row.RowNo }])
  const [typed, setTyped] = useTypedPart(kept, 'value', value, isText)
  const [everywhere, setEverywhere] = useTypedPart(kept, 'everywhere', false, isTrueOrFalse)
  const [busy, setBusy] = useState(false)
  const errors = row.Errors.filter((error) => error.column === column)
  const suggestions = errors.flatMap((error) => error.suggestions ?? [])
  const submit = async (next: string) => {
    setBusy(true)
    const answer = await mendRows(batch.ID, { cells: [{ row: row.RowNo, column, value: next }], everywhere })
    setBusy(false)
    if (answer.ok) kept.forget()
    onMended(answer)
  }
  const leave = () => {
    kept.forget()
    onClose()
  }
  return (
    <Dialog
      title={t('import.mend', { column, row: row.RowNo })} onClose={leave} onSubmit={() => void submit(typed)}
      footer={
        <>
          <Button onClick={leave}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {t('import.mend-save')}
          </Button>
        </>
      }
    >
      <div className={input['stack']}>
        <TextBox id={id} label={column} errors={errors.map(inWords)} longest={32_767} autoComplete="off" value={typed} onChange={setTyped} />
        {suggestions.length > 0 && (
          <div className={css['buttons']} role="group" aria-label={t('import.suggested')}>
            {suggestions.map((text) => (
              <button key={text} type="button" className={css['chip']} aria-pressed={typed === text} onClick={() => setTyped(text)}>
                {text}
              </button>
            ))}
          </div>
        )}
        <label className={css['check']}>
          <input type="checkbox" className={input['check']} checked={everywhere} onChange={(event) => setEverywhere(event.target.checked)} />
          {value === '' ? t('import.everywhere-empty') : t('import.everywhere', { value: value.slice(0, 60) })}
        </label>
      </div>
    </Dialog>
  )
}

import { useEffect, useId, useRef, useState } from 'react'
import type { FormFileAnswer, FormFilePart } from '#api/formFile.ts'
import type { FormLines } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { inWords, t } from '../app/messages.ts'
import { readFormFile } from '../data/files.ts'
import type { Refusal } from '../data/http.ts'
import type { LineStore } from '../grid/lineStore.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useFormShared } from './FormContext.ts'
import { replacedLines } from './replaceLines.ts'
import css from './ReadFile.module.css'

interface ReadFileProps {
  readonly store: LineStore
  readonly lines: FormLines
}

/** Reads a file into the document: what it holds is shown with what is to be said of it before it is taken over. */
export function ReadFile({ store, lines }: ReadFileProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <p className={css['bar']}>
      <Button look="plain" icon="file" onClick={() => setOpen(true)}>
        {t('ui.form-file.open')}
      </Button>
      {isOpen && <ReadFileDialog store={store} lines={lines} onClose={() => setOpen(false)} />}
    </p>
  )
}

function ReadFileDialog({ store, lines, onClose }: ReadFileProps & { readonly onClose: () => void }) {
  const { session } = useFormShared()
  const id = useId()
  const [file, setFile] = useState<File>()
  const [isReading, setReading] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [read, setRead] = useState<FormFileAnswer>()
  const [chosen, setChosen] = useState(0)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const ask = async (from: File, answer?: string): Promise<void> => {
    abort.current?.abort()
    const mine = new AbortController()
    abort.current = mine
    setReading(true)
    setRefusal(undefined)
    const got = await readFormFile(session.screen.id, from, answer, mine.signal)
    if (mine.signal.aborted) return
    setReading(false)
    setRead(got.ok ? got.value : undefined)
    setChosen(0)
    if (!got.ok) setRefusal(got.problem)
  }
  const part = read?.parts[chosen]
  const isTooMany = (part?.lines.length ?? 0) > lines.max
  const canTake = !isReading && part !== undefined && read?.asks === undefined && !isTooMany && part.lines.length > 0
  const take = (): void => {
    if (part === undefined || !canTake) return
    const { values } = session.store
    // What somebody has chosen or typed already stays.
    session.store.set(Object.fromEntries(Object.entries(part.values).filter(([key]) => isFree(values, key, session.isNew))))
    store.edit(replacedLines(store, part.lines))
    onClose()
  }
  return (
    <Dialog
      title={t('ui.form-file.title')}
      onClose={onClose}
      onSubmit={take}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" disabled={!canTake} onClick={take}>{t('ui.form-file.take')}</Button>
        </>
      }
    >
      <div className={css['entry']}>
        <label htmlFor={id}>{t('ui.form-file.file')}</label>
        <input
          id={id}
          type="file"
          onChange={(event) => {
            const next = event.target.files?.[0]
            setFile(next)
            setRead(undefined)
            if (next !== undefined) void ask(next)
          }}
        />
      </div>
      <div aria-live="polite">
        {isReading && <p>{t('ui.form-file.reading', { name: file?.name ?? '' })}</p>}
        {refusal !== undefined && <p className={css['warning']} role="alert">{inWords(refusal.errors[0] ?? refusal)}</p>}
        {read?.asks !== undefined && file !== undefined && !isReading && (
          <fieldset className={css['asks']}>
            <legend>{inWords(read.asks.question)}</legend>
            {read.asks.choices.map(({ value, says }) => <Button key={value} onClick={() => void ask(file, value)}>{inWords(says)}</Button>)}
          </fieldset>
        )}
        {read !== undefined && read.asks === undefined && !isReading && <Parts parts={read.parts} chosen={chosen} onChoose={setChosen} />}
        {isTooMany && <p className={css['warning']} role="alert">{t('ui.form-file.many', { count: formatNumber(part?.lines.length ?? 0), limit: formatNumber(lines.max) })}</p>}
        {part !== undefined && part.lines.length === 0 && <p className={css['warning']}>{t('ui.form-file.nothing')}</p>}
        {canTake && store.rows.length > (store.isLastEmpty ? 1 : 0) && <p>{t('ui.form-file.replaces')}</p>}
      </div>
    </Dialog>
  )
}

function Parts({ parts, chosen, onChoose }: { readonly parts: readonly FormFilePart[]; readonly chosen: number; readonly onChoose: (at: number) => void }) {
  const id = useId()
  return (
    <fieldset className={css['parts']}>
      {parts.length > 1 && <legend>{t('ui.form-file.which')}</legend>}
      {parts.map(({ title, told }, i) => (
        <div key={`${i} ${title.text}`} className={css['part']}>
          {parts.length > 1 ? (
            <label>
              <input type="radio" name={id} checked={i === chosen} onChange={() => onChoose(i)} /> {inWords(title)}
            </label>
          ) : <strong>{inWords(title)}</strong>}
          {i === chosen && (
            <ul>
              {told.map((sentence) => <li key={sentence.text} className={sentence.isWarning === true ? css['warning'] : undefined}>{inWords(sentence)}</li>)}
            </ul>
          )}
        </div>
      ))}
    </fieldset>
  )
}

/** A value of the header that nobody has entered; of a reference its names go with it. */
function isFree(values: Readonly<Record<string, unknown>>, key: string, isNew: boolean): boolean {
  const field = key.replace(/(Code|Name)$/, 'ID')
  const before = values[Object.hasOwn(values, field) ? field : key]
  return before === undefined || before === null || before === '' || before === '0.00' || (isNew && key === 'DocDate')
}

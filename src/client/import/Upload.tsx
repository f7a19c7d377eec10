import { useEffect, useRef, useState } from 'react'
import { largestImport, type ImportBatch } from '#api/import.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { isText, useTyped } from '../data/useTyped.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { uploadImport } from './calls.ts'
import css from './Import.module.css'

/** A place to drop a file on; shows how much of it has been sent. */
export function Upload({ screen, retryOf, onTaken }: { readonly screen: ImportScreen; readonly retryOf?: number; readonly onTaken: (batch: ImportBatch) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  const [isOver, setOver] = useState(false)
  const [sent, setSent] = useState<{ readonly name: string; readonly share: number } | undefined>()
  // Its name is kept while it is on its way. A page cannot open the file again by itself: found here afterwards, the name at least says what has to be chosen anew.
  const onItsWay = useTyped(`import.file ${screen.id}`)
  const [problem, setProblem] = useState(() => (isText(onItsWay.values['name']) ? t('import.cut-off', { name: onItsWay.values['name'] }) : undefined))
  useEffect(() => () => stop.current?.abort(), [])
  const take = async (file: File | undefined) => {
    if (file === undefined || sent !== undefined) return
    setProblem(undefined)
    if (file.size > largestImport) return setProblem(t('import.too-large', { megabytes: largestImport / 1024 / 1024 }))
    const abort = new AbortController()
    stop.current = abort
    setSent({ name: file.name, share: 0 })
    onItsWay.keep('name', file.name)
    const answer = await uploadImport(screen.id, file, { retryOf, signal: abort.signal, onProgress: (share) => setSent({ name: file.name, share }) })
    setSent(undefined)
    // With the session, or the page, the file is lost; any other refusal has been read by whoever sent it.
    if (answer.ok || (answer.problem.code !== 'ABORTED' && answer.problem.status !== 401)) onItsWay.forget()
    if (answer.ok) onTaken(answer.value.record)
    else if (answer.problem.code !== 'ABORTED') setProblem(answer.problem.text)
    return undefined
  }
  return (
    <div
      className={classes(css['drop'], isOver && css['over'])}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <h2>{t('import.file')}</h2>
      {sent === undefined ? (
        <>
          <p className={css['hint']}>{t('import.drop', { megabytes: largestImport / 1024 / 1024, rows: formatNumber(screen.most) })}</p>
          <Button look="primary" icon="file" onClick={() => input.current?.click()}>
            {t('import.choose')}
          </Button>
        </>
      ) : (
        <>
          <p>{sent.name}</p>
          <progress className={css['bar']} aria-label={t('import.sending')} value={sent.share} />
          <Button
            onClick={() => {
              stop.current?.abort()
              onItsWay.forget()
            }}
          >
            {t('ui.cancel')}
          </Button>
        </>
      )}
      <input
        ref={input} type="file" hidden accept=".xlsx,.csv,.txt,.tsv,.json" aria-label={t('import.file')}
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {problem !== undefined && (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      )}
    </div>
  )
}

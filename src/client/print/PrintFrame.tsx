import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '../app/messages.ts'
import { readRecord } from '../data/records.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import css from './print.module.css'
import type { Refusal } from '../data/http.ts'
import type { WireRecord } from '#api/envelope.ts'

interface PrintFrameProps {
  readonly resource: string
  readonly id: number
  /** The sheet of the stored document; nothing on it is computed again. */
  readonly children: (record: WireRecord) => ReactNode
}

/** An A4 sheet with a print button above; the paper itself shows only the sheet. */
export function PrintFrame({ resource, id, children }: PrintFrameProps) {
  const navigate = useNavigate()
  const [record, setRecord] = useState<WireRecord | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [again, setAgain] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    void readRecord(resource, id, abort.signal).then((answer) => {
      if (abort.signal.aborted) return
      if (answer.ok) setRecord(answer.value.record)
      else setRefusal(answer.problem)
    })
    return () => abort.abort()
  }, [resource, id, again])
  const code = record?.['Code']
  useEffect(() => {
    // The file name a browser proposes when it prints into a file.
    if (typeof code === 'string') document.title = code.replaceAll('/', '-')
  }, [code])
  if (refusal !== undefined) return <ErrorState title={t('ui.print.notLoaded')} text={refusal.text} onRetry={() => (setRefusal(undefined), setAgain(again + 1))} />
  return (
    <main className={css['desk']}>
      <div className={css['bar']}>
        <Button onClick={() => void navigate(-1)}>{t('ui.back')}</Button>
        <Button look="primary" icon="print" disabled={record === undefined} onClick={() => window.print()}>
          {t('ui.print.print')}
        </Button>
      </div>
      <article className={css['sheet']} tabIndex={0} aria-label={t('ui.print.sheet')}>{record === undefined ? <Skeleton lines={12} /> : children(record)}</article>
    </main>
  )
}

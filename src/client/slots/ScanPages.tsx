import { useEffect, useState } from 'react'
import type { ScanState } from '#api/ocr.ts'
import { doubtBelow } from '#domain/ocr/extract.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { newKey, send, sendForFile } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import css from './ScanPages.module.css'
import type { SlotProps } from './slots.ts'

const everyMs = 1_000

/** Pages of a scan with what was read where; what is doubtful stands out. While it is read: how far, and a way to stop it. */
export function ScanPages({ session, readOnly }: SlotProps) {
  const id = session.state.record?.ID
  const [scan, setScan] = useState<ScanState>()
  const [problem, setProblem] = useState<string>()
  const [round, setRound] = useState(0)
  const isUnderWay = scan?.Reading === 'QUEUED' || scan?.Reading === 'READING'
  useEffect(() => {
    if (typeof id !== 'number') return undefined
    let isGone = false
    let timer = 0
    const ask = async (wasUnderWay: boolean): Promise<void> => {
      const answer = await send<ScanState>({ path: `/api/v1/ocr/${id}` })
      if (isGone) return
      if (!answer.ok) return setProblem(answer.problem.text)
      setScan(answer.value)
      const isReading = answer.value.Reading === 'QUEUED' || answer.value.Reading === 'READING'
      if (isReading) timer = window.setTimeout(() => void ask(true), everyMs)
      // What was read stands in the record now.
      else if (wasUnderWay && !session.isAtStake) window.location.reload()
    }
    void ask(false)
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [id, round, session])
  if (problem !== undefined) return <ErrorState title={t('ui.scan.unread')} text={problem} onRetry={() => { setProblem(undefined); setRound(round + 1) }} />
  if (scan === undefined || typeof id !== 'number') return <Skeleton lines={6} />
  const stop = async (): Promise<void> => {
    const answer = await send<ScanState>({ method: 'POST', path: `/api/v1/ocr/${id}/stop`, key: newKey() })
    if (answer.ok) setRound(round + 1)
    else await notify({ tone: 'error', text: answer.problem.text })
  }
  if (isUnderWay) {
    return (
      <div role="status" className={css['told']}>
        <p>{scan.Reading === 'QUEUED' ? t('ui.scan.queued') : scan.PagesThere === 0 ? t('ui.scan.beginning') : t('ui.scan.reading', { page: scan.Page, pages: scan.PagesThere })}</p>
        <progress aria-label={t('ui.scan.beginning')} {...(scan.PagesThere === 0 ? {} : { value: scan.Page - 1, max: scan.PagesThere })} />
        {!readOnly && <Button onClick={() => void stop()}>{t('ui.scan.stop')}</Button>}
      </div>
    )
  }
  const doubtful = scan.Readings.filter(({ Confidence }) => Confidence < doubtBelow).length
  return (
    <div className={css['stack']}>
      <p role="status" className={classes(css['told'], (scan.Reading === 'FAILED' || doubtful > 0) && css['warning'])}>
        {scan.Reading === 'FAILED'
          ? `${t(`ui.scan.failed.${scan.Problem ?? 'ended'}`)} ${t('ui.scan.failed.hint')}`
          : scan.Readings.length === 0 ? t('ui.scan.nothing') : t(doubtful === 0 ? 'ui.scan.sure' : 'ui.scan.doubt', { n: doubtful, all: scan.Readings.length })}
      </p>
      {scan.Pages.map((page, at) => <PagePicture key={at} id={id} no={at + 1} page={page} readings={scan.Readings.filter(({ Page }) => Page === at + 1)} />)}
    </div>
  )
}

interface PagePictureProps {
  readonly id: number
  readonly no: number
  readonly page: ScanState['Pages'][number]
  readonly readings: ScanState['Readings']
}

function PagePicture({ id, no, page, readings }: PagePictureProps) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    void sendForFile({ path: `/api/v1/ocr/${id}/page/${no}` }, () => undefined).then((answer) => {
      if (!answer.ok || isGone) return
      made = URL.createObjectURL(answer.value.blob)
      setUrl(made)
    })
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, no])
  return (
    <figure className={css['page']} style={{ aspectRatio: `${page.Width} / ${page.Height}` }}>
      {url !== undefined && <img src={url} alt={t('ui.scan.page', { page: no })} />}
      {readings.map(({ Field, Value, Confidence, X, Y, W, H }) => (
        <span
          key={Field} className={classes(css['mark'], Confidence < doubtBelow && css['doubtful'])} title={`${t(`enum.${nameOf(Field)}`)}: ${Value} (${Confidence} %)`}
          style={{ left: `${X * 100 - 0.4}%`, top: `${Y * 100 - 0.3}%`, width: `${W * 100 + 0.8}%`, height: `${H * 100 + 0.6}%` }}
        >
          <span className={css['name']}>{t(`enum.${nameOf(Field)}`)}</span>
        </span>
      ))}
    </figure>
  )
}

function nameOf(field: string): string {
  return field === 'invoice_date' ? 'ISSUED_ON' : field.toUpperCase()
}

import { Suspense, useEffect, useRef, useState, type DragEvent } from 'react'
import { acceptedTypes, endingsOf, type FieldFile } from '#api/files.ts'
import type { FileRule } from '#meta/resolved.ts'
import { lazy } from '../../app/lazy.tsx'
import { t } from '../../app/messages.ts'
import { previewFile, uploadForField } from '../../data/files.ts'
import { download, tellFailure } from '../../notes/download.ts'
import { fileRefusal, filesOf, formatSize, isShownName } from '../../notes/attachmentRules.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Message } from '../message.ts'
import css from './FileInput.module.css'

const PreviewDialog = lazy(() => import('../../notes/PreviewDialog.tsx').then((module) => ({ default: module.PreviewDialog })))

interface Sending {
  readonly name: string
  readonly share: number
  readonly stop: AbortController
}

export interface FileBoxProps {
  readonly id: string
  /** Of the field. */
  readonly label: string
  /** Where it is sent: resource of the record and name of the field. */
  readonly resource: string
  readonly field: string
  readonly rule: FileRule
  /** The file there is: its key and name. */
  readonly file: { readonly key: string; readonly name: string } | undefined
  readonly readOnly?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  /** Sent as soon as the box is there: it was dropped or pasted elsewhere. */
  readonly start?: File | undefined
  readonly onPut: (file: FieldFile | undefined) => void
  readonly onUnread: (message: Message | undefined) => void
  /** A file is on its way: who saves waits until it is there, or is known not to come. */
  readonly onSending?: ((over: Promise<unknown>) => void) | undefined
}

/** One file: chosen, dropped or pasted, looked at, replaced, taken off. It counts once the record is saved. */
export function FileBox({ id, label, resource, field, rule, file: present, readOnly = false, invalid = false, describedBy, start, onPut, onUnread, onSending }: FileBoxProps) {
  const { key, name } = present ?? { key: '', name: '' }
  const [sending, setSending] = useState<Sending>()
  const [isOver, setOver] = useState(false)
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const under = useRef<AbortController>(undefined)
  useEffect(() => () => under.current?.abort(), [])
  const types = acceptedTypes[rule.types]
  const most = rule.megabytes * 1024 * 1024
  const hasFile = present !== undefined
  const isPicture = hasFile && /\.(png|jpe?g|webp)$/i.test(name)
  const canShow = hasFile && isShownName(name)

  const take = (file: File | undefined) => {
    if (file === undefined || readOnly || sending !== undefined) return
    const over = send(file)
    onSending?.(over)
  }
  const send = async (file: File): Promise<void> => {
    const refusal = fileRefusal(file, types, most)
    if (refusal !== undefined) return onUnread({ key: `ui.file.${refusal}`, params: { name: file.name, size: formatSize(most) } })
    onUnread(undefined)
    const stop = new AbortController()
    under.current = stop
    setSending({ name: file.name, share: 0, stop })
    const answer = await uploadForField(resource, field, file, { signal: stop.signal, onProgress: (share) => setSending({ name: file.name, share, stop }) })
    setSending(undefined)
    if (answer.ok) onPut(answer.value.record)
    else if (answer.problem.code !== 'ABORTED') onUnread({ text: answer.problem.errors[0]?.text ?? answer.problem.text })
  }
  const first = useRef(start)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const waiting = first.current
    first.current = undefined
    if (waiting !== undefined) latest.current(waiting)
  }, [])
  const dragging = (isOn: boolean) => (event: DragEvent) => {
    if (readOnly || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(isOn)
  }
  return (
    <div
      className={classes(css['file'], isOver && css['over'], invalid && css['invalid'])}
      onDragEnter={dragging(true)}
      onDragOver={dragging(true)}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget instanceof Node ? event.relatedTarget : null)) setOver(false)
      }}
      onDrop={(event) => {
        if (readOnly) return
        event.preventDefault()
        setOver(false)
        take(filesOf(event.dataTransfer, t('ui.attachments.pasted'))[0])
      }}
      onPaste={(event) => {
        const [file] = filesOf(event.clipboardData, t('ui.attachments.pasted'))
        if (file === undefined) return
        event.preventDefault()
        take(file)
      }}
    >
      {isPicture ? <Picture key={key} fileKey={key} /> : <Icon name={hasFile ? 'file' : 'clip'} size={20} />}
      {sending !== undefined ? (
        <>
          <progress className={css['progress']} max={1} value={sending.share} aria-label={t('ui.attachments.sending', { name: sending.name })} />
          <IconButton icon="close" label={t('ui.cancel')} onClick={() => sending.stop.abort()} />
        </>
      ) : (
        <>
          <span className={css['name']}>{hasFile ? name : readOnly ? t('ui.file.none') : t(`ui.file.how.${rule.types}`, { size: formatSize(most) })}</span>
          <span className={css['actions']}>
            {canShow && <IconButton icon="eye" label={t('ui.attachments.show', { name })} onClick={() => setShown(true)} />}
            {hasFile && <IconButton icon="download" label={t('ui.attachments.download', { name })} onClick={() => void download(key)} />}
            {!readOnly && (
              <Button
                id={id}
                aria-invalid={invalid || undefined}
                aria-describedby={describedBy}
                aria-label={t(hasFile ? 'ui.file.replace-of' : 'ui.file.choose-of', { field: label })}
                onClick={() => input.current?.click()}
              >
                {t(hasFile ? 'ui.file.replace' : 'ui.file.choose')}
              </Button>
            )}
            {hasFile && !readOnly && <IconButton icon="trash" label={t('ui.attachments.remove', { name })} onClick={() => onPut(undefined)} />}
          </span>
        </>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={endingsOf(types)}
        aria-label={label}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Suspense>{isShown && <PreviewDialog file={{ Key: key, Name: name }} onClose={() => setShown(false)} />}</Suspense>
    </div>
  )
}

/** The picture itself, small. Its name stands beside it. */
function Picture({ fileKey }: { readonly fileKey: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    let made: string | undefined
    void previewFile(fileKey, stop.signal).then((answer) => {
      if (!answer.ok) {
        if (!stop.signal.aborted) tellFailure(answer.problem)
        return
      }
      made = answer.value.url
      if (stop.signal.aborted) URL.revokeObjectURL(made)
      else setUrl(made)
    })
    return () => {
      stop.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [fileKey])
  return url === undefined ? <span className={css['picture']} /> : <img className={css['picture']} src={url} alt="" />
}

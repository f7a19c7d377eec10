import { Suspense, useEffect, useRef, useState, type DragEvent } from 'react'
import { acceptedEndings, largestFile, type Attachment } from '#api/files.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { attachFile, detachFile, listAttachments } from '../data/files.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { useTyped } from '../data/useTyped.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { List, ListItem } from '../ui/List.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { filesOf, formatSize, nameToShow, refusalOf, typeName } from './attachmentRules.ts'
import css from './AttachmentsTab.module.css'
import { download } from './download.ts'

const PreviewDialog = lazy(() => import('./PreviewDialog.tsx').then((module) => ({ default: module.PreviewDialog })))

interface AttachmentsTabProps {
  readonly resource: string
  readonly id: number
  readonly onCount?: (count: number) => void
}

/** A file on its way, or why it did not arrive. */
interface Upload {
  readonly id: number
  readonly file: File
  readonly share: number
  readonly problem?: string
  readonly stop: AbortController
}

let uploads = 0

/** Files of a record: drop, paste or choose them, look at them, save them, take them off with a reason. */
export function AttachmentsTab({ resource, id, onCount }: AttachmentsTabProps) {
  const { value, problem, reload, set } = useAnswer(`attachments ${resource} ${id}`, (signal) => listAttachments(resource, id, signal), { isAside: true })
  const [under, setUnder] = useState<readonly Upload[]>([])
  const [isOver, setOver] = useState(false)
  const [shown, setShown] = useState<Attachment>()
  const [leaving, setLeaving] = useState<Attachment>()
  const records = value?.records
  const canAttach = value?.CanAttach === true

  const latest = useRef(value)
  latest.current = value
  const keep = (next: readonly Attachment[]) => {
    if (latest.current === undefined) return
    set({ ...latest.current, records: next })
    onCount?.(next.length)
  }
  const update = (upload: Upload, change: Partial<Upload>) => setUnder((before) => before.map((one) => (one.id === upload.id ? { ...one, ...change } : one)))
  const drop = (upload: Upload) => setUnder((before) => before.filter((one) => one.id !== upload.id))

  const send = async (upload: Upload) => {
    const answer = await attachFile(resource, id, upload.file, { signal: upload.stop.signal, onProgress: (share) => update(upload, { share }) })
    if (answer.ok) {
      drop(upload)
      keep([answer.value.record, ...(latest.current?.records ?? [])])
    } else if (answer.problem.code === 'ABORTED') drop(upload)
    else update(upload, { problem: answer.problem.text })
  }
  const take = async (files: readonly File[]) => {
    const added = files.map((file): Upload => {
      const refusal = refusalOf(file)
      return { id: ++uploads, file, share: 0, stop: new AbortController(), ...(refusal === undefined ? {} : { problem: t(`ui.attachments.${refusal}`, { size: formatSize(largestFile) }) }) }
    })
    setUnder((before) => [...before, ...added])
    // One after the other: a slow line finishes something.
    for (const upload of added) if (upload.problem === undefined) await send(upload)
  }
  const latestTake = useRef(take)
  latestTake.current = take
  useEffect(() => {
    if (!canAttach) return undefined
    const onPaste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData, t('ui.attachments.pasted'))
      if (files.length === 0 || document.querySelector('dialog[open] input, dialog[open] textarea') !== null) return
      event.preventDefault()
      void latestTake.current(files)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [canAttach])

  if (problem !== undefined && records === undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (records === undefined) return <Skeleton lines={4} />
  const dragging = (isOn: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(isOn)
  }
  return (
    <div
      className={classes(css['attachments'], isOver && css['over'])}
      {...(canAttach
        ? {
            onDragEnter: dragging(true),
            onDragOver: dragging(true),
            onDragLeave: (event: DragEvent) => {
              if (!event.currentTarget.contains(event.relatedTarget instanceof Node ? event.relatedTarget : null)) setOver(false)
            },
            onDrop: (event: DragEvent) => {
              event.preventDefault()
              setOver(false)
              void take(filesOf(event.dataTransfer, t('ui.attachments.pasted')))
            },
          }
        : {})}
    >
      {canAttach && <Chooser onFiles={(files) => void take(files)} />}
      {under.length > 0 && (
        <List label={t('ui.attachments.uploads')}>
          {under.map((upload) => (
            <UploadItem key={upload.id} upload={upload} onClose={() => (upload.problem === undefined ? upload.stop.abort() : drop(upload))} />
          ))}
        </List>
      )}
      {records.length === 0 && under.length === 0 && <EmptyState title={t('ui.attachments.none')} icon="clip" />}
      {records.length > 0 && (
        <List label={t('tab.attachments')}>
          {records.map((attachment) => (
            <FileItem key={attachment.ID} attachment={attachment} onShow={() => setShown(attachment)} onDetach={() => setLeaving(attachment)} />
          ))}
        </List>
      )}
      <Suspense>{shown !== undefined && <PreviewDialog file={shown} onClose={() => setShown(undefined)} />}</Suspense>
      {leaving !== undefined && (
        <Detach
          resource={resource}
          id={id}
          attachment={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            setLeaving(undefined)
            keep(records.filter((one) => one.ID !== leaving.ID))
          }}
        />
      )}
    </div>
  )
}

function Chooser({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={css['chooser']}>
      <Button icon="clip" onClick={() => input.current?.click()}>
        {t('ui.attachments.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedEndings}
        aria-label={t('ui.attachments.choose')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <span>{t('ui.attachments.how', { size: formatSize(largestFile) })}</span>
    </div>
  )
}

function UploadItem({ upload, onClose }: { readonly upload: Upload; readonly onClose: () => void }) {
  const { file, share, problem } = upload
  return (
    <ListItem
      icon={problem === undefined ? 'file' : 'warning'}
      title={nameToShow(file)}
      text={
        problem === undefined ? (
          <progress className={css['progress']} max={1} value={share} aria-label={t('ui.attachments.sending', { name: nameToShow(file) })} />
        ) : (
          <span role="alert" className={css['problem']}>
            {problem}
          </span>
        )
      }
      actions={<IconButton icon="close" label={t(problem === undefined ? 'ui.cancel' : 'ui.close')} onClick={onClose} />}
    />
  )
}

function FileItem({ attachment, onShow, onDetach }: { readonly attachment: Attachment; readonly onShow: () => void; readonly onDetach: () => void }) {
  const { Name: name, Type: type, Size: size, Key: key, UploadedByName: by, UploadedAt: at } = attachment
  return (
    <ListItem
      icon={type.startsWith('image/') ? 'image' : 'file'}
      title={
        attachment.CanPreview ? (
          <button type="button" className={css['name']} onClick={onShow}>
            {name}
          </button>
        ) : (
          name
        )
      }
      text={
        <>
          <Badge>{typeName(type, name)}</Badge> {formatSize(size)} · {by} · <Moment at={at} />
        </>
      }
      actions={
        <>
          {attachment.CanPreview && <IconButton icon="eye" label={t('ui.attachments.show', { name })} onClick={onShow} />}
          <IconButton icon="download" label={t('ui.attachments.download', { name })} onClick={() => void download(key)} />
          {attachment.CanDelete && <IconButton icon="trash" label={t('ui.attachments.remove', { name })} onClick={onDetach} />}
        </>
      }
    />
  )
}

interface DetachProps {
  readonly resource: string
  readonly id: number
  readonly attachment: Attachment
  readonly onClose: () => void
  readonly onDone: () => void
}

function Detach({ resource, id, attachment, onClose, onDone }: DetachProps) {
  const typed = useTyped('attachment.remove', [attachment])
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = async (reason: string) => {
    setBusy(true)
    const answer = await detachFile(resource, id, attachment.ID, reason)
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem.text)
    typed.forget()
    return onDone()
  }
  return (
    <ConfirmDialog
      title={t('ui.attachments.remove', { name: attachment.Name })}
      text={t('ui.attachments.remove-text')}
      confirm={t('ui.remove')}
      look="negative"
      reason="required"
      labels={{ reason: t('ui.reason'), note: t('ui.reason'), missing: t('ui.reason-missing'), choose: t('ui.choose-reason') }}
      typed={typed}
      busy={isBusy}
      problem={problem}
      onConfirm={({ note = '' }) => void remove(note)}
      onClose={() => {
        typed.forget()
        onClose()
      }}
    />
  )
}

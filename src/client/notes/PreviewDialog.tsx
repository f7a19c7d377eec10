import { useEffect, useState } from 'react'
import type { Attachment } from '#api/files.ts'
import { t } from '../app/messages.ts'
import { previewFile, type Preview } from '../data/files.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/States.tsx'
import { words } from '../ui/words.ts'
import { download, tellFailure } from './download.ts'
import css from './PreviewDialog.module.css'

/** A file shown over the page: pictures, PDF, text. */
export function PreviewDialog({ file, onClose }: { readonly file: Pick<Attachment, 'Key' | 'Name'>; readonly onClose: () => void }) {
  const [preview, setPreview] = useState<Preview>()
  const [text, setText] = useState<string>()
  const { Key: key, Name: name } = file
  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    void previewFile(key, stop.signal).then(async (answer) => {
      if (answer.ok) {
        url = answer.value.url
        if (stop.signal.aborted) return URL.revokeObjectURL(url)
        if (answer.value.type.startsWith('text/')) setText(await answer.value.blob.text())
        return setPreview(answer.value)
      }
      if (stop.signal.aborted || answer.problem.code === 'ABORTED') return undefined
      tellFailure(answer.problem)
      return onClose()
    })
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- opened once for one file
  }, [key])
  return (
    <Dialog
      title={name}
      shape="wide"
      onClose={onClose}
      footer={
        <>
          <Button icon="download" onClick={() => void download(key)}>
            {t('ui.download')}
          </Button>
          <Button look="primary" onClick={onClose}>
            {words().close}
          </Button>
        </>
      }
    >
      {preview === undefined ? (
        <Skeleton lines={8} />
      ) : preview.type.startsWith('image/') ? (
        <img className={css['image']} src={preview.url} alt={name} />
      ) : preview.type === 'application/pdf' ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the browser's own viewer of PDF does not run in a sandbox; the type is the server's
        <iframe className={css['frame']} src={preview.url} title={name} />
      ) : (
        <pre className={css['text']}>{text}</pre>
      )}
    </Dialog>
  )
}

import { Suspense, useState, type SyntheticEvent } from 'react'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { isShownName } from './attachmentRules.ts'
import { download } from './download.ts'
import css from './FileName.module.css'

const PreviewDialog = lazy(() => import('./PreviewDialog.tsx').then((module) => ({ default: module.PreviewDialog })))

/** The name of a file leads to it: shown over the page where a browser can show it, else downloaded. */
export function FileName({ name, fileKey }: { readonly name: string; readonly fileKey: string }) {
  const [isShown, setShown] = useState(false)
  const canShow = isShownName(name)
  return (
    // What stands around it (the row of a list) has clicks and keys of its own.
    <span onClick={keepHere} onPointerDown={keepHere} onKeyDown={(event) => isShown && keepHere(event)}>
      <button type="button" className={css['name']} aria-label={t(canShow ? 'ui.attachments.show' : 'ui.attachments.download', { name })} onClick={() => (canShow ? setShown(true) : void download(fileKey))}>
        {name}
      </button>
      <Suspense>{isShown && <PreviewDialog file={{ Key: fileKey, Name: name }} onClose={() => setShown(false)} />}</Suspense>
    </span>
  )
}

function keepHere(event: SyntheticEvent): void {
  event.stopPropagation()
}

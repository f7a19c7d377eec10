import { useEffect, useRef, useState } from 'react'
import { acceptedTypes, endingsOf } from '#api/files.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { uploadForField } from '../data/files.ts'
import { Button } from '../ui/Button.tsx'
import css from './Import.module.css'

interface Sent {
  readonly name: string
  readonly problem?: string
}

/** The files a sheet names, sent before it: each waits for the row that has its name. Nothing where no column names a file. */
export function NamedFiles({ screen }: { readonly screen: ImportScreen }) {
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  const [sent, setSent] = useState<readonly Sent[]>([])
  const [sending, setSending] = useState<string>()
  useEffect(() => () => stop.current?.abort(), [])
  const { files: named } = screen
  if (named === undefined) return null
  const take = async (files: readonly File[]) => {
    const abort = new AbortController()
    stop.current = abort
    for (const file of files) {
      setSending(file.name)
      const answer = await uploadForField(named.resource, named.field, file, { signal: abort.signal })
      if (abort.signal.aborted) return
      setSent((before) => [...before.filter(({ name }) => name !== file.name), { name: file.name, ...(answer.ok ? {} : { problem: answer.problem.text }) }])
    }
    setSending(undefined)
  }
  return (
    <div
      className={css['drop']}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take([...event.dataTransfer.files])
      }}
    >
      <h2>{t('import.named-files')}</h2>
      <p className={css['hint']}>{t('import.named-files-hint', { column: named.column })}</p>
      <Button icon="clip" disabled={sending !== undefined} onClick={() => input.current?.click()}>
        {t('import.choose-files')}
      </Button>
      <p role="status">{sending === undefined ? '' : `${t('import.sending')}: ${sending}`}</p>
      {sent.length > 0 && (
        <ul className={css['fields']}>
          {sent.map(({ name, problem }) => (
            <li key={name}>
              <strong>{name}</strong> {problem === undefined ? <span className={css['hint']}>{t('import.file-sent')}</span> : <span role="alert" className={css['problem']}>{problem}</span>}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input} type="file" hidden multiple accept={endingsOf(acceptedTypes[named.types])} aria-label={t('import.named-files')}
        onChange={(event) => {
          void take([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}

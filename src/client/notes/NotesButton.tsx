import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { RecordCounts } from '#api/files.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { countNotes } from '../data/comments.ts'
import { sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { AttachmentsTab } from './AttachmentsTab.tsx'
import { CommentsTab } from './CommentsTab.tsx'

interface NotesButtonProps {
  readonly resource: string
  readonly id: number
  /** What the record is called. */
  readonly title: string
}

const tabs = ['comments', 'attachments'] as const
type NotesTab = (typeof tabs)[number]

/** Comments and attachments of a record whose page is a form, in a panel beside it. `?notes=comments` opens it. */
export function NotesButton({ resource, id, title }: NotesButtonProps) {
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const [query] = useSearchParams()
  const [counts, setCounts] = useState<Partial<RecordCounts>>({})
  const [tab, setTab] = useState<NotesTab | undefined>(() => tabs.find((one) => one === query.get('notes')))
  useEffect(() => {
    const stop = new AbortController()
    void countNotes(resource, id, stop.signal).then((answer) => {
      if (answer.ok) setCounts((before) => ({ ...answer.value, ...before }))
    })
    return () => stop.abort()
  }, [resource, id])
  const shown = { comments: counts.Comments ?? 0, attachments: counts.Attachments ?? 0 }
  const total = shown.comments + shown.attachments
  return (
    <>
      <Button look="plain" icon="comment" onClick={() => setTab(shown.comments === 0 && shown.attachments > 0 ? 'attachments' : 'comments')}>
        {t('ui.notes')}
        {total > 0 && ` (${formatNumber(total)})`}
      </Button>
      {tab !== undefined && (
        <Drawer title={title} onClose={() => setTab(undefined)}>
          <Tabs
            label={t('ui.notes')}
            tabs={tabs.map((one) => ({ id: one, title: t(`tab.${one}`), count: shown[one] === 0 ? undefined : formatNumber(shown[one]) }))}
            current={tab}
            onSelect={(next) => setTab(tabs.find((one) => one === next))}
          >
            <Suspense fallback={<Skeleton lines={4} />}>
              {tab === 'comments' ? (
                <CommentsTab resource={resource} id={id} userId={userId} onCount={(Comments) => setCounts((before) => ({ ...before, Comments }))} />
              ) : (
                <AttachmentsTab resource={resource} id={id} onCount={(Attachments) => setCounts((before) => ({ ...before, Attachments }))} />
              )}
            </Suspense>
          </Tabs>
        </Drawer>
      )}
    </>
  )
}

import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { RecordCounts } from '#api/files.ts'
import type { FormScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import type { ScreenModule } from '../app/screens.ts'
import { countNotes } from '../data/comments.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import buttons from '../ui/Button.module.css'
import { Drawer } from '../ui/Drawer.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { AttachmentsTab } from './AttachmentsTab.tsx'
import { CommentsTab } from './CommentsTab.tsx'

const FlowTab = lazy(() => import('../pages/FlowTab.tsx').then((module) => ({ default: module.FlowTab })))
const JournalTab = lazy(() => import('../pages/JournalTab.tsx').then((module) => ({ default: module.JournalTab })))
const HistoryTab = lazy(() => import('../pages/HistoryTab.tsx').then((module) => ({ default: module.HistoryTab })))

interface NotesButtonProps {
  readonly resource: string
  readonly id: number
  /** What the record is called. */
  readonly title: string
  readonly entity: string
  readonly module: Pick<ScreenModule, 'states' | 'isDocument'>
  readonly notes: NonNullable<FormScreen['notes']>
  /** What else can be done with the record; stands before these. */
  readonly others?: readonly MenuItem[]
}

const all = ['comments', 'attachments', 'flow', 'journal', 'history'] as const
type NotesTab = (typeof all)[number]
const none = { ok: true, value: {} } as const

/**
 * What there is about a record whose page is a form, in a panel beside it: comments, files, flow, journal, history. `?notes=comments` opens it.
 * On a phone all of it is one menu in the heading.
 */
export function NotesButton({ resource, id, title, entity, module, notes, others = [] }: NotesButtonProps) {
  const isNarrow = useMedia('(width < 576px)')
  const takesComments = notes === 'all'
  const tabs = takesComments ? all.filter((one) => module.isDocument || (one !== 'flow' && one !== 'journal')) : (['history'] as const)
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const [query] = useSearchParams()
  const counted = useAnswer(takesComments ? `notes ${resource} ${id}` : '', (signal) => (takesComments ? countNotes(resource, id, signal) : Promise.resolve(none)), { isAside: true })
  const [changed, setChanged] = useState<Partial<RecordCounts>>({})
  const counts = { ...counted.value, ...changed }
  const [tab, setTab] = useState<NotesTab | undefined>(() => tabs.find((one) => one === query.get('notes')))
  const shown = { comments: counts.Comments ?? 0, attachments: counts.Attachments ?? 0, flow: 0, journal: 0, history: 0 }
  const total = shown.comments + shown.attachments
  const items: readonly MenuItem[] = [
    ...others,
    ...(takesComments ? [{ id: 'notes', icon: 'comment', label: `${t('ui.notes')}${total > 0 ? ` (${formatNumber(total)})` : ''}`, onSelect: () => setTab(shown.comments === 0 && shown.attachments > 0 ? 'attachments' : 'comments') } as const] : []),
    { id: 'history', icon: 'clock', label: t('tab.history'), onSelect: () => setTab('history') },
  ]
  return (
    <>
      {isNarrow ? (
        <Menu trigger={<Icon name="more" />} triggerClass={buttons['iconButton']} label={t('ui.more')} items={items} />
      ) : (
        items.map((item) => (
          <Button key={item.id} look="plain" icon={item.icon} onClick={item.onSelect}>
            {item.label}
          </Button>
        ))
      )}
      {tab !== undefined && (
        <Drawer title={title} onClose={() => setTab(undefined)}>
          <Tabs
            label={t('ui.notes')}
            tabs={tabs.map((one) => ({ id: one, title: t(`tab.${one}`), count: shown[one] === 0 ? undefined : formatNumber(shown[one]) }))}
            current={tab}
            onSelect={(next) => setTab(tabs.find((one) => one === next))}
          >
            <Suspense fallback={<Skeleton lines={4} />}>
              {tab === 'comments' && <CommentsTab resource={resource} id={id} userId={userId} onCount={(Comments) => setChanged((before) => ({ ...before, Comments }))} />}
              {tab === 'attachments' && <AttachmentsTab resource={resource} id={id} onCount={(Attachments) => setChanged((before) => ({ ...before, Attachments }))} />}
              {tab === 'flow' && <FlowTab resource={resource} id={id} entity={entity} />}
              {tab === 'journal' && <JournalTab resource={resource} id={id} />}
              {tab === 'history' && <HistoryTab resource={resource} id={id} states={module.states} />}
            </Suspense>
          </Tabs>
        </Drawer>
      )}
    </>
  )
}

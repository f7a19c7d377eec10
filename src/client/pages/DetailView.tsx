import { useAtomValue } from 'jotai'
import { Suspense, useState, type ReactNode } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { RecordCounts } from '#api/files.ts'
import { besideRecord } from '#meta/besideRecord.ts'
import type { Condition } from '#meta/condition.ts'
import { editingIn } from '#meta/editing.ts'
import type { DetailScreen, DetailTab, ScreenAction } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import type { ScreenModule } from '../app/screens.ts'
import { around, fillPath, holdsFor, labelOf } from '../data/around.ts'
import { foreseenRecord, readRecord } from '../data/records.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { showValue } from '../table/cells.tsx'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import css from './DetailView.module.css'
import { DocumentActions, PendingBadge } from './DocumentActions.tsx'
import { Facts } from './Facts.tsx'
import { RecordFailure } from './RecordFailure.tsx'
import { StatusBar } from './StatusBar.tsx'

const Neighbours = lazy(() => import('./Neighbours.tsx').then((module) => ({ default: module.Neighbours })))
const Refusal = lazy(() => import('./Refusal.tsx').then((module) => ({ default: module.Refusal })))
const LinesTab = lazy(() => import('./LinesTab.tsx').then((module) => ({ default: module.LinesTab })))
const ListTab = lazy(() => import('./ListTab.tsx').then((module) => ({ default: module.ListTab })))
const FlowTab = lazy(() => import('./FlowTab.tsx').then((module) => ({ default: module.FlowTab })))
const JournalTab = lazy(() => import('./JournalTab.tsx').then((module) => ({ default: module.JournalTab })))
const HistoryTab = lazy(() => import('./HistoryTab.tsx').then((module) => ({ default: module.HistoryTab })))
const AttachmentsTab = lazy(() => import('../notes/AttachmentsTab.tsx').then((module) => ({ default: module.AttachmentsTab })))
const CommentsTab = lazy(() => import('../notes/CommentsTab.tsx').then((module) => ({ default: module.CommentsTab })))

/** What a tab is drawn by where it is not the page itself. */
const tabCode: { readonly [K in DetailTab['kind']]?: { readonly preload: () => Promise<void> } } = {
  lines: LinesTab,
  list: ListTab,
  flow: FlowTab,
  journal: JournalTab,
  history: HistoryTab,
  attachments: AttachmentsTab,
  comments: CommentsTab,
}

/** Code of the tab a document opens with, by its id or the first: a tab that had to wait for it would show a skeleton, and React shows none for less than 300 ms. */
export async function loadTab({ tabs }: DetailScreen, id: string | undefined): Promise<void> {
  const tab = tabs.find((one) => one.id === id) ?? tabs[0]
  if (tab !== undefined) await tabCode[tab.kind]?.preload()
}

export { tabOfStatus } from './tabOfStatus.ts'

/** The tab under which a request for approval shows its document: its lines. */
export function linesTab({ tabs }: DetailScreen): string | undefined {
  return tabs.find((one) => one.kind === 'lines')?.id
}

interface DetailViewProps {
  readonly screen: DetailScreen
  readonly module: ScreenModule
  readonly id: number
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
  readonly onChanged?: () => void
  /** In a panel: no page heading of its own, one column. */
  readonly isCompact?: boolean
  /** Turns to another record of the list it was opened from; absent: it stands alone. */
  readonly onStep?: ((id: number) => void) | undefined
  /** Looked at only: no actions (approvals bring their own). */
  readonly isReadOnly?: boolean
  /** In a panel: what the list beside it offers for the row. */
  readonly offered?: readonly ScreenAction[] | undefined
  /** Above everything, once the record is there. */
  readonly banner?: ReactNode
}

/** A document: where it stands, what may be done, its facts, and everything about it under tabs. */
export function DetailView(props: DetailViewProps) {
  const { screen, module, id, onChanged, isCompact = false, isReadOnly = false } = props
  const guards = useAtomValue(sessionAtom)?.guards
  const [round, setRound] = useState(0)
  const [counted, setCounted] = useState<Partial<RecordCounts>>({})
  const { value, problem, reload } = useAnswer(`${screen.resource} ${id}`, (signal) => readRecord(screen.resource, id, signal, isCompact), { foreseen: () => foreseenRecord(screen.resource, id) })
  const record = value?.record
  usePageName(record === undefined || isCompact ? undefined : labelOf(record))
  const counts = { ...value?.counts, ...counted }
  if (problem !== undefined && record === undefined) return <RecordFailure title={t('ui.load-failed')} problem={problem} entity={screen.entity} inPanel={isCompact} onRetry={reload} />
  if (record === undefined) return <Skeleton lines={10} />
  const tabs = screen.tabs.filter((tab) => tab.kind !== 'list' || tab.guard === '' || guards?.has(tab.guard) === true)
  const current = tabs.find((tab) => tab.id === props.tab) ?? tabs[0]
  const name = typeof record['Name'] === 'string' && record['Name'] !== labelOf(record) ? record['Name'] : undefined
  const heading = name === undefined ? labelOf(record) : `${labelOf(record)} ${name}`
  const status = module.states.find((state) => state.value === record['Status'])
  return (
    <article className={classes(css['detail'], isCompact && css['compact'])} aria-label={`${t(screen.title)} ${labelOf(record)}`}>
      {props.banner}
      <header className={css['head']}>
        {isCompact ? <h2 className={css['code']}>{heading}</h2> : <h1>{`${t(screen.title)} ${heading}`}</h1>}
        {status !== undefined && <Badge tone={status.tone}>{t(status.label)}</Badge>}
        <PendingBadge record={record} />
        <div className={css['actions']}>
          <Suspense>{props.onStep !== undefined && <Neighbours resource={screen.resource} id={id} round={round} onStep={props.onStep} />}</Suspense>
          {!isReadOnly && <EditLink screen={screen} record={record} />}
          {!isReadOnly && <CopyLink screen={screen} record={record} />}
          {screen.print !== undefined && <PrintLink label="ui.print" path={screen.print} when={screen.printWhen} record={record} />}
          {screen.prints?.map(({ label, path, when }) => <PrintLink key={path} label={label} path={path} when={when} record={record} />)}
          {!isReadOnly && (
            <DocumentActions
              resource={screen.resource}
              entity={screen.entity}
              transitions={module.transitions}
              others={props.offered === undefined ? screen.actions : besideRecord(props.offered, screen)}
              record={record}
              hasForm={screen.edit !== undefined}
              onDone={() => {
                reload()
                setRound((before) => before + 1)
                onChanged?.()
              }}
            />
          )}
        </div>
      </header>
      {!isReadOnly && isBack(module, record) && (
        <Suspense>
          <Refusal key={round} resource={screen.resource} id={id} />
        </Suspense>
      )}
      {screen.states.length > 0 && <StatusBar states={screen.states} all={module.states} current={record['Status']} />}
      <Facts fields={screen.facts} record={record} isCompact={isCompact} />
      {current !== undefined && (
        <Tabs label={t(screen.title)} tabs={tabs.map((tab) => ({ id: tab.id, title: t(tab.title), count: countOf(tab, record, counts) }))} current={current.id} onSelect={props.onTab}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <TabContent key={`${current.id} ${round}`} tab={current} screen={screen} module={module} record={record} isCompact={isCompact} onCount={(count) => setCounted((before) => ({ ...before, ...count }))} />
          </Suspense>
        </Tabs>
      )}
    </article>
  )
}

/** It may have been rejected, or returned to who entered it: documents like it wait for approval. */
function isBack({ transitions }: ScreenModule, { Status: status }: WireRecord): boolean {
  return status === 5 || (status === 0 && transitions.some(({ to }) => to === 4))
}

interface TabContentProps {
  readonly tab: DetailTab
  readonly screen: DetailScreen
  readonly module: ScreenModule
  readonly record: WireRecord
  readonly isCompact: boolean
  readonly onCount: (count: Partial<RecordCounts>) => void
}

function TabContent({ tab, screen, module, record, isCompact, onCount }: TabContentProps) {
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  switch (tab.kind) {
    case 'fields':
      return (
        <div className={css['sections']}>
          {tab.sections.map((section) => (
            <section key={section.title} className={css['section']}>
              {isCompact ? <h3>{t(section.title)}</h3> : <h2>{t(section.title)}</h2>}
              <dl>
                {section.fields.map((field) => (
                  <div key={field.name}>
                    <dt>{t(field.label)}</dt>
                    <dd>{showValue(field, record) || '–'}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      )
    case 'lines':
      return <LinesTab tab={tab} record={record} isCompact={isCompact} />
    case 'list':
      return <ListTab tab={tab} record={record} />
    case 'flow':
      return <FlowTab resource={screen.resource} id={record.ID} entity={screen.entity} />
    case 'journal':
      return <JournalTab resource={screen.resource} id={record.ID} />
    case 'history':
      return <HistoryTab resource={screen.resource} id={record.ID} states={module.states} />
    case 'attachments':
      return <AttachmentsTab resource={screen.resource} id={record.ID} onCount={(Attachments) => onCount({ Attachments })} />
    case 'comments':
      return <CommentsTab resource={screen.resource} id={record.ID} userId={userId} onCount={(Comments) => onCount({ Comments })} />
  }
}

/** Drafts and records that go through no workflow may be edited by those who hold the guard. */
function EditLink({ screen, record }: { readonly screen: DetailScreen; readonly record: WireRecord }) {
  const guards = useAtomValue(sessionAtom)?.guards
  const to = screen.edits?.find(({ when }) => holdsFor(when, record, around()))?.path ?? screen.edit
  const path = to === undefined ? undefined : fillPath(to, record)
  const isEditable = record['Status'] === undefined || record['Status'] === 0 || screen.states.length === 0 || editingIn(screen.editing ?? [], Number(record['Status']), record['Stage']) !== undefined
  if (path === undefined || !isEditable || guards?.has(`${screen.resource}-edit`) !== true) return null
  return (
    <Link to={path} className={css['link']}>
      <Icon name="edit" size={16} /> {t('ui.edit')}
    </Link>
  )
}

/** Another one like it, whatever has become of this one. */
function CopyLink({ screen, record }: { readonly screen: DetailScreen; readonly record: WireRecord }) {
  const guards = useAtomValue(sessionAtom)?.guards
  const path = screen.copy === undefined ? undefined : fillPath(screen.copy, record)
  if (path === undefined || guards?.has(`${screen.resource}-create`) !== true) return null
  return (
    <Link to={path} className={css['link']}>
      <Icon name="copy" size={16} /> {t('ui.form.duplicate')}
    </Link>
  )
}

interface PrintLinkProps {
  readonly label: string
  readonly path: string
  readonly when: Condition | undefined
  readonly record: WireRecord
}

function PrintLink({ label, path, when, record }: PrintLinkProps) {
  const filled = when === undefined || holdsFor(when, record, around()) ? fillPath(path, record) : undefined
  if (filled === undefined) return null
  return (
    <Link to={filled} className={css['link']}>
      <Icon name="print" size={16} /> {t(label)}
    </Link>
  )
}

function countOf(tab: DetailTab, record: WireRecord, counts: Partial<RecordCounts>): string | undefined {
  const lines = tab.kind === 'lines' ? record[tab.wire] : undefined
  if (Array.isArray(lines)) return formatNumber(lines.length)
  const count = tab.kind === 'attachments' ? counts.Attachments : tab.kind === 'comments' ? counts.Comments : undefined
  return count === undefined || count === 0 ? undefined : formatNumber(count)
}

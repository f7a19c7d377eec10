import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useRef, useState, type RefObject } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { Column, ListScreen } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { labelOf } from '../data/around.ts'
import { sessionAtom } from '../data/session.ts'
import { IconButton } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Skeleton } from '../ui/States.tsx'
import { isTyping } from '../ui/useKeys.ts'
import { useMedia } from '../ui/useMedia.ts'
import { showValue } from './cells.tsx'
import css from './PreviewPanel.module.css'

const DetailView = lazy(() => import('../pages/DetailView.tsx').then((module) => ({ default: module.DetailView })))

interface PreviewPanelProps {
  readonly screen: ListScreen
  readonly row: WireRecord
  /** Rows of the list as they stand; in groups those of the groups that are open. */
  readonly rows: readonly (WireRecord | undefined)[]
  /** What the rows are drawn in. */
  readonly frame: RefObject<HTMLElement | null>
  readonly onShow: (row: WireRecord) => void
  readonly onOpen?: (() => void) | undefined
  readonly onClose: () => void
}

/** Whoever walks through the rows quickly is not shown every one of them. */
const restMs = 140

/** The record of a row beside the list: facts, lines and whatever its page has, only to be looked at. On small screens over the list. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { screen, frame, onShow, onOpen, onClose } = props
  const isBeside = useMedia('(width >= 992px)')
  const rows = props.rows.filter((one) => one !== undefined)
  const at = rows.findIndex(({ ID }) => ID === props.row.ID)
  const row = rows[at] ?? props.row
  // The page was turned, or the row fits no more: the first one there is takes its place.
  const [first] = rows
  const follower = at < 0 ? first : undefined
  useEffect(() => {
    if (follower !== undefined) onShow(follower)
  }, [follower, onShow])
  const panel = useRef<HTMLElement>(null)
  const close = () => {
    // What has the focus goes with the panel; keys go on at the row.
    if (panel.current?.contains(document.activeElement) === true) frame.current?.querySelector<HTMLElement>('tbody [aria-current]')?.focus()
    onClose()
  }
  useEscape(close)
  const step = (by: -1 | 1) => () => {
    const next = rows[at + by]
    if (at >= 0 && next !== undefined) onShow(next)
  }
  const title = t('ui.preview.of', { document: labelOf(row) })
  const tools = (
    <div className={css['tools']}>
      <IconButton icon="up" label={t('ui.preview.previous')} disabled={at < 1} onClick={step(-1)} />
      <IconButton icon="down" label={t('ui.preview.next')} disabled={at < 0 || at === rows.length - 1} onClick={step(1)} />
      {onOpen !== undefined && <IconButton icon="external" label={t('ui.preview.open')} onClick={onOpen} />}
      {isBeside && <IconButton icon="close" label={t('ui.preview.close')} onClick={close} />}
    </div>
  )
  const content = <Preview screen={screen} row={row} />
  if (!isBeside) {
    return (
      <Drawer title={title} onClose={onClose}>
        {tools}
        {content}
      </Drawer>
    )
  }
  return (
    <aside ref={panel} className={css['panel']} aria-label={title}>
      {tools}
      <div className={css['body']}>{content}</div>
    </aside>
  )
}

function Preview({ screen, row }: { readonly screen: ListScreen; readonly row: WireRecord }) {
  const guards = useAtomValue(sessionAtom)?.guards
  const id = useRested(row.ID)
  const [tab, setTab] = useState<string>()
  const wanted = screen.preview
  const { failure } = useScreens(wanted === undefined ? [] : [wanted])
  const module = wanted === undefined ? undefined : loadedScreen(wanted)
  if (wanted === undefined || (module !== undefined && guards?.has(module.screen.guard) !== true)) return <RowFacts columns={screen.columns} row={row} />
  if (module === undefined || module.screen.kind !== 'detail') return failure ?? <Skeleton lines={8} />
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <DetailView key={id} screen={module.screen} module={module} id={id} tab={tab} onTab={setTab} isCompact isReadOnly />
    </Suspense>
  )
}

/** Where records have no page of their own, the row says what it knows. */
function RowFacts({ columns, row }: { readonly columns: readonly Column[]; readonly row: WireRecord }) {
  const known = columns.filter((column) => row[column.wire] !== undefined)
  return (
    <dl className={css['facts']}>
      {known.map((column) => (
        <div key={column.name}>
          <dt>{t(column.label)}</dt>
          <dd>{showValue(column, row) || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** From wherever one is on the page, but for a box one types into: Esc takes that back. */
function useEscape(act: () => void): void {
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      if (key === 'Escape' && (!isTyping(target) || target instanceof HTMLSelectElement) && document.querySelector('dialog[open], :popover-open') === null) act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [act])
}

/** The id once it has stayed the same for a moment. */
function useRested(id: number): number {
  const [rested, setRested] = useState(id)
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), restMs)
    return () => clearTimeout(timer)
  }, [id])
  return rested
}

import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { wireName } from '#base/wireName.ts'
import { t } from '../app/messages.ts'
import { listRecords, runCommand } from '../data/records.ts'
import { newKey } from '../data/http.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { tellFailure } from '../notes/download.ts'
import { Icon } from '../ui/Icon.tsx'
import { RecordsPage } from '../ui/Records.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { classes } from '../ui/classes.ts'
import css from './OrderedList.module.css'

type Order = NonNullable<ListScreen['order']>

/** More records than these are no list anybody puts in order by hand. */
const most = 2_000

/** Records put in order by hand, those of one group among themselves: by dragging, or with Space, arrows and Space. Each move is kept at once. */
export function OrderedList({ screen, order }: { readonly screen: ListScreen; readonly order: Order }) {
  const { value, problem, reload } = useAnswer(screen.id, (signal) =>
    listRecords(screen.resource, { length: most, page: 1, order: `${order.field},id`, sort: 'asc,asc', columns: `${order.within},${order.field},${order.name}` }, signal))
  const [said, say] = useState('')
  const content = () => {
    if (value === undefined) return problem === undefined ? <Skeleton lines={10} /> : <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
    if (value.rows.length === 0) return <EmptyState title={t(screen.empty)} />
    const within = wireName(order.within)
    const groups = [...new Set(value.rows.map((row) => Number(row[within] ?? 0)))]
    const nameOf = (row: WireRecord | undefined): string => String(row?.[wireName(order.name)] ?? '')
    // The top of the tree first, then its branches in their order.
    const sorted = [0, ...value.rows.map((row) => row.ID)].filter((id) => groups.includes(id))
    return sorted.map((parent) => (
      <Group
        key={`${parent} ${value.rows.filter((row) => Number(row[within] ?? 0) === parent).map((row) => row.ID).join()}`}
        title={parent === 0 ? t('order.top') : nameOf(value.rows.find((row) => row.ID === parent))}
        entries={value.rows.filter((row) => Number(row[within] ?? 0) === parent).map((row) => ({ id: row.ID, name: nameOf(row) }))}
        command={order.command}
        onSay={say}
        onFailed={reload}
      />
    ))
  }
  return (
    <RecordsPage isWide title={t(screen.title)} hint={<span id="order-hint">{t('order.hint')}</span>}>
      <div className={css['groups']}>{content()}</div>
      <p className={css['said']} role="status" aria-live="assertive">
        {said}
      </p>
    </RecordsPage>
  )
}

interface Entry {
  readonly id: number
  readonly name: string
}

interface GroupProps {
  readonly title: string
  readonly entries: readonly Entry[]
  readonly command: string
  readonly onSay: (text: string) => void
  readonly onFailed: () => void
}

function Group({ title, entries, command, onSay, onFailed }: GroupProps) {
  const [shown, setShown] = useState(entries)
  /** The entry taken up, and how everything stood then. */
  const [lifted, setLifted] = useState<{ readonly id: number; readonly before: readonly Entry[]; readonly isPointer: boolean }>()
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<number>(undefined)
  // The row moves in the document: the eyes of a keyboard move with it.
  useEffect(() => {
    if (focused.current !== undefined) list.current?.querySelector<HTMLElement>(`[data-id="${focused.current}"]`)?.focus()
  }, [shown])

  const where = (id: number, among: readonly Entry[]) => {
    const at = among.findIndex((entry) => entry.id === id)
    return { name: among[at]?.name ?? '', n: at + 1, total: among.length }
  }
  const moved = (id: number, to: number): readonly Entry[] => {
    const at = shown.findIndex((entry) => entry.id === id)
    const entry = shown[at]
    const place = Math.min(Math.max(to, 0), shown.length - 1)
    return entry === undefined || place === at ? shown : shown.toSpliced(at, 1).toSpliced(place, 0, entry)
  }
  const move = (id: number, to: number, isTold: boolean) => {
    const next = moved(id, to)
    if (next === shown) return
    setShown(next)
    if (isTold) onSay(t('order.moved', where(id, next)))
  }
  const drop = async (id: number, before: readonly Entry[]) => {
    setLifted(undefined)
    onSay(t('order.dropped', where(id, shown)))
    if (before.every((entry, i) => entry.id === shown[i]?.id)) return
    const answer = await runCommand(command, { IDs: shown.map((entry) => entry.id) }, { key: newKey() })
    if (answer.ok) return
    tellFailure(answer.problem)
    setShown(before)
    onFailed()
  }
  const cancel = (id: number, before: readonly Entry[]) => {
    setLifted(undefined)
    setShown(before)
    onSay(t('order.cancelled', where(id, before)))
  }

  const onKey = (entry: Entry, event: KeyboardEvent) => {
    const at = shown.findIndex(({ id }) => id === entry.id)
    focused.current = entry.id
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (lifted?.id === entry.id) return void drop(entry.id, lifted.before)
      setLifted({ id: entry.id, before: shown, isPointer: false })
      return onSay(t('order.lifted', where(entry.id, shown)))
    }
    if (lifted?.id !== entry.id) return undefined
    if (event.key === 'Escape') {
      event.preventDefault()
      return cancel(entry.id, lifted.before)
    }
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: shown.length - 1 }[event.key]
    if (to === undefined) return undefined
    event.preventDefault()
    return move(entry.id, to, true)
  }
  const onDown = (entry: Entry, event: PointerEvent) => {
    if (event.button !== 0) return
    // The row itself moves in the document and would lose the pointer at its first step; the list stays.
    list.current?.setPointerCapture(event.pointerId)
    focused.current = undefined
    setLifted({ id: entry.id, before: shown, isPointer: true })
  }
  const held = lifted?.isPointer === true ? lifted : undefined
  const onMove = (event: PointerEvent) => {
    if (held === undefined) return
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const at = shown.findIndex(({ id }) => id === held.id)
    const to = rows.filter((row, i) => i !== at && event.clientY > row.top + row.height / 2).length
    move(held.id, to, false)
  }
  return (
    <section className={css['group']} aria-label={title}>
      <h2>{title}</h2>
      <ol
        ref={list}
        className={css['list']}
        onPointerMove={onMove}
        onPointerUp={() => held !== undefined && void drop(held.id, held.before)}
        onPointerCancel={() => held !== undefined && cancel(held.id, held.before)}
      >
        {shown.map((entry) => (
          <li key={entry.id} className={classes(css['entry'], lifted?.id === entry.id && css['lifted'])}>
            <button
              type="button"
              className={css['handle']}
              data-id={entry.id}
              aria-describedby="order-hint"
              aria-pressed={lifted?.id === entry.id}
              onKeyDown={(event) => onKey(entry, event)}
              onBlur={() => {
                if (lifted?.id === entry.id && !lifted.isPointer && focused.current !== entry.id) cancel(entry.id, lifted.before)
              }}
              onPointerDown={(event) => onDown(entry, event)}
            >
              <Icon name="grip" />
              {entry.name}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

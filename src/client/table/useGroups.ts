import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { GroupAnswer, GroupQuery, ListQuery, RowGroup } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { groupName } from '#api/listState.ts'
import type { Grouping } from '#api/view.ts'
import { allOf, groupCondition } from '#api/viewQuery.ts'
import type { Condition } from '#meta/condition.ts'
import type { Field, Sort } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import type { Refusal } from '../data/http.ts'
import { listGroups, listRecords } from '../data/records.ts'
import { lastVisited } from './lastVisited.ts'

/** Rows of a group fetched at once; "more" brings the next ones. */
export const groupLength = 25
const groupsPerPage = 100
/** So many groups are opened at once: each asks the server. */
const mostOpened = 200

/** What stands under a group: smaller groups, or its rows. */
export interface Opened {
  readonly isOpen: boolean
  readonly groups?: readonly RowGroup[]
  readonly rows?: readonly WireRecord[]
  /** Where the rows go on; absent: that is all. */
  readonly next?: string | undefined
  readonly problem?: Refusal
}

export interface Groups {
  readonly groups: readonly RowGroup[]
  readonly groupsTotal: number
  readonly problem: Refusal | undefined
  readonly isFirstLoad: boolean
  /** The rows of all open groups in the order in which they are drawn. */
  readonly rows: readonly WireRecord[]
  /** Has everything come that stands open? */
  readonly isFilled: boolean
  /** By the path of values that leads to the group. */
  readonly opened: ReadonlyMap<string, Opened>
  readonly toggle: (path: readonly RowGroup[]) => void
  readonly more: (path: readonly RowGroup[]) => void
  /** Opens or closes every group there is. */
  readonly toggleAll: (isOpen: boolean) => void
  readonly page: number
  /** Groups a page. */
  readonly length: number
  readonly setPage: (page: number) => void
}

type Change = (before: Opened | undefined) => Opened

/** The values that lead to a group. */
type Path = readonly Pick<RowGroup, 'value'>[]

interface Standing {
  readonly question: string
  readonly page: number
  /** Keys of the groups that stood open. */
  readonly open: readonly string[]
}

/** How the groups of the addresses visited last stood, as long as the page lives: Back finds them as they were left. */
const standing = lastVisited<Standing>()

/** Groups of a list over its whole filter; what is in them is asked for as they open. */
export function useGroups(resource: string, query: ListQuery, groupings: readonly Grouping[], fields: readonly Field[], sort: readonly Sort[], round: number): Groups {
  const question = JSON.stringify([resource, query, groupings])
  const [shown, setShown] = useState<{ readonly question: string; readonly answer?: GroupAnswer; readonly problem?: Refusal }>({ question: '' })
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map())
  const address = `${useLocation().key} ${resource}`
  const [paged, setPaged] = useState({ question: '', page: 1 })
  // Back within the list finds the page of its groups as well.
  const page = [paged, standing.get(address)].find((one) => one?.question === question)?.page ?? 1
  const current = useRef({ query, groupings, fields, sort })
  current.current = { query, groupings, fields, sort }

  const ask = useCallback(
    (level: number, path: Path, at: number) => {
      const now = current.current
      const grouping = now.groupings[level]
      return grouping === undefined ? undefined : listGroups(resource, groupQuery(now, grouping, path, at))
    },
    [resource],
  )
  const put = useCallback((changes: readonly (readonly [path: Path, change: Change])[]) => {
    setOpened((before) => new Map([...before, ...changes.map(([path, change]) => [keyOf(path), change(before.get(keyOf(path)))] as const)]))
  }, [])
  /** Asks what is in a group. */
  const find = useCallback(
    async (path: Path, after: string | undefined): Promise<Change> => {
      const now = current.current
      if (path.length < now.groupings.length) {
        const answer = await ask(path.length, path, 1)
        if (answer === undefined) return (before) => before ?? { isOpen: true }
        return () => (answer.ok ? { isOpen: true, groups: answer.value.groups } : { isOpen: true, problem: answer.problem })
      }
      const { totals: _totals, page: _page, ...rest } = now.query
      const filter = conditionOf(now.query, now.groupings, path)
      const answer = await listRecords(resource, { ...rest, length: groupLength, count: false, filter: JSON.stringify(filter), ...(after === undefined ? {} : { after }) }, undefined, true)
      return (before) =>
        answer.ok
          ? { isOpen: true, rows: [...(after === undefined ? [] : (before?.rows ?? [])), ...answer.value.rows], next: answer.value.next }
          : { isOpen: true, rows: before?.rows ?? [], problem: answer.problem }
    },
    [ask, resource],
  )
  const fill = useCallback(async (path: Path, after: string | undefined) => put([[path, await find(path, after)]]), [find, put])
  const latest = useRef({ opened, fill, address })
  latest.current = { opened, fill, address }
  const filled = useRef('')
  useEffect(() => {
    let isStale = false
    void ask(0, [], page)?.then((answer) => {
      if (isStale) return
      setShown(answer.ok ? { question, answer: answer.value } : { question, problem: answer.problem })
      // The same question asked anew, after something was done with the rows: what stood open stays open; so it does for who comes back.
      const isSame = filled.current === `${page} ${question}`
      const before = standing.get(latest.current.address)
      const kept = isSame ? [...latest.current.opened].filter(([, one]) => one.isOpen) : before?.question === question && before.page === page ? before.open.map((key): [string, Opened] => [key, { isOpen: true }]) : []
      filled.current = `${page} ${question}`
      setOpened(new Map(kept))
      for (const [key] of kept) void latest.current.fill(pathOf(key), undefined)
    })
    return () => {
      isStale = true
    }
  }, [ask, question, page, round])
  useEffect(() => {
    if (filled.current !== `${page} ${question}`) return
    standing.set(address, { question, page, open: [...opened].filter(([, one]) => one.isOpen).map(([key]) => key) })
  }, [address, question, page, opened])

  const toggle = useCallback(
    (path: readonly RowGroup[]) => {
      const before = opened.get(keyOf(path))
      put([[path, (known) => ({ ...known, isOpen: known?.isOpen !== true })]])
      if (before === undefined) void fill(path, undefined)
    },
    [opened, put, fill],
  )
  const more = useCallback((path: readonly RowGroup[]) => void fill(path, opened.get(keyOf(path))?.next), [fill, opened])
  const groups = shown.answer?.groups ?? noGroups
  const toggleAll = useCallback(
    (isOpen: boolean) => {
      if (!isOpen) return setOpened((before) => new Map([...before].map(([key, one]) => [key, { ...one, isOpen: false }])))
      let left = mostOpened
      const { query: asked } = current.current
      const open = async (paths: readonly Path[]): Promise<void> => {
        const taken = paths.slice(0, Math.max(0, left))
        left -= paths.length
        const known = latest.current.opened
        put(taken.map((path) => [path, (before) => ({ ...before, isOpen: true })]))
        // Drawn together: each answer by itself would draw all rows there are once more.
        const changes = await Promise.all(taken.filter((path) => !known.has(keyOf(path))).map(async (path) => [path, await find(path, undefined)] as const))
        if (current.current.query !== asked) return
        put(changes)
        const found = new Map([...known, ...changes.map(([path, change]) => [keyOf(path), change(undefined)] as const)])
        const inside = taken.flatMap((path) => found.get(keyOf(path))?.groups?.map((group) => [...path, group]) ?? [])
        if (inside.length > 0) await open(inside)
      }
      void open(groups.map((group) => [group])).then(() => {
        if (left < 0) void notify({ tone: 'info', title: t('ui.group.open-all'), text: t('ui.group.opened-some', { n: formatNumber(mostOpened) }), lasts: 6000 })
      })
    },
    [groups, put, find],
  )
  return useMemo(
    () => ({
      groups,
      groupsTotal: shown.answer?.groupsTotal ?? 0,
      problem: shown.question === question ? shown.problem : undefined,
      isFirstLoad: shown.answer === undefined && shown.problem === undefined,
      isFilled: shown.question === question && [...opened.values()].every((one) => !one.isOpen || (one.rows ?? one.groups ?? one.problem) !== undefined),
      rows: rowsIn(groups, [], opened),
      opened,
      toggle,
      more,
      toggleAll,
      page,
      length: groupsPerPage,
      setPage: (next: number) => setPaged({ question, page: next }),
    }),
    [groups, shown, question, opened, toggle, more, toggleAll, page],
  )
}

const noGroups: readonly RowGroup[] = []

function rowsIn(groups: readonly RowGroup[], path: Path, opened: Groups['opened']): readonly WireRecord[] {
  return groups.flatMap((group) => {
    const to = [...path, group]
    const one = opened.get(keyOf(to))
    return one?.isOpen === true ? [...rowsIn(one.groups ?? [], to, opened), ...(one.rows ?? [])] : []
  })
}

/** Which group, by the values that lead to it. */
export function keyOf(path: Path): string {
  return JSON.stringify(path.map(({ value }) => value))
}

function pathOf(key: string): Path {
  return (JSON.parse(key) as readonly RowGroup['value'][]).map((value) => ({ value }))
}

interface Question {
  readonly query: ListQuery
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly sort: readonly Sort[]
}

/** Groups stand as the list is sorted: by their value or a sum; days newest first unless said. */
export function groupQuery({ query, groupings, fields, sort }: Question, grouping: Grouping, path: Path, page: number): GroupQuery {
  const { search, columns, totals } = query
  const filter = conditionOf(query, groupings, path)
  const own = sort.find(({ field }) => field === grouping.field)
  const sum = totals?.split(',').includes(sort[0]?.field ?? '') === true ? sort[0] : undefined
  const field = fields.find(({ name }) => name === grouping.field)
  const isDay = field?.type === 'date' || field?.type === 'datetime'
  return {
    by: groupName(grouping),
    length: groupsPerPage,
    page,
    sort: (own ?? sum)?.dir ?? (isDay ? 'desc' : 'asc'),
    ...(own === undefined && sum !== undefined ? { order: sum.field } : {}),
    ...(search === undefined ? {} : { search }),
    ...(columns === undefined ? {} : { columns }),
    ...(totals === undefined ? {} : { totals }),
    ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }),
  }
}

/** The list's own filter, narrowed to a group. */
export function conditionOf(query: ListQuery, groupings: readonly Grouping[], path: Path): Condition | undefined {
  const own = query.filter === undefined ? undefined : (JSON.parse(query.filter) as Condition)
  const narrowed = path.map(({ value }, i) => {
    const grouping = groupings[i]
    return grouping === undefined ? undefined : groupCondition(grouping, value)
  })
  return allOf([own, ...narrowed])
}

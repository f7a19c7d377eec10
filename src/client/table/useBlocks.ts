import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ListAnswer, ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { blockLength } from '#api/listQuery.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { listRecords } from '../data/records.ts'

/** Blocks fetched unasked: so many rows scroll by without a gap. Further ones, and those that did not arrive, come when they are scrolled to. */
const eagerBlocks = 10

type Block = readonly WireRecord[]

export interface Blocks {
  /** All rows of the page; undefined: not there yet. */
  readonly rows: readonly (WireRecord | undefined)[]
  /** Says which rows are looked at. */
  readonly onSeen: (first: number, last: number) => void
}

/** The rest of a page that is longer than the server hands out at once: its first block is there, the others follow. */
export function useBlocks(resource: string, query: ListQuery, first: ListAnswer | undefined, length: number): Blocks {
  const [blocks, setBlocks] = useState<ReadonlyMap<number, Block>>(new Map())
  const asked = useRef(new Set<number>())
  const stop = useRef<AbortController>(undefined)
  const shown = useRef(query)
  const isLong = length > blockLength && first !== undefined
  const start = query.page ?? 1
  const count = isLong ? Math.min(length, first.recordsTotal - (start - 1) * blockLength) : 0
  const last = Math.ceil(count / blockLength) - 1

  const fetchBlock = useCallback(
    async (block: number) => {
      if (asked.current.has(block)) return
      asked.current.add(block)
      const { totals: _totals, ...rest } = query
      const signal = stop.current?.signal
      const answer = await listRecords(resource, { ...rest, page: start + block, count: false }, signal, true)
      if (signal?.aborted === true) return
      if (answer.ok) setBlocks((before) => new Map([...before, [block, answer.value.rows]]))
      else asked.current.delete(block)
    },
    [resource, query, start],
  )
  useEffect(() => {
    if (!isLong) return undefined
    const controller = new AbortController()
    stop.current = controller
    asked.current = new Set([0])
    // Asked once more, the old rows stay until the new ones are there.
    if (shown.current !== query) setBlocks(new Map())
    shown.current = query
    const go = async () => {
      for (let block = 1; block <= Math.min(last, eagerBlocks - 1) && !controller.signal.aborted; block++) await fetchBlock(block)
    }
    // The first block is painted before the next one is read.
    const stopWaiting = afterPaint(() => void go())
    return () => {
      stopWaiting()
      controller.abort()
    }
  }, [isLong, first, last, query, fetchBlock])

  const onSeen = useCallback(
    (from: number, to: number) => {
      for (const block of new Set([from, to].map((index) => Math.floor(index / blockLength)))) if (isLong) void fetchBlock(block)
    },
    [isLong, fetchBlock],
  )
  const rows = useMemo(() => {
    if (!isLong) return first?.rows ?? noRows
    const all = Array.from<WireRecord | undefined>({ length: count })
    for (const [block, found] of [[0, first.rows] as const, ...blocks]) found.forEach((row, i) => (all[block * blockLength + i] = row))
    return all
  }, [isLong, first, blocks, count])
  return { rows, onSeen }
}

const noRows: Block = []

import { Suspense, useMemo } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { Column } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { CardList } from '../table/CardList.tsx'

const CardTotals = lazy(() => import('../table/CardTotals.tsx').then((module) => ({ default: module.CardTotals })))

interface LineCardsProps {
  readonly columns: readonly Column[]
  readonly lines: readonly WireRecord[]
  readonly totals: Readonly<Record<string, string>> | undefined
}

/** The lines of a document on a phone: a card for each, with every column that says something in any of them. */
export function LineCards({ columns, lines, totals }: LineCardsProps) {
  const said = useMemo(() => {
    const filled = columns.filter(({ wire }) => lines.some((line) => line[wire] !== null && line[wire] !== undefined && line[wire] !== '')).map((column) => ({ ...column, importance: 'high' as const }))
    // A card is named by what the line is about, not by its place.
    return [...filled.filter(({ name }) => name !== 'line_no'), ...filled.filter(({ name }) => name === 'line_no')]
  }, [columns, lines])
  return (
    <>
      <CardList rows={lines} columns={said} toneOf={noTone} selection={noSelection} />
      <Suspense>{totals !== undefined && <CardTotals columns={columns} label={t('ui.total')} totals={totals} />}</Suspense>
    </>
  )
}

const noSelection = {}

function noTone(): undefined {
  return undefined
}

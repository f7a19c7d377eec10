import type { ReactNode } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { Facts } from './facts.ts'
import type { Paper } from './papers.ts'

export interface SheetColumn {
  readonly title: string
  /** Share of the width in percent; widths are fixed so that a row is as high on every page. */
  readonly width: number
  readonly isNumber?: boolean
}

export interface SheetRow {
  readonly key: string
  /** In the order of the columns. With fewer cells than columns, the last one takes the rest of the row. */
  readonly cells: readonly ReactNode[]
}

/** A document laid out for one paper, before it is cut into pages. Everything on it is stored; nothing is computed again. */
export interface Sheet {
  readonly title: string
  readonly code: string
  /** In the short head of further pages. */
  readonly issuer: string
  /** Said on every page: the document is a draft, or undone. */
  readonly stamp?: string
  readonly head: ReactNode
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly SheetRow[]
  /** Totals first; each block stays whole. */
  readonly tail: readonly ReactNode[]
}

/** What a print layout says; the frame does the rest. */
export interface PrintLayout {
  readonly resource: string
  /** With the accounts a customer may pay to. */
  readonly hasBanks: boolean
  /** With the vendor, his address and the invoice of his it is about. */
  readonly hasVendor?: boolean
  /** Original and copy are told apart. */
  readonly hasMarks: boolean
  lay(record: WireRecord, facts: Facts, paper: Paper): Sheet
}

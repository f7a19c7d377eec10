/** A part of the file as it becomes ready; resolves when the receiver wants more. */
export type Send = (bytes: Uint8Array) => Promise<void>

export interface SheetSetup {
  /** Name of the tab; what a spreadsheet does not allow in one is taken out. */
  readonly name: string
  /** Width of each column in characters. */
  readonly widths: readonly number[]
  /** Columns from the left that stay in view; the head row always does where there is one. */
  readonly frozen: number
  /** The first row is a head: it stays in view and carries filters. */
  readonly hasHead: boolean
  /** Levels of groups that can be folded; 0: none. */
  readonly groups: number
}

/** What a row is for; spreadsheets show it. */
export const rowKinds = ['head', 'row', 'subtotal', 'total'] as const
export type RowKind = (typeof rowKinds)[number]

/** How a number stands: digits grouped or not, at least so many places, a percent sign. */
export interface NumberLook {
  readonly kind: 'grouped' | 'plain' | 'percent'
  readonly places: number
}

/**
 * A file of rows, written from left to right and top to bottom. Values are typed by what they are, never by what they look like: text stays
 * text whatever it begins with, numbers keep every digit.
 */
export interface TableFile {
  readonly mediaType: string
  openSheet(setup: SheetSetup): Promise<void>
  /** `depth`: in how many groups the row stands. */
  startRow(kind: RowKind, depth?: number): void
  text(value: string): void
  number(decimal: string, look: NumberLook): void
  /** `YYYY-MM-DD`. */
  date(day: string): void
  /** ISO text; shown in the zone of the file. */
  moment(at: string): void
  flag(value: boolean): void
  empty(): void
  endRow(): void
  /** Sends what is ready; to be called every few thousand rows. */
  flush(): Promise<void>
  closeSheet(): Promise<void>
  /** The file is complete. */
  finish(): Promise<void>
  /** Gives back what is held when the file will never be complete. */
  abandon(): void
}

/** How a bank lays out a delimited file. Headings are compared without case, blanks and signs; of several the first that is there counts. */
export interface BankFileProfile {
  readonly name: string
  readonly columns: {
    readonly date: Heading
    readonly text: readonly Heading[]
    /** These four may be missing from the file. */
    readonly reference?: Heading
    /** One column of amounts, with a mark in a column of its own or behind the amount, or signed. */
    readonly amount?: Heading
    readonly mark?: Heading
    readonly debit?: Heading
    readonly credit?: Heading
    readonly balance?: Heading
    readonly account?: Heading
    readonly currency?: Heading
  }
  /** Mark of an amount → where the money goes. */
  readonly marks?: Readonly<Record<string, 'in' | 'out'>>
  readonly dates?: 'DMY' | 'MDY' | 'YMD'
  /** Absent: whichever sign lets all its amounts be read. */
  readonly decimal?: '.' | ','
  /** Expressions with one group, two for the period, looked for in the lines around the table. */
  readonly account?: string
  readonly currency?: string
  readonly period?: string
  readonly opening?: string
  readonly closing?: string
  /** Rows whose first value looks so are not booked yet. */
  readonly pending?: string
  /** What the file calls a currency → ISO code. */
  readonly currencies?: Readonly<Record<string, string>>
}

/** A heading, several of which one is there, or the column right of another that has none. */
export type Heading = string | readonly string[] | { readonly after: string }

/** A row of the file; `no` is its line. */
export interface FileRow {
  readonly no: number
  readonly cells: readonly string[]
}

type Column = keyof BankFileProfile['columns']
export interface Layout {
  readonly head: number
  readonly at: Readonly<Partial<Record<Column, number>>>
  readonly texts: readonly number[]
}

const mayMiss: ReadonlySet<Column> = new Set(['reference', 'balance', 'account', 'currency'])
/** Lines in which the headings are looked for. */
const deepestHead = 60

/** Where the table of the file stands, if it is laid out as the profile says. */
export function layoutOf(rows: readonly FileRow[], { columns }: BankFileProfile): Layout | undefined {
  for (let head = 0; head < Math.min(rows.length, deepestHead); head++) {
    const found = columnsIn(rows[head]?.cells ?? [], columns)
    if (found !== undefined) return { head, ...found }
  }
  return undefined
}

function columnsIn(cells: readonly string[], columns: BankFileProfile['columns']): Omit<Layout, 'head'> | undefined {
  const names = cells.map(plainHeading)
  const of = (heading: Heading): number => {
    if (typeof heading === 'string') return names.indexOf(plainHeading(heading))
    if ('after' in heading) {
      const beside = names.indexOf(plainHeading(heading.after))
      return beside < 0 || names[beside + 1] !== '' ? -1 : beside + 1
    }
    return heading.map((one) => names.indexOf(plainHeading(one))).find((at) => at >= 0) ?? -1
  }
  const at: Partial<Record<Column, number>> = {}
  for (const key of ['date', 'reference', 'amount', 'mark', 'debit', 'credit', 'balance', 'account', 'currency'] as const) {
    const heading = columns[key]
    if (heading === undefined) continue
    const found = of(heading)
    if (found >= 0) at[key] = found
    else if (!mayMiss.has(key)) return undefined
  }
  const texts = columns.text.map(of)
  return texts.some((one) => one < 0) ? undefined : { at, texts }
}

function plainHeading(text: string): string {
  return text.normalize('NFKC').toUpperCase().replaceAll(/[^\p{L}\p{N}/]/gu, '')
}

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const dateOrders = ['DMY', 'MDY', 'YMD'] as const
export type DateOrder = (typeof dateOrders)[number]

/** How an uploaded file is to be read: recognised at first, corrected by the user. */
export interface FileForm {
  readonly kind: 'csv' | 'json' | 'xlsx'
  /** Of text files. */
  readonly encoding: Encoding
  readonly delimiter: Delimiter
  readonly decimal: '.' | ','
  /** Of each column the first value that could be two numbers (`150.000`), while nothing in the file proves the sign; absent once it is proved or told. */
  readonly doubtful?: readonly (string | null)[]
  readonly date: DateOrder
  /** Sheet of a workbook that is read, and all it has. */
  readonly sheet: string
  readonly sheets: readonly string[]
}

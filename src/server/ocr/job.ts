import type { Template } from '#domain/ocr/extract.ts'
import type { Reading } from '#domain/ocr/extract.ts'

/** What the reading process is asked. */
export interface ReadJob {
  readonly file: string
  /** Folder for the pictures of the pages. */
  readonly out: string
  /** Folder of the language data, and the languages of it. */
  readonly data: string
  readonly languages: readonly string[]
  readonly templates: readonly Template[]
}

/** A page of the file: its picture stands upright in grey. */
export interface PagePicture {
  readonly file: string
  readonly width: number
  readonly height: number
  /** The file itself says what its words are; otherwise they were recognised. */
  readonly isDigital: boolean
}

export interface ReadResult {
  readonly pages: readonly PagePicture[]
  /** Null: no template is for it. */
  readonly templateId: number | null
  readonly readings: readonly Reading[]
  /** Runs of 15 and 16 digits, which may be taxpayer numbers. */
  readonly taxNumbers: readonly string[]
}

/** Why a file is not read. */
export type ReadRefusal = 'broken' | 'locked' | 'pages' | 'large' | 'empty'

export type FromReader =
  | { readonly kind: 'page'; readonly page: number; readonly pages: number }
  | { readonly kind: 'done'; readonly result: ReadResult }
  | { readonly kind: 'refused'; readonly why: ReadRefusal; readonly text: string }

export const mostPages = 20

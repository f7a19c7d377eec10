import type { ProblemCode } from '#api/problems.ts'

/**
 * Files kept for a record, and the specification's two calls about a file:
 * GET    /api/v1/data/{resource}/{id}/attachments             AttachmentsAnswer
 * POST   /api/v1/data/{resource}/{id}/attachments             multipart form with one `file` (Idempotency-Key) → { record: Attachment }
 * DELETE /api/v1/data/{resource}/{id}/attachments/{fileId}?reason=
 * POST   /api/v1/general/download                             { key } → data: an encoded URL that works for two minutes without headers
 * GET    /api/v1/general/preview?key=                         PreviewAnswer
 * POST   /api/v1/general/upload?resource=&field=              multipart form with one `file` (Idempotency-Key) → { record: FieldFile }, held by no record until one is saved with it
 * POST   /api/v1/profile/picture                              multipart form with one `file` → { picture_key }
 * DELETE /api/v1/profile/picture
 */
export interface Attachment {
  readonly ID: number
  readonly Name: string
  /** As found in the file itself, whatever its name says. */
  readonly Type: string
  /** Bytes. */
  readonly Size: number
  readonly Key: string
  readonly UploadedByID: number
  readonly UploadedByName: string
  readonly UploadedAt: string
  readonly CanPreview: boolean
  readonly CanDelete: boolean
}

/** A file for a field of a record: `ID` is the value of the field. */
export type FieldFile = Pick<Attachment, 'ID' | 'Name' | 'Type' | 'Size' | 'Key' | 'CanPreview'>

export interface AttachmentsAnswer {
  readonly records: readonly Attachment[]
  readonly CanAttach: boolean
}

export interface PreviewAnswer {
  /** Base64. */
  readonly file: string
  readonly type: string
}

/** How many attachments and comments a record has. */
export interface RecordCounts {
  readonly Attachments: number
  readonly Comments: number
}

export const largestFile = 25 * 1024 * 1024
export const largestPicture = 2 * 1024 * 1024
/** Attachments of one record. */
export const mostAttachments = 100

/** Types of file that are kept, each with the endings that choose it among its kin. */
export const fileTypes = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif'],
  'image/tiff': ['tif', 'tiff'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'log', 'md', 'json'],
  'text/csv': ['csv'],
  'message/rfc822': ['eml'],
  'application/vnd.ms-outlook': ['msg'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/zip': ['zip'],
  // Kept, but only ever handed out to be saved: a browser would run what is in them.
  'text/html': ['html', 'htm'],
  'image/svg+xml': ['svg'],
  'application/xml': ['xml'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FileType = keyof typeof fileTypes

/** Types a browser shows without running anything; all others are only ever saved. */
export const shownTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain', 'text/csv'] satisfies FileType[]

export const pictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'] satisfies FileType[]

const documentTypes: readonly string[] = [...pictureTypes, 'application/pdf'] satisfies (FileType | string)[]

/** Types a file field takes, by the word its schema says. */
export const acceptedTypes = { picture: pictureTypes, document: documentTypes, any: Object.keys(fileTypes) } as const satisfies Readonly<Record<string, readonly string[]>>

/** Endings of these types, as the file picker wants them: `.png,.jpg`. */
export function endingsOf(types: readonly string[]): string {
  return Object.entries(fileTypes).flatMap(([type, endings]) => (types.includes(type) ? endings.map((ending) => `.${ending}`) : [])).join(',')
}

/** What the file picker offers. */
export const acceptedEndings: string = Object.values(fileTypes).flat().map((ending) => `.${ending}`).join(',')

/** Why a file is refused before it is sent; the server says the same. */
export type FileRefusal = Extract<ProblemCode, 'FILE_TOO_LARGE' | 'FILE_TYPE_REFUSED' | 'FILE_EMPTY'>

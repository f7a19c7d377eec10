import type { FormFileAnswer } from '#api/formFile.ts'
import type { FileReader } from '#generated/language.ts'
import type { User } from '#server/context.ts'
import type { LocalFile } from '#server/files/fileStore.ts'
import { largestBankFile } from '#server/receivables/bankFile.ts'
import { readStatement } from '#server/receivables/readStatement.ts'
import type { Services } from '#server/services.ts'

/** Reads a file into a document as a form would have it entered; nothing is saved. `answer` is what was chosen of what the file left open. */
export type FileReading = (services: Services, user: User, file: LocalFile, answer: string | undefined) => Promise<FormFileAnswer>

/** What reads files into forms, by the name `lines.file` uses. `most`: bytes. */
export const fileReaders: Readonly<Record<FileReader, { readonly read: FileReading; readonly most: number }>> = {
  'bank-statement': { read: readStatement, most: largestBankFile },
}

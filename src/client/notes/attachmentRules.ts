import { endingsOf, fileTypes, largestFile, shownTypes, type FileRefusal } from '#api/files.ts'
import { formatNumber } from '../app/format.ts'

/** Why a file would be refused, as far as that can be told before it is sent; the server looks into it. */
export function refusalOf(file: Pick<File, 'name' | 'size'>): FileRefusal | undefined {
  if (file.size === 0) return 'FILE_EMPTY'
  if (file.size > largestFile) return 'FILE_TOO_LARGE'
  return undefined
}

/** Why a field would refuse the file, as far as its name and size tell. */
export function fileRefusal(file: Pick<File, 'name' | 'size'>, types: readonly string[], most: number): FileRefusal | undefined {
  if (file.size === 0) return 'FILE_EMPTY'
  if (file.size > most) return 'FILE_TOO_LARGE'
  return hasEnding(file.name, types) ? undefined : 'FILE_TYPE_REFUSED'
}

/** The name of a file not sent yet as it may be shown: without folders and without marks that turn the direction of text ("fdp.exe" shown as "exe.pdf"). */
export function nameToShow(file: Pick<File, 'name'>): string {
  return file.name.split(/[/\\]/).at(-1)?.replaceAll(/[\p{Cc}\p{Cf}]/gu, '') ?? ''
}

/** Does the name promise a file that a browser shows? */
export function isShownName(name: string): boolean {
  return hasEnding(name, shownTypes)
}

function hasEnding(name: string, types: readonly string[]): boolean {
  return endingsOf(types).split(',').includes(`.${name.split('.').at(-1)?.toLowerCase() ?? ''}`)
}

/** `1,234 KB`, `2.5 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${formatNumber(bytes)} B`
  if (bytes < 1024 * 1024) return `${formatNumber(Math.round(bytes / 1024))} KB`
  return `${formatNumber((bytes / 1024 / 1024).toFixed(1))} MB`
}

/** What people call a type: its usual ending. */
export function typeName(type: string, name: string): string {
  const known: readonly string[] = Object.entries(fileTypes).find(([one]) => one === type)?.[1] ?? []
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return (known.includes(ending) ? ending : (known[0] ?? ending)).toUpperCase()
}

/** Files of a paste or a drop. A picture on the clipboard has no name of its own. */
export function filesOf(data: DataTransfer | null, pastedName: string): readonly File[] {
  return [...(data?.files ?? [])].map((file) => (/^image\.\w+$/.test(file.name) ? new File([file], pastedName + file.name.slice(5), { type: file.type }) : file))
}

import { tellFailure } from '../notes/download.ts'
import { sendForFile, type Answer, type Call } from '../data/http.ts'

export interface DownloadedFile {
  readonly blob: Blob
  readonly name: string
}

/** Asks for a file and waits for all of it. `onBytes` is told how many have come. */
export async function downloadFile(call: Call, onBytes: (bytes: number) => void): Promise<Answer<DownloadedFile>> {
  const answer = await sendForFile(call, onBytes)
  return answer.ok ? { ok: true, value: { blob: answer.value.blob, name: nameOf(answer.value.about) } } : answer
}

/** A file the server makes: had and saved, or what the server said told. */
export async function fetchFile(path: string): Promise<void> {
  const answer = await downloadFile({ path }, () => undefined)
  if (answer.ok) saveFile(answer.value)
  else tellFailure(answer.problem)
}

/** Hands the file to the browser, to be saved. */
export function saveFile({ blob, name }: DownloadedFile): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The name in UTF-8 where the server gives one. */
function nameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'export') : decodeURIComponent(encoded)
}

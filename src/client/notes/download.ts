import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { openDownload } from '../data/files.ts'
import type { Refusal } from '../data/http.ts'

/** Opens a kept file in a new tab; a refusal is told at the edge of the page. */
export async function download(key: string): Promise<void> {
  const answer = await openDownload(key)
  if (!answer.ok) tellFailure(answer.problem)
}

/** A file that could not be had: red, titled Error, with what the server said. */
export function tellFailure(problem: Refusal): void {
  void notify({ tone: 'error', title: t('ui.error'), text: problem.text })
}

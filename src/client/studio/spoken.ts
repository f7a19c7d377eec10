import { sayReport } from '#meta/authoring/sayReport.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'

/** The screen of a draft with words in place of the texts it does not have yet: its name, and what it shows in one sentence. */
export function spoken(screen: ReportScreen, title: string): ReportScreen {
  return { ...screen, title, sentence: sayReport(screen, t) }
}

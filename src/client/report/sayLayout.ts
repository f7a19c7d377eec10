import type { ReportScreen } from '#meta/resolved.ts'
import { formatDate } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { groupLabel } from '../charts/groupText.ts'
import type { ReportLayout } from '../pages/reportState.ts'

/** How the rows are put together, in words; '' for single rows. `before`: parameters of the period compared with. */
export function sayLayout(screen: ReportScreen, { rows, across, compare }: ReportLayout, before: Readonly<Record<string, string>> | undefined): string {
  const days = daysOf(screen, before)
  return [
    rows.length === 0 ? '' : t('ui.report.said.groups', { groups: rows.map(groupLabel).join(', ') }),
    across === undefined ? '' : t('ui.report.said.across', { group: groupLabel(across) }),
    // Which days these are comes with the answer.
    compare === undefined || days === '' ? '' : t('ui.report.said.compare', { period: t(`ui.report.compare.${compare}`), days }),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** What the report tells, then how it is put together. A name that is no sentence leads on to it. */
export function sayTogether(told: string, layout: string): string {
  if (layout === '') return told
  return `${told}${/[.!?。！？:：]$/.test(told) ? '' : ':'} ${layout}`
}

/** `01/10/2025 – 31/10/2025`. */
function daysOf({ time = {} }: ReportScreen, before: Readonly<Record<string, string>> = {}): string {
  const named = time.from === undefined ? [time.as_of] : [time.from, time.to]
  const days = named.flatMap((name) => (name === undefined ? [] : (before[name] ?? []))).map(formatDate)
  return [...new Set(days)].join(' – ')
}

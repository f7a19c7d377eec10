import type { ReportRow } from '#api/report.ts'
import type { Field, GroupDimension } from '#meta/resolved.ts'
import { formatDate, formatPeriod } from '../app/format.ts'
import { t } from '../app/messages.ts'

/** A value of a group as people read it; a code is followed by nothing: see `groupName`. */
export function groupText(group: GroupDimension, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('ui.nothing')
  const text = String(value)
  switch (group.grain) {
    case 'day':
    case 'week':
      return group.grain === 'day' ? formatDate(text) : t('ui.report.week', { day: formatDate(text) })
    case 'month':
      return `${text.slice(5)}/${text.slice(0, 4)}`
    case 'quarter':
      return `${text.slice(5)} ${text.slice(0, 4)}`
    case 'year':
      return text
    case undefined:
      break
  }
  const choice = group.choices?.find((one) => String(one.value) === text)
  if (choice !== undefined) return t(choice.label)
  if (group.type === 'date') return formatDate(text)
  if (group.type === 'period') return formatPeriod(text)
  if (group.type === 'boolean') return t(value === true ? 'ui.yes' : 'ui.no')
  return text
}

/** What the group's value is called, by what describes it: the name of a code. Undefined where nothing does. */
export function groupName(group: GroupDimension, about: ReportRow): string | undefined {
  const key = group.name.endsWith('_code') ? `${group.wire.slice(0, -'Code'.length)}Name` : undefined
  const name = key === undefined ? undefined : about[key]
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** How a group is called in words. */
export function groupLabel(group: Pick<GroupDimension, 'label' | 'grain'> | Field): string {
  const grain = 'grain' in group ? group.grain : undefined
  return grain === undefined ? t(group.label) : t('ui.report.by-grain', { field: t(group.label), grain: t(`ui.grain.${grain}`) })
}

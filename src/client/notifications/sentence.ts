import type { NotificationKind, NotificationRecord } from '#api/notification.ts'
import { languageAtom, t, tFirst } from '../app/messages.ts'
import { store } from '../data/session.ts'
import type { IconName } from '../ui/Icon.tsx'

/** What a notification says, in the reader's language. */
export function sentenceOf({ Title, Params }: Pick<NotificationRecord, 'Title' | 'Params'>): string {
  const { document } = Params
  return t(Title, document === undefined ? Params : { ...Params, document: tFirst([`entity.${document}`], document) })
}

export const notificationIcons = {
  APPROVAL_ASKED: 'approval',
  APPROVAL_DECIDED: 'check',
  IMPORT_FINISHED: 'inbox',
  EXPORT_READY: 'download',
  MENTION: 'comment',
  REPORT_FAILED: 'warning',
  REPORT_SHARED: 'chart',
} as const satisfies Record<NotificationKind, IconName>

/** These are waited for: they are told at the edge of the page as well. */
const awaited: ReadonlySet<NotificationKind> = new Set(['APPROVAL_DECIDED', 'IMPORT_FINISHED', 'EXPORT_READY', 'MENTION', 'REPORT_FAILED', 'REPORT_SHARED'])

export function isAwaited(kind: NotificationKind): boolean {
  return awaited.has(kind)
}

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago a moment was: 5 minutes ago, yesterday. */
export function ago(iso: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const language = store.get(languageAtom)
  const format = new Intl.RelativeTimeFormat(language === 'cn' ? 'zh' : language, { numeric: 'auto' })
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
  return format.format(0, 'minute')
}

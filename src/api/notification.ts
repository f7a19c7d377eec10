/**
 * What a user is told about.
 * GET  /api/v1/notifications            NotificationAnswer; query before, length, unread
 * PUT  /api/v1/notifications/{id}/read  NotificationState
 * PUT  /api/v1/notifications/read       NotificationState; all of them
 * GET  /api/v1/notifications/stream     server-sent events: `state` with NotificationState, `notification` with NotificationRecord
 */
export const notificationKinds = ['APPROVAL_ASKED', 'APPROVAL_DECIDED', 'IMPORT_FINISHED', 'EXPORT_READY', 'MENTION', 'REPORT_FAILED', 'REPORT_SHARED'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export interface NotificationRecord {
  readonly ID: number
  readonly Kind: NotificationKind
  /** Message key of the sentence: `notification.approval-asked`. */
  readonly Title: string
  /** Fill the sentence; `document` holds an entity and is shown by its name. */
  readonly Params: Readonly<Record<string, string>>
  /** Path of the page it is about. */
  readonly Link: string | null
  readonly CreatedAt: string
  readonly ReadAt: string | null
}

export interface NotificationState {
  readonly unread: number
  /** Newest notification of the user; 0: none. */
  readonly latest: number
}

export interface NotificationAnswer extends NotificationState {
  /** Newest first. */
  readonly records: readonly NotificationRecord[]
  /** Is there more before the last one? */
  readonly more: boolean
}

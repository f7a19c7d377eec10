import type { NotificationAnswer, NotificationState } from '#api/notification.ts'
import { send, type Answer } from '../data/http.ts'

const path = '/api/v1/notifications'

/** The newest, or those before one. */
export function listNotifications(before?: number, signal?: AbortSignal): Promise<Answer<NotificationAnswer>> {
  return send({ path, query: { length: 20, before }, signal, isPart: true })
}

export function markAsRead(id: number): Promise<Answer<NotificationState>> {
  return send({ method: 'PUT', path: `${path}/${id}/read`, isPart: true })
}

export function markAllAsRead(): Promise<Answer<NotificationState>> {
  return send({ method: 'PUT', path: `${path}/read`, isPart: true })
}

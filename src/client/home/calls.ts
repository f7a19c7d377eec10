import type { HomeCounts } from '#api/home.ts'
import type { MyApprovals } from '#api/approval.ts'
import { send, type Answer } from '../data/http.ts'

export interface Announcement {
  readonly ID: number
  readonly Title: string
  readonly Body: string | null
  readonly ValidFrom: string
}

export interface Home {
  readonly approvals: MyApprovals['records']
  readonly announcements: readonly Announcement[]
}

export function readHome(signal: AbortSignal): Promise<Answer<Home>> {
  return send({ path: '/api/v1/home', signal })
}

export function readHomeCounts(signal: AbortSignal): Promise<Answer<HomeCounts>> {
  return send({ path: '/api/v1/home/counts', signal, isPart: true })
}

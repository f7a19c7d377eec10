import type { DashboardAnswer, TileAnswer } from '#api/dashboard.ts'
import type { SummaryAnswer, SummaryQuery } from '#api/report.ts'
import { send, type Answer } from './http.ts'

export function readDashboard(screen: string, signal?: AbortSignal): Promise<Answer<DashboardAnswer>> {
  return send({ path: `/api/v1/dashboard/${screen}`, signal })
}

export function readTile(screen: string, tile: string, signal?: AbortSignal): Promise<Answer<TileAnswer>> {
  return send({ path: `/api/v1/dashboard/${screen}/${tile}`, signal, isPart: true })
}

export function readSummary(screen: string, query: SummaryQuery, signal?: AbortSignal, isPart?: boolean): Promise<Answer<SummaryAnswer>> {
  return send({ path: `/api/v1/report/${screen}/summary`, query: { ...query }, signal, isPart })
}

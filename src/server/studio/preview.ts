import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import { mostPreviewed, previewMs, type StudioQuestion } from '#api/studio.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { requireGuard } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { reportRows } from '#server/reports/runReport.ts'
import { runSummary } from '#server/reports/runSummary.ts'
import type { Services } from '#server/services.ts'

/**
 * Rows or groups of a report that is not published: at most 50, under the permission for its dataset and in the user's scope. A statement
 * that takes too long is cancelled: by PostgreSQL, or by its own rows where the database cannot stop it.
 */
export async function preview(services: Services, user: User, screen: ReportScreen, { IsSummary: isSummary, Query: asked }: StudioQuestion, timeoutMs = previewMs): Promise<ReportAnswer | SummaryAnswer> {
  const { metadata, database } = services
  const dataset = metadata.datasets[screen.dataset]
  if (dataset === undefined) throw new Error(`The report ${screen.id} was checked against a dataset that is not there: ${screen.dataset}`)
  requireGuard(user, dataset.guard)
  const limits = { rows: Math.min(dataset.limits.rows, mostPreviewed), timeoutMs: Math.min(dataset.limits.timeoutMs, timeoutMs), isWatched: database.engine === 'embedded' }
  const short: Services = { ...services, metadata: { ...metadata, datasets: { ...metadata.datasets, [dataset.id]: { ...dataset, limits } } } }
  const query = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]))
  const length = Number(query['length'] ?? mostPreviewed)
  // The first rows are all there is to see.
  const within = { ...query, page: '1', length: String(length > mostPreviewed ? mostPreviewed : length) }
  return isSummary ? runSummary(short, user, screen, within) : reportRows(short, user, screen, within)
}

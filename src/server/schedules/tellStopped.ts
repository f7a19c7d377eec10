import type { ReportSchedule } from '#api/schedule.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { notify } from '#server/notifications/notify.ts'
import type { Services } from '#server/services.ts'
import { languageOf, textsOf } from '#server/texts.ts'

/** Tells people that a report they were sent no longer comes, where they work and where it came: else they would wait for it, or take silence for nothing to report. */
export async function tellStopped(tx: Queries, services: Services, { Name: name, Request: { screen } }: ReportSchedule, ownerId: number, userIds: readonly number[]): Promise<void> {
  const people = await tx.rows<Row & { id: number; name: string; email: string; language: string | null; owner: string }>(sql`
    select u.id, u.name, u.email, u.language, o.name as owner from app_user u, app_user o
    where o.id = ${ownerId} and u.id = any(${[...userIds]}::bigint[]) and u.id <> o.id and u.is_active order by u.id`)
  const [first] = people
  if (first === undefined) return
  const link = services.metadata.routes.find((route) => route.screen === screen)?.path
  await notify(tx, services.clock.now(), people.map(({ id }) => id), { kind: 'REPORT_FAILED', title: 'notification.report-ended', params: { name, owner: first.owner }, link })
  for (const { name: person, email, language, owner } of people) {
    const t = textsOf(languageOf(language))
    const values = { person, name, owner }
    await services.mail.post({ to: email, subject: t('mail.report.ended-subject', values), text: t('mail.report.ended', values) }, tx)
  }
}

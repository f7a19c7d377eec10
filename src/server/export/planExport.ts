import type { ExportBody } from '#api/export.ts'
import type { Queries, User } from '#server/context.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { setting } from '#server/settings.ts'
import { textsOf } from '#server/texts.ts'
import { CsvFile, type CsvStyle } from './csvFile.ts'
import type { ExportPlan } from './exportTable.ts'
import type { LocalTime } from './localTime.ts'
import { planList } from './planList.ts'
import { planReport } from './planReport.ts'
import { planSummary } from './planSummary.ts'
import type { Send, TableFile } from './tableFile.ts'
import { XlsxFile } from './xlsxFile.ts'

export interface PlannedExport {
  readonly plan: ExportPlan
  readonly fileName: string
  /** Begins the file; its bytes go where told. */
  readonly open: (send: Send) => TableFile
}

/** What the body asks for, checked against what the user may see and export. Nothing is read yet but names. */
export async function planExport(services: Services, user: User, body: ExportBody, time: LocalTime): Promise<PlannedExport> {
  const { screens } = services.metadata
  const screen = Object.hasOwn(screens, body.screen) ? screens[body.screen] : undefined
  if (screen?.kind !== 'list' && screen?.kind !== 'report') return fail('NOT_FOUND.screen')
  const plan =
    screen.kind === 'list' ? await planList(services, user, screen, body, time)
    : body.summary === undefined ? await planReport(services, user, screen, body, time)
    : await planSummary(services, user, screen, { ...body, summary: body.summary }, time)
  const at = services.clock.now().toISOString()
  const translate = textsOf(body.language)
  const style = body.format === 'csv' ? await csvStyle(services.database) : undefined
  return {
    plan,
    fileName: `${fileTitle(plan.title)} ${plan.of ?? time.text(at).slice(0, 10)}.${body.format}`,
    open: (send) =>
      style === undefined
        ? new XlsxFile(send, time, { title: plan.title, author: user.name, at })
        : new CsvFile(send, style, time, { yes: translate('ui.yes'), no: translate('ui.no') }),
  }
}

/** How this company writes CSV. */
async function csvStyle(queries: Queries): Promise<CsvStyle> {
  const delimiter = await setting(queries, 'csv_delimiter', null, ',')
  return {
    delimiter: delimiter === ';' || delimiter === '\t' ? delimiter : ',',
    decimal: (await setting(queries, 'csv_decimal', null, '.')) === ',' ? ',' : '.',
    hasMark: await setting(queries, 'csv_bom', null, true),
  }
}

/** The title without what file systems keep for themselves. */
function fileTitle(title: string): string {
  return title.replaceAll(/[\\/:*?"<>|]|\p{Cc}/gu, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, 80) || 'Export'
}

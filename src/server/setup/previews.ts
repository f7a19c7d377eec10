import type { RowResult } from '#api/data.ts'
import type { SentenceValue } from '#meta/sentence.ts'
import { approvalLevels, type Step } from '#server/approval/matrix.ts'
import { defaultFor } from '#server/approval/requestApproval.ts'
import type { Command } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { tell } from '#server/sentences.ts'
import { bucketOf, formatNumber, type Series } from '#server/workflow/numbering.ts'

/** The number each series would give next, in every unit it is counted in; nothing is drawn. */
export const previewNumber: Command = async ({ tx, today }, { ids }) => {
  const series = await tx.rows<Series & { readonly [column: string]: unknown }>(sql`select id, prefix, pattern, reset from number_series where id = any(${[...ids]}::bigint[]) order by code`)
  const units = await tx.rows<{ code: string }>(sql`select code from operating_unit where is_active order by code`)
  const counters = await tx.rows<{ series_id: number; bucket: string; last_value: number }>(sql`select series_id, bucket, last_value from number_counter where series_id = any(${[...ids]}::bigint[])`)
  const results = series.map((one): RowResult => {
    const numbers = (one.pattern.includes('{OU}') ? units.map(({ code }) => code) : ['']).map((unit) => {
      const bucket = bucketOf(one, unit, today)
      return formatNumber(one, unit, today, (counters.find((row) => row.series_id === one.id && row.bucket === bucket)?.last_value ?? 0) + 1)
    })
    return { ID: one.id, ok: true, ...tell('done.next-number', { numbers }) }
  })
  return { results }
}

/** What the event of each chosen line books as the rules stand: of several rows of a line the one with the highest priority. */
export const previewPosting: Command = async ({ tx }, { ids }) => {
  const rows = await tx.rows<{ id: number; event: string; side: 'D' | 'C'; amount_key: string; account: string | null; selector: string }>(sql`
    select c.id, r.event, r.side, r.amount_key, r.account, r.selector from posting_rule c join (
      select distinct on (r.event, r.line_no) r.event, r.line_no, r.side, r.amount_key, coalesce(a.code || ' ' || a.name, b.code || ' ' || b.name) as account, r.account_selector as selector
      from posting_rule r left join account a on a.id = r.account_id left join account b on b.code = r.account_selector where r.is_active order by r.event, r.line_no, r.priority desc, r.id
    ) r on r.event = c.event where c.id = any(${[...ids]}::bigint[]) order by c.event, c.line_no, r.line_no`)
  const results = [...new Set(rows.map((row) => row.id))].map((id): RowResult => {
    const own = rows.filter((row) => row.id === id)
    const lines = own.map(({ side, account, selector, amount_key: amount }): SentenceValue => ({
      key: side === 'D' ? 'done.books.D' : 'done.books.C', params: { account: account ?? { key: `selector.${selector}` }, amount: { key: `amount.${amount}` } },
    }))
    return { ID: id, ok: true, ...tell('done.books', { event: { key: `event.${own[0]?.event ?? ''}` }, lines }) }
  })
  return { results }
}

/** So many people of a step are named; the others are counted. */
const mostNamed = 5

/** Who the matrix asks, level by level, for a document like the one described. */
export const whoApproves: Command = async ({ tx, today }, { params }) => {
  const number = (key: string): number | null => (typeof params[key] === 'number' ? params[key] : null)
  const docType = String(params['DocType'])
  const code = params['ConditionCode']
  const amount = String(params['Amount'])
  const asked = {
    docType, amount, operatingUnitId: number('OperatingUnitID') ?? 0, territoryId: number('TerritoryID'), customerCategoryId: number('CustomerCategoryID'),
    reasons: typeof code === 'string' && code !== '' ? [{ code, text: code, value: amount }] : [],
  }
  const levels = await approvalLevels(tx, { ...asked, transition: 'approve' }, today)
  if (levels.length === 0) {
    return { results: [{ ID: 0, ok: true, ...((await defaultFor(tx, docType)) === 'AUTO' ? tell('done.approvers.auto') : tell('done.approvers.block')) }] }
  }
  const people = await tx.rows<{ kind: string; ref: string; name: string }>(sql`select a.kind, a.ref, u.name from approver a join app_user u on u.id = a.user_id order by u.name, u.id`)
  const asks = (step: Step): SentenceValue => {
    const names = people.filter(({ kind, ref }) => kind === step.kind && ref === (kind === 'USER' ? step.ref.toLowerCase() : step.ref)).map(({ name }) => name)
    const shown = names.length > mostNamed ? [...names.slice(0, mostNamed), `+${names.length - mostNamed}`] : names
    return names.length === 0 ? { key: 'done.approvers.nobody', params: { who: step.ref } } : { key: 'done.approvers.people', params: { who: step.ref, people: shown } }
  }
  const named = levels.map(({ level, steps }): SentenceValue => ({
    key: 'done.approvers.level',
    params: { level, who: steps.flatMap((step): SentenceValue[] => [asks(step), { key: `enum.${step.mode}` }]), hours: Math.max(...steps.map((step) => step.hours)) },
  }))
  return { results: [{ ID: 0, ok: true, ...tell('done.approvers', { levels: named }) }] }
}

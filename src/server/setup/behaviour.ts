import { isDate } from '#base/date.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { suspense, suspenseAccount } from '#server/ledger/openingBalances.ts'
import { fail, wrong } from '#server/problemError.ts'
import { financeBehaviour } from '#server/seed/settings.ts'
import { setting } from '#server/settings.ts'

/** A setting as it is kept for people beside its value: one column for each kind, and all of them as text. */
export interface TypedValue {
  readonly kind: 'BOOLEAN' | 'NUMBER' | 'TEXT' | 'MAP'
  readonly flag: boolean
  readonly number: number | null
  readonly text: string
}

/** The columns of a value of setting_oms. */
export function typedValue(value: unknown): TypedValue {
  if (typeof value === 'boolean') return { kind: 'BOOLEAN', flag: value, number: null, text: String(value) }
  if (typeof value === 'number') return { kind: 'NUMBER', flag: false, number: value, text: String(value) }
  if (typeof value === 'object' && value !== null) return { kind: 'MAP', flag: false, number: null, text: Object.entries(value).map(([key, part]) => `${key}=${String(part)}`).join(', ') }
  return { kind: 'TEXT', flag: false, number: null, text: String(value) }
}

/** `a=B, c=D` → { a: 'B', c: 'D' }; undefined when it is not that. */
function mapOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').map((part) => part.trim().split('='))
  return pairs.every((pair) => pair.length === 2 && pair.every((part) => /^[\w*]+$/.test(part))) ? Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value])) : undefined
}

/** Asked where no unit is in question: one value holds for all of them. */
const companyWide: ReadonlySet<string> = new Set(['allow_self_approval', 'approval_default', 'csv_bom', 'csv_decimal', 'csv_delimiter', 'exclude_cash', 'overdue_ignore_dispute'])

/** Largest values, where a larger one says nothing. */
const mostOf: Readonly<Record<string, number>> = { manual_discount_pct: 100, price_deviation_pct: 1000, gin_unbilled_alert_days: 365 }

const openingKey = 'begbal_open'

/** Opening balances are closed once everything is taken over: until then nothing goes live. */
async function assertTakenOver(tx: Queries, unit: number | null): Promise<void> {
  const open = await suspense(tx, unit)
  if (open.length > 0) fail('ILLEGAL_TRANSITION.opening-incomplete', { account: suspenseAccount, amount: open })
}

/**
 * The general value of each setting belongs to the program: changed, never added or removed. An operating unit may have its own beside it. The
 * value follows what was typed for its kind.
 */
export const settingHooks: DocumentHooks = {
  computed: ['value', 'kind', 'description', 'is_active'],
  async beforeSave({ context, header, before, problem }) {
    const key = header['key'] ?? before?.['key']
    if (before && header['key'] !== undefined && header['key'] !== before['key']) problem(wrong('Key', 'READ_ONLY.setting'))
    const unit = header['operating_unit_id'] ?? null
    if (before && header['operating_unit_id'] !== undefined && unit !== (before['operating_unit_id'] ?? null)) problem(wrong('OperatingUnitID', 'READ_ONLY.setting'))
    const general = await context.tx.first<{ kind: TypedValue['kind']; value: unknown; description: string | null; is_active: boolean }>(sql`select kind, value, description, is_active from setting_oms where key = ${key} and operating_unit_id is null`)
    if (!general || (unit !== null && !general.is_active && !financeBehaviour.some((one) => one === key))) return problem(wrong('Key', 'NOT_A_CHOICE.setting'))
    if (unit !== null && companyWide.has(String(key))) return problem(wrong('OperatingUnitID', 'NOT_A_CHOICE.setting-everywhere'))
    if (!before && unit === null) return problem(wrong('OperatingUnitID', 'REQUIRED'))
    const typed = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
    let value: unknown
    const alone = Object.hasOwn(header, 'text') && !Object.hasOwn(header, 'flag') && !Object.hasOwn(header, 'number') ? header['text'] : undefined
    if (general.kind === 'BOOLEAN') {
      if (typeof alone === 'string' && alone !== 'true' && alone !== 'false') return problem(wrong('Text', 'WRONG_TYPE.boolean'))
      value = typeof alone === 'string' ? alone === 'true' : typed('flag') === true
    } else if (general.kind === 'NUMBER') {
      if (typeof alone === 'string' && !/^\d{1,9}$/.test(alone)) return problem(wrong('Text', 'WRONG_TYPE.integer'))
      value = typeof alone === 'string' ? Number(alone) : typed('number')
      if (typeof value !== 'number') return problem(wrong('Number', 'REQUIRED'))
      const most = mostOf[String(key)]
      if (most !== undefined && value > most) return problem(wrong('Number', 'TOO_LARGE', { limit: most }))
    } else {
      const text = typed('text')
      if (typeof text !== 'string' || text === '') return problem(wrong('Text', 'REQUIRED'))
      value = general.kind === 'MAP' ? mapOf(text) : text
      if (key === 'cut_over_date' && !isDate(text)) return problem(wrong('Text', 'WRONG_TYPE.date'))
      if (value === undefined) return problem(wrong('Text', 'WRONG_TYPE.pairs'))
      if (key === 'approval_default' && typeof value === 'object') {
        const decided = Object.values(context.metadata.workflows).filter(({ transitions }) => transitions.some(({ action }) => action === 'approve')).map(({ entity }) => entity)
        for (const [document, way] of Object.entries(value ?? {})) {
          if (document !== '*' && !decided.includes(document)) return problem(wrong('Text', 'NOT_A_CHOICE', { choices: ['*', ...decided] }))
          if (way !== 'AUTO' && way !== 'BLOCK') return problem(wrong('Text', 'NOT_A_CHOICE', { choices: ['AUTO', 'BLOCK'] }))
        }
      }
    }
    if (key === openingKey && value === false && (before?.['flag'] ?? general.value) === true) await assertTakenOver(context.tx, typeof unit === 'number' ? unit : null)
    Object.assign(header, { value, ...typedValue(value), kind: general.kind, description: general.description })
  },
  async beforeDelete({ tx }, record) {
    const unit = record['operating_unit_id']
    if (typeof unit !== 'number') fail('IN_USE.setting')
    // Without its own value the unit goes by the general one: that may close what was open.
    if (record['key'] === openingKey && record['flag'] === true && !(await setting(tx, openingKey, null, false))) await assertTakenOver(tx, unit)
  },
}

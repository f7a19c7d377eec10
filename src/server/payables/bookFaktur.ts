import { isDate, periodOf } from '#base/date.ts'
import type { Effect } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { foreignOf } from '#server/setup/exchangeRates.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/** The vendor's tax invoice came after his invoice: its VAT may be claimed from today. */
export const bookFaktur: Effect = async (context) => {
  const { tx, current, input, today } = context
  const [number, date] = [String(input['faktur_number'] ?? ''), input['faktur_date']]
  if (!/^\d{17}$/.test(number)) invalid([wrong('FakturNumber', 'INVALID.faktur')])
  if (!isDate(date) || date > today) invalid([wrong('FakturDate', 'TOO_LATE.today')])
  const twin = await tx.first<{ code: string }>(sql`select coalesce(code, 'DRAFT-' || id) as code from vendor_invoice where faktur_number = ${number} and status not in (6, 7) and id <> ${current.id}`)
  if (twin !== undefined) invalid([wrong('FakturNumber', 'DUPLICATE.faktur', { code: twin.code })])
  const unit = numberOf(current, 'operating_unit_id')
  await context.assertPeriodOpen(['TX', 'GL'], unit, today)
  context.endIn(numberOf(current, 'status'))
  context.set({ faktur_number: number, faktur_date: date, faktur_later: true })
  const code = textOf(current, 'code')
  await post(context, {
    event: 'FAKTUR_IN', source: { type: 'vendor_invoice', id: current.id, code }, operatingUnitId: unit, date: today, money: await foreignOf(tx, current), description: `Tax invoice ${number} of ${code}, ${periodOf(today)}`,
    amounts: [{ key: 'ppn', amount: textOf(current, 'ppn'), partnerKind: 'VENDOR', partnerId: numberOf(current, 'vendor_id') }],
  })
}

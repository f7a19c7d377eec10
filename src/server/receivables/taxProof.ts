import { columnScope } from '#server/access/scope.ts'
import type { Command, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'

interface Proof extends Row {
  readonly code: string
  readonly kind: 'PPN_WAPU' | 'PPH22' | 'PPH23'
  readonly ar_payment_id: number | null
  readonly ar_clearing_gov_id: number | null
  readonly document_no: string | null
  readonly line_id: number
}

/** Proof of withheld tax that came later: number and day, of VAT the state's receipt (NTPN) as well. */
export const enterTaxProof: Command = async (context, { ids, params }) => {
  const { user, now } = context
  const { DocumentNo: no, DocumentDate: day, Ntpn: ntpn = null } = params
  if (typeof no !== 'string' || typeof day !== 'string') return invalid([wrong('DocumentNo', 'REQUIRED')])
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 't') ?? sql`true`
  return eachRow(context, ids, async ({ tx }, id) => {
    const proof = await tx.first<Proof>(sql`select code, kind, ar_payment_id, ar_clearing_gov_id, document_no, line_id from tax_proof t where id = ${id} and ${scope}`)
    if (proof === undefined) return fail('NOT_IN_SCOPE')
    if (proof.kind === 'PPN_WAPU' && proof.ar_clearing_gov_id !== null && (ntpn === null || ntpn === '')) invalid([wrong('Ntpn', 'REQUIRED')])
    if (proof.ar_clearing_gov_id === null) {
      await tx.run(sql`update ar_payment_deduction set document_no = ${no}, document_date = ${day}::date, pending_doc = false where id = ${proof.line_id}`)
    } else if (proof.kind === 'PPN_WAPU') {
      await tx.run(sql`update ar_clearing_gov_line set ntpn = ${ntpn}::text, ppn_doc_no = ${no}, ppn_doc_date = ${day}::date where id = ${proof.line_id}`)
    } else {
      await tx.run(sql`update ar_clearing_gov_line set pph_doc_no = ${no}, pph_doc_date = ${day}::date where id = ${proof.line_id}`)
    }
    await writeLog(tx, {
      docType: proof.ar_clearing_gov_id === null ? 'ar_payment' : 'ar_clearing_gov', docId: proof.ar_clearing_gov_id ?? proof.ar_payment_id ?? 0, at: now.toISOString(), actorId: user.id, action: 'edit',
      diff: [{ field: 'document_no', from: proof.document_no, to: no }],
    })
    return tell('done.tax-proof', { document: proof.code, no })
  })
}

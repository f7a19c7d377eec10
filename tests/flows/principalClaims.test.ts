import { afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'
import { pdf, upload } from '../support/upload.ts'

let scene: Scene
let principal: Record
let unit: number
let credit: Record
beforeAll(async () => {
  scene = await openScene()
  unit = await id('operating_unit', 'JKT')
  await scene.database.run(sql`update customer set npwp = '0123456789012345' where code = 'C0000001'`)
  principal = await scene.create('admin', 'business-partner', { Code: 'V-RASA', Name: 'PT Sumber Rasa', Kinds: ['VENDOR', 'PRINCIPAL'], ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
  credit = await granted('2000000', '60')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
/** A customer's reward, granted, of which the principal bears a share. */
async function granted(Dpp: string, PrincipalPct: string): Promise<Record> {
  const day = scene.at.clock.today()
  const { data } = await upload(scene.at.app, scene.people.admin.token, '/api/v1/general/upload?resource=credit-note&field=proof_id', { name: 'surat.pdf', type: 'application/pdf', bytes: pdf })
  const made = await scene.create('admin', 'credit-note', {
    Kind: 'CLAIM', CustomerID: await id('customer', 'C0000001'), PromoTypeID: await id('credit_note_promo_type', 'KLAIM-HADIAH'), DocDate: day, ClaimDate: day, ClaimNo: `K-${Dpp}-${PrincipalPct}`, Dpp, Funding: 'SHARED', PrincipalPct, ProofID: data.record.ID,
  })
  await scene.act('admin', 'credit-note', made.ID, 'submit')
  await scene.decide('credit_note', made.ID)
  return scene.read('credit-note', made.ID)
}
const lineOf = (of: Record, Price: string, more: object = {}) => ({ Basis: 'PROMOTION', CreditNoteID: of.ID, Description: 'Bagian prinsipal', Qty: '1', Price, ...more })
const draft = async (...Lines: readonly object[]) => scene.create('vendors', 'dn', { Kind: 'NON_PO', VendorID: principal.ID, OperatingUnitID: unit, DocDate: scene.at.clock.today(), Lines })
async function waiting(...lines: readonly object[]): Promise<Record> {
  const made = await draft(...lines)
  return scene.act('vendors', 'dn', made.ID, 'submit')
}
const claimed = async (of: Record) => {
  const { PrincipalShare, PrincipalClaimed, PrincipalLeft } = await scene.read('credit-note', of.ID)
  return [PrincipalShare, PrincipalClaimed, PrincipalLeft]
}
const refused = async (of: Record) => {
  const { code, data } = await scene.tryAct('vendors', 'dn', of.ID, 'submit')
  return [code, ...(data.errors ?? []).map(({ field, key, params }: Record) => [field, key, params?.limit])]
}

test('G8: of a reward of 2,000,000 the principal bears 1,200,000, which is claimed of him and no more', async () => {
  expect(await claimed(credit)).toEqual(['1200000.00', '0.00', '1200000.00'])
  expect(await refused(await draft(lineOf(credit, '1200000.01')))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Amount', 'field.EXCEEDS_REMAINING.quantity', '1,200,000.00']])
  const note = await waiting(lineOf(credit, '700000'), lineOf(credit, '100000'))
  expect(await claimed(credit), 'nothing is claimed before it is approved').toEqual(['1200000.00', '0.00', '1200000.00'])
  await scene.decide('debit_note', note.ID)
  expect(await claimed(credit)).toEqual(['1200000.00', '800000.00', '400000.00'])
  expect(await scene.journal('debit_note', note.ID)).toEqual(['112202 0.00 800000.00', '112203 800000.00 0.00'])
  expect(await refused(await draft(lineOf(credit, '300000'), lineOf(credit, '100001')))).toEqual(['EXCEEDS_REMAINING', ['Lines[1].Amount', 'field.EXCEEDS_REMAINING.quantity', '100,000.00']])
  expect((await scene.read('dn', note.ID)).Lines.map(({ TerritoryID }: Record) => TerritoryID), 'seen by those who see the credit note').toEqual([credit.TerritoryID, credit.TerritoryID])
  const flow = await scene.people.admin.get(`/api/v1/data/dn/${note.ID}/flow`)
  expect(flow.data.records.map(({ DocType }: Record) => DocType)).toContain('credit_note')
  const offered = async () => (await scene.people.vendors.get('/api/v1/data/credit-note', { filter: JSON.stringify({ principal_left: { gt: '0' } }), length: 10 })).data.rows.map(({ ID }: Record) => ID)
  expect(await offered()).toEqual([credit.ID])
  const rest = await waiting(lineOf(credit, '400000'))
  await scene.decide('debit_note', rest.ID)
  expect([await claimed(credit), await offered()]).toEqual([['1200000.00', '1200000.00', '0.00'], []])
  expect(await scene.balance('112202')).toBe('0.00')
  await scene.act('vendors', 'dn', rest.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide('debit_note', rest.ID)
  expect(await claimed(credit)).toEqual(['1200000.00', '800000.00', '400000.00'])
})

test('of two waiting claims that both fit alone only one is approved', async () => {
  const notes = [await waiting(lineOf(credit, '250000')), await waiting(lineOf(credit, '250000'))]
  const done = await Promise.allSettled(notes.map((note) => scene.decide('debit_note', note.ID)))
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await claimed(credit)).toEqual(['1200000.00', '1050000.00', '150000.00'])
})

test('a credit note with claims is not taken back; without a share, for an incentive or in draft nothing is claimed of it', async () => {
  const reversal = await scene.tryAct('admin', 'credit-note', credit.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  expect(reversal.data.errors).toMatchObject([{ field: 'PrincipalClaimed', key: 'rule.principal-not-claimed' }])
  expect(await refused(await draft(lineOf(credit, '1', { Basis: 'INCENTIVE' })))).toEqual(['VALIDATION_FAILED', ['Lines[0].CreditNoteID', 'rule.claim-of-credit-note', undefined]])
  const other = await granted('500000', '50')
  const reversing = await scene.act('admin', 'credit-note', other.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  expect(reversing.PendingTransition).toBe('reverse')
  expect((await refused(await draft(lineOf(other, '1'))))[1]).toEqual(['Lines[0].CreditNoteID', 'field.NOT_OPEN.document', undefined])
  await scene.decide('credit_note', other.ID)
  expect(await scene.read('credit-note', other.ID)).toMatchObject({ Status: 7 })
  expect((await refused(await draft(lineOf(other, '1'))))[1]).toEqual(['Lines[0].CreditNoteID', 'field.NOT_OPEN.document', undefined])
})

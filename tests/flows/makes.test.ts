import { beforeAll, expect, test } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Metadata } from '#meta/metadata.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

/** As shipped, but that payments made by a proposal are submitted at once. */
function submittedAtOnce(): Metadata {
  const workflow = metadata.workflows['payment_proposal']
  if (workflow?.makes === undefined) throw new Error('Payment proposals make nothing')
  return { ...metadata, workflows: { ...metadata.workflows, payment_proposal: { ...workflow, makes: workflow.makes.map((making) => (making.group === undefined ? making : { ...making, then: 'submit' })) } } }
}

let scene: Scene
let vendors: readonly number[]
beforeAll(async () => {
  scene = await openScene({}, undefined, submittedAtOnce())
  const term = await scene.at.id('payment_term', 'N30')
  vendors = await insertRows(scene.database, 'business_partner', ['V-1', 'V-2'].map((code) => ({ code, name: `PT ${code}`, kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'NON_TRADE', payment_term_id: term })))
})

async function proposed(amounts: readonly (readonly [vendor: number | undefined, amount: string])[]): Promise<Record> {
  const unit = await scene.at.id('operating_unit', 'JKT')
  const lines: object[] = []
  for (const [vendor, amount] of amounts) {
    const invoice = await scene.create('vendors', 'vendor-invoice', {
      VendorID: vendor, VendorInvoiceNo: `M-${scene.key()}`, DocDate: '2026-11-05', OperatingUnitID: unit, ContractNo: 'K-1', Ppn: '0', Lines: [{ ExpenseTypeID: await scene.at.id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }],
    })
    await scene.act('vendors', 'vendor-invoice', invoice.ID, 'register')
    await scene.act('vendors', 'vendor-invoice', invoice.ID, 'submit')
    lines.push({ VendorInvoiceID: invoice.ID, Amount: amount })
  }
  const made = await scene.create('vendors', 'payment-proposal', { OperatingUnitID: unit, HouseBankID: await scene.at.id('house_bank', 'BCA1'), DocDate: scene.at.clock.today(), PayUntil: '2026-12-31', Lines: lines })
  return scene.act('vendors', 'payment-proposal', made.ID, 'submit')
}

test('documents made of grouped lines go on by themselves: one a vendor, each waits for its own approval, which is not his who caused it', async () => {
  const proposal = await proposed([[vendors[0], '18000000'], [vendors[1], '6500000'], [vendors[0], '7400000']])
  await scene.decide('payment_proposal', proposal.ID)
  const payments = await scene.rows('ap_payment', sql`proposal_id = ${proposal.ID}`)
  expect(payments.map(({ vendor_id: vendor, amount, status }: Record) => [vendor, amount, status])).toEqual([[vendors[0], '25400000.00', 4], [vendors[1], '6500000.00', 4]])
  expect((await scene.rows('ap_payment_line', sql`ap_payment_id = ${payments[0].id}`)).map(({ amount }: Record) => amount)).toEqual(['18000000.00', '7400000.00'])
  await expect(scene.decide('ap_payment', payments[0].id)).rejects.toThrow('payables: SELF_APPROVAL')
  expect((await scene.rows('approval_request', sql`doc_type = 'ap_payment' and status = 4`)).map(({ doc_id: id }: Record) => id)).toEqual(payments.map(({ id }: Record) => id))
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})

test('where one of them cannot go on, none is made and the document stays as it was', async () => {
  const proposal = await proposed([[vendors[0], '1000000'], [vendors[1], '2000000']])
  await scene.database.run(sql`update business_partner set block_payment = true where id = ${vendors[1]}`)
  await scene.decide('payment_proposal', proposal.ID).catch(() => undefined)
  expect(await scene.rows('ap_payment', sql`proposal_id = ${proposal.ID}`)).toEqual([])
  expect((await scene.read('payment-proposal', proposal.ID)).Status).toBe(4)
})

import { beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Person, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const idOf = async (name: Person): Promise<number> => (await scene.database.first<{ id: number }>(sql`select id from app_user where email = ${`${name}@arus.example`}`))?.id ?? 0
const found = async (): Promise<readonly string[]> => (await violations(scene.database, scene.at.clock.today(), new Set(['I21']))).map(({ text }) => text)

/** A deposit the administrator entered, the finance manager changed and the administrator submitted, approved by somebody past the engine. */
async function approvedBy(actor: Person, onBehalfOf: Person | undefined): Promise<Record> {
  const made = await scene.create('admin', 'customer-deposit', { CustomerID: await scene.at.id('customer', 'C0000001'), Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: '1000' })
  await insertRows(scene.database, 'document_log', [{ doc_type: 'customer_deposit', doc_id: made.ID, at: scene.at.clock.now().toISOString(), actor_id: await idOf('finance'), action: 'edit' }])
  const deposit = await scene.act('admin', 'customer-deposit', made.ID, 'submit')
  const [request] = await scene.rows('approval_request', sql`doc_type = 'customer_deposit' and doc_id = ${made.ID}`)
  await insertRows(scene.database, 'approval_action', [{
    request_id: request.id, level: 1, actor_id: await idOf(actor), on_behalf_of_id: onBehalfOf === undefined ? null : await idOf(onBehalfOf), action: 'APPROVE', at: scene.at.clock.now().toISOString(),
  }])
  return deposit
}

test('the books tell of whoever approved what he had asked for, entered or changed, and of whoever did so in such a name', async () => {
  await approvedBy('receivables', undefined)
  expect(await found()).toEqual([])
  const wrong = [await approvedBy('admin', undefined), await approvedBy('finance', undefined), await approvedBy('receivables', 'finance')]
  expect(await found()).toEqual(wrong.map(({ Code }) => `customer_deposit ${String(Code)} was approved by its maker`))
  // Who changes it after that is nobody who has approved his own.
  const right = await approvedBy('receivables', undefined)
  await insertRows(scene.database, 'document_log', [{ doc_type: 'customer_deposit', doc_id: right.ID, at: new Date(scene.at.clock.now().getTime() + 60_000).toISOString(), actor_id: await idOf('receivables'), action: 'edit' }])
  expect(await found()).toHaveLength(3)
})

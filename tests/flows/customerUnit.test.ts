import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

describe('a customer changes his unit', () => {
  test('only once nothing of him is open in the one he leaves', async () => {
    const id = await scene.at.id('customer', 'C0000001')
    const admin = await scene.at.signIn('admin')
    const [here] = await scene.rows('customer', sql`id = ${id}`)
    const [other] = await scene.rows('operating_unit', sql`id <> ${here?.operating_unit_id} and is_active and id in (select operating_unit_id from territory)`)
    const [there] = await scene.rows('territory', sql`operating_unit_id = ${other?.id}`)
    const [territory] = await scene.rows('territory', sql`operating_unit_id = ${here?.operating_unit_id} and id <> ${here?.territory_id}`)
    const save = async (values: object) => admin.put(`/api/v1/data/customer/${id}`, values, { version: (await scene.rows('customer', sql`id = ${id}`))[0]?.version ?? 1, acknowledge: ['DUPLICATE'] })
    const move = () => save({ OperatingUnitID: other?.id, TerritoryID: there?.id })
    const elsewhere = { status: 422, data: { errors: [{ field: 'TerritoryID', key: 'field.NOT_IN_SCOPE.unit-territory' }] } }
    expect(await save({ TerritoryID: there?.id })).toMatchObject(elsewhere)
    expect(territory === undefined ? 200 : (await save({ TerritoryID: territory.id })).status).toBe(200)
    const invoice = await scene.invoiced('C0000001', [{ item: 'B', qty: '1' }])
    const refused = { status: 422, data: { errors: [{ field: 'OperatingUnitID', key: 'field.READ_ONLY.customer-unit' }] } }
    expect(await move()).toMatchObject(refused)
    await scene.pay('C0000001', invoice.Total, [{ InvoiceID: invoice.ID, Paid: invoice.Total }])
    // Everything else of him may be changed all along, and once he owes nothing his unit as well.
    expect(await save({ OperatingUnitID: other?.id })).toMatchObject(elsewhere)
    expect(await move()).toMatchObject({ status: 200 })
  })
})

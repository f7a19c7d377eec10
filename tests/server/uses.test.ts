import { beforeAll, describe, expect, it } from 'vitest'
import { referenceNames } from '#base/wireName.ts'
import { metadata } from '#generated/metadata.ts'
import type { EntityId } from '#generated/names.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { accessHooks } from '#server/access/accessHooks.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { isCreatable, isWritable } from '#server/documents/writable.ts'
import { registries } from '#server/registries.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  arus = await testApp({ template: demoTemplate })
  admin = await arus.signIn('admin')
})

/** Told by the schemas alone: which columns of which tables refer to the entity. Who did something is written down apart from them. */
const traces = ['created_by', 'updated_by', 'submitted_by', 'approved_by', 'cancelled_by', 'user_id']
function referrers({ id, lines }: ResolvedEntity) {
  const own = [...lines.map((line) => line.entity), ...Object.keys({ ...accessHooks, ...registries.hooks }[id as EntityId]?.belongings ?? {})]
  return Object.values(metadata.entities)
    // People are named by what they did; only master data chooses them.
    .filter((other) => other.base !== 'view' && !own.includes(other.id) && (id !== 'app_user' || other.base === 'master'))
    .map((other) => ({ other, fields: other.fields.filter((field) => field.type === 'ref' && field.entity === id && !traces.includes(field.name)).map(({ name }) => name) }))
    .filter(({ fields }) => fields.length > 0)
}

const masters = Object.values(metadata.entities).filter((entity) => entity.base === 'master' && isCreatable(registries, entity) && referrers(entity).length > 0)

describe('deleting what is used', () => {
  it('concerns most masters', () => {
    expect(masters.length).toBeGreaterThan(25)
  })

  it.each(masters.map((entity) => [entity.id, entity] as const))('%s is refused, says every place it is used in, and changes nothing', async (_, entity) => {
    const uses = referrers(entity)
    const anywhere = join(uses.flatMap(({ other, fields }) => fields.map((field) => sql`select ${ident(field)} as id from ${ident(other.table)} where ${ident(field)} is not null ${other.id === entity.id ? sql`and ${ident(field)} <> id` : sql``}`)), ' union ')
    const used = await arus.database.rows<{ id: number; version: number }>(sql`select t.id, t.version from ${ident(entity.table)} t where t.id in (${anywhere}) order by md5(t.id::text) limit 3`)
    for (const { id, version } of used) {
      const expected = new Map<string, number>()
      for (const { other, fields } of uses) {
        const row = await arus.database.first<{ n: number }>(sql`
          select count(*)::int as n from ${ident(other.table)} where (${join(fields.map((field) => sql`${ident(field)} = ${id}`), ' or ')}) ${other.id === entity.id ? sql`and id <> ${id}` : sql``}`)
        if ((row?.n ?? 0) > 0) expected.set(`entity.${other.id}`, Number(row?.n))
      }
      const answer = await admin.delete(`/api/v1/data/${entity.resource}/${id}`, { version })
      // What belongs to a role alone goes with it, its views are their owners'.
      if (entity.id === 'role' && answer.code === 'success') {
        expect([...expected.keys()].filter((key) => key !== 'entity.saved_view')).toEqual([])
        continue
      }
      if (answer.data.key !== 'problem.IN_USE.where') {
        // Some are kept for a reason of their own, told before it is looked where they are used.
        expect([entity.id, answer.code]).toEqual([entity.id, expect.stringMatching(/^(IN_USE|FORBIDDEN_GUARD)$/)])
        continue
      }
      const told = new Map<string, number>(answer.data.params.where.map(({ params }: { params: { what: { key: string }; count: number } }) => [params.what.key, params.count]))
      for (const [key, n] of expected) if (entity.id !== 'role' || told.has(key)) expect([key, told.get(key)]).toEqual([key, n > 1_000 ? '1000+' : n])
      expect(answer.data.obstacles.length).toBeGreaterThanOrEqual(told.size)
      expect(await arus.database.first(sql`select 1 as there from ${ident(entity.table)} where id = ${id}`)).toEqual({ there: 1 })
    }
  })

  it.each(masters.filter((entity) => entity.fields.some(({ name }) => name === 'is_active') && isWritable(registries, entity)).map((entity) => [entity.id, entity] as const))(
    '%s taken off in its form asks first, with the same list',
    async (_, entity) => {
      const uses = referrers(entity)
      const anywhere = join(uses.flatMap(({ other, fields }) => fields.map((field) => sql`select ${ident(field)} as id from ${ident(other.table)} where ${ident(field)} is not null ${other.id === entity.id ? sql`and ${ident(field)} <> id` : sql``}`)), ' union ')
      const [used] = await arus.database.rows<{ id: number; version: number }>(sql`select t.id, t.version from ${ident(entity.table)} t where t.is_active and t.id in (${anywhere}) order by md5(t.id::text) limit 1`)
      if (used === undefined) return
      const path = `/api/v1/data/${entity.resource}/${used.id}`
      const asked = await admin.put(path, { IsActive: false }, { version: used.version })
      // What others rely on, or what ends by a command of its own, is refused or asked for a reason of its own.
      if (asked.status !== 412) return expect([entity.id, asked.code]).toEqual([entity.id, expect.stringMatching(/^(IN_USE|FORBIDDEN_GUARD)$/)])
      const [warning] = asked.data.warnings.filter(({ key }: { key: string }) => key === 'warning.deactivate')
      const answer = await admin.delete(path, { version: used.version })
      if (answer.data.key === 'problem.IN_USE.where') expect([warning.params.where, warning.obstacles]).toEqual([answer.data.params.where, answer.data.obstacles])
      expect(await arus.database.first(sql`select is_active from ${ident(entity.table)} where id = ${used.id}`)).toEqual({ is_active: true })
      const done = await admin.put(path, { IsActive: false }, { version: used.version, acknowledge: asked.data.warnings.map(({ id }: { id: string }) => id) })
      expect([entity.id, done.code]).toEqual([entity.id, expect.stringMatching(/^(success|IN_USE)$/)])
      if (done.code === 'success') await admin.put(path, { IsActive: true }, { version: done.data.record.Version })
    },
  )

  it('names the list that shows the uses, and the list shows as many', async () => {
    const id = await arus.id('sales_channel', 'GT')
    const { results } = (await admin.post('/api/v1/data/sales-channel/bulk/delete', { IDs: [id] })).data
    const customers = results[0].obstacles.find(({ params }: { params: { what: { key: string } } }) => params.what.key === 'entity.customer')
    expect(customers.path).toBe(`/master/customers?v=none&f.sales_channel_id=eq%3A${id}&view=standard`)
    const shown = await admin.get('/api/v1/data/customer', { length: '1', filter: JSON.stringify({ sales_channel_id: { eq: id } }) })
    expect(shown.data.recordsTotal).toBe(customers.params.count)
  })

  it('names records where no list shows them', async () => {
    const row = await arus.database.first<{ id: number }>(sql`select item_id as id from sales_order_line order by id limit 1`)
    const { results } = (await admin.post('/api/v1/data/item/bulk/delete', { IDs: [row?.id] })).data
    expect(results[0].obstacles).toContainEqual(expect.objectContaining({ key: 'problem.IN_USE.record', path: expect.stringMatching(/^\/sales-order-list\/\d+$/) }))
  })

  const switchable = masters.filter((entity) => entity.fields.some(({ name }) => name === 'is_active'))
  /** A record in use, and one that names it and can be read by itself. */
  async function usedBy(entity: ResolvedEntity) {
    const readable = referrers(entity).filter(({ other }) => ['master', 'document'].includes(other.base) && other.id !== entity.id && other.fields.some(({ name }) => name === 'version'))
    for (const { other, fields } of readable) {
      const field = other.fields.find(({ name }) => name === fields[0])
      const row = field && (await arus.database.first<{ id: number; user: number }>(sql`
        select t.id, o.id as user from ${ident(entity.table)} t join ${ident(other.table)} o on o.${ident(field.name)} = t.id where t.is_active order by o.id desc limit 1`))
      if (field !== undefined && row !== undefined) return { id: row.id, other, field, user: row.user }
    }
    return undefined
  }

  it('whatever is deactivated can still be read where it is named, and is offered no more', async () => {
    const wrong: string[] = []
    let walked = 0
    for (const entity of switchable) {
      const use = await usedBy(entity)
      if (use === undefined) continue
      const path = `/api/v1/data/${use.other.resource}/${use.user}`
      const shown = async () => {
        const { record } = (await admin.get(path)).data
        const { code, name } = referenceNames(use.field.name)
        return [record[use.field.wire], record[code], record[name]]
      }
      const before = await shown()
      const off = async (acknowledge: readonly string[]) => (await admin.post(`/api/v1/data/${entity.resource}/bulk/deactivate`, { IDs: [use.id] }, { acknowledge })).data.results?.[0]
      let done = await off([])
      if (Array.isArray(done?.warnings)) done = await off(done.warnings.map(({ id }: { readonly id: string }) => id))
      // Some stay in use for a reason of their own, and say which.
      if (done?.ok !== true) {
        if (done?.code !== 'IN_USE' || typeof done.text !== 'string') wrong.push(`${entity.id}: ${JSON.stringify(done)}`)
        continue
      }
      walked++
      const after = await shown()
      if (JSON.stringify(after) !== JSON.stringify(before) || after[1] == null) wrong.push(`${entity.id} in ${use.other.id}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`)
      const offered = (await admin.get(`/api/v1/lookup/${entity.id}`, { length: '1000' })).data.records ?? []
      if (offered.some((one: { readonly ID: number }) => one.ID === use.id)) wrong.push(`${entity.id} is still offered`)
      const back = (await admin.post(`/api/v1/data/${entity.resource}/bulk/activate`, { IDs: [use.id] })).data.results?.[0]
      if (back?.ok !== true) wrong.push(`${entity.id} is not activated again: ${JSON.stringify(back)}`)
    }
    expect(wrong).toEqual([])
    expect(walked).toBeGreaterThan(20)
  }, 60_000)

  it('deactivating keeps history readable', async () => {
    const order = await arus.database.first<{ id: number; customer_id: number; version: number }>(sql`select o.id, o.customer_id, c.payment_term_id, c.version from sales_order o join customer c on c.id = o.customer_id order by o.id limit 1`)
    const term = await arus.database.first<{ id: number; version: number }>(sql`select t.id, t.version from payment_term t join sales_order o on o.payment_term_id = t.id where o.id = ${order?.id}`)
    const done = (await admin.post('/api/v1/data/payment-term/bulk/deactivate', { IDs: [term?.id] }, { acknowledge: [`used-payment_term-${term?.id}`] })).data.results[0]
    expect(done.ok).toBe(true)
    const read = (await admin.get(`/api/v1/data/sales-order/${order?.id}`)).data.record
    expect(read).toMatchObject({ PaymentTermID: term?.id, PaymentTermCode: expect.stringMatching(/./) })
  })
})

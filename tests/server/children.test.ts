import { beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session
let id: number

const path = () => `/api/v1/data/customer/${id}`
const street = { Code: 'X1', Kind: 'SHIP_TO', Address: 'Jl. Sudirman 1', City: 'Jakarta' }

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  admin = await arus.signIn('admin')
  id = await arus.id('customer', 'C0000001')
})

async function read() {
  const { data } = await admin.get(path())
  return { version: data.record.Version as number, addresses: data.record.Addresses as Record<string, unknown>[] }
}

/** The addresses as they stand, with `change` made to the one of this code; undefined takes it away. */
async function saved(change: (addresses: readonly Record<string, unknown>[]) => readonly unknown[]) {
  const { version, addresses } = await read()
  return admin.put(path(), { Addresses: change(addresses) }, { version })
}

describe('owned records', () => {
  it('are read, added, changed and removed with their owner, stamped and counted like records saved alone', async () => {
    const before = (await read()).addresses
    expect((await saved((all) => [...all, street])).status).toBe(200)
    const added = (await read()).addresses.find(({ Code }) => Code === 'X1')
    expect(added).toMatchObject({ ...street, CustomerID: id, IsActive: true, Version: 1 })

    expect((await saved((all) => all.map((one) => (one['Code'] === 'X1' ? { ...one, City: 'Bogor' } : one)))).status).toBe(200)
    expect((await read()).addresses.map(({ Code, City, Version }) => ({ Code, City, Version }))).toEqual([
      ...before.map(({ Code, City, Version }) => ({ Code, City, Version })),
      { Code: 'X1', City: 'Bogor', Version: 2 },
    ])
    const history = await admin.get(`${path()}/history`)
    expect(history.data.records[0].Diff).toEqual([expect.objectContaining({ Field: `addresses[${before.length}].city`, From: 'Jakarta', To: 'Bogor' })])

    expect((await saved((all) => all.filter(({ Code }) => Code !== 'X1'))).status).toBe(200)
    expect((await read()).addresses).toHaveLength(before.length)
  })

  it('have codes that differ in more than capitals, new and changed', async () => {
    const both = await saved((all) => [...all, street, { ...street, Code: 'x1' }])
    const { addresses } = await read()
    expect(both).toMatchObject({ status: 409, code: 'DUPLICATE_DOCUMENT', data: { errors: [{ field: `Addresses[${addresses.length + 1}].Code`, code: 'DUPLICATE' }] } })
    const [first] = addresses
    const again = await saved((all) => [...all, { ...street, Code: String(first?.['Code']).toLowerCase() }])
    expect(again.data.errors).toMatchObject([{ field: `Addresses[${addresses.length}].Code`, code: 'DUPLICATE', text: expect.stringContaining(String(first?.['Code'])) }])
    expect(await read()).toMatchObject({ addresses })
  })

  it('that something refers to are not removed, and nothing else is saved', async () => {
    const { version, addresses } = await read()
    const [first] = addresses
    const order = await admin.post('/api/v1/data/sales-order', { CustomerID: id, ShipToID: first?.['ID'], Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }] })
    expect(order.status).toBe(200)
    const answer = await admin.put(path(), { Phone: '021', Addresses: addresses.slice(1) }, { version })
    expect(answer).toMatchObject({ status: 409, code: 'IN_USE' })
    expect(await read()).toEqual({ version, addresses })
  })

  it('changed on a page of their own meanwhile are a conflict', async () => {
    const { version, addresses } = await read()
    const [first] = addresses
    const own = await admin.put(`/api/v1/data/customer-address/${String(first?.['ID'])}`, { City: 'Depok' }, { version: Number(first?.['Version']) })
    expect(own.status).toBe(200)
    const answer = await admin.put(path(), { Addresses: addresses }, { version })
    expect(answer).toMatchObject({ status: 409, code: 'VERSION_CONFLICT' })
    expect((await read()).addresses[0]).toMatchObject({ City: 'Depok' })
  })

  it('of somebody else are refused, wrong ones are told at their place', async () => {
    const { version, addresses } = await read()
    const other = await admin.get(`/api/v1/data/customer/${await arus.id('customer', 'C0000002')}`)
    const foreign = await admin.put(path(), { Addresses: [...addresses, other.data.record.Addresses[0] ?? { ID: 999_999 }, { Code: 'Y', Kind: 'SHIP_TO' }] }, { version })
    expect(foreign.status).toBe(422)
    expect(foreign.data.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).toEqual([
      `Addresses[${addresses.length}].ID NOT_IN_SCOPE`, `Addresses[${addresses.length + 1}].Address REQUIRED`,
    ])
  })
})

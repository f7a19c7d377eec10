import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CurrentUser } from '#api/session.ts'

const calls: string[] = []
let answers: Readonly<Record<string, unknown>> = {}
vi.mock('#client/data/http.ts', () => ({
  send: ({ path, query = {} }: { readonly path: string; readonly query?: Readonly<Record<string, string | number>> }) => {
    calls.push(`${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()}`)
    const records = answers[path]
    return Promise.resolve(records === undefined ? { ok: false, problem: { code: 'INTERNAL', text: 'no' } } : { ok: true, value: { records } })
  },
}))
let cookie = 'log_login_id=one'
const overlay = { hidden: false }
vi.stubGlobal('document', { get cookie() { return cookie }, getElementById: () => overlay })
const stored = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value), removeItem: (key: string) => stored.delete(key) })
const noted = vi.spyOn(console, 'info').mockImplementation(() => undefined)

const { customersAtom, preloadSelections, resetSelections, selectionAtom, singleCustomersAtom, unitsAtom } = await import('#client/scope/selectionStore.ts')
const { sessionAtom, store } = await import('#client/data/session.ts')
const { allCustomers, allUnits } = await import('#client/scope/selection.ts')

const unitsPath = '/api/v1/master/operating-unit-with-territory/personal'
const customersPath = '/api/v1/master/customer/options'
const north = { ID: 11, TerritoryID: 1, TerritoryCode: 'N', TerritoryName: 'North' }
const jakarta = { ID: 5, Code: 'JKT', Name: 'Jakarta', Territories: [north] }
const makmur = { ID: 7, code: 'C7', name: 'Toko Makmur' }

const signedIn = (territory: number) => store.set(sessionAtom, { user: { user_id: 3, territory_id: territory } as CurrentUser, menu: [], guards: new Set<string>() })
/** Nothing was asked or kept any more for a while: sealing takes its time on a busy machine. */
async function settled(): Promise<void> {
  let seen: string
  const now = (): string => JSON.stringify([calls.length, ...stored])
  do {
    seen = now()
    await new Promise((resolve) => setTimeout(resolve, 150))
  } while (seen !== now())
}

beforeEach(() => {
  resetSelections()
  stored.clear()
  calls.length = 0
  cookie = 'log_login_id=one'
  overlay.hidden = false
  answers = { [unitsPath]: [jakarta], [customersPath]: [makmur] }
  signedIn(1)
})

describe('the customer store', () => {
  it('is filled once a session: customers with All before them, single customers without', async () => {
    await Promise.all([preloadSelections(), preloadSelections()])
    await settled()
    expect(calls).toEqual([`${unitsPath}?is_head_office=false&is_include_ho=false`, `${customersPath}?`])
    expect(store.get(customersAtom)).toEqual([allCustomers, makmur])
    expect(store.get(singleCustomersAtom)).toEqual([makmur])
    expect(store.get(selectionAtom).unit).toEqual(jakarta)
  })

  it('is asked for anew, by territory, when another territory is chosen; who is not in it is chosen no longer', async () => {
    await preloadSelections()
    await settled()
    store.set(selectionAtom, { selectedCustomers: [makmur] })
    answers = { ...answers, [customersPath]: [] }
    store.set(selectionAtom, { territory: north })
    await settled()
    expect(calls.at(-1)).toBe(`${customersPath}?territory_id=1`)
    expect(store.get(selectionAtom).selectedCustomers).toEqual([allCustomers])
  })

  it('Customer loading errors and most list-load failures are only logged. The loading overlay is closed.', async () => {
    answers = {}
    await preloadSelections()
    await settled()
    expect(noted).toHaveBeenCalledWith('customers: INTERNAL no')
    expect(store.get(customersAtom)).toEqual([allCustomers])
    expect(store.get(selectionAtom).unit).toEqual(allUnits)
    expect(overlay.hidden).toBe(true)
  })
})

describe('the selection', () => {
  it('is remembered for the session, sealed', async () => {
    await preloadSelections()
    store.set(selectionAtom, { selectedCustomers: [makmur] })
    await settled()
    expect([...stored.values()].join()).not.toContain('Makmur')
    const kept = new Map(stored)
    resetSelections()
    for (const [key, value] of kept) stored.set(key, value)
    await preloadSelections()
    expect(store.get(selectionAtom).selectedCustomers).toEqual([makmur])
  })

  it('Logging out clears them and resets the customer lists and selection to the All default.', async () => {
    await preloadSelections()
    store.set(selectionAtom, { selectedCustomers: [makmur] })
    await settled()
    const kept = new Map(stored)
    resetSelections()
    expect([store.get(customersAtom), store.get(unitsAtom), store.get(selectionAtom)]).toEqual([[allCustomers], [], { unit: allUnits, territory: expect.objectContaining({ ID: 0 }), selectedCustomers: [allCustomers] }])
    await settled()
    expect([...stored.keys()]).toEqual([])
    // Even if the page was gone before it could be forgotten: another sign-in begins with All.
    for (const [key, value] of kept) stored.set(key, value)
    cookie = 'log_login_id=two'
    await preloadSelections()
    expect(store.get(selectionAtom).selectedCustomers).toEqual([allCustomers])
  })
})

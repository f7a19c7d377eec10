import { describe, expect, it, vi } from 'vitest'
import type { ScreenAction } from '#meta/resolved.ts'

const asked = vi.hoisted(() => ({ calls: 0, refusal: {} as object, results: [] as readonly object[] }))

vi.mock('#client/data/records.ts', () => ({
  runCommand: () => Promise.resolve({ ok: true, value: { results: asked.results } }),
  transitionRecord: vi.fn(),
  transitionRecords: (_resource: string, _action: string, { IDs }: { readonly IDs: readonly number[] }) => {
    asked.calls += 1
    return Promise.resolve(asked.calls === 2 ? { ok: false, problem: { text: 'Gone', errors: [], warnings: [], ...asked.refusal } } : { ok: true, value: { results: IDs.map((ID) => ({ ID, ok: true, text: '' })) } })
  },
}))
vi.mock('#client/data/typed.ts', () => ({ forgetTyped: vi.fn(), typingPlace: () => '' }))

const { perform, startRun } = await import('#client/table/perform.ts')

const action: ScreenAction = { id: 'block', label: 'action.block', tone: 'neutral', scope: 'rows', guard: 'customer-block', does: { kind: 'transition', action: 'block' }, params: [], reason: 'none', confirm: false }
const rows = Array.from({ length: 90 }, (_, i) => ({ ID: i + 1, Version: 1 }))

async function refusedBy(refusal: object): Promise<readonly [calls: number, done: number, left: number]> {
  asked.calls = 0
  asked.refusal = refusal
  const { results } = await perform(startRun(action, 'customer', rows, ({ ID }) => String(ID)))
  expect(results).toHaveLength(90)
  return [asked.calls, results.filter(({ ok }) => ok).length, results.filter(({ left }) => left !== undefined).length]
}

describe('an action over many rows', () => {
  it('goes on after some that are refused', async () => {
    expect(await refusedBy({ code: 'RULE_BROKEN', status: 422 })).toEqual([5, 70, 0])
  })

  it('ends with the session: whoever signs in next did not begin it', async () => {
    expect(await refusedBy({ code: 'UNAUTHORIZED', status: 401 })).toEqual([2, 20, 50])
    expect(await refusedBy({ code: 'NETWORK', status: 0 })).toEqual([2, 20, 50])
  })
})

describe('a command with something typed for it', () => {
  const bill: ScreenAction = { ...action, id: 'bill', does: { kind: 'command', command: 'bill' }, reason: 'required' }
  const billed = async (results: readonly object[], of = bill) => {
    asked.results = results
    return perform(startRun(of, 'billing-due', rows.slice(0, results.length), ({ ID }) => String(ID)))
  }
  const closed = { ok: false, code: 'PERIOD_CLOSED', text: 'Closed.' }

  it('says where it was typed why nothing of it was done, if one reason holds for all', async () => {
    expect(await billed([{ ...closed, ID: 1 }, { ...closed, ID: 2 }])).toMatchObject({ results: [], errors: [{ field: '', code: 'PERIOD_CLOSED', text: 'Closed.' }] })
  })

  it('tells row by row what was done in part, or refused for several reasons, or what typing otherwise does not help', async () => {
    expect(await billed([{ ...closed, ID: 1 }, { ID: 2, ok: true, text: '' }])).toMatchObject({ results: [{ ok: false }, { ok: true }], errors: [] })
    expect(await billed([{ ...closed, ID: 1 }, { ...closed, ID: 2, text: 'Another month.' }])).toMatchObject({ results: [{ ok: false }, { ok: false }], errors: [] })
    expect(await billed([{ ...closed, ID: 1, code: 'ILLEGAL_TRANSITION' }])).toMatchObject({ results: [{ ok: false }], errors: [] })
    expect(await billed([{ ...closed, ID: 1 }], { ...bill, reason: 'none' })).toMatchObject({ results: [{ ok: false }], errors: [] })
  })
})

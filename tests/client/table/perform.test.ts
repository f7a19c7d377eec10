import { describe, expect, it, vi } from 'vitest'
import type { ScreenAction } from '#meta/resolved.ts'

const asked = vi.hoisted(() => ({ calls: 0, refusal: {} as object }))

vi.mock('#client/data/records.ts', () => ({
  runCommand: vi.fn(),
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

import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { holdsFor } from '#client/data/around.ts'
import { refusalOf } from '#client/pages/refusalOf.ts'
import { sql } from '#server/db/sql.ts'
import type { ListScreen, ScreenAction } from '#meta/resolved.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
})

const listOf = (id: string): ListScreen => {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'list') throw new Error(`no list ${id}`)
  return screen
}

const commandsOf = (screen: ListScreen): readonly ScreenAction[] => screen.actions.filter(({ does }) => does.kind === 'command')

describe('Complaint 13: actions offered whatever the state', () => {
  it.each(['FUTURE', 'OPEN', 'CLOSING', 'CLOSED'])('a period that is %s is offered the ways the server lets it go, and no others', async (status) => {
    const period = await arus.database.first<{ id: number }>(sql`select id from accounting_period where module = 'GL' order by period desc limit 1`)
    const ways: Record<string, boolean> = {}
    const offered: Record<string, boolean> = {}
    for (const action of commandsOf(listOf('accounting-period.list'))) {
      if (action.does.kind !== 'command') continue
      await arus.database.run(sql`update accounting_period set status = ${status} where id = ${period?.id}`)
      const answer = await admin.post(`/api/v1/command/${action.does.command}`, { IDs: [period?.id], ReasonText: 'tried' }, { key: `${status}-${action.does.command}` })
      const [result] = answer.data.results ?? []
      ways[action.does.command] = !String(result?.key ?? answer.data.key).endsWith('ILLEGAL_TRANSITION.period')
      offered[action.does.command] = holdsFor(action.when, { Status: status }, { user: {}, today: '2026-11-20', params: {} })
    }
    expect(Object.keys(offered)).toHaveLength(4)
    expect(offered).toEqual(ways)
  })

  it('an order is offered to be let through its credit block only while one holds it', () => {
    const [override] = commandsOf(listOf('sales-order.list')).filter(({ does }) => does.kind === 'command' && does.command === 'override-credit')
    const offered = (isHeld: boolean) => [0, 1, 2, 3, 4, 5, 6, 7].filter((status) => holdsFor(override?.when, { Status: status, CreditHold: isHeld }, { user: {}, today: '2026-11-20', params: {} }))
    expect(offered(true)).toEqual([1, 2])
    expect(offered(false)).toEqual([])
  })

  it.each([
    ['open', { Status: 1 }, true, undefined],
    ['partly paid', { Status: 2 }, false, 'problem.ILLEGAL_TRANSITION.invoice-settled'],
    ['paid', { Status: 3 }, false, 'problem.ILLEGAL_TRANSITION.invoice-settled'],
    ['of nothing but gifts, settled from the start', { Status: 3, Total: '0.00' }, true, undefined],
    ['waiting for its cancellation', { Status: 1, PendingTransition: 'CANCEL' }, false, 'problem.PENDING_TRANSITION.invoice'],
    ['cancelled', { Status: 6 }, false, undefined],
    ['the reversal of another', { Status: 3, InvoiceType: 'REVERSAL' }, false, undefined],
  ] as const)('an invoice that is %s is offered its cancellation, or told why not', (_, values, isOffered, refusal) => {
    const action = listOf('invoice.list').actions.find(({ id }) => id === 'request-cancel') ?? expect.fail('gone')
    const record = { ID: 1, Code: 'INV/1', InvoiceType: 'DELIVERY', Total: '100.00', PendingTransition: null, ...values }
    expect(holdsFor(action.when, record, { user: {}, today: '2026-11-20', params: {} })).toBe(isOffered)
    expect(refusalOf(action, 'invoice', record).map(({ Refusal }) => [Refusal?.key, Refusal?.params])).toEqual(refusal === undefined ? [] : [[refusal, { invoice: 'INV/1' }]])
  })
})

import { describe, expect, it } from 'vitest'
import { slaOf } from '#client/approval/approvalSla.ts'

const row = { DueAt: '2026-11-20T12:00:00Z', DecidedAt: null, SlaHours: 8 }
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`)

describe('time a request has', () => {
  it('is warned of from three quarters on, and late afterwards', () => {
    expect(slaOf(row, at('05:00:00'))).toEqual({ tone: 'neutral', isLate: false, amount: 7, unit: 'hours' })
    expect(slaOf(row, at('09:59:00'))).toMatchObject({ tone: 'neutral', amount: 3 })
    expect(slaOf(row, at('10:00:00'))).toMatchObject({ tone: 'warning', amount: 2 })
    expect(slaOf(row, at('12:30:00'))).toEqual({ tone: 'negative', isLate: true, amount: 1, unit: 'hours' })
    expect(slaOf(row, at('12:30:00') + 3 * 86_400_000)).toEqual({ tone: 'negative', isLate: true, amount: 3, unit: 'days' })
  })

  it('has no hour more because the clock of the page is a little behind', () => {
    expect(slaOf(row, at('03:59:40'))).toMatchObject({ tone: 'neutral', amount: 8 })
  })

  it('is nobody’s concern once decided', () => {
    expect(slaOf({ ...row, DecidedAt: '2026-11-20T11:00:00Z' }, at('13:00:00'))).toBeUndefined()
    expect(slaOf({ ...row, DueAt: null }, at('13:00:00'))).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { furthest, stepAt } from '#client/wizards/host/steps.ts'

const steps = (...open: readonly boolean[]) => open.map((isOpen) => ({ isOpen }))

describe('the step of the address', () => {
  it('is counted from 1', () => {
    expect(stepAt(steps(true, true, true), '1', 0)).toBe(0)
    expect(stepAt(steps(true, true, true), '3', 0)).toBe(2)
  })

  it('is the start when none is named', () => {
    expect(stepAt(steps(true, true, true), null, 1)).toBe(1)
  })

  it.each(['0', '-1', '1.5', 'two', '', '99999', ' 2'])('is the start for %j', (asked) => {
    expect(stepAt(steps(true, true, true), asked, 2)).toBe(2)
  })

  it('is the last there is when it asks for more', () => {
    expect(stepAt(steps(true, true), '9', 0)).toBe(1)
  })

  it('is the nearest that may be shown: no step is reached over a closed one', () => {
    expect(stepAt(steps(true, false, true), '3', 0)).toBe(0)
    expect(stepAt(steps(true, true, false), '3', 0)).toBe(1)
    expect(stepAt(steps(true, false), null, 1)).toBe(0)
  })

  it('of no steps at all is the first', () => {
    expect(furthest([], 3)).toBe(0)
  })
})

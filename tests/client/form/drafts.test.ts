import { expect, it } from 'vitest'
import { draftKey } from '#client/form/drafts.ts'

it('a draft is of what its form was opened with, whatever tab one is on', () => {
  const key = (params: Readonly<Record<string, string>>) => draftKey(7, 'promotion.steps.form', undefined, params)
  expect(key({ tab: '3', customer_id: '5' })).toBe(key({ customer_id: '5' }))
  expect(key({ customer_id: '6' })).not.toBe(key({ customer_id: '5' }))
})

import { describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { recordOf } from '#meta/recordOf.ts'
import type { Screen } from '#meta/resolved.ts'

const screenOf = (id: string): Screen => {
  const screen = metadata.screens[id]
  if (screen === undefined) throw new Error(`no screen ${id}`)
  return screen
}

describe('the record a page shows', () => {
  const form = screenOf('customer.form')

  it.each([
    [{ id: '7' }, 7],
    [{ record: '7' }, 7],
    [{ id: '7', record: '9' }, 9],
    [{}, undefined],
    [{ id: '7', record: '' }, undefined],
    [{ id: '' }, undefined],
  ])('of a form at %o is %o', (params: Readonly<Record<string, string>>, id) => expect(recordOf(form, params)).toBe(id))

  it('is none the form makes up where the address is wrong', () => expect(recordOf(form, { id: 'seven' })).toBeNaN())

  it('is new where the id names what it is about', () => {
    const about = Object.values(metadata.screens).find((screen) => screen.kind === 'form' && Object.values(screen.defaults).some((value) => typeof value === 'object' && 'param' in value && value.param === 'id'))
    if (about === undefined) throw new Error('no form is about an id')
    expect(recordOf(about, { id: '7' })).toBeUndefined()
    expect(recordOf(about, { id: '7', record: '9' })).toBe(9)
  })

  it('of a detail page is its id', () => expect(recordOf(screenOf('sales-order.detail'), { id: '12' })).toBe(12))
})

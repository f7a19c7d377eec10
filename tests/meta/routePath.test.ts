import { describe, expect, it } from 'vitest'
import { routeFinder } from '#meta/routePath.ts'

const find = routeFinder([
  { path: '/order/{id}', screen: 'order.detail' },
  { path: '/order/new', screen: 'order.form' },
  { path: '/order/{id}/print/{copy}', page: 'print' },
  { path: '/old', redirect: '/order/new' },
  { path: '/later' },
])

describe('the route of an address', () => {
  it('is the one written out before one with parameters', () => {
    expect(find('/order/new')).toEqual({ route: { path: '/order/new', screen: 'order.form' }, values: {} })
    expect(find('/order/17/')).toMatchObject({ route: { path: '/order/{id}' }, values: { id: '17' } })
    expect(find('/order/17/print/2')?.values).toEqual({ id: '17', copy: '2' })
    expect(find('/old')?.route.redirect).toBe('/order/new')
  })

  it('is found for an address still to be filled in', () => {
    expect(find('/order/{ID}')).toMatchObject({ route: { path: '/order/{id}' }, values: { id: '{ID}' } })
  })

  it('is none where a part is empty or too many, or nothing serves it', () => {
    for (const path of ['/order/', '/order', '/order/1/2', '/later', '/orderxnew']) expect(find(path)).toBeUndefined()
  })
})

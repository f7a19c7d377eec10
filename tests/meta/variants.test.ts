import { describe, expect, it } from 'vitest'

import { locate } from '#meta/check/locate.ts'
import { shapeFindings, variantFile } from '#meta/check/check.ts'
import { variantsOf } from '#meta/variants.ts'

const file = {
  kind: 'list', id: 'price.list', entity: 'price', open: '/prices/$variant/{ID}', where: { status: 1 }, columns: ['code'],
  variants: { v1: { where: { scheme: 'V1' } }, v2: { columns: ['item', 'code'], open: '/other/$variant' } },
}

describe('variants of a screen', () => {
  it('say only what differs: objects are merged, all else is replaced, the name is filled in', () => {
    expect(variantsOf(file)).toEqual([
      { name: 'v1', value: { kind: 'list', id: 'price.v1.list', entity: 'price', open: '/prices/v1/{ID}', where: { status: 1, scheme: 'V1' }, columns: ['code'] } },
      { name: 'v2', value: { kind: 'list', id: 'price.v2.list', entity: 'price', open: '/other/v2', where: { status: 1 }, columns: ['item', 'code'] } },
    ])
    expect(variantsOf({ id: 'a' })).toEqual([{ name: undefined, value: { id: 'a' } }])
  })

  it('are found where they are written', () => {
    const located = locate('a.list.json', '{\n  "id": "a.list",\n  "where": { "x": 1 },\n  "variants": {\n    "v1": { "where": { "y": 1 },\n      "columns": ["a"] }\n  }\n}')
    const v1 = variantFile(located, 'v1')
    expect(v1.position(['where', 'x'])).toEqual({ line: 3, column: 19 })
    expect(v1.position(['where', 'y'])).toEqual({ line: 5, column: 29 })
    expect(v1.position(['columns', 0])).toEqual({ line: 6, column: 19 })
  })

  it('are held against the language as they come out', () => {
    const located = locate('a.list.json', '{\n  "id": "a.list",\n  "variants": {\n    "v1": { "columns": ["a"] },\n    "v2": {}\n  }\n}')
    const schema = { type: 'object', properties: { id: { type: 'string' }, columns: { type: 'array' } }, required: ['columns'], additionalProperties: false } as const
    expect(shapeFindings(located, schema, {})).toEqual([{ path: 'a.list.json', line: 5, column: 11, severity: 'error', code: 'missing-key', message: '"columns" is missing' }])
  })
})

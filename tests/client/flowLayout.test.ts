import { describe, expect, it } from 'vitest'
import type { FlowNode } from '#api/data.ts'
import { flowPicture, neighbourIn } from '#client/pages/flowLayout.ts'

function node(key: string, level: number, parents: readonly string[] = []): FlowNode {
  return { Key: key, DocType: 'x', ID: 1, Code: key, Date: '2026-11-20', Status: 1, Amount: null, Level: level, Parents: parents, IsReversal: false, Url: null }
}

/** An order delivered in two tours, both billed, one receipt with its bank line. */
const story = [
  node('SO', 0), node('DP1', 1, ['SO']), node('DP2', 1, ['SO']), node('DO1', 2, ['SO', 'DP1']), node('DO2', 2, ['SO', 'DP2']), node('GI2', 3, ['DO2']), node('GI1', 3, ['DO1']),
  node('INV1', 5, ['GI1']), node('INV2', 5, ['GI2']), node('CN', 6, ['INV2']), node('PAY', 6, ['INV1', 'INV2']), node('BANK', 7, ['PAY']),
]

describe('the picture of a document flow', () => {
  const picture = flowPicture(story)
  const at = (key: string) => picture.placed.find(({ node: { Key } }) => Key === key)
  const placeOf = (key: string) => `${at(key)?.column}/${at(key)?.row}`

  it('stands in columns without gaps, each document beside what it came from', () => {
    expect([picture.columns, picture.rows]).toEqual([7, 2])
    expect(['SO', 'DP1', 'DP2', 'DO1', 'DO2', 'GI1', 'GI2', 'INV1', 'INV2', 'BANK'].map(placeOf)).toEqual(['0/0', '1/0', '1/1', '2/0', '2/1', '3/0', '3/1', '4/0', '4/1', '6/0'])
  })

  it('puts no two documents on one place', () => {
    expect(new Set(picture.placed.map(({ column, row }) => `${column}/${row}`)).size).toBe(story.length)
  })

  it('draws no line past a document that stands between', () => {
    const lines = picture.edges.map(({ from, to }) => `${from.node.Key}-${to.node.Key}`)
    expect(lines).toContain('DP1-DO1')
    expect(lines).not.toContain('SO-DO1')
    expect(lines.filter((line) => line.endsWith('-PAY'))).toEqual(['INV1-PAY', 'INV2-PAY'])
  })

  it('is walked by arrows: along the lines, and across a column', () => {
    const step = (key: string, column: -1 | 0 | 1, row: -1 | 0 | 1) => neighbourIn(picture, key, { column, row })?.node.Key
    expect(step('SO', 1, 0)).toBe('DP1')
    expect(step('DP1', 0, 1)).toBe('DP2')
    expect(step('GI2', 1, 0)).toBe('INV2')
    expect(step('GI2', -1, 0)).toBe('DO2')
    expect([step('SO', -1, 0), step('BANK', 1, 0), step('DP1', 0, -1)]).toEqual([undefined, undefined, undefined])
  })

  it('holds when parents are missing or documents name each other', () => {
    expect(flowPicture([node('A', 3, ['gone'])])).toMatchObject({ columns: 1, rows: 1, edges: [] })
    expect(flowPicture([node('A', 0, ['B']), node('B', 0, ['A'])]).placed).toHaveLength(2)
    expect(flowPicture([])).toEqual({ columns: 0, rows: 0, placed: [], edges: [] })
  })
})

import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { DataTable } from '#client/table/DataTable.tsx'
import type { Column } from '#meta/resolved.ts'

const texts = Array.from({ length: 12 }, (_, n) => `text ${n}.`)
const columns = texts.map((_, n): Column => ({
  name: `c${n}`, wire: `C${n}`, type: 'text', label: `field.c${n}`, width: 200, required: false, readOnly: false, importance: 'high', hidden: false, sortable: true, filterable: true,
}))
const row = Object.fromEntries(texts.map((text, n) => [`C${n}`, text]))

beforeAll(() => {
  vi.stubGlobal('innerWidth', 1000)
  vi.stubGlobal('innerHeight', 500)
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
})

afterAll(() => {
  vi.unstubAllGlobals()
})

/** What is drawn before anything has been seen: the texts of the first row, and how many cells it has. */
function firstFrame(shown: readonly Column[], isWhole = false): { readonly said: readonly string[]; readonly cells: number } {
  const markup = renderToStaticMarkup(<MemoryRouter><DataTable label="Rows" columns={shown} rows={[row]} rowId={() => '1'} sort={[]} onSort={() => undefined} isWhole={isWhole} /></MemoryRouter>)
  const [, body = ''] = /<tbody>(.*)<\/tbody>/.exec(markup) ?? []
  return { said: texts.filter((text) => body.includes(text)), cells: body.split('<td').length - 1 }
}

it('the first frame shows what is within the window; cells beyond its edge are there, and empty', () => {
  expect(firstFrame(columns)).toEqual({ said: texts.slice(0, 5), cells: 12 })
})

it('a column that stays at the far end is in view, and with it all others may be', () => {
  expect(firstFrame(columns.map((column, n) => (n === 11 ? { ...column, pin: 'right' as const } : column))).said).toEqual(texts)
})

it('on paper every cell is there at once', () => {
  expect(firstFrame(columns, true).said).toEqual(texts)
})

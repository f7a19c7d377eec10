import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { colourOf, fillOf, Patterns, strokeOf } from '#client/charts/patterns.tsx'

const many = Array.from({ length: 64 }, (_, n) => n)

test('more series than there are colours are told apart by their pattern, bars and lines', () => {
  const drawn = new Map([...renderToStaticMarkup(<svg><Patterns id="p" count={many.length} /></svg>).matchAll(/<pattern id="(p-\d+)"[^>]*>(.*?)<\/pattern>/g)].map(([, id, look]) => [`url(#${id})`, look]))
  expect(new Set(many.map((n) => drawn.get(fillOf('p', n, false)))).size).toBe(many.length)
  expect(new Set(many.map((n) => JSON.stringify(strokeOf(n, false)))).size).toBe(many.length)
})

test('the first eight keep colours and patterns of their own, beyond sixty-four they come round again', () => {
  expect(new Set(many.slice(0, 8).map(colourOf)).size).toBe(8)
  expect(fillOf('p', 70, false)).toBe(fillOf('p', 6, false))
  expect(strokeOf(0, false)).toEqual({ stroke: colourOf(0), strokeWidth: 2.25, strokeDasharray: '0' })
})

import { expect, it } from 'vitest'

import { resolve } from '../../src/meta/resolve.ts'
import { briefPages, briefRoute, type ClientRoute, fullPages, fullRoute } from '../../src/meta/clientRoute.ts'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'

it('a route told briefly says the same, for every route of the product', () => {
  const { metadata } = resolve(sourcesOf(readSchemaFiles()).sources)
  const routes = metadata.routes.map(({ reads: _reads, runs: _runs, ...route }): ClientRoute => {
    const screen = metadata.screens[route.screen ?? '']
    return { ...route, ...(screen === undefined ? {} : { kind: screen.kind, title: screen.title, permission: screen.guard }) }
  })
  const given = routes.filter(({ screen }) => screen === undefined || metadata.screens[screen] !== undefined)
  expect(given.map((route) => fullRoute(briefRoute(route)))).toEqual(given)
  expect(JSON.stringify(given.map(briefRoute)).length).toBeLessThan(JSON.stringify(given).length)
})

it('pages of records told briefly are the same, also of what has a list and no page', () => {
  const { metadata } = resolve(sourcesOf(readSchemaFiles()).sources)
  const pages = Object.fromEntries(Object.values(metadata.entities).flatMap(({ id, page }) => (page === undefined ? [] : [[id, page]])))
  const brief = briefPages(pages, metadata.routes)
  expect(fullPages(brief, metadata.routes)).toEqual(pages)
  expect(JSON.stringify(brief).length).toBeLessThan(JSON.stringify(pages).length)
})

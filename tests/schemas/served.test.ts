import { beforeAll, describe, expect, it } from 'vitest'

import type { Screen } from '#meta/resolved.ts'
import { metadata } from '#generated/metadata.ts'
import { testApp } from '../support/app.ts'

let paths: Record<string, Record<string, unknown>> = {}
let schemas: Record<string, { properties?: Record<string, unknown> }> = {}

beforeAll(async () => {
  const { app } = await testApp()
  const description = (await app.inject('/api/v1/openapi.json')).json()
  paths = description.paths
  schemas = description.components.schemas
})

const has = (method: string, path: string): boolean => Object.hasOwn(paths[path] ?? {}, method)
const pascal = (id: string): string => id.split('_').map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')

// The server's description is made of the calls it registers; another test holds it against them.
describe('every screen asks only for what the server has', () => {
  it.each(Object.values(metadata.screens).map((screen) => [screen.id, screen] as const))('%s', (_, screen) => {
    expect([...missing(screen)]).toEqual([])
  })
})

function* missing(screen: Screen): Iterable<string> {
  const call = function* (method: string, path: string): Iterable<string> {
    if (!has(method, path)) yield `${method.toUpperCase()} ${path}`
  }
  switch (screen.kind) {
    case 'list': {
      yield* call('get', `/api/v1/data/${screen.resource}`)
      yield* keys(screen.entity, screen.columns)
      for (const { does } of screen.actions) {
        if (does.kind === 'transition') yield* does.isUpkeep === true ? call('post', `/api/v1/data/${screen.resource}/bulk/${does.action}`) : call('post', `/api/v1/data/${screen.resource}/{id}/${does.action}`)
        if (does.kind === 'command') yield* call('post', `/api/v1/command/${does.command}`)
      }
      return
    }
    case 'form': {
      if (!has('post', `/api/v1/data/${screen.resource}`)) yield* call('put', `/api/v1/data/${screen.resource}/{id}`)
      const typed = screen.sections.flatMap(({ fields }) => fields.filter(({ readOnly }) => !readOnly))
      const save = schemas[`${pascal(screen.entity)}Save`]?.properties ?? {}
      for (const { wire } of typed) if (!Object.hasOwn(save, wire)) yield `${screen.entity} does not take ${wire}`
      if (screen.lines?.compute !== undefined) yield* call('post', `/api/v1/command/${screen.lines.compute}`)
      for (const action of screen.transitions) yield* call('post', `/api/v1/data/${screen.resource}/{id}/${action}`)
      return
    }
    case 'detail':
      yield* call('get', `/api/v1/data/${screen.resource}/{id}`)
      yield* keys(screen.entity, screen.facts)
      for (const { kind } of screen.tabs) if (kind === 'history' || kind === 'flow' || kind === 'journal') yield* call('get', `/api/v1/data/${screen.resource}/{id}/${kind}`)
      return
    case 'report':
      yield* call('get', `/api/v1/report/${screen.id}`)
      return yield* call('get', `/api/v1/report/${screen.id}/summary`)
    case 'dashboard':
      yield* call('get', `/api/v1/dashboard/${screen.id}`)
      for (const { id } of screen.tiles) yield* call('get', `/api/v1/dashboard/${screen.id}/${id}`)
      return
    case 'approval':
      yield* keys(screen.docType, screen.columns)
      return yield* call('get', `/api/v1/approval/${screen.docType}/${screen.transition}`)
    case 'import':
      yield* call('post', `/api/v1/import/${screen.id}`)
      return yield* call('get', `/api/v1/import/${screen.id}/template`)
    case 'workbench':
      return
  }
}

function* keys(entity: string, fields: readonly { readonly name: string; readonly wire: string }[]): Iterable<string> {
  const properties = schemas[pascal(entity)]?.properties ?? {}
  for (const { name, wire } of fields) if (!name.includes('.') && !Object.hasOwn(properties, wire)) yield `${entity} does not give ${wire}`
}

// Comments, notices and the history of a record need an address that opens it.
it('a master of the menu Master that a list opens in a panel has a page, and so its history', () => {
  const without = metadata.routes.flatMap(({ path, screen }) => {
    const list = screen === undefined || path.includes('{') || !path.startsWith('/master/') ? undefined : metadata.screens[screen]
    const entity = list?.kind === 'list' && list.panel !== undefined ? metadata.entities[list.entity] : undefined
    return entity?.base === 'master' && entity.page === undefined ? [`${path} ${entity.id}`] : []
  })
  expect(without).toEqual([])
})

import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHabits, writeHabits } from '#api/firstAnswers.ts'
import { metadata } from '#generated/metadata.ts'
import { routeFinder } from '#meta/routePath.ts'
import { FirstAnswers } from '#server/http/firstAnswers.ts'
import { FirstTexts } from '#server/http/firstTexts.ts'
import { testFolder } from '../support/database.ts'

const app = fastify()
const find = routeFinder(metadata.routes)
/** Ids of the rows asked for. */
const asked: string[] = []
let delay = 0

beforeAll(() => {
  const answer = (data: unknown) => ({ code: 200, status: 'success', data })
  app.get('/api/v1/menu', () => answer({ records: [{ name: 'Sales', submenu: [{ url: '/sales-order-list' }] }] }))
  app.get('/api/v1/view', () => answer({ records: [], roles: [] }))
  app.get<{ Params: { resource: string } }>('/api/v1/data/:resource', async ({ params }) => {
    asked.push(params.resource)
    await new Promise((resolve) => setTimeout(resolve, delay))
    return answer({ rows: [] })
  })
  const answers = new FirstAnswers(app, metadata.screens)
  app.get('/sales-order-list', async (request) => {
    const found = find('/sales-order-list')
    return found === undefined ? '' : answers.element(found, request)
  })
})
afterAll(() => app.close())

const bringsRows = async (): Promise<boolean> => (await app.inject({ url: '/sales-order-list', headers: { cookie: 'token=a; lists=25' } })).body.includes('"/api/v1/data/sales-order?')

test('a page does not wait for rows that are late, and twenty pages after it do not ask for them', async () => {
  expect(await bringsRows()).toBe(true)
  delay = 1_000
  expect(await bringsRows()).toBe(false)
  expect(asked).toHaveLength(2)
  delay = 0
  for (let page = 0; page < 20; page++) expect(await bringsRows()).toBe(false)
  expect(asked).toHaveLength(2)
  expect(await bringsRows()).toBe(true)
})

test('what a browser tells of its lists is read as it was written; too much is told in short', () => {
  for (const habits of [
    { length: 5, language: 'en', laidOut: [] },
    { length: 10_000, language: 'id', laidOut: ['sales-order.list', 'customer.list#12'] },
    { length: 50, language: 'cn', laidOut: undefined },
    // As browsers told it before they told their language.
    { length: 25, language: undefined, laidOut: ['customer.list'] },
  ]) expect(readHabits(writeHabits(habits))).toEqual(habits)
  expect(readHabits(writeHabits({ length: 25, language: 'en', laidOut: Array.from({ length: 100 }, (_, i) => `customer.list#${i}`) }))).toEqual({ length: 25, language: 'en', laidOut: undefined })
})

test('a catalogue that is gone, as when a newer version is being installed, gives a page no first texts: it waits for all of them', () => {
  const texts = new FirstTexts(testFolder(), { en: 'assets/en.json' })
  expect([texts.of(['assets/list.js'], 'en'), texts.of(['assets/list.js'], 'id')]).toEqual([undefined, undefined])
})

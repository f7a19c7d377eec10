import { expect, test, vi } from 'vitest'
import { loadChunk, loadFirstChunk, loadSpokenChunk } from '#client/app/chunks.ts'
import { isSpeakingFirst, missedTextsAtom, speakFirst, t } from '#client/app/messages.ts'
import { store } from '#client/data/session.ts'

const few = vi.hoisted(() => ({ 'ui.search': 'Search', 'ui.close': 'Close', 'ui.cancel': 'Cancel', 'ui.retry': 'Try again', 'ui.more': 'More', 'ui.loading': 'Loading' }))
const whole = { ...few, 'ui.columns': 'Columns' }
/** What waits for the catalogue. */
const waiting: { resolve: (texts: object) => void; reject: (error: Error) => void }[] = []

vi.mock('#client/data/firstAnswers.ts', () => ({ firstTexts: (language: string) => (language === 'en' ? few : undefined), takeFirstAnswer: () => undefined }))
vi.mock('#client/data/http.ts', async (original) => ({ ...(await original<object>()), loadFile: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })) }))
vi.stubGlobal('document', { documentElement: {} })

const isDone = async (promise: Promise<unknown>): Promise<boolean> => Promise.race([promise.then(() => true, () => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 10))])

test('a page speaks by the texts it came with until all are there; what is loaded meanwhile waits for them, what it is drawn of does not', async () => {
  await speakFirst()
  expect([isSpeakingFirst(), t('ui.search'), waiting.length]).toEqual([true, 'Search', 0])
  expect(await isDone(loadFirstChunk(() => Promise.resolve('list')))).toBe(true)
  const panel = loadChunk(() => Promise.resolve('panel'))
  expect([await isDone(panel), waiting.length, isSpeakingFirst()]).toEqual([false, 1, false])
  // The texts of the page are no longer enough for what is asked for from now on.
  const another = loadFirstChunk(() => Promise.resolve('another page'))
  expect(await isDone(another)).toBe(false)
  expect(await isDone(loadSpokenChunk(() => Promise.resolve('no rows')))).toBe(true)
  // Nobody has seen a key instead of its text: nothing is drawn anew.
  waiting.pop()?.resolve(whole)
  expect([await panel, await another, t('ui.columns'), store.get(missedTextsAtom)]).toEqual(['panel', 'another page', 'Columns', 0])
})

test('a text that did not come with the page is asked for, and what was drawn without it is drawn anew; asked again after they did not come', async () => {
  vi.resetModules()
  const messages = await import('#client/app/messages.ts')
  const fresh = (await import('#client/data/session.ts')).store
  await messages.speakFirst()
  expect(messages.t('ui.columns')).toBe('ui.columns')
  waiting.pop()?.reject(new Error('offline'))
  await expect(messages.untilSpoken()).rejects.toThrow('offline')
  const again = messages.untilSpoken()
  waiting.pop()?.resolve(whole)
  await again
  expect([messages.t('ui.columns'), fresh.get(messages.missedTextsAtom)]).toEqual(['Columns', 1])
})

test('another language chosen meanwhile is the one that is spoken', async () => {
  vi.resetModules()
  const messages = await import('#client/app/messages.ts')
  await messages.speakFirst()
  const late = messages.untilSpoken()
  const chosen = messages.speak('id')
  waiting.pop()?.resolve({ ...whole, 'ui.columns': 'Kolom' })
  await chosen
  waiting.pop()?.resolve(whole)
  await late
  expect(messages.t('ui.columns')).toBe('Kolom')
})

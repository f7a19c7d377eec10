import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { wordsOf } from '../../src/client/pages/HistoryTab.tsx'

const root = path.resolve(import.meta.dirname, '../..')
const texts: Readonly<Record<string, string>> = JSON.parse(fs.readFileSync(path.join(root, 'schemas/messages/en.json'), 'utf8'))

/** Every action that code or workflows write into a history of records people open. */
function written(): ReadonlySet<string> {
  const literal = fs.readdirSync(path.join(root, 'src/server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('seed') && !file.startsWith('openapi') && !file.startsWith('studio'))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(root, 'src/server', file), 'utf8')
      return /writeLog|log\(/.test(text) ? [...text.matchAll(/writeLog\([^;]*?action: '([\w-]+)'/g), ...text.matchAll(/\blog\(context, entity, id, '([\w-]+)'/g)].map(([, action = '']) => action) : []
    })
  const moved = Object.values(metadata.workflows).flatMap(({ transitions }) => transitions.map(({ action }) => action))
  const taxes = ['DRAFT', 'EXPORTED', 'APPROVED', 'WAITING_CANCEL', 'REPLACED', 'CANCELLED'].map((state) => state.toLowerCase())
  const asked = ['reverse', 'change'].flatMap((action) => ['reject', 'return'].map((decision) => `${decision}-${action}`))
  return new Set([...literal, ...moved, ...taxes, ...asked])
}

it('what stands in a history has a word of its own', () => {
  const actions = written()
  expect(actions).toContain('change-password')
  expect(actions).toContain('comment-edit')
  expect(actions.size).toBeGreaterThan(40)
  expect([...actions].filter((action) => !wordsOf(action).some((key) => texts[key] !== undefined))).toEqual([])
})

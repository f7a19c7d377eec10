import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isIcon } from '#client/ui/Icon.tsx'

it('every icon the menu may name is drawn', () => {
  const language = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../../schemas/meta/menu.schema.json'), 'utf8')) as { readonly items: { readonly properties: { readonly icon: { readonly enum: readonly string[] } } } }
  const names = language.items.properties.icon.enum
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !isIcon(name))).toEqual([])
})

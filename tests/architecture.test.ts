import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const planted: string[] = []

afterEach(() => {
  for (const file of planted.splice(0)) fs.rmSync(file, { force: true })
})

describe('layers point one way', () => {
  const wrong: readonly (readonly [layer: string, line: string])[] = [
    ['base', "import { wireName } from '#meta/resolve.ts'"],
    ['meta', "import { priceOrder } from '#domain/pricing/priceOrder.ts'"],
    ['domain', "import { problems } from '#api/problems.ts'"],
    ['domain', "import fs from 'node:fs'"],
    ['domain', "import { sql } from '../server/db/sql.ts'"],
    ['api', "import { sql } from '#server/db/sql.ts'"],
    ['server', "import { http } from '#client/data/http.ts'"],
    ['client', "import { sql } from '#server/db/sql.ts'"],
    ['client', "import { metadata } from '#generated/metadata.ts'"],
    ['client/ui', "import { t } from '#client/app/messages.ts'"],
  ]
  test.each(wrong)('%s may not say: %s', (layer, line) => {
    expect(lint(layer, line)).toContain('no-restricted-imports')
  })

  test('a right import passes', () => {
    expect(lint('domain', "import { money } from '#base/decimal.ts'")).not.toContain('no-restricted-imports')
  })
})

test.each(['localStorage', 'sessionStorage', 'fetch'])('%s is reached through its module', (name) => {
  expect(lint('client', '', name)).toContain('no-restricted-globals')
})

test('whoever silences the linter says why', () => {
  const files = ['src', 'scripts', 'tests'].flatMap((folder) => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)))
  const silenced = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith(path.join('src', 'generated'))).flatMap((file) => {
    const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, at) => (/(ox|es)lint-disable|@ts-(ignore|expect-error|nocheck)/.test(line.split(/\/\*|\/\//)[1] ?? '') ? [{ at: `${file}:${at + 1}`, line }] : []))
  })
  expect(silenced.length).toBeGreaterThan(10)
  expect(silenced.filter(({ line }) => !/-disable-next-line [a-z0-9/-]+ -- \S/.test(line))).toEqual([])
})

/** What the linter says about one file with this import planted in the layer, or with this global used. */
function lint(layer: string, line: string, used?: string): string {
  const file = path.join(root, 'src', layer, `planted${process.pid}x${planted.length}.ts`)
  planted.push(file)
  const name = used ?? /\{ (\w+) \}/.exec(line)?.[1] ?? 'fs'
  fs.writeFileSync(file, `${line}\nexport const used = ${name}\n`)
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules/oxlint/bin/oxlint'), file], { cwd: root, encoding: 'utf8' })
  return result.stdout + result.stderr
}

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

/** What the linter says about one file with this import planted in the layer. */
function lint(layer: string, line: string): string {
  const file = path.join(root, 'src', layer, `planted${process.pid}x${planted.length}.ts`)
  planted.push(file)
  const name = /\{ (\w+) \}/.exec(line)?.[1] ?? 'fs'
  fs.writeFileSync(file, `${line}\nexport const used = ${name}\n`)
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules/oxlint/bin/oxlint'), file], { cwd: root, encoding: 'utf8' })
  return result.stdout + result.stderr
}

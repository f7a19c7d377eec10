import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { clockOf } from '#server/clock.ts'
import { sql } from '#server/db/sql.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { passwordHash, testDay } from './company.ts'
import type { Template } from './database.ts'

/** A small demo company that ends on the tests' day. */
export const demoTemplate: Template = template('demo', 1, 110)

/** The same, three times over by copying. */
export const largerDemoTemplate: Template = template('demo-3x', 3, 40)

/** The demo company with so many customers, made `times` as large; made anew whenever the seed's sources change. */
export function template(name: string, times: number, customers: number, day = testDay): Template {
  return {
    name: `${name}-cheap-${sources()}`,
    fill: async (database) => {
      await seedDemo(database, clockOf(() => new Date(day)), { scale: times, customers, log: () => undefined })
      await database.run(sql`update app_user set password_hash = ${passwordHash}`)
    },
  }
}

function sources(): string {
  const root = path.resolve(import.meta.dirname, '../../src')
  const hash = createHash('sha256')
  for (const folder of ['server/seed', 'domain']) {
    const files = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).sort()
    for (const file of files) hash.update(file).update(fs.readFileSync(path.join(root, folder, file)))
  }
  return hash.digest('hex').slice(0, 10)
}

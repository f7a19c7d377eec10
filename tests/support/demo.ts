import { clockOf } from '#server/clock.ts'
import { sql } from '#server/db/sql.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { passwordHash, testDay } from './company.ts'
import type { Template } from './database.ts'

/** A small demo company that ends on the tests' day. */
export const demoTemplate: Template = template('demo', 1, 110)

/** The same, three times over by copying. */
export const largerDemoTemplate: Template = template('demo-3x', 3, 40)

/** The demo company with so many customers, made `times` as large. */
export function template(name: string, times: number, customers: number, day = testDay): Template {
  return {
    name,
    fill: async (database) => {
      await seedDemo(database, clockOf(() => new Date(day)), { scale: times, customers, log: () => undefined })
      await database.run(sql`update app_user set password_hash = ${passwordHash}`)
    },
  }
}

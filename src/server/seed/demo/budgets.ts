import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Budgets for promotions: one raised in Jakarta, one of Bandung waiting, one approved, one in draft. */
export async function promotionBudgets(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const brands = await database.rows<{ id: number; name: string; principal: number }>(sql`select id, name, principal_id as principal from brand where principal_id is not null and is_active order by id limit 4`)
  const units = await database.rows<{ id: number }>(sql`select id from operating_unit where code in ('JKT', 'BDG') order by code desc`)
  const [jakarta, bandung] = units
  if (jakarta === undefined || bandung === undefined) return
  for (const [n, brand] of brands.entries()) {
    const unit = n === 1 ? bandung : jakarta
    const made = await desk.enter('manager', 'promotion_budget', {
      Name: `Dukungan ${brand.name}`, PrincipalID: brand.principal, BrandID: brand.id, OperatingUnitID: unit.id, DocDate: today,
      PeriodFrom: today, PeriodTo: addDays(today, 90), Amount: ['150000000', '80000000', '60000000', '40000000'][n] ?? '0',
    }, n < 3)
    if (n === 0) {
      await desk.approve(['promotions', 'finance'], 'promotion_budget', made)
      const more = await desk.enter('manager', 'promotion_budget_adjustment', { PromotionBudgetID: made, DocDate: today, Amount: '25000000', Note: 'Tambahan dari prinsipal untuk akhir tahun' })
      await desk.approve(['promotions', 'finance'], 'promotion_budget_adjustment', more)
      await desk.enter('manager', 'promotion_budget_adjustment', { PromotionBudgetID: made, DocDate: today, Amount: '-10000000', Note: 'Dipindahkan ke program berikutnya' })
    }
    if (n === 2) await desk.approve(['promotions', 'finance'], 'promotion_budget', made)
  }
}

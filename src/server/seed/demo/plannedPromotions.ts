import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Promotions on their way: one approved against a budget with its next version in draft, one waiting, one in draft. */
export async function plannedPromotions(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const budgets = await database.rows<{ id: number; principal: number; brand: number; unit: number; until: string }>(sql`
    select id, principal_id as principal, brand_id as brand, operating_unit_id as unit, period_to as until from promotion_budget where status = 1 and available >= 30000000 order by id limit 2`)
  const types = new Map((await database.rows<{ id: number; code: string }>(sql`select id, code from promotion_type`)).map(({ id, code }) => [code, id]))
  const channel = await database.first<{ id: number }>(sql`select id from sales_channel where code = 'GT'`)
  const [first, second] = budgets
  if (first === undefined || second === undefined || channel === undefined) return
  const item = await database.first<{ id: number }>(sql`select id from item where brand_id = ${second.brand} and status = 1 order by id limit 1`)
  const common = (budget: typeof first, cost: string) => ({
    Mechanism: 'ON_INVOICE', Funding: 'PRINCIPAL', PrincipalID: budget.principal, BudgetID: budget.id, EstimatedCost: cost, OperatingUnitID: budget.unit, DocDate: today, ValidFrom: addDays(today, 1),
    ValidTo: budget.until, Priority: 100, Stacking: 'STACK', ClaimDeadlineDays: 60, PromotionScope: [{ SalesChannelID: channel.id, Include: true }],
  })
  const approved = await desk.enter('manager', 'promotion', {
    ...common(first, '30000000'), Code: 'P-MERK', Name: 'Nilai merek bertingkat', PromotionTypeID: types.get('POTONGAN-P'), MaxPerCustomer: '2500000',
    PromotionCondition: [{ TierNo: 1, Kind: 'MIX_VALUE', BrandID: first.brand, Min: '2000000' }, { TierNo: 2, Kind: 'MIX_VALUE', BrandID: first.brand, Min: '6000000' }],
    Lines: [{ TierNo: 1, Kind: 'PCT', Value: '1.5' }, { TierNo: 2, Kind: 'PCT', Value: '2.5' }],
  })
  await desk.approve(['promotions'], 'promotion', approved)
  await desk.act('manager', 'promotion', approved, 'revise')
  const gift = (code: string, name: string) => ({
    ...common(second, '12000000'), Code: code, Name: name, PromotionTypeID: types.get('BELI-GRATIS-P'), PromotionCondition: [{ TierNo: 1, Kind: 'ITEM_QTY', ItemID: item?.id, Uom: 'CTN', Min: '12', IsMultiple: true }],
    Lines: [{ TierNo: 1, Kind: 'FREE_ITEM', FreeItemID: item?.id, FreeQty: '1', FreeUom: 'CTN', MaxMultiple: 4 }],
  })
  await desk.enter('manager', 'promotion', gift('P-LUSIN', 'Beli selusin gratis 1'))
  await desk.enter('manager', 'promotion', gift('P-LUSIN2', 'Beli selusin gratis 1, gelombang kedua'), false)
}

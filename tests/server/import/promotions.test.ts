import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { sql } from '#server/db/sql.ts'
import { Imports } from '../../support/imports.ts'
import { openScene, type Scene } from '../../support/scene.ts'

// Promotions by file: the rows of a code are one promotion, with whom it is for, its tiers and what each of them gives.

let scene: Scene
let files: Imports
const heads = 'PromoCode,Name,Type,Funding,From,To,Budget,EstimatedCost,ScopeKind,ScopeCode,CondKind,CondItem,CondUOM,Min,Max,Tier,BenefitKind,BenefitValue,FreeSKU,FreeQty,MaxMultiple'

beforeAll(async () => {
  scene = await openScene()
  files = new Imports(scene.at, scene.people.admin)
  const principal = await scene.database.first<{ id: number }>(sql`insert into business_partner (code, name, kinds) values ('V-PRN', 'PT Prinsipal', '{PRINCIPAL}') returning id`)
  await scene.database.run(sql`
    insert into promotion_budget (code, name, status, operating_unit_id, doc_date, principal_id, period_from, period_to, amount, available)
    select 'PBG-1', 'Dukungan', 1, id, '2026-11-20', ${principal?.id ?? 0}, '2026-12-01', '2026-12-31', 1000000, 1000000 from operating_unit where code = 'JKT'`)
})

interface Said { readonly to?: string; readonly budget?: string; readonly scope?: string; readonly cond?: string; readonly min: string; readonly max?: string; readonly tier?: string; readonly benefit?: string }
const row = (code: string, said: Said) =>
  [code, `Promosi ${code}`, 'POTONGAN', 'COMPANY', '2026-12-01', said.to ?? '2026-12-31', said.budget ?? '', '500000', said.scope ?? 'TERRITORY,JKT-N', said.cond ?? 'ITEM_QTY,D,CTN', said.min, said.max ?? '', said.tier ?? '1', said.benefit ?? 'PCT,2,,,'].join(',')
const taken = (...rows: readonly string[]): Promise<ImportBatch> => files.take('promotion.import', [heads, ...rows].join('\n'))
const errorsOf = async (batch: ImportBatch): Promise<readonly string[]> => (await files.errors(batch)).map((line) => line.split(' ').slice(0, 3).join(' '))

describe('promotions by file', () => {
  it('rows of one code become one promotion in draft; what they repeat counts once', async () => {
    const batch = await taken(
      row('I-1', { min: '5', max: '9', budget: 'PBG-1' }), row('I-1', { min: '10', tier: '2', benefit: 'PCT,3,,,', budget: 'PBG-1' }), row('I-1', { min: '10', tier: '2', benefit: 'PCT,3,,,', scope: 'CUSTOMER,C0000002', budget: 'PBG-1' }),
      row('I-2', { min: '12', benefit: 'FREE_ITEM,,D,1,4' }),
    )
    expect(await files.errors(batch)).toEqual([])
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 4 })
    const ID = await scene.at.id('promotion', 'I-1')
    expect(await scene.read('promotion', ID)).toMatchObject({
      Status: 0, CurrentVersion: 1, EstimatedCost: '500000.00', PromotionScope: [{ Kind: 'TERRITORY', TerritoryID: await scene.at.id('territory', 'JKT-N') }, { Kind: 'CUSTOMER', CustomerID: await scene.at.id('customer', 'C0000002') }],
      PromotionCondition: [{ TierNo: 1, Min: '5.000', Max: '9.000', IsMultiple: false }, { TierNo: 2, Min: '10.000', Max: null }], Lines: [{ TierNo: 1, Value: '2.0000' }, { TierNo: 2, Value: '3.0000' }],
    })
    expect(await scene.read('promotion', await scene.at.id('promotion', 'I-2'))).toMatchObject({ PromotionCondition: [{ IsMultiple: true }], Lines: [{ Kind: 'FREE_ITEM', FreeQty: '1.000', MaxMultiple: 4 }] })
  })

  it('what is wrong is said at its cell, and the others are imported', async () => {
    const batch = await taken(
      row('I-3', { min: '5' }), row('I-3', { min: '5', tier: '2' }), row('I-4', { min: '5', max: '9' }), row('I-4', { min: '20', tier: '2' }), row('I-5', { min: '5', tier: '2' }), row('I-6', { min: '5', scope: 'CHANNEL,NOWHERE' }),
      row('I-7', { min: '5', budget: 'PBG-1', to: '2027-01-31' }), row('I-8', { min: '5', cond: 'ITEM_QTY,NOWHERE,' }), row('I-1', { min: '5' }), row('I-9', { min: '5' }),
    )
    expect((await errorsOf(batch)).filter((line) => !/ E1[12]/.test(line))).toEqual(['3 Min E06', '5 Min E06', '6 Tier E05', '7 ScopeCode E02', '8 To E06', '9 CondItem E02', '10 PromoCode E04'])
    expect(await files.commit(batch)).toMatchObject({ RowsImported: 1 })
    expect(await scene.database.rows(sql`select code from promotion where code like 'I-%' order by code`)).toEqual([{ code: 'I-1' }, { code: 'I-2' }, { code: 'I-9' }])
  })
})

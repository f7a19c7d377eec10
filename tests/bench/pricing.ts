import { priceOrder } from '#domain/pricing/priceOrder.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { insertPromotion } from '../support/promotions.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { answeredPerSecond, serve } from './client.ts'
import { demoCompany } from './databases.ts'

/**
 * An order of 200 lines priced among a million price rows: sets of 1,800 other customers beside those that count. The pricing itself, with its prices
 * known and after one has changed, and the whole call with all it answers besides.
 */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const { database } = bench
    try {
      log('a million price rows …')
      // The proof that no two prices of an item overlap takes its time row by row; these are made not to.
      await database.run(trusted('alter table list_price drop constraint list_price_no_overlap'))
      await database.run(trusted(`
        insert into price_set (code, name, scheme, scope_kind, ref_id, valid_from, is_active) select 'X' || n, 'Set ' || n, 'V3', 'CUSTOMER', 1000000 + n, '2025-01-01', true from generate_series(1, 1850) n`))
      await database.run(trusted(`
        insert into list_price (price_set_id, item_id, uom, min_qty, price, floor_price, valid_from, valid_to)
        select s.id, i.id, u.uom, q.min_qty, 100000, 90000, '2025-01-01', null from price_set s cross join item i cross join (values ('PCS'), ('CTN')) u(uom) cross join (values (0), (100)) q(min_qty)
        where s.code like 'X%'`))
      await database.run(trusted('vacuum analyze'))
      const rows = await database.first<{ n: number }>(sql`select count(*)::int as n from list_price`)
      const customer = await database.first<{ id: number }>(sql`select min(c.id) as id from customer c join pricing_group g on g.id = c.pricing_group_id where g.code = 'GOLD'`)
      const items = await database.rows<{ id: number }>(sql`select id from item order by id`)
      const brands = await database.rows<{ id: number }>(sql`select id from brand order by id`)
      const lines = Array.from({ length: 200 }, (_, n) => ({ key: n, itemId: items[n % items.length]?.id ?? 0, uom: n < items.length ? 'CTN' : 'PCS', qty: String(1 + (n % 9)), manualDiscount: '0' }))
      const itemIds = lines.map((line) => line.itemId)
      const price = () => database.transaction(async (tx) => {
        const loaded = await loadPricing(tx, { customerId: customer?.id ?? 0, priceDate: '2026-11-20', salesChannelId: null, operatingUnitId: null, itemIds })
        if (loaded === null || priceOrder(loaded.context, loaded.masters, lines).total === '0.00') throw new Error('Nothing was priced')
      }, { readOnly: true })
      const known = await times(40, price, 60)
      const changed: number[] = []
      for (let round = 0; round < 20; round++) {
        await database.run(sql`update list_price set price = price where id = (select min(id) from list_price)`)
        changed.push(...(await times(1, price, 0)))
      }
      measures.push(
        { what: `200 lines priced among ${rows?.n ?? 0} price rows on ${engine}`, value: quantile(known, 0.5), unit: 'ms', limit: 10, bound: 'most' },
        { what: `the same right after a price has changed, on ${engine}`, value: quantile(changed, 0.5), unit: 'ms', limit: 10, bound: 'most' },
      )
      const client = await serve(database)
      try {
        const body = {
          CustomerID: customer?.id, DocDate: '2026-11-20',
          Lines: Array.from({ length: 200 }, (_, n) => ({ ItemID: items[n % items.length]?.id, Uom: n < items.length ? 'CTN' : 'PCS', Qty: String(1 + (n % 9)) })),
        }
        const calls = (count: number) => Array.from({ length: count }, () => ({ path: '/api/v1/command/price-order', body }))
        await answeredPerSecond(client, 1, calls(60))
        const perCall = 1000 / (await answeredPerSecond(client, 1, calls(100)))
        measures.push({ what: `200 lines priced over HTTP among ${rows?.n ?? 0} price rows on ${engine}, asked from another process`, value: perCall, unit: 'ms', limit: 10, bound: 'most' })
      } finally {
        await client.close()
      }
      // An order earns a dozen of the promotions that run; of the rest it has some of the goods, and not enough of them.
      for (let n = 0; n < 500; n++) {
        const goods = n % 3 === 0 ? { kind: 'ITEM_QTY', item_id: items[n % items.length]?.id, min: n % 42 === 0 ? '24' : '100000', is_multiple: true } : { kind: 'MIX_VALUE', brand_id: brands[n % brands.length]?.id, min: n % 40 === 1 ? '1000000' : '50000000' }
        const benefit = n % 3 === 0 ? { kind: 'FREE_ITEM', free_qty: '1', max_multiple: 3 } : { kind: 'PCT', value: '1' }
        await insertPromotion(database, { code: `BENCH${n}`, name: `Promotion ${n}`, valid_from: '2026-01-01', conditions: [goods], benefits: [benefit], more: { stacking: n % 2 === 0 ? 'EXCLUSIVE' : 'STACK' } })
      }
      const promoted = await times(40, price, 60)
      measures.push({ what: `200 lines with 500 running promotions, against those before, on ${engine}`, value: quantile(promoted, 0.5) / quantile(known, 0.5), unit: '×', limit: 1.5, bound: 'most' })
    } finally {
      await bench.close()
    }
  }
  return measures
}

import { checkDraft, draftWorldOf } from '#meta/authoring/draft.ts'
import { priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import { makmur, masters } from '../domain/pricing/scene.ts'
import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles } from '../../scripts/schemas/readSources.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'

/** Kinds of files that much hangs on, and some that little does. */
const changed = ['/zdr-bill.report.json', '/sales-order.list.json', '/customer.form.json', '/sales-order.entity.json', '/zdr-bill.dataset.json', 'schemas/menu.json']

/** The check of the schemas as analysts meet it: all of them, one that was saved, a draft in the studio; and the pricing under a typed order. */
export const run: Run = async () => {
  const files = readSchemaFiles()
  const all = await times(5, async () => checkSchemas(files, contextOfRepository()), 1)
  const measures: Measure[] = [{ what: `all ${files.length} schema files checked`, value: quantile(all, 0.5), unit: 'ms', limit: 2_000, bound: 'most' }]
  for (const name of changed) {
    const one = files.find(({ path }) => path.endsWith(name))
    if (one === undefined) throw new Error(`${name} is gone`)
    const again = await times(9, async (round) => checkSchemas(files.map((file) => (file === one ? { ...file, text: file.text.replace('{', `{ "wrong${round}": 1,`) } : file)), contextOfRepository()), 3)
    measures.push({ what: `checked again when ${name} was saved`, value: quantile(again, 0.5), unit: 'ms', limit: 200, bound: 'most' })
  }
  const world = draftWorldOf(files)
  const draft = files.find(({ path }) => path.endsWith('/zdr-bill.report.json'))?.text.replace('"zdr-bill.report"', '"my-bill.report"') ?? ''
  measures.push({ what: 'a draft of the studio checked', value: quantile(await times(15, async () => checkDraft(world, draft)), 0.5), unit: 'ms', limit: 200, bound: 'most' })
  const lines = Array.from({ length: 500 }, (_, i): OrderLine => ({ key: i, itemId: i % 2 ? 101 : 102, uom: 'CTN', qty: String(1 + (i % 40)), manualDiscount: '0' }))
  measures.push({ what: '500 lines priced', value: quantile(await times(30, async () => priceOrder(makmur, masters, lines), 10), 0.5), unit: 'ms', limit: 16, bound: 'most' })
  return measures
}

import { addDays, addMonths, endOfMonth, periodOf, type DateText } from '#base/date.ts'
import { exact, fixed, sum } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'
import { must } from '../insertMissing.ts'
import type { Book } from './book.ts'
import { masterColumns, type Unit } from './company.ts'
import type { CustomerMasters } from './customers.ts'
import type { Goods } from './goods.ts'

export interface MasterSetup {
  readonly stamp: Row
  readonly start: DateText
  readonly today: DateText
  readonly units: readonly Unit[]
  readonly goods: readonly Goods[]
  readonly masters: CustomerMasters
  readonly taxCodes: ReadonlyMap<string, number>
}

/** Masters no document of the simulation needs, as a distributor of this size keeps them. Draws no dice: what is bought stays as it was. */
export function buildMasters(book: Book, setup: MasterSetup): void {
  const common = masterColumns(setup.stamp)
  buildPartners(book, common, setup)
  buildRates(book, common, setup)
  buildTeams(book, common, setup)
  buildCombos(book, common, setup)
  buildFestives(book, common, setup)
  buildQuotas(book, common, setup)
  buildTargets(book, common, setup)
  buildTaxPeriods(book, setup)
}

const partners = [
  { code: 'V000101', name: 'PT Lintas Armada Nusantara', kinds: ['TRANSPORTER'], group: 'NON_TRADE', npwp: '0021456789012000', pph: 'PPH23', city: 'Jakarta', address: 'Jl. Cakung Cilincing Km 3 No. 7' },
  { code: 'V000102', name: 'CV Sinar Logistik Priangan', kinds: ['TRANSPORTER'], group: 'NON_TRADE', npwp: '0031987654321000', pph: 'PPH23', city: 'Bandung', address: 'Jl. Gedebage Selatan No. 41' },
  { code: 'V000103', name: 'PT Graha Pergudangan Timur', kinds: ['VENDOR'], group: 'NON_TRADE', npwp: '0045678901234000', pph: 'PPH23', city: 'Surabaya', address: 'Jl. Margomulyo Permai Blok C-9' },
  { code: 'V000104', name: 'CV Cetak Promosi Mandiri', kinds: ['VENDOR'], group: 'NON_TRADE', npwp: '0056789012345000', pph: null, city: 'Jakarta', address: 'Jl. Percetakan Negara No. 118' },
] as const

function buildPartners(book: Book, common: Row, { taxCodes }: MasterSetup): void {
  const term = book.rows('payment_term').find((row) => row['code'] === 'N30')?.['id'] ?? null
  for (const [i, partner] of partners.entries()) {
    const { id } = book.add('business_partner', {
      code: partner.code, name: partner.name, kinds: partner.kinds, npwp: partner.npwp, is_pkp: true, nitku: `${partner.npwp}000000`, payment_term_id: term, ap_account_group: partner.group,
      email: `finance@vendor${i + 1}.example`, block_payment: false, pph_code_id: partner.pph === null ? null : must(taxCodes, partner.pph), bank_id: book.rows('bank')[i % 2]?.['id'] ?? null,
      bank_account_no: `52100${i + 1}44${i + 7}0`, bank_account_name: partner.name, ...common,
    })
    book.add('business_partner_address', {
      business_partner_id: id, code: 'A01', kind: 'OFFICE', address: partner.address, city: partner.city, district: null, postal_code: null, latitude: null, longitude: null, is_default: true, ...common,
    })
  }
}

const currencies = [['USD', 15_850], ['SGD', 11_920], ['CNY', 2_190]] as const

/** The first of each month and every working day of the last four weeks; a slow wave, so that no two days are alike. */
function buildRates(book: Book, common: Row, { start, today }: MasterSetup): void {
  const days: DateText[] = []
  for (let day = start; day < addDays(today, -28); day = addMonths(day, 1)) days.push(day)
  for (let day = addDays(today, -28); day <= today; day = addDays(day, 1)) if (new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0) days.push(day)
  for (const [i, day] of days.entries()) {
    for (const [currency, middle] of currencies) {
      const rate = Math.round(middle * (1 + Math.sin(i / 5) / 60) * 100) / 100
      book.add('exchange_rate', { currency, rate_date: day, kind: 'BI', rate: rate.toFixed(2), ...common })
      if (i % 5 === 0) book.add('exchange_rate', { currency, rate_date: day, kind: 'KMK', rate: (rate + 12).toFixed(2), ...common })
    }
  }
}

function buildTeams(book: Book, common: Row, { units, start, masters }: MasterSetup): void {
  for (const unit of units) {
    for (const [i, territory] of unit.territories.entries()) {
      const { id } = book.add('work_team', {
        code: `T-${territory.seed.code}`, name: `Tim ${territory.seed.name}`, leader_id: territory.salesmen[0] ?? null, operating_unit_id: unit.id, territory_id: territory.id,
        sales_channel_id: i % 3 === 2 ? (masters.channelIds.get('MT') ?? null) : null, ...common,
      })
      for (const employee of territory.salesmen) book.add('work_team_member', { work_team_id: id, employee_id: employee, operating_unit_id: unit.id, valid_from: start, valid_to: null, ...common })
    }
  }
}

/** Cartons sold together under a number of their own: two kept as kits, one that explodes on the order at a price of its own, one at the prices of its parts. */
function buildCombos(book: Book, common: Row, { goods, start }: MasterSetup): void {
  const names = ['Paket Dapur Hemat', 'Paket Mandi Keluarga', 'Paket Warung Baru', 'Paket Bayi Ceria']
  const baseSet = book.rows('price_set').find((row) => row['code'] === 'BASE')?.['id']
  for (const [i, name] of names.entries()) {
    const parts = [0, 1, 2].flatMap((n) => goods[(i * 11 + n * 5) % goods.length] ?? [])
    const [first] = parts
    if (!first) continue
    const item = book.rows('item').find((row) => row['id'] === first.id)
    const sold = book.add('item', { ...item, code: `PK-${String(i + 1).padStart(3, '0')}`, name, short_name: name, base_uom: 'SET', sales_uom: 'SET', pack_qty: '1', barcode: null, is_combo: true, standard_cost: '0', ...common })
    book.add('item_uom', { item_id: sold.id, uom: 'SET', factor: '1', barcode: null, coretax_unit: 'UM.0019', ...common })
    const { id } = book.add('combo', { code: `K-${String(i + 1).padStart(3, '0')}`, name, item_id: sold.id, kind: i % 2 === 0 ? 'KIT' : 'VIRTUAL', valid_from: start, valid_to: null, ...common })
    for (const [line, part] of parts.entries()) {
      book.add('combo_component', { combo_id: id, line_no: line + 1, item_id: part.id, qty: String(part.carton * (line === 0 ? 2 : 1)), cost_share: ['50', '30', '20'][line] ?? '0', note: null })
    }
    if (i === 1) book.add('list_price', { price_set_id: baseSet, item_id: sold.id, uom: 'SET', min_qty: '0', price: packagePrice(book, baseSet, parts), floor_price: null, valid_from: start, valid_to: null })
  }
}

/** A tenth less than its cartons cost one by one, in whole thousands. */
function packagePrice(book: Book, priceSet: unknown, parts: readonly Goods[]): string {
  const prices = parts.map((part, i) => exact(String(book.rows('list_price').findLast((row) => row['price_set_id'] === priceSet && row['item_id'] === part.id && row['uom'] === 'CTN')?.['price'] ?? '0')).times(i === 0 ? 2 : 1))
  return fixed(sum(prices).times('0.9').div(1000).round(0).times(1000), 4)
}

function buildFestives(book: Book, common: Row, { goods, today, units }: MasterSetup): void {
  const year = Number(today.slice(0, 4))
  const seasons = [
    [`LEBARAN-${year}`, `Parsel Lebaran ${year}`, 'LEBARAN', `${year}-01-15`, `${year}-03-10`],
    [`NATAL-${year}`, `Hampers Natal ${year}`, 'NATAL', `${year}-10-15`, `${year}-12-20`],
    [`IMLEK-${year + 1}`, `Imlek ${year + 1}`, 'IMLEK', `${year}-12-15`, `${year + 1}-01-31`],
  ] as const
  for (const [i, [code, name, season, from, to]] of seasons.entries()) {
    const { id } = book.add('product_festive', { code, name, season, order_from: from, order_to: to, deliver_from: addDays(from, 7), deliver_to: addDays(to, 7), ...common })
    for (const line of [0, 1, 2, 3, 4]) {
      const item = goods[(i * 7 + line * 9) % goods.length]
      if (!item) continue
      book.add('product_festive_line', {
        product_festive_id: id, line_no: line + 1, item_id: item.id, price: null, quota_qty: String(200 + 50 * line), min_qty: '5',
        territory_id: line === 4 ? (units[0]?.territories[0]?.id ?? null) : null, note: null,
      })
    }
  }
}

function buildQuotas(book: Book, common: Row, { goods, today, units, masters }: MasterSetup): void {
  const from = `${today.slice(0, 7)}-01`
  for (const [i, item] of goods.slice(0, 8).entries()) {
    const territory = units[i % units.length]?.territories[0]
    const isTerritory = i % 2 === 0
    book.add('sales_quota', {
      code: `Q${periodOf(today)}-${String(i + 1).padStart(2, '0')}`, name: `${item.name} ${isTerritory ? (territory?.seed.name ?? '') : 'Modern trade'}`, item_id: item.id,
      scope_kind: isTerritory ? 'TERRITORY' : 'CHANNEL', territory_id: isTerritory ? (territory?.id ?? null) : null, sales_channel_id: isTerritory ? null : (masters.channelIds.get('MT') ?? null),
      customer_id: null, valid_from: from, valid_to: endOfMonth(today), quota_qty: String(2400 + i * 300), ...common,
    })
  }
  for (const [i, item] of goods.slice(8, 14).entries()) {
    book.add('minimum_order_quantity', {
      item_id: item.id, sales_channel_id: i % 2 === 0 ? (masters.channelIds.get('TRADER') ?? null) : null, customer_category_id: null, customer_id: null, min_qty: i % 2 === 0 ? '5' : '1',
      multiple_qty: '1', min_order_value: '0', action: 'WARN', ...common,
    })
  }
}

/** What each unit should sell: last month, this one, the quarter; split over its territories by what is left to the last. */
function buildTargets(book: Book, common: Row, { units, today }: MasterSetup): void {
  const month = `${today.slice(0, 7)}-01`
  for (const [n, from] of [addMonths(month, -1), month].entries()) {
    for (const unit of units) {
      const amount = 900 * unit.weight + 40 * n
      const { id } = book.add('sales_target', {
        code: `T${periodOf(from)}-${unit.code}`, name: `Target ${unit.code} ${from.slice(0, 7)}`, metric: 'VALUE', operating_unit_id: unit.id, valid_from: from, valid_to: endOfMonth(from),
        amount: `${amount}000000.00`, level: 'TERRITORY', is_confirmed: true, ...common,
      })
      const part = Math.floor(amount / unit.territories.length)
      for (const [i, territory] of unit.territories.entries()) {
        const isLast = i === unit.territories.length - 1
        book.add('sales_target_line', {
          sales_target_id: id, line_no: i + 1, territory_id: territory.id, work_team_id: null, employee_id: null, customer_id: null, brand_id: null,
          amount: `${isLast ? amount - part * (unit.territories.length - 1) : part}000000.00`, note: null,
        })
      }
    }
  }
}

/** Every month of the trade; those whose deadline has passed are closed. */
function buildTaxPeriods(book: Book, { start, today, units }: MasterSetup): void {
  const finance = units[0]?.users.finance ?? null
  for (let month = start; month <= today; month = addMonths(month, 1)) {
    const deadline = `${addMonths(month, 1).slice(0, 7)}-20`
    const isOver = deadline < today
    book.add('tax_invoice_period', {
      period: periodOf(month), deadline, status: isOver ? 'CLOSED' : 'OPEN', nsfp_from: null, nsfp_to: null, next: null, closed_by: isOver ? finance : null,
      closed_at: isOver ? `${deadline}T09:00:00.000Z` : null, ...masterColumns({ created_at: `${month}T01:00:00.000Z`, updated_at: `${isOver ? deadline : month}T09:00:00.000Z` }),
    })
  }
}

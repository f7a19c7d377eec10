import { addDays, addMonths, type DateText } from '#base/date.ts'
import { money, exact } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'
import type { Book } from './book.ts'
import { masterColumns, type Territory, type Unit } from './company.ts'
import type { Dice } from './dice.ts'
import type { PriceSets } from './goods.ts'
import { familyNames, shopWords, streets } from './places.ts'
import { positionOf } from './positions.ts'

/** A customer as the simulation sees him. */
export interface Buyer {
  readonly id: number
  readonly row: Row & { id: number }
  readonly unit: Unit
  readonly territory: Territory
  readonly channel: string
  readonly category: string
  readonly channelId: number
  readonly categoryId: number
  readonly groupId: number | null
  readonly pricingGroupId: number | null
  readonly termId: number
  readonly term: TermSeed
  readonly billToId: number
  readonly shipToIds: readonly number[]
  readonly account: PayingAccount
  readonly salesmanId: number
  readonly collectorId: number
  readonly isGovernment: boolean
  /** Orders a month and cartons a line follow from it; 1 is the ordinary shop. */
  readonly size: number
  /** Typical days late; below zero pays early. */
  readonly habit: number
  /** Limit granted; undefined is none at all (cash only). */
  readonly limit: string | undefined
}

/** The bank account he pays from. */
export interface PayingAccount {
  readonly id: number
  readonly bankName: string
  readonly accountName: string
  readonly accountNumber: string
}

export interface TermSeed {
  readonly code: string
  readonly name: string
  readonly days: number
  readonly baseline: 'INVOICE' | 'POD' | 'TTF' | 'EOM'
  readonly isCash: boolean
  readonly isCod: boolean
}

export const terms: readonly TermSeed[] = [
  { code: 'COD', name: 'Bayar saat kirim', days: 0, baseline: 'INVOICE', isCash: false, isCod: true },
  { code: 'CASH', name: 'Tunai', days: 0, baseline: 'INVOICE', isCash: true, isCod: false },
  { code: 'N07', name: '7 hari', days: 7, baseline: 'INVOICE', isCash: false, isCod: false },
  { code: 'N14', name: '14 hari', days: 14, baseline: 'INVOICE', isCash: false, isCod: false },
  { code: 'N30', name: '30 hari', days: 30, baseline: 'INVOICE', isCash: false, isCod: false },
  { code: 'N45', name: '45 hari', days: 45, baseline: 'INVOICE', isCash: false, isCod: false },
  { code: 'P30', name: '30 hari sejak barang diterima', days: 30, baseline: 'POD', isCash: false, isCod: false },
]

const channels = [['GT', 'General trade'], ['MT', 'Modern trade'], ['HORECA', 'Hotel, restoran, kafe'], ['ONLINE', 'Online'], ['TRADER', 'Grosir'], ['CANVAS', 'Kanvas'], ['SRC', 'Komunitas ritel']] as const
const categories = [['GT', 'Toko kelontong', false], ['WS', 'Grosir', false], ['MT', 'Minimarket', false], ['HRC', 'Horeca', false], ['GOV', 'Instansi pemerintah', true]] as const
const chains = ['Sinar Mart', 'Karunia Swalayan', 'Family Fresh', 'Borma Jaya', 'Amanah Grosir'] as const

type Kind = 'shop' | 'wholesale' | 'modern' | 'horeca' | 'government'

const profiles: Readonly<Record<Kind, {
  readonly channel: string
  readonly category: string
  readonly terms: readonly (readonly [code: string, weight: number])[]
  readonly size: number
}>> = {
  shop: { channel: 'GT', category: 'GT', terms: [['N14', 4], ['N07', 3], ['N30', 2], ['COD', 2], ['CASH', 0.5]], size: 0.8 },
  wholesale: { channel: 'TRADER', category: 'WS', terms: [['N30', 4], ['N14', 3], ['N07', 1]], size: 2.6 },
  modern: { channel: 'MT', category: 'MT', terms: [['N30', 3], ['N45', 2], ['P30', 2]], size: 1.6 },
  horeca: { channel: 'HORECA', category: 'HRC', terms: [['N14', 2], ['N30', 2], ['COD', 1]], size: 0.7 },
  government: { channel: 'GT', category: 'GOV', terms: [['N30', 1]], size: 1.2 },
}

export interface CustomerMasters {
  readonly channelIds: ReadonlyMap<string, number>
  readonly categoryIds: ReadonlyMap<string, number>
  readonly groupIds: readonly number[]
  readonly termIds: ReadonlyMap<string, number>
  readonly pricingGroups: { readonly silver: number; readonly gold: number; readonly regular: number }
}

/** Channels, categories, chains and terms the customers refer to. */
export function buildCustomerMasters(book: Book, stamp: Row, sets: PriceSets, discounts: { base: number; silver: number; gold: number }): CustomerMasters {
  const common = masterColumns(stamp)
  const codes = <T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> => new Map(entries)
  const group = (code: string, name: string, setId: number | null, discountId: number): number =>
    book.add('pricing_group', { code, name, price_set_id: setId, discount_set_id: discountId, ...common }).id
  const masters: CustomerMasters = {
    channelIds: codes(channels.map(([code, name]) => [code, book.add('sales_channel', { code, name, default_price_set_id: code === 'MT' ? sets.modern : code === 'SRC' ? sets.community : null, ...common }).id])),
    categoryIds: codes(categories.map(([code, name, isGovernment]) => [code, book.add('customer_category', { code, name, is_government: isGovernment, ...common }).id])),
    groupIds: chains.map((name, i) => book.add('customer_group', {
      code: `G0${i + 1}`, name: `Grup ${name}`, parent_id: null, group_credit_limit: i < 3 ? '2500000000' : null, ...common,
    }).id),
    termIds: codes(terms.map((term) => [term.code, book.add('payment_term', {
      code: term.code, name: term.name, net_days: term.days, baseline: term.baseline, cash_discount_pct: '0', cash_discount_days: null, is_cash: term.isCash, is_cod: term.isCod, ...common,
    }).id])),
    pricingGroups: {
      regular: group('REG', 'Reguler', null, discounts.base), silver: group('SILVER', 'Silver', sets.silver, discounts.silver), gold: group('GOLD', 'Gold', sets.gold, discounts.gold),
    },
  }
  // Sets of a channel or group say whose they are.
  const owners = [
    ['price_set', sets.modern, masters.channelIds.get('MT')], ['price_set', sets.community, masters.channelIds.get('SRC')], ['price_set', sets.silver, masters.pricingGroups.silver],
    ['price_set', sets.gold, masters.pricingGroups.gold], ['discount_set', discounts.silver, masters.pricingGroups.silver], ['discount_set', discounts.gold, masters.pricingGroups.gold],
  ] as const
  for (const [table, id, ownerId] of owners) for (const row of book.rows(table)) if (row['id'] === id) row['ref_id'] = ownerId
  return masters
}

export interface CustomerSetup {
  readonly stamp: Row
  readonly start: DateText
  readonly today: DateText
  readonly count: number
  readonly banks: readonly { readonly id: number; readonly name: string }[]
}

/** Customers spread over the territories by the weight of their unit, each with addresses, a bank account and mostly a limit. */
export function buildCustomers(book: Book, chance: Dice, units: readonly Unit[], masters: CustomerMasters, setup: CustomerSetup): readonly Buyer[] {
  const names = new Set<string>()
  return Array.from({ length: setup.count }, (_, i) => {
    const unit = chance.weighted(units.map((each) => [each, each.weight] as const))
    const territory = chance.pick(unit.territories)
    const kind = i % 67 === 13 ? 'government' : chance.weighted<Kind>([['shop', 62], ['wholesale', 16], ['modern', 13], ['horeca', 9]])
    return buildCustomer(book, chance, { unit, territory, kind, code: `C${String(i + 1).padStart(7, '0')}`, name: nameOf(chance, kind, names, territory) }, masters, setup)
  })
}

interface Place {
  readonly unit: Unit
  readonly territory: Territory
  readonly kind: Kind
  readonly code: string
  readonly name: string
}

function buildCustomer(book: Book, chance: Dice, place: Place, masters: CustomerMasters, setup: CustomerSetup): Buyer {
  const common = masterColumns(setup.stamp)
  const { unit, territory, kind } = place
  const profile = profiles[kind]
  const size = profile.size * Math.exp(chance.bell() * 0.45)
  const isGovernment = kind === 'government'
  const isPkp = isGovernment || kind === 'modern' || kind === 'wholesale' || chance.chance(0.25)
  const term = terms.find((each) => each.code === chance.weighted(profile.terms)) ?? fallbackTerm
  const termId = masters.termIds.get(term.code) ?? 0
  const area = chance.between(0, territory.areas.length - 1)
  const district = territory.seed.areas[area] ?? territory.seed.city
  const address = `${chance.pick(streets)} No. ${chance.between(1, 240)}, ${district}, ${territory.seed.city} ${territory.seed.postal}${chance.digits(3)}`
  const npwp = `0${chance.digits(15)}`
  const pricingGroupId = isGovernment ? null : size > 2.8 ? masters.pricingGroups.gold : size > 1.4 ? masters.pricingGroups.silver : chance.chance(0.6) ? masters.pricingGroups.regular : null
  const groupIndex = kind === 'modern' ? chance.between(0, 3) : kind === 'wholesale' && chance.chance(0.25) ? 4 : -1
  const groupId = masters.groupIds[groupIndex] ?? null
  const salesmanId = chance.pick(territory.salesmen)
  const collectorId = chance.pick(unit.collectors)
  const opened = addDays(addMonths(setup.start, -chance.between(1, 60)), chance.between(0, 27))
  const position = positionOf(place.code, district)
  const row = book.add('customer', {
    code: place.code, name: place.name, legal_name: isPkp ? place.name : null, customer_category_id: masters.categoryIds.get(profile.category) ?? 0, customer_group_id: groupId,
    sales_channel_id: masters.channelIds.get(profile.channel) ?? 0, sales_area_id: territory.areas[area] ?? null, territory_id: territory.id, operating_unit_id: unit.id,
    payment_term_id: termId, pricing_group_id: pricingGroupId, price_set_id: null, salesman_id: salesmanId, collector_id: collectorId, status: 1, block_reason_id: null,
    is_pkp: isPkp, tax_id_type: isPkp ? 'TIN' : 'NIK', npwp: isPkp ? npwp : null, nik: isPkp ? null : `3${chance.digits(15)}`, nitku: isPkp ? `${npwp}000000` : null,
    tax_name: isPkp ? place.name : null, tax_address: isPkp ? address : null, tax_email: null, trx_code: null, wapu_kind: isGovernment ? 'GOV' : 'NONE',
    pph22_rate: isGovernment ? '1.5' : '0', billing_rule: 'PER_DELIVERY', billing_trigger: term.baseline === 'POD' ? 'POD' : 'GI', requires_ttf: kind === 'modern', ttf_weekday: kind === 'modern' ? 3 : null,
    is_consignment: false, is_cmi: false, is_employee: false, opened_on: opened, ...position, phone: `08${chance.digits(10)}`, email: null, ...common,
  })
  const addressRow = (code: string, addressKind: string, text: string, isDefault: boolean): number => book.add('customer_address', {
    customer_id: row.id, code, kind: addressKind, address: text, city: territory.seed.city, district, postal_code: text.slice(-5), sales_area_id: territory.areas[area] ?? null,
    transport_zone: territory.seed.code, ...(addressKind === 'SHIP_TO' && isDefault ? position : { latitude: null, longitude: null }), is_default: isDefault, ...common,
  }).id
  const billToId = addressRow('B1', 'BILL_TO', address, true)
  const shipToIds = [addressRow('S1', 'SHIP_TO', address, true)]
  if (size > 2 && chance.chance(0.5))
    shipToIds.push(addressRow('S2', 'SHIP_TO', `Gudang ${chance.pick(streets)} No. ${chance.between(1, 99)}, ${district}, ${territory.seed.city} ${territory.seed.postal}${chance.digits(3)}`, false))
  if (isPkp) addressRow('T1', 'TAX', address, true)
  const bank = chance.pick(setup.banks)
  const account = { bankName: bank.name, accountName: place.name.toUpperCase(), accountNumber: chance.digits(10) }
  const { id: accountId } = book.add('customer_payment_account', {
    customer_id: row.id, bank_id: bank.id, bank_name: account.bankName, account_name: account.accountName, account_number: account.accountNumber, va_number: chance.chance(0.2) ? `70012${chance.digits(8)}` : null,
    is_default: true, ...common,
  })
  const isSlow = chance.chance(0.04)
  const habit = isSlow ? 25 + chance.next() * 30 : isGovernment ? 12 + chance.bell() * 6 : kind === 'modern' ? 6 + chance.bell() * 5 : 4 + chance.bell() * 8
  return {
    id: row.id, row, unit, territory, channel: profile.channel, category: profile.category, channelId: row.sales_channel_id, categoryId: row.customer_category_id, groupId,
    pricingGroupId, termId, term, billToId, shipToIds, account: { id: accountId, ...account }, salesmanId, collectorId, isGovernment, size, habit,
    limit: grantLimit(book, chance, setup, row.id, { size, term, habit }),
  }
}

const fallbackTerm: TermSeed = { code: 'N14', name: '14 hari', days: 14, baseline: 'INVOICE', isCash: false, isCod: false }

/** A limit of about what he buys within his term and a half; cash customers mostly have none. */
function grantLimit(book: Book, chance: Dice, setup: CustomerSetup, customerId: number, buyer: { size: number; term: TermSeed; habit: number }): string | undefined {
  const isCash = buyer.term.isCash || buyer.term.isCod
  if (isCash && chance.chance(0.6)) return undefined
  const millions = Math.max(5, Math.ceil((buyer.size * buyer.size * 9 * (buyer.term.days + 25) * (1.1 + chance.next())) / 30 / 5) * 5)
  const amount = money(exact(millions).times(1_000_000))
  const risk = buyer.habit < 0 ? 'A' : buyer.habit < 5 ? 'B' : buyer.habit < 12 ? 'C' : 'D'
  const row = (kind: 'REGULER' | 'TEMPORARY', value: string, from: DateText, to: DateText | null): void => {
    book.add('credit_limit', {
      customer_id: customerId, customer_group_id: null, kind, amount: value, valid_from: from, valid_to: to, overdue_grace_days: risk === 'A' ? 14 : risk === 'D' ? 3 : 7,
      max_overdue_amount: '0', max_open_invoices: chance.chance(0.1) ? 10 : null, review_date: addDays(setup.today, chance.between(-20, 200)), risk_class: risk, ...masterColumns(setup.stamp),
    })
  }
  row('REGULER', amount, addMonths(setup.start, -1), null)
  if (chance.chance(0.05)) row('TEMPORARY', money(exact(amount).times('0.3').round(-6)), addDays(setup.today, -20), addDays(setup.today, 25))
  return amount
}

function nameOf(chance: Dice, kind: Kind, taken: Set<string>, territory: Territory): string {
  for (let attempt = 0; ; attempt++) {
    const word = chance.pick(shopWords)
    const place = attempt > 2 ? ` ${chance.pick(territory.seed.areas)}` : ''
    const family = attempt > 5 ? ` ${chance.pick(familyNames)}` : ''
    const name = ({
      shop: `${chance.pick(['Toko', 'Toko', 'TB', 'Warung'])} ${word}`,
      wholesale: `${chance.pick(['UD', 'CV', 'Grosir', 'PD'])} ${word}`,
      modern: `${chance.pick(chains)} ${chance.pick(territory.seed.areas)}`,
      horeca: `${chance.pick(['RM', 'Hotel', 'Kafe', 'Restoran', 'Katering'])} ${word}`,
      government: `${chance.pick(['RSUD', 'Dinas Kesehatan', 'Dinas Sosial', 'Lapas', 'Balai Diklat'])} ${territory.seed.city}`,
    } satisfies Record<Kind, string>)[kind] + (kind === 'modern' || kind === 'government' ? (attempt > 0 ? ` ${attempt + 1}` : '') : `${place}${family}`)
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

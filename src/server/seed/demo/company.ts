import { addMonths, type DateText } from '#base/date.ts'
import type { Row } from '#server/context.ts'
import { must } from '../insertMissing.ts'
import { firstTerms } from '../legal.ts'
import type { Book } from './book.ts'
import type { Dice } from './dice.ts'
import { demoDomain, people, starred } from './people.ts'
import { familyNames, givenNames, units, type TerritorySeed } from './places.ts'

/** An operating unit with what its daily work needs. */
export interface Unit {
  readonly id: number
  readonly code: string
  readonly weight: number
  readonly warehouseId: number
  readonly banks: readonly HouseBank[]
  readonly cashAccountId: number
  readonly territories: readonly Territory[]
  readonly drivers: readonly number[]
  readonly vehicles: readonly number[]
  readonly collectors: readonly number[]
  readonly users: UnitUsers
}

export interface HouseBank {
  readonly id: number
  readonly accountId: number
  readonly name: string
}

export interface Territory {
  readonly id: number
  readonly unitId: number
  readonly seed: TerritorySeed
  readonly areas: readonly number[]
  readonly salesmen: readonly number[]
}

/** Who enters, decides and posts in a unit. */
export interface UnitUsers {
  readonly sales: number
  readonly warehouse: number
  readonly billing: number
  readonly cashier: number
  readonly credit: number
  readonly supervisor: number
  readonly manager: number
  readonly director: number
  readonly receivables: number
  readonly finance: number
  readonly admin: number
}

export interface CompanySetup {
  readonly stamp: Row
  /** Moment of seeding. */
  readonly now: string
  readonly start: DateText
  readonly passwordHash: string
  readonly roleIds: ReadonlyMap<string, number>
  readonly accountIds: ReadonlyMap<string, number>
}

/** Columns every master record carries. */
export function masterColumns(stamp: Row): Row {
  return { is_active: true, version: 1, ...stamp }
}

/** Company, units, territories, people, vehicles, banks and cash: the house before it trades. */
export function buildCompany(book: Book, chance: Dice, setup: CompanySetup): { readonly units: readonly Unit[]; readonly bankIds: readonly { id: number; name: string }[] } {
  const common = masterColumns(setup.stamp)
  const company = book.add('company', {
    code: 'ARUS', name: 'Arus Niaga Nusantara', legal_name: 'PT Arus Niaga Nusantara', npwp: '0012345678901000', nitku: '0012345678901000000000', is_pkp: true,
    address: 'Jl. Pluit Raya No. 88, Penjaringan, Jakarta Utara 14440', city: 'Jakarta', phone: '021-6690088', email: `office@${demoDomain}`,
    base_currency: 'IDR', fiscal_year_start_month: 1, tax_sign_name: 'Bambang Santoso', tax_sign_title: 'Finance Manager', default_trx_code: '04', ...common,
  })
  const bankIds = banks.map(([code, name, biCode]) => ({ ...book.add('bank', { code, name, bi_code: biCode, ...common }), name }))
  const bankByCode = new Map(banks.map(([code], i) => [code, bankIds[i]?.id ?? 0]))
  const unitRows = units.map((unit) => ({
    seed: unit,
    row: book.add('operating_unit', {
      code: unit.code, name: unit.name, company_id: company.id, kind: unit.kind, is_head_office: unit.kind === 'HO', nitku_suffix: unit.nitku, address: unit.address,
      default_warehouse_id: null as number | null, default_cash_account_id: null as number | null, ...common,
    }),
  }))
  const users = buildPeople(book, setup, new Map(unitRows.map(({ seed, row }) => [seed.code, row.id])))
  const built = unitRows.map(({ seed, row }): Unit => {
    const territories = seed.territories.map((territory) => buildTerritory(book, chance, common, row.id, territory))
    const warehouse = book.add('warehouse', { code: `WH-${seed.code}`, name: `Gudang ${seed.name}`, operating_unit_id: row.id, kind: 'MAIN', stock_class: 'UNRESTRICTED', customer_id: null, employee_id: null, ...common })
    book.add('warehouse', { code: `RT-${seed.code}`, name: `Gudang Retur ${seed.name}`, operating_unit_id: row.id, kind: 'RETURN', stock_class: 'RETURN', customer_id: null, employee_id: null, ...common })
    const employees = (position: string, count: number): number[] =>
      Array.from({ length: count }, (_, i) => book.add('employee', {
        work_number: `${seed.code}-${position.slice(0, 3)}${i + 1}`, name: `${chance.pick(givenNames)} ${chance.pick(familyNames)}`, operating_unit_id: row.id, position, nik: null, user_id: null as number | null, ...common,
      }).id)
    const unitBanks = houseBanks.filter((bank) => bank.unit === seed.code).map((bank): HouseBank => {
      const accountId = setup.accountIds.get(bank.account) ?? addBankAccount(book, bank.account, bank.name, common)
      const { id } = book.add('house_bank', {
        code: bank.code, operating_unit_id: row.id, name: bank.name, bank_id: must(bankByCode, bank.bank), account_no: bank.number,
        account_name: 'PT Arus Niaga Nusantara', gl_account_id: accountId, currency: 'IDR', is_collection: true, va_prefix: bank.va, ...common,
      })
      return { id, accountId, name: bank.name }
    })
    const cashier = employees('CASHIER', 1)
    const cash = book.add('cash_account', {
      code: `KAS-${seed.code}`, name: `Kas Kasir ${seed.name}`, operating_unit_id: row.id, kind: 'CASHIER', gl_account_id: must(setup.accountIds, '111102'),
      holder_employee_id: cashier[0] ?? null, ...common,
    })
    book.add('cash_account', {
      code: `KK-${seed.code}`, name: `Kas Kecil ${seed.name}`, operating_unit_id: row.id, kind: 'PETTY', gl_account_id: must(setup.accountIds, '111101'), holder_employee_id: null, ...common,
    })
    Object.assign(row, { default_warehouse_id: warehouse.id, default_cash_account_id: cash.id })
    employees('WAREHOUSE', 3)
    const vehicles = vehicleKinds.map(([kind, name, weight, volume], i) => book.add('vehicle', {
      code: `${plateArea(seed.code)} ${chance.digits(4)} ${['KTA', 'NIA', 'TRK', 'BOX'][i] ?? 'ARS'}`, name: `${name} ${seed.name}`, operating_unit_id: row.id, kind,
      max_weight: weight, max_volume: volume, transporter_id: null, ...common,
    }).id)
    return {
      id: row.id, code: seed.code, weight: seed.weight, warehouseId: warehouse.id, banks: unitBanks, cashAccountId: cash.id, territories,
      drivers: employees('DRIVER', 4), collectors: employees('COLLECTOR', 2), vehicles, users: usersOf(users, seed.code),
    }
  })
  linkPeople(book)
  for (const person of people) {
    const allowed = person.unit === 'all' ? built : built.filter((unit) => unit.code === person.unit)
    const userId = must(users, person.account)
    for (const [i, url] of (starred[person.role] ?? []).entries()) book.add('starred_page', { user_id: userId, url, title: null, sort_order: i + 1 })
    if (person.unit !== 'all')
      for (const unit of allowed)
        for (const [i, territory] of unit.territories.entries())
          book.add('user_territory', { user_id: userId, territory_id: territory.id, operating_unit_id: unit.id, is_default: i === 0 })
  }
  return { units: built, bankIds }
}

const banks: readonly (readonly [code: string, name: string, biCode: string])[] = [
  ['BCA', 'Bank Central Asia', '014'], ['MDR', 'Bank Mandiri', '008'], ['BRI', 'Bank Rakyat Indonesia', '002'], ['BNI', 'Bank Negara Indonesia', '009'],
  ['CIMB', 'CIMB Niaga', '022'], ['PMT', 'Bank Permata', '013'],
]

const houseBanks = [
  { unit: 'JKT', code: 'BCA-JKT', bank: 'BCA', name: 'BCA Pluit', account: '111201', number: '0843017788', va: '70012' },
  { unit: 'JKT', code: 'MDR-JKT', bank: 'MDR', name: 'Mandiri Kelapa Gading', account: '111202', number: '1250010203040', va: '88810' },
  { unit: 'BDG', code: 'BCA-BDG', bank: 'BCA', name: 'BCA Buahbatu', account: '111204', number: '2830556677', va: '70013' },
  { unit: 'SBY', code: 'BRI-SBY', bank: 'BRI', name: 'BRI Rungkut', account: '111203', number: '031801000123301', va: '26215' },
  { unit: 'SBY', code: 'BCA-SBY', bank: 'BCA', name: 'BCA Darmo', account: '111205', number: '0881223344', va: '70014' },
] as const

const vehicleKinds: readonly (readonly [kind: string, name: string, weight: string, volume: string])[] = [
  ['TRUCK', 'Truk CDD', '4000', '20'], ['TRUCK', 'Truk CDE', '2200', '12'], ['TRUCK', 'Truk Box', '2000', '10'], ['VAN', 'Van', '800', '4'],
]

function plateArea(unit: string): string {
  return unit === 'JKT' ? 'B' : unit === 'BDG' ? 'D' : 'L'
}

function addBankAccount(book: Book, code: string, name: string, common: Row): number {
  return book.add('account', {
    code, name: `Bank ${name}`, name_id: `Bank ${name}`, type: 'ASSET', normal: 'D', is_control: true, control_kind: 'BANK', parent_code: '111', is_postable: true, ...common,
  }).id
}

function buildTerritory(book: Book, chance: Dice, common: Row, unitId: number, seed: TerritorySeed): Territory {
  const { id } = book.add('territory', { code: seed.code, name: seed.name, parent_id: null, operating_unit_id: unitId, ...common })
  const areas = seed.areas.map((name, i) => book.add('sales_area', { code: `${seed.code}-${i + 1}`, name, territory_id: id, parent_id: null, ...common }).id)
  const salesmen = [1, 2].map((n) => book.add('employee', {
    work_number: `S-${seed.code}-${n}`, name: `${chance.pick(givenNames)} ${chance.pick(familyNames)}`, operating_unit_id: unitId, position: 'SALESMAN', nik: null, user_id: null as number | null, ...common,
  }).id)
  return { id, unitId, seed, areas, salesmen }
}

function buildPeople(book: Book, setup: CompanySetup, unitIds: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const users = new Map(people.map((person) => [person.account, book.add('app_user', {
    email: `${person.account}@${demoDomain}`, name: person.name, password_hash: setup.passwordHash, role_id: must(setup.roleIds, person.role),
    territory_scope: person.unit !== 'all', operating_unit_id: person.unit === 'all' ? null : must(unitIds, person.unit), is_show_tos: false,
    tos_agreed_at: setup.stamp['created_at'], password_change_date: setup.now, work_number: null, failed_login_count: 0, locked_until: null, ...masterColumns(setup.stamp),
  }).id]))
  for (const id of users.values()) book.add('tos_agreement', { user_id: id, version: firstTerms, at: setup.stamp['created_at'] })
  return users
}

/** Cashiers, warehouse heads and field salesmen are employees of their unit, too: they sign in under their work number. */
function linkPeople(book: Book): void {
  for (const person of people) {
    const position = person.role === 'CASHIER' ? 'CAS' : person.role === 'WH_HEAD' ? 'WAR' : undefined
    const user = book.rows('app_user').find((row) => row['email'] === `${person.account}@${demoDomain}`)
    const number = person.role === 'SALESMAN' ? `S-${person.unit}-U-1` : `${person.unit}-${position ?? ''}1`
    const employee = book.rows('employee').find((row) => row['work_number'] === number)
    // His employee comes with his van.
    if (user !== undefined && person.role === 'CANVASSER') Object.assign(user, { work_number: `${person.unit}-CAN1` })
    if (user === undefined || employee === undefined) continue
    Object.assign(user, { work_number: employee['work_number'] })
    Object.assign(employee, { name: person.name, user_id: user['id'] })
  }
}

function usersOf(users: ReadonlyMap<string, number>, unit: string): UnitUsers {
  const own = (account: string): number => users.get(`${account}.${unit.toLowerCase()}`) ?? must(users, account)
  return {
    sales: own('sales'), warehouse: own('warehouse'), billing: own('billing'), cashier: own('cashier'), credit: own('credit'), supervisor: own('supervisor'), manager: own('manager'), director: own('director'),
    receivables: own('receivables'), finance: own('finance'), admin: own('admin'),
  }
}

/** Days of work: Monday to Saturday, without the long Idul Fitri break. */
export function isWorkday(day: DateText): boolean {
  return new Date(`${day}T00:00:00Z`).getUTCDay() !== 0 && !(day.slice(5) >= '03-19' && day.slice(5) <= '03-24') && day.slice(5) !== '01-01' && day.slice(5) !== '08-17' && day.slice(5) !== '12-25'
}


/** First day of the 18 months of trade that end on `today`. */
export function firstTradingDay(today: DateText): DateText {
  return `${addMonths(today, -18).slice(0, 7)}-01`
}

import type { WireRecord } from '#api/envelope.ts'
import type { Answer } from '../data/http.ts'
import { pictureOf } from '../data/pictures.ts'
import { listRecords, readRecord } from '../data/records.ts'
import { isWithheld } from '../data/withheld.ts'

/** Company, customer, addresses and bank accounts around a document, as they are stored; undefined what is not there or not the reader's to see. */
export interface Facts {
  readonly company: WireRecord | undefined
  /** Address of the company's mark, already loaded. */
  readonly logo: string | undefined
  readonly customer: WireRecord | undefined
  readonly billTo: WireRecord | undefined
  readonly shipTo: WireRecord | undefined
  readonly banks: readonly WireRecord[]
  /** The accounts are there, but the reader's role may not see them: he is told before the paper goes out without. */
  readonly areBanksHidden: boolean
}

export type FactReader = (record: WireRecord, withBanks: boolean) => Promise<Answer<Facts>>

/** Reads what stands around documents printed together; what several have in common is asked for once. */
export function factReader(): FactReader {
  const known = new Map<string, Promise<Found>>()
  return (record, withBanks) =>
    readFacts(record, withBanks, (key, read) => {
      const found = known.get(key) ?? read()
      known.set(key, found)
      return found
    })
}

type Once = (key: string, read: () => Promise<Found>) => Promise<Found>

/** A paper without its address because the network failed would go out as it is: then there is a refusal and no paper. */
async function readFacts(record: WireRecord, withBanks: boolean, once: Once): Promise<Answer<Facts>> {
  const unit = record['OperatingUnitID']
  const byId = (resource: string, id: unknown) => once(`${resource} ${String(id)}`, () => readById(resource, id))
  const [company, customer, billTo, shipTo, banks] = await Promise.all([
    once(`company of ${String(unit)}`, () => companyOf(unit)),
    byId('customer', record['CustomerID']),
    byId('customer-address', record['BillToID']),
    byId('customer-address', record['ShipToID']),
    withBanks
      ? once(`banks of ${String(unit)}`, () => rows('house-bank', {
          columns: 'name,bank_id,account_no,account_name,is_collection',
          filter: JSON.stringify({ is_collection: true, is_active: true, ...(typeof unit === 'number' ? { operating_unit_id: unit } : {}) }),
          length: 5,
          count: false,
        }))
      : none,
  ])
  for (const answer of [company, customer, billTo, shipTo, banks]) if (!answer.ok) return answer
  const [first, who, bill, ship, accounts] = [company, customer, billTo, shipTo, banks].map((answer) => (answer.ok ? answer.value : []))
  return { ok: true, value: { company: first?.[0], logo: await loaded(first?.[0]?.['LogoCode']), customer: who?.[0], billTo: bill?.[0], shipTo: ship?.[0], banks: accounts ?? [], areBanksHidden: banks === hidden } }
}

/** A paper may be printed the moment it is shown: the picture is there by then, or left out. */
async function loaded(key: unknown): Promise<string | undefined> {
  const url = typeof key === 'string' ? await pictureOf(key) : undefined
  if (url === undefined) return undefined
  const image = new Image()
  image.src = url
  return image.decode().then(
    () => url,
    () => undefined,
  )
}

type Found = Answer<readonly WireRecord[]>

const none: Found = { ok: true, value: [] }
const hidden: Found = { ok: true, value: [] }

async function readById(resource: string, id: unknown): Promise<Found> {
  if (typeof id !== 'number') return none
  const answer = await readRecord(resource, id)
  if (answer.ok) return { ok: true, value: [answer.value.record] }
  return isWithheld(answer.problem) ? none : answer
}

/** The company a unit belongs to. Whoever prints may read it, though he may not see the list of companies. */
async function companyOf(unit: unknown): Promise<Found> {
  const answer = await readById('operating-unit', unit)
  return answer.ok ? readById('company', answer.value[0]?.['CompanyID']) : answer
}

async function rows(resource: string, query: Parameters<typeof listRecords>[1]): Promise<Found> {
  const answer = await listRecords(resource, query)
  if (answer.ok) return { ok: true, value: answer.value.rows }
  return isWithheld(answer.problem) ? hidden : answer
}

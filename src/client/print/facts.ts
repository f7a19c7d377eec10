import type { WireRecord } from '#api/envelope.ts'
import type { Answer } from '../data/http.ts'
import { pictureOf } from '../data/pictures.ts'
import { listRecords, readRecord } from '../data/records.ts'
import { isWithheld } from '../data/withheld.ts'
import type { PrintLayout } from './sheet.ts'

/** Company, customer, addresses and bank accounts around a document, as they are stored; undefined what is not there or not the reader's to see. */
export interface Facts {
  readonly company: WireRecord | undefined
  /** Address of the company's mark, already loaded. */
  readonly logo: string | undefined
  readonly customer: WireRecord | undefined
  readonly billTo: WireRecord | undefined
  readonly shipTo: WireRecord | undefined
  /** The vendor the document is with, his address, and his invoice it is about. */
  readonly vendor: WireRecord | undefined
  readonly vendorAddress: WireRecord | undefined
  readonly vendorInvoice: WireRecord | undefined
  readonly banks: readonly WireRecord[]
  /** The accounts are there, but the reader's role may not see them: he is told before the paper goes out without. */
  readonly areBanksHidden: boolean
}

export type FactReader = (record: WireRecord, layout: Pick<PrintLayout, 'hasBanks' | 'hasVendor'>) => Promise<Answer<Facts>>

/** Reads what stands around documents printed together; what several have in common is asked for once. */
export function factReader(): FactReader {
  const known = new Map<string, Promise<Found>>()
  return (record, layout) =>
    readFacts(record, layout, (key, read) => {
      const found = known.get(key) ?? read()
      known.set(key, found)
      return found
    })
}

type Once = (key: string, read: () => Promise<Found>) => Promise<Found>

/** A paper without its address because the network failed would go out as it is: then there is a refusal and no paper. */
async function readFacts(record: WireRecord, { hasBanks, hasVendor = false }: Parameters<FactReader>[1], once: Once): Promise<Answer<Facts>> {
  const unit = record['OperatingUnitID']
  const byId = (resource: string, id: unknown) => once(`${resource} ${String(id)}`, () => readById(resource, id))
  const ofVendor = (resource: string, id: unknown) => (hasVendor ? byId(resource, id) : none)
  const [company, customer, billTo, shipTo, vendor, vendorAddress, vendorInvoice, banks] = await Promise.all([
    once(`company of ${String(unit)}`, () => companyOf(unit)),
    byId('customer', record['CustomerID']),
    byId('customer-address', record['BillToID']),
    byId('customer-address', record['ShipToID']),
    ofVendor('business-partner', record['VendorID']),
    hasVendor ? once(`address of ${String(record['VendorID'])}`, () => addressOfVendor(record['VendorID'])) : none,
    ofVendor('vendor-invoice', record['VendorInvoiceID']),
    hasBanks
      ? once(`banks of ${String(unit)}`, () => rows('house-bank', {
          columns: 'name,bank_id,account_no,account_name,is_collection',
          filter: JSON.stringify({ is_collection: true, is_active: true, ...(typeof unit === 'number' ? { operating_unit_id: unit } : {}) }),
          length: 5,
          count: false,
        }))
      : none,
  ])
  const found = [company, customer, billTo, shipTo, vendor, vendorAddress, vendorInvoice, banks]
  for (const answer of found) if (!answer.ok) return answer
  const [first, who, bill, ship, partner, place, invoiced, accounts] = found.map((answer) => (answer.ok ? answer.value : []))
  return {
    ok: true,
    value: {
      company: first?.[0],
      logo: await loaded(first?.[0]?.['LogoCode']),
      customer: who?.[0],
      billTo: bill?.[0],
      shipTo: ship?.[0],
      vendor: partner?.[0],
      vendorAddress: place?.[0],
      vendorInvoice: invoiced?.[0],
      banks: accounts ?? [],
      areBanksHidden: banks === hidden,
    },
  }
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

/** Where he is registered for tax, else where his letters go. */
async function addressOfVendor(vendor: unknown): Promise<Found> {
  if (typeof vendor !== 'number') return none
  const answer = await rows('business-partner-address', { columns: 'kind,address,city,postal_code,is_default', filter: JSON.stringify({ business_partner_id: vendor, is_active: true }), length: 50, count: false })
  if (!answer.ok) return answer
  const [first] = answer.value.toSorted((a, b) => rank(b) - rank(a))
  return first === undefined ? none : { ok: true, value: [first] }
}

function rank(address: WireRecord): number {
  return (address['Kind'] === 'TAX' ? 2 : 0) + (address['IsDefault'] === true ? 1 : 0)
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

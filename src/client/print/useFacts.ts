import { useEffect, useState } from 'react'
import { listRecords, readRecord } from '../data/records.ts'
import type { WireRecord } from '#api/envelope.ts'

/** Company, customer, addresses and bank accounts around a document, as they are stored. Undefined while they are read. */
export interface Facts {
  readonly company: WireRecord | undefined
  readonly customer: WireRecord | undefined
  readonly billTo: WireRecord | undefined
  readonly shipTo: WireRecord | undefined
  readonly banks: readonly WireRecord[]
}

export function useFacts(record: WireRecord, withBanks: boolean): Facts | undefined {
  const [facts, setFacts] = useState<Facts | undefined>()
  useEffect(() => {
    let isCurrent = true
    const unit = record['OperatingUnitID']
    void Promise.all([
      first('company'),
      byId('customer', record['CustomerID']),
      byId('customer-address', record['BillToID']),
      byId('customer-address', record['ShipToID']),
      withBanks
        ? listRecords('house-bank', {
            columns: 'name,bank_id,account_no,account_name,is_collection',
            filter: JSON.stringify({ is_collection: true, is_active: true, ...(typeof unit === 'number' ? { operating_unit_id: unit } : {}) }),
            length: 5,
            count: false,
          })
        : undefined,
    ]).then(([company, customer, billTo, shipTo, banks]) => {
      if (isCurrent) setFacts({ company, customer, billTo, shipTo, banks: banks?.ok === true ? banks.value.rows : [] })
    })
    return () => {
      isCurrent = false
    }
  }, [record, withBanks])
  return facts
}

async function byId(resource: string, id: unknown): Promise<WireRecord | undefined> {
  if (typeof id !== 'number') return undefined
  const answer = await readRecord(resource, id)
  return answer.ok ? answer.value.record : undefined
}

async function first(resource: string): Promise<WireRecord | undefined> {
  const answer = await listRecords(resource, { columns: 'name,legal_name,npwp,address,city,phone,email,tax_sign_name,tax_sign_title', length: 1, count: false })
  return answer.ok ? answer.value.rows[0] : undefined
}

import { Suspense, use } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import { Skeleton } from '../ui/States.tsx'
import { printLayout } from '../print/layouts.ts'
import { PrintDesk } from '../print/PrintPage.tsx'

const company: WireRecord = { ID: 1, LegalName: 'PT Contoh Niaga', Address: 'Jl. Contoh 1', City: 'Jakarta', Phone: '021-000000', Email: 'office@example.com', Npwp: '0000000000000000', TaxSignName: 'Sari', TaxSignTitle: 'Finance' }
const address: WireRecord = { ID: 1, Address: 'Jl. Melati 5', City: 'Bandung', PostalCode: '40111' }

/** An invoice of more lines than one page holds. */
const record: WireRecord = {
  ID: 1, Code: 'INV/SMP/2606/00001', Status: 1, CustomerName: 'Toko Melati', CustomerCode: 'SP-1001', DocDate: '2026-06-15', DueDate: '2026-07-15',
  Gross: '7650000.00', Discount: '0.00', Promo: '0.00', Dpp: '7650000.00', DppOther: '7012500.00', Ppn: '841500.00', Total: '8491500.00', Note: '',
  Lines: Array.from({ length: 45 }, (_, i) => ({ ID: i + 1, ItemCode: `SKU-${1001 + i}`, ItemName: i % 4 === 0 ? 'Sample item with a name long enough for two lines' : 'Sample item', Qty: '2.000', Uom: 'CTN', Price: '85000.0000', Discount: '0.00', Promo: '0.00', Dpp: '170000.00', IsFree: false })),
}

const documents = [{ record, facts: { company, logo: undefined, customer: undefined, billTo: address, shipTo: address, vendor: undefined, vendorAddress: undefined, vendorInvoice: undefined, banks: [], areBanksHidden: false } }]

const loading = printLayout('invoice')?.()

/** The frame of the print layouts, with an invoice of the samples. */
export function SamplePrint() {
  return (
    <Suspense fallback={<Skeleton lines={12} />}>
      <Desk />
    </Suspense>
  )
}

function Desk() {
  const layout = loading === undefined ? undefined : use(loading)
  if (layout === undefined) return null
  return <PrintDesk name="sample" layout={layout} documents={documents} />
}

import type { PrintName } from '#generated/names.ts'
import { loadChunk } from '../app/chunks.ts'
import type { PrintLayout } from './sheet.ts'

/** The print layouts that schemas name, each loaded when first opened. */
const layouts = {
  invoice: async () => (await loadChunk(() => import('./layouts/invoice.tsx'))).invoice,
  'consignment-invoice': async () => (await loadChunk(() => import('./layouts/consignmentInvoice.tsx'))).consignmentInvoice,
  'payment-collection': async () => (await loadChunk(() => import('./layouts/collectionList.tsx'))).collectionList,
  'invoice-exchange': async () => (await loadChunk(() => import('./layouts/invoiceExchange.tsx'))).invoiceExchange,
  'canvas-loading': async () => (await loadChunk(() => import('./layouts/canvasRequest.tsx'))).canvasLoading,
  'canvas-unloading': async () => (await loadChunk(() => import('./layouts/canvasRequest.tsx'))).canvasUnloading,
  'cn-supplier': async () => (await loadChunk(() => import('./layouts/supplierCreditNote.tsx'))).supplierCreditNote,
  'debit-note': async () => (await loadChunk(() => import('./layouts/debitNote.tsx'))).debitNote,
  'dn-tax-return': async () => (await loadChunk(() => import('./layouts/vendorTaxReturn.tsx'))).vendorTaxReturn,
  'dn-tax-return-draft': async () => (await loadChunk(() => import('./layouts/vendorTaxReturn.tsx'))).vendorTaxReturnDraft,
  'tax-return': async () => (await loadChunk(() => import('./layouts/taxReturn.tsx'))).taxReturn,
  'sales-order': async () => (await loadChunk(() => import('./layouts/salesOrder.tsx'))).salesOrder,
  'sales-return': async () => (await loadChunk(() => import('./layouts/salesReturn.tsx'))).salesReturn,
  'sales-return-old': async () => (await loadChunk(() => import('./layouts/salesReturn.tsx'))).salesReturnOld,
} satisfies Record<PrintName, () => Promise<PrintLayout>>

/** The layout of this name; undefined when no code has it. */
export function printLayout(name: string): (() => Promise<PrintLayout>) | undefined {
  return isPrintName(name) ? layouts[name] : undefined
}

function isPrintName(name: string): name is PrintName {
  return Object.hasOwn(layouts, name)
}

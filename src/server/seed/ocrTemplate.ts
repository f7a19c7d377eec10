import type { Template } from '#domain/ocr/extract.ts'

export const genericTemplateCode = 'UMUM'

/** For invoices of vendors without a template of their own: the words usual here, in Indonesian and English. */
export function genericTemplate(id: number): Template {
  const field = (name: string, type: Template['fields'][number]['type'], anchor: string, pattern: string | null = null): Template['fields'][number] => ({ field: name, type, anchor, pattern, box: null, page: null })
  return {
    id,
    pageAnchor: null,
    fields: [
      field('invoice_no', 'text', 'No. Faktur|Nomor Faktur|No. Invoice|Nomor Invoice|Invoice No|Invoice Number|No. Tagihan', String.raw`([A-Z0-9][\w./-]*\d[\w./-]*)`),
      field('invoice_date', 'date', 'Tanggal|Tgl|Tanggal Faktur|Invoice Date|Date'),
      field('faktur_number', 'digits', 'No. Seri Pajak|Kode dan Nomor Seri Faktur Pajak|Nomor Seri Faktur Pajak|No. Faktur Pajak|Tax Invoice No', String.raw`(\d{3}[\d\s.-]{12,20}\d)`),
      field('dpp', 'money', 'DPP|Dasar Pengenaan Pajak|Subtotal|Sub Total|Net Amount'),
      field('ppn', 'money', 'PPN|VAT'),
      field('total', 'money', 'Jumlah Dibayar|Total Dibayar|Jumlah Tagihan|Total Tagihan|Grand Total|Total Amount|Total'),
    ],
  }
}

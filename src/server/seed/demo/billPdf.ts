/** Where and what on an A4 page, in millimetres; size in points. */
export interface Mark {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
}

export interface Bill {
  readonly seller: string
  readonly taxNumber: string
  readonly no: string
  readonly day: string
  readonly faktur: string
  readonly lines: readonly (readonly [item: string, qty: string, price: string, amount: string])[]
  readonly dpp: string
  readonly ppn: string
  readonly total: string
}

/** An invoice as vendors here print it. */
export function marksOf(bill: Bill): readonly Mark[] {
  const head: readonly Mark[] = [
    { x: 20, y: 25, text: bill.seller, size: 16 },
    { x: 20, y: 32, text: `NPWP : ${bill.taxNumber}` },
    { x: 140, y: 25, text: 'FAKTUR', size: 14 },
    { x: 20, y: 48, text: 'Kepada : PT Arus Distribusi Nusantara' },
    { x: 120, y: 48, text: `No. Faktur : ${bill.no}` },
    { x: 120, y: 55, text: `Tanggal : ${bill.day}` },
    { x: 120, y: 62, text: `No. Seri Pajak : ${bill.faktur}` },
  ]
  const columns = [20, 105, 130, 160] as const
  const titles = ['Nama Barang', 'Qty', 'Harga', 'Jumlah'].map((text, i): Mark => ({ x: columns[i] ?? 0, y: 80, text }))
  const lines = bill.lines.flatMap((line, row) => line.map((text, i): Mark => ({ x: columns[i] ?? 0, y: 90 + row * 8, text })))
  const foot = 100 + bill.lines.length * 8
  const sums = ([['DPP', bill.dpp], ['PPN', bill.ppn], ['Jumlah Dibayar', bill.total]] as const).flatMap(([name, amount], i): Mark[] => [{ x: 115, y: foot + i * 8, text: name }, { x: 160, y: foot + i * 8, text: amount }])
  return [...head, ...titles, ...lines, ...sums]
}

/** A PDF whose pages say their words themselves. */
export function digitalPdf(pages: readonly (readonly Mark[])[]): Buffer {
  const points = (mm: number): string => ((mm / 25.4) * 72).toFixed(2)
  return pdfOf(pages.map((marks) => ({
    resources: '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
    content: Buffer.from(marks.map(({ x, y, text, size = 10 }) => `BT /F1 ${size} Tf ${points(x)} ${points(297 - y)} Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`).join('\n')),
    objects: [],
  })))
}

export interface PdfParts {
  readonly resources: string
  readonly content: Buffer
  /** The first is what `0 0 R` in the resources names. */
  readonly objects: readonly Buffer[]
}

/** A PDF of these pages, without anything it does not need. */
export function pdfOf(pages: readonly PdfParts[]): Buffer {
  const bodies: Buffer[] = []
  const add = (body: Buffer | string): number => bodies.push(Buffer.from(body as string))
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  const kids = pages.map(({ resources, content, objects }) => {
    const [own] = objects.map((body) => add(body))
    const stream = add(Buffer.concat([Buffer.from(`<< /Length ${content.length} >>\nstream\n`), content, Buffer.from('\nendstream')]))
    return add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources.replace('0 0 R', `${own ?? 0} 0 R`)} /Contents ${stream} 0 R >>`)
  })
  bodies[1] = Buffer.from(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [i, body] of bodies.entries()) {
    places.push(at)
    const whole = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(whole)
    at += whole.length
  }
  parts.push(Buffer.from(`xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`))
  return Buffer.concat(parts)
}

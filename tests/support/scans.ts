import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import sharp from 'sharp'
import { pdfOf, type Mark } from '#server/seed/demo/billPdf.ts'

export { digitalPdf, marksOf, type Bill, type Mark } from '#server/seed/demo/billPdf.ts'

/** The page as a picture of so many dots per inch. */
export async function picture(marks: readonly Mark[], dpi = 300): Promise<Buffer> {
  // The machine may have no fonts of its own.
  GlobalFonts.registerFromPath(path.join(path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts/LiberationSans-Regular.ttf'), 'Invoice')
  const [width, height] = [Math.round((210 / 25.4) * dpi), Math.round((297 / 25.4) * dpi)]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#111'
  for (const { x, y, text, size = 10 } of marks) {
    context.font = `${Math.round((size / 72) * dpi)}px Invoice`
    context.fillText(text, (x / 25.4) * dpi, (y / 25.4) * dpi)
  }
  return canvas.encode('png')
}

export function turned(png: Buffer, degrees: number): Promise<Buffer> {
  return sharp(png).rotate(degrees, { background: '#fff' }).png().toBuffer()
}

/** Speckled and pressed as a bad copy. */
export async function noisy(png: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(png).metadata()
  const noise = await sharp({ create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 30 } } }).png().toBuffer()
  return sharp(png).flatten().composite([{ input: noise, blend: 'soft-light' }]).blur(0.8).jpeg({ quality: 60 }).toBuffer()
}

/** A PDF that is a picture of each page. */
export async function scannedPdf(pictures: readonly Buffer[]): Promise<Buffer> {
  const pages = await Promise.all(pictures.map(async (png) => {
    const { data, info } = await sharp(png).flatten().grayscale().jpeg({ quality: 80 }).toBuffer({ resolveWithObject: true })
    const head = `<< /Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length ${data.length} >>`
    return { resources: '<< /XObject << /Im 0 0 R >> >>', content: Buffer.from('q 595 0 0 842 0 0 cm /Im Do Q'), objects: [Buffer.concat([Buffer.from(`${head}\nstream\n`), data, Buffer.from('\nendstream')])] }
  }))
  return pdfOf(pages)
}

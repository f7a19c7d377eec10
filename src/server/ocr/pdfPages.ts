import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Word } from '#domain/ocr/page.ts'
import { mostPages } from './job.ts'
import { prescan } from './prescan.ts'

const dpi = 200
const most = { items: 100_000, pixels: 25e6 }
/** A page with less text is a picture of one. */
const leastText = 20

export class TooManyPages extends Error {}

export interface PdfPage {
  /** Undefined: the file says nothing of its words. */
  readonly words: readonly Word[] | undefined
  readonly picture: Buffer
}

/** Pages of a PDF, one after the other, each with its picture of 200 dpi. Throws what pdf.js throws, and TooManyPages. */
export async function* pdfPages(bytes: Buffer, onPages: (count: number) => void): AsyncGenerator<PdfPage> {
  prescan(bytes)
  const root = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const folder = (name: string): string => `${path.join(root, name)}/`
  const task = getDocument({
    data: new Uint8Array(bytes), isEvalSupported: false, disableFontFace: true, useSystemFonts: false, maxImageSize: most.pixels, canvasMaxAreaInBytes: most.pixels * 4, enableXfa: false, verbosity: 0,
    standardFontDataUrl: folder('standard_fonts'), cMapUrl: folder('cmaps'), cMapPacked: true, wasmUrl: folder('wasm'),
  })
  const file: PDFDocumentProxy = await task.promise
  try {
    if (file.numPages > mostPages) throw new TooManyPages(String(file.numPages))
    onPages(file.numPages)
    for (let no = 1; no <= file.numPages; no++) {
      const page = await file.getPage(no)
      yield { words: await wordsOf(page), picture: await pictureOf(page) }
      page.cleanup()
    }
  } finally {
    await task.destroy()
  }
}

async function wordsOf(page: PDFPageProxy): Promise<readonly Word[] | undefined> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const words: Word[] = []
  const reader = page.streamTextContent().getReader()
  let count = 0
  for (;;) {
    const { value, done } = (await reader.read()) as { value?: { items: readonly { str?: string; transform: readonly number[]; width: number; height: number }[] }; done: boolean }
    if (done) break
    for (const item of value?.items ?? []) {
      if (++count > most.items) throw new Error('too much text')
      if (item.str === undefined || item.str.trim() === '') continue
      words.push(...split(item.str, item.width, item.height || Math.abs(item.transform[3] ?? 0), place(item.transform, transform), { width, height }))
    }
  }
  const text = words.map((word) => word.text).join('')
  // Fonts that do not say what their signs mean come out as signs of nobody.
  const isUnreadable = (text.match(/\p{Co}|\uFFFD/gu) ?? []).length > text.length / 20
  return text.length < leastText || isUnreadable ? undefined : words
}

/** Place on the page as it is looked at. */
function place([, , , , x = 0, y = 0]: readonly number[], [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): { readonly x: number; readonly y: number } {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

/** A run of text as words, their widths shared out by letters. */
function split(text: string, wide: number, high: number, at: { readonly x: number; readonly y: number }, { width, height }: { readonly width: number; readonly height: number }): Word[] {
  const each = wide / text.length
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0], confidence: 100, box: { x: (at.x + each * match.index) / width, y: (at.y - high) / height, w: (each * match[0].length) / width, h: (high * 1.2) / height },
  }))
}

async function pictureOf(page: PDFPageProxy): Promise<Buffer> {
  const viewport = page.getViewport({ scale: dpi / 72 })
  if (viewport.width * viewport.height > most.pixels) throw new Error('a page is too large')
  const canvas = createCanvas(Math.floor(viewport.width), Math.floor(viewport.height))
  await page.render({ canvas: canvas as never, canvasContext: canvas.getContext('2d') as never, viewport }).promise
  return canvas.encode('png')
}

import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { readingsOf, templateFor } from '#domain/ocr/extract.ts'
import { linesOf, type Page, type Word } from '#domain/ocr/page.ts'
import type { FromReader, PagePicture, ReadJob, ReadRefusal, ReadResult } from './job.ts'
import { pdfPages, TooManyPages } from './pdfPages.ts'
import { prepareImage } from './prepareImage.ts'
import { Recogniser } from './recogniser.ts'

// A process of its own for each file: what a file does to it, it does to nobody else.
process.once('message', (job: ReadJob) => {
  void read(job).then(
    (result) => say({ kind: 'done', result }),
    (error: unknown) => say({ kind: 'refused', why: whyOf(error), text: error instanceof Error ? error.message : String(error) }),
  )
})

function say(message: FromReader): void {
  process.send?.(message, () => {
    if (message.kind !== 'page') process.disconnect()
  })
}

async function read(job: ReadJob): Promise<ReadResult> {
  const bytes = await fs.promises.readFile(job.file)
  const recogniser = new Recogniser(job.data, job.languages)
  const pages: Page[] = []
  const pictures: PagePicture[] = []
  const add = async (picture: Buffer, known: readonly Word[] | undefined): Promise<void> => {
    const no = pictures.length + 1
    const shown = known === undefined ? await prepareImage(picture) : await sizeOf(picture)
    pages.push(linesOf(known ?? (await recogniser.words(shown.bytes, shown))))
    const file = path.join(job.out, `${no}.jpg`)
    const { width, height } = await sharp(shown.bytes).grayscale().resize({ width: 1240, withoutEnlargement: true }).jpeg({ quality: 60 }).toFile(file)
    pictures.push({ file, width, height, isDigital: known !== undefined })
  }
  try {
    if (bytes.toString('latin1', 0, 1024).includes('%PDF-')) {
      let count = 0
      for await (const { words, picture } of pdfPages(bytes, (pagesThere) => (count = pagesThere))) {
        say({ kind: 'page', page: pictures.length + 1, pages: count })
        await add(picture, words)
      }
    } else {
      say({ kind: 'page', page: 1, pages: 1 })
      await add(bytes, undefined)
    }
  } finally {
    await recogniser.end()
  }
  if (pages.every((page) => page.length === 0)) throw new Nothing('no words')
  const template = templateFor(job.templates, pages)
  const text = pages.flatMap((page) => page.map((line) => line.map((word) => word.text).join(' '))).join('\n')
  return { pages: pictures, templateId: template?.id ?? null, readings: template === undefined ? [] : readingsOf(template, pages), taxNumbers: taxNumbersIn(text) }
}

class Nothing extends Error {}

function taxNumbersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\d[\d.-]{13,22}\d/g)].map(([found]) => found.replaceAll(/\D/g, '')).filter((digits) => digits.length === 15 || digits.length === 16))]
}

async function sizeOf(bytes: Buffer): Promise<{ readonly bytes: Buffer; readonly width: number; readonly height: number }> {
  const { width, height } = await sharp(bytes).metadata()
  return { bytes, width, height }
}

function whyOf(error: unknown): ReadRefusal {
  if (error instanceof TooManyPages) return 'pages'
  if (error instanceof Nothing) return 'empty'
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error)
  if (text.includes('Password')) return 'locked'
  return /too (large|many|much)|past the limit|exceeds pixel limit/i.test(text) ? 'large' : 'broken'
}

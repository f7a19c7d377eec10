import type { Word } from '#domain/ocr/page.ts'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'

const pageMs = 60_000
/** Under this the page is read in another way too, and the better one counts. */
const goodEnough = 85

interface Size {
  readonly width: number
  readonly height: number
}

/** Recognises the words of prepared pages, one page after the other; nothing is fetched from anywhere. */
export class Recogniser {
  readonly #data: string
  readonly #languages: readonly string[]
  #worker: Worker | undefined

  constructor(data: string, languages: readonly string[]) {
    this.#data = data
    this.#languages = languages
  }

  async words(picture: Buffer, size: Size): Promise<readonly Word[]> {
    const first = await this.#read(picture, size, PSM.SINGLE_BLOCK)
    if (meanOf(first) >= goodEnough) return first
    const second = await this.#read(picture, size, PSM.SINGLE_COLUMN)
    return meanOf(second) > meanOf(first) ? second : first
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  async #read(picture: Buffer, { width, height }: Size, mode: PSM): Promise<readonly Word[]> {
    this.#worker ??= await this.#start()
    await this.#worker.setParameters({ tessedit_pageseg_mode: mode, user_defined_dpi: '200' })
    const { data } = await within(pageMs, this.#worker.recognize(picture, {}, { blocks: true, text: false }))
    return (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words))).flatMap(({ text, confidence, bbox: { x0, y0, x1, y1 } }) =>
      // Rules of a table come out as such signs.
      /^[|_\-—~.]+$/.test(text) ? [] : [{ text, confidence, box: { x: x0 / width, y: y0 / height, w: (x1 - x0) / width, h: (y1 - y0) / height } }],
    )
  }

  /** A missing language is told by a call back alone: the promise would never settle. */
  #start(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      createWorker([...this.#languages], OEM.LSTM_ONLY, { langPath: this.#data, cacheMethod: 'none', errorHandler: (error: unknown) => reject(new Error(String(error))) }).then(resolve, (error: unknown) => reject(new Error(String(error))))
    })
  }
}

function meanOf(words: readonly Word[]): number {
  return words.length === 0 ? 0 : words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('took too long')), ms)
    work.then(resolve, (error: unknown) => reject(error instanceof Error ? error : new Error(String(error)))).finally(() => clearTimeout(timer))
  })
}

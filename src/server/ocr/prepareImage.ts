import sharp from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

/** Wide enough for small print, and no wider: more only takes longer. */
const width = 1750
const mostPixels = 60e6

export interface Prepared {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** A page as it is recognised best: upright, grey, 1750 pixels wide; uneven light is made even. */
export async function prepareImage(input: Buffer | string): Promise<Prepared> {
  const open = () => sharp(input, { limitInputPixels: mostPixels, failOn: 'error' }).rotate().flatten({ background: '#fff' }).grayscale()
  const angle = await skewOf(await open().resize({ width: 1000 }).raw().toBuffer({ resolveWithObject: true }))
  const upright = Math.abs(angle) < 0.2 ? open() : sharp(await open().toBuffer(), { limitInputPixels: mostPixels }).rotate(-angle, { background: '#fff' })
  const sized = await sharp(await upright.png().toBuffer(), { limitInputPixels: mostPixels }).resize({ width }).png().toBuffer()
  const { data, info } = await sharp((await isUneven(sized)) ? await evened(sized) : sized).png().toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

interface Raw {
  readonly data: Buffer
  readonly info: { readonly width: number; readonly height: number; readonly channels: number }
}

/** Degrees the lines lie askew, told by the angle at which rows of dark points are sharpest. */
async function skewOf({ data, info: { width: w, height: h, channels } }: Raw): Promise<number> {
  const xs: number[] = []
  const ys: number[] = []
  const margin = { x: Math.round(w * 0.06), y: Math.round(h * 0.06) }
  for (let y = margin.y; y < h - margin.y; y++) {
    for (let x = margin.x; x < w - margin.x; x++) {
      if ((data[(y * w + x) * channels] ?? 255) < 128) {
        xs.push(x)
        ys.push(y)
      }
    }
  }
  if (xs.length < 500) return 0
  const sharpness = (angle: number): number => {
    const slope = Math.tan((angle * Math.PI) / 180)
    const rows = new Float64Array(h * 2)
    for (const [i, x] of xs.entries()) {
      const row = Math.round((ys[i] ?? 0) - x * slope) + (h >> 1)
      rows[row] = (rows[row] ?? 0) + 1
    }
    let sum = 0
    for (let i = 1; i < rows.length; i++) sum += ((rows[i] ?? 0) - (rows[i - 1] ?? 0)) ** 2
    return sum
  }
  const best = (angles: readonly number[]): number => angles.map((angle) => ({ angle, score: sharpness(angle) })).sort((a, b) => b.score - a.score || Math.abs(a.angle) - Math.abs(b.angle))[0]?.angle ?? 0
  const rough = best(Array.from({ length: 29 }, (_, i) => (i - 14) / 2))
  return best(Array.from({ length: 11 }, (_, i) => rough + (i - 5) / 10))
}

/** Is the paper itself light here and dark there? */
async function isUneven(input: Buffer): Promise<boolean> {
  const { data } = await sharp(input).blur(8).resize({ width: 32, height: 32, fit: 'fill' }).raw().toBuffer({ resolveWithObject: true })
  const sorted = [...data].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 255
  return at(0.95) - at(0.25) > 50
}

/** Each point against the paper around it. */
async function evened(input: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(input).raw().toBuffer({ resolveWithObject: true })
  const paper = await sharp(input).resize({ width: 64, kernel: 'cubic' }).dilate(2).blur(2).resize({ width: info.width, height: info.height, fit: 'fill' }).raw().toBuffer()
  const even = Buffer.alloc(info.width * info.height)
  for (let i = 0; i < even.length; i++) even[i] = Math.min(255, Math.round(((data[i * info.channels] ?? 255) * 255) / Math.max(paper[i * (paper.length / even.length)] ?? 255, 1)))
  return sharp(even, { raw: { width: info.width, height: info.height, channels: 1 } }).png().toBuffer()
}

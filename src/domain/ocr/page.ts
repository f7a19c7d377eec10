/** A word read off a page. Places are shares of the page's width and height from its upper left corner. */
export interface Word {
  readonly text: string
  /** 0 to 100; 100 where the file itself says what it is. */
  readonly confidence: number
  readonly box: Box
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Words of a page in lines from top to bottom, each from left to right. */
export type Page = readonly (readonly Word[])[]

/** Puts words into lines: those whose middles lie within each other's height. */
export function linesOf(words: readonly Word[]): Page {
  const lines: Word[][] = []
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const line = lines.findLast((one) => one.some((other) => isBeside(other, word)))
    if (line === undefined) lines.push([word])
    else line.push(word)
  }
  return lines.map((line) => line.sort((a, b) => a.box.x - b.box.x)).sort((a, b) => topOf(a) - topOf(b))
}

/** The smallest box around words; undefined around none. */
export function around(words: readonly Word[]): Box | undefined {
  if (words.length === 0) return undefined
  const x = Math.min(...words.map(({ box }) => box.x))
  const y = Math.min(...words.map(({ box }) => box.y))
  return { x, y, w: Math.max(...words.map(({ box }) => box.x + box.w)) - x, h: Math.max(...words.map(({ box }) => box.y + box.h)) - y }
}

/** Does the middle of a word lie within the box? */
export function isWithin({ box }: Word, { x, y, w, h }: Box): boolean {
  const [cx, cy] = [box.x + box.w / 2, box.y + box.h / 2]
  return cx >= x && cx <= x + w && cy >= y && cy <= y + h
}

function middle({ box }: Word): number {
  return box.y + box.h / 2
}

function isBeside(a: Word, b: Word): boolean {
  const least = Math.min(a.box.h, b.box.h)
  return Math.abs(middle(a) - middle(b)) < least * 0.6
}

function topOf(line: readonly Word[]): number {
  return Math.min(...line.map(({ box }) => box.y))
}

import { exact } from '#base/decimal.ts'
import { distance } from 'fastest-levenshtein'
import { around, isWithin, type Box, type Page, type Word } from './page.ts'
import { valueOf, type ReadingType } from './values.ts'

/** Where a field stands on the invoices of a vendor, and what it looks like. */
export interface TemplateField {
  readonly field: string
  readonly type: ReadingType
  /** Words before or above the value, several ways divided by `|`. */
  readonly anchor: string | null
  /** What the value looks like; its first group, else all of it. */
  readonly pattern: string | null
  /** Part of the page it stands in. */
  readonly box: Box | null
  /** From 1; null: any page. */
  readonly page: number | null
}

export interface Template {
  readonly id: number
  /** Words that must be on the first page; null: for any invoice. */
  readonly pageAnchor: string | null
  readonly fields: readonly TemplateField[]
}

/** What was read of a field. */
export interface Reading {
  readonly field: string
  readonly value: string
  /** 0 to 100. */
  readonly confidence: number
  readonly page: number
  readonly box: Box
}

/** Under this somebody looks at it. */
export const doubtBelow = 85
const most = { guessed: 60, unproved: 50 }

/** The template that is for these pages: the one of which most is found among those whose mark stands on the first page. */
export function templateFor(templates: readonly Template[], pages: readonly Page[]): Template | undefined {
  const first = pages[0] ?? []
  const scored = templates.flatMap((template) => {
    const isMarked = template.pageAnchor !== null && findAnchor(first, template.pageAnchor) !== undefined
    if (template.pageAnchor !== null && !isMarked) return []
    return [{ template, score: readingsOf(template, pages).length + (isMarked ? 100 : 0) }]
  })
  return scored.sort((a, b) => b.score - a.score)[0]?.template
}

/** What a template finds, each value with its confidence. Amounts that do not add up are doubtful, however clear they are. */
export function readingsOf(template: Template, pages: readonly Page[]): readonly Reading[] {
  const found = template.fields.flatMap((field): readonly Reading[] => {
    for (const [at, page] of pages.entries()) {
      if (field.page !== null && field.page !== at + 1) continue
      const reading = readingOf(field, page, at + 1)
      if (reading !== undefined) return [reading]
    }
    return []
  })
  return proved(found)
}

function readingOf(field: TemplateField, page: Page, no: number): Reading | undefined {
  for (const words of candidates(field, page)) {
    const match = matched(field, words)
    const box = around(match?.words ?? [])
    if (match === undefined || box === undefined) continue
    const value = valueOf(field.type, match.text)
    if (value === undefined) continue
    const confidence = Math.min(...match.words.map((word) => word.confidence), ...(value.isGuessed ? [most.guessed] : []))
    return { field: field.field, value: value.text, confidence: Math.round(confidence), page: no, box }
  }
  return undefined
}

/** Words a value may be among, the likeliest first. */
function* candidates({ anchor, box }: TemplateField, page: Page): Iterable<readonly Word[]> {
  const within = box === null ? page : page.map((line) => line.filter((word) => isWithin(word, box))).filter((line) => line.length > 0)
  if (anchor === null) {
    if (box !== null) yield within.flat()
    else yield* within
    return
  }
  for (const [at, line] of within.entries()) {
    const end = anchorEnd(line, anchor)
    if (end === undefined) continue
    const rest = line.slice(end.to)
    if (rest.length > 0) yield rest
    const label = around(line.slice(end.from, end.to))
    const below = within[at + 1]
    if (label !== undefined && below !== undefined) yield below.filter(({ box: one }) => one.x + one.w > label.x - 0.02 && one.x < label.x + label.w + 0.15)
  }
}

function matched({ pattern }: TemplateField, words: readonly Word[]): { readonly text: string; readonly words: readonly Word[] } | undefined {
  const text = words.map((word) => word.text).join(' ')
  if (pattern === null) return text === '' ? undefined : { text, words }
  const match = new RegExp(pattern, 'id').exec(text)
  const span = match?.indices?.[1] ?? match?.indices?.[0]
  if (match === null || span === undefined) return undefined
  const used: Word[] = []
  let at = 0
  for (const word of words) {
    if (at < span[1] && at + word.text.length > span[0]) used.push(word)
    at += word.text.length + 1
  }
  return { text: text.slice(...span), words: used }
}

function findAnchor(page: Page, anchor: string): readonly Word[] | undefined {
  return page.find((line) => anchorEnd(line, anchor) !== undefined)
}

/** Where an anchor stands in a line. A letter in six may be misread. */
function anchorEnd(line: readonly Word[], anchor: string): { readonly from: number; readonly to: number } | undefined {
  for (const one of anchor.split('|')) {
    const wanted = one.trim().split(/\s+/).map(bare)
    for (let from = 0; from + wanted.length <= line.length; from++) {
      if (wanted.every((word, i) => isAlike(word, bare(line[from + i]?.text ?? '')))) return { from, to: from + wanted.length }
    }
  }
  return undefined
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isAlike(wanted: string, found: string): boolean {
  return wanted === found || (wanted.length > 4 && distance(wanted, found) <= wanted.length / 6)
}

/** Net and tax must come to the total. */
function proved(readings: readonly Reading[]): readonly Reading[] {
  const value = (field: string): string | undefined => readings.find((one) => one.field === field)?.value
  const [dpp, ppn, total] = [value('dpp'), value('ppn'), value('total')]
  if (dpp === undefined || total === undefined) return readings
  if (exact(dpp).plus(ppn ?? '0').minus(total).abs().lte(1)) return readings
  return readings.map((one) => (['dpp', 'ppn', 'total'].includes(one.field) ? { ...one, confidence: Math.min(one.confidence, most.unproved) } : one))
}

/** What is printed on: sheets of A4, or the roll of a receipt printer, 80 mm wide and as long as the document. */
export const papers = ['a4', 'roll'] as const
export type Paper = (typeof papers)[number]

/** Marks of the copies, in the order they are printed. Empty: one without a mark. */
export const copyChoices = { none: [], original: ['original'], copy: ['copy'], both: ['original', 'copy'], three: ['original', 'copy', 'copy'] } as const satisfies Readonly<Record<string, readonly CopyMark[]>>
export type CopyMark = 'original' | 'copy'
export type CopyChoice = keyof typeof copyChoices

/** Pixels of CSS in a millimetre. */
export const pixelsInMm = 96 / 25.4

/** Millimetres. `foot` is the line with the page number at the lower edge. */
export const paperSizes = {
  a4: { width: 210, height: 297, margin: { top: 12, side: 13, bottom: 10 }, foot: 8 },
  // Drivers of receipt printers cut at two metres at the latest.
  roll: { width: 80, height: 2000, margin: { top: 4, side: 4, bottom: 6 }, foot: 5 },
} as const satisfies Readonly<Record<Paper, PaperSize>>

export interface PaperSize {
  readonly width: number
  readonly height: number
  readonly margin: { readonly top: number; readonly side: number; readonly bottom: number }
  readonly foot: number
}

/** Pixels a page holds between its margins, above its foot. A little is left over: browsers round millimetres their own way. */
export function roomOf(paper: Paper): number {
  const { height, margin, foot } = paperSizes[paper]
  return (height - margin.top - margin.bottom - foot) * pixelsInMm - 2
}

/** Millimetres of roll for a page whose content is so many pixels high; a sheet is always a whole one. */
export function lengthOf(paper: Paper, content: number): number {
  const { height, margin, foot } = paperSizes[paper]
  return paper === 'a4' ? height : Math.min(height, Math.ceil(content / pixelsInMm + margin.top + margin.bottom + foot) + 1)
}

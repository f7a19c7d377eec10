import { distance } from 'fastest-levenshtein'

import type { DateText } from '#base/date.ts'
import { readDays, type AskedDays } from '#meta/authoring/askedDays.ts'
import type { Offered } from '#meta/authoring/compose.ts'
import { tokensOf } from '#meta/authoring/tokens.ts'
import type { Comparison, Grain } from '#meta/day.ts'

/** A column of a dataset and everything people call it. */
export interface Called extends Offered {
  readonly words: readonly string[]
}

/** The words of one dataset. */
export interface Vocabulary {
  readonly dataset: string
  readonly dimensions: readonly Called[]
  readonly measures: readonly Called[]
  /** The dataset says which parameters are its days. */
  readonly hasPeriod: boolean
}

/** What a question asks for. */
export interface Understood {
  readonly dataset: string
  readonly measures: readonly Called[]
  readonly rows: readonly Called[]
  readonly across?: { readonly column: Called; readonly grain: Grain }
  readonly compare?: Comparison
  /** Days it asks about. */
  readonly days?: AskedDays
  readonly hasChart: boolean
  /** Words nobody knew. */
  readonly left: readonly string[]
}

type Meaning =
  | { readonly kind: 'measure' | 'dimension'; readonly column: Called }
  | { readonly kind: 'grain'; readonly grain: Grain }
  | { readonly kind: 'compare'; readonly compare: Comparison }
  | { readonly kind: 'days'; readonly days: AskedDays }
  | { readonly kind: 'chart' | 'against' | 'nothing' }

/** Words of the question itself, in the three languages. */
const phrases: readonly (readonly [words: string, meaning: Meaning])[] = [
  ...grainWords('day', 'day daily hari harian 日 天 按日'), ...grainWords('week', 'week weekly minggu mingguan 周 每周'), ...grainWords('month', 'month monthly bulan bulanan 月 月份 每月'),
  ...grainWords('quarter', 'quarter quarterly kuartal triwulan 季度'), ...grainWords('year', 'year yearly tahun tahunan 年 年度'),
  ...['same month last year', 'last year', 'previous year', 'a year earlier', 'bulan yang sama tahun lalu', 'tahun lalu', '去年', '去年同月', '去年同期', '同比'].map((words) => [words, { kind: 'compare', compare: 'year' }] as const),
  ...['a month earlier', 'sebulan sebelumnya', '上月同期'].map((words) => [words, { kind: 'compare', compare: 'month' }] as const),
  ...['a quarter earlier'].map((words) => [words, { kind: 'compare', compare: 'quarter' }] as const),
  ...['previous period', 'earlier period', 'the period before', 'periode sebelumnya', '上期', '环比'].map((words) => [words, { kind: 'compare', compare: 'previous' }] as const),
  ...['chart', 'graph', 'diagram', 'grafik', '图表', '图'].map((words) => [words, { kind: 'chart' }] as const),
  ...'against versus vs compared than dibandingkan terhadap 对比 相比'.split(' ').map((words) => [words, { kind: 'against' }] as const),
  ...'per by and of the for in each with a an to my show me dan menurut dengan untuk setiap tiap tampilkan 按 和 与 的 每 及 显示 各'.split(' ').map((words) => [words, { kind: 'nothing' }] as const),
]

function grainWords(grain: Grain, words: string): readonly (readonly [string, Meaning])[] {
  return words.split(' ').map((word) => [word, { kind: 'grain', grain }])
}

const longestPhrase = 5

/**
 * What the words ask for, by the names of measures and dimensions; a slip of the pen is forgiven. The dataset that understands most of the
 * question answers it. Undefined: no dataset has a measure or dimension of these names. The same words always give the same report.
 */
export function understand(question: string, vocabularies: readonly Vocabulary[], today: DateText): Understood | undefined {
  const tokens = tokensOf(question)
  let best: { readonly score: number; readonly understood: Understood } | undefined
  for (const vocabulary of vocabularies) {
    const { score, understood } = read(tokens, vocabulary, today)
    if (understood !== undefined && (best === undefined || score > best.score)) best = { score, understood }
  }
  return best?.understood
}

function read(tokens: readonly string[], vocabulary: Vocabulary, today: DateText): { readonly score: number; readonly understood?: Understood } {
  const known = entriesOf(vocabulary)
  const meanings: Meaning[] = []
  const left: string[] = []
  let score = 0
  for (let at = 0; at < tokens.length; ) {
    const found = longest(tokens, at, known)
    const days = readDays(tokens, at, today)
    if (days !== undefined && days.count >= (found?.count ?? 1)) {
      const words = tokens.slice(at, at + days.count).join(' ')
      // One question is about one span of days.
      if (days.compare !== undefined && isAgainst(meanings)) meanings.push({ kind: 'compare', compare: days.compare })
      else if (!vocabulary.hasPeriod || meanings.some(({ kind }) => kind === 'days')) left.push(words)
      else meanings.push({ kind: 'days', days: days.days })
      at += days.count
      continue
    }
    if (found === undefined) {
      left.push(tokens[at] ?? '')
      score -= 1
      at++
      continue
    }
    meanings.push(found.meaning)
    if (found.meaning.kind === 'measure' || found.meaning.kind === 'dimension') score += found.count * 2 - found.far
    at += found.count
  }
  const columns = (kind: 'measure' | 'dimension'): Called[] => [...new Set(meanings.flatMap((meaning) => (meaning.kind === kind ? [meaning.column] : [])))]
  const [measures, dimensions] = [columns('measure'), columns('dimension')]
  if (measures.length + dimensions.length === 0) return { score: -Infinity }
  const grain = meanings.find((meaning) => meaning.kind === 'grain')?.grain
  const day = dimensions.find(({ type }) => type === 'date') ?? (grain === undefined ? undefined : vocabulary.dimensions.find(({ type }) => type === 'date'))
  const compare = meanings.find((meaning) => meaning.kind === 'compare')?.compare
  const days = meanings.find((meaning) => meaning.kind === 'days')?.days
  return {
    score: score + (grain !== undefined && day === undefined ? -2 : 0),
    understood: {
      dataset: vocabulary.dataset,
      measures,
      rows: dimensions.filter((column) => column !== day).slice(0, 3),
      ...(day === undefined ? {} : { across: { column: day, grain: grain ?? 'month' } }),
      ...(compare === undefined || !vocabulary.hasPeriod ? {} : { compare }),
      ...(days === undefined ? {} : { days }),
      hasChart: meanings.some(({ kind }) => kind === 'chart'),
      left,
    },
  }
}

/** Are the days that follow what something is held against? Little words between do not matter. */
function isAgainst(meanings: readonly Meaning[]): boolean {
  return meanings.findLast(({ kind }) => kind !== 'nothing')?.kind === 'against'
}

interface Entry {
  readonly tokens: readonly string[]
  readonly text: string
  readonly meaning: Meaning
}

function entriesOf({ dimensions, measures }: Vocabulary): readonly Entry[] {
  const entry = (words: string, meaning: Meaning): Entry => {
    const tokens = tokensOf(words)
    return { tokens, text: tokens.join(' '), meaning }
  }
  return [
    ...measures.flatMap((column) => column.words.map((words) => entry(words, { kind: 'measure', column }))),
    ...dimensions.flatMap((column) => column.words.map((words) => entry(words, { kind: 'dimension', column }))),
    ...phrases.map(([words, meaning]) => entry(words, meaning)),
  ].filter(({ text }) => text !== '')
}

/** The longest run of words from here that something is called by; of several the nearest, of equals the first. */
function longest(tokens: readonly string[], at: number, known: readonly Entry[]): { readonly meaning: Meaning; readonly count: number; readonly far: number } | undefined {
  for (let count = Math.min(longestPhrase, tokens.length - at); count > 0; count--) {
    const text = tokens.slice(at, at + count).join(' ')
    let best: { readonly meaning: Meaning; readonly far: number } | undefined
    for (const entry of known) {
      if (Math.abs(entry.text.length - text.length) > slips(text) || entry.tokens.length !== count) continue
      const far = entry.text === text ? 0 : distance(entry.text, text)
      if (far <= slips(text) && (best === undefined || far < best.far)) best = { meaning: entry.meaning, far }
    }
    if (best !== undefined) return { ...best, count }
  }
  return undefined
}

/** Slips forgiven: none in short words nor in Chinese, where one makes another word; two letters changing places are two. */
function slips(text: string): number {
  if (/\p{Script=Han}/u.test(text)) return 0
  return text.length < 5 ? 0 : text.length < 7 ? 1 : 2
}

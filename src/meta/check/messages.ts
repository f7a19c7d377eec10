import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { fillIn, placeholdersIn } from '#meta/sentence.ts'

const prefixesOfCode = /^(ui|problem|guard|warning|page|print|wizard|history|flow|mail|login)\./

/** A catalogue just begun does not bury everything else. */
const shownAtMost = 5

/** Every key shown has an English text, every English text its translations; texts nobody shows are a warning. */
export function* messages({ resolved, catalogues, keysInCode }: World): Iterable<Report> {
  for (const key of [...resolved.labels.missing].sort()) {
    yield { path: fileOf('en'), at: [], code: 'missing-message', message: `"${key}" is shown but has no text` }
  }
  const shown = new Set([...resolved.labels.used, ...keysInCode])
  const prefixes = [...keysInCode].filter((key) => key.endsWith('.'))
  const particular = new Set([...shown].map(endsOf))
  const { keys, reports } = comparedOnce(catalogues)
  for (const key of keys) {
    if (shown.has(key) || prefixesOfCode.test(key) || prefixes.some((prefix) => key.startsWith(prefix)) || isFallback(key, particular)) continue
    yield { path: fileOf('en'), at: [key], onKey: true, severity: 'warning', code: 'unused-message', message: `nothing shows "${key}"` }
  }
  yield* reports
}

function fileOf(language: string): string {
  return `schemas/messages/${language}.json`
}

type Catalogues = World['catalogues']

interface Compared {
  readonly catalogues: Catalogues
  /** Of the English texts. */
  readonly keys: readonly string[]
  readonly reports: readonly Report[]
}

let comparedLast: Compared | undefined

/** What the catalogues say of one another: thousands of texts, worked out anew only when one of the files has changed. */
function comparedOnce(catalogues: Catalogues): Compared {
  const last = comparedLast?.catalogues
  if (comparedLast !== undefined && last?.en === catalogues.en && last.cn === catalogues.cn && last.id === catalogues.id) return comparedLast
  return (comparedLast = { catalogues, keys: Object.keys(catalogues.en), reports: [...compare(catalogues)] })
}

function* compare(catalogues: Catalogues): Iterable<Report> {
  for (const language of ['en', 'cn', 'id'] as const) {
    for (const [key, text] of Object.entries(catalogues[language])) {
      if (hasBrace(text) && hasBrace(fillIn(text, () => ''))) yield { path: fileOf(language), at: [key], code: 'wrong-placeholder', message: `"${key}" has a brace that fills nothing in: {name} stands for a value, {name|word for one|word for many} for the word that goes with it` }
    }
  }
  for (const language of ['cn', 'id'] as const) {
    const absent = Object.keys(catalogues.en).filter((key) => !Object.hasOwn(catalogues[language], key))
    for (const key of absent.slice(0, shownAtMost)) yield { path: fileOf(language), at: [], code: 'missing-translation', message: `"${key}" is not translated: ${catalogues.en[key] ?? ''}` }
    if (absent.length > shownAtMost) yield { path: fileOf(language), at: [], code: 'missing-translation', message: `${absent.length - shownAtMost} more keys are not translated` }
    for (const key of Object.keys(catalogues[language])) {
      if (!Object.hasOwn(catalogues.en, key)) yield { path: fileOf(language), at: [key], onKey: true, severity: 'warning', code: 'unused-message', message: `"${key}" is not in the English catalogue` }
    }
    for (const [key, text] of Object.entries(catalogues[language])) {
      const wanted = placeholders(catalogues.en[key] ?? '')
      const given = placeholders(text)
      if (Object.hasOwn(catalogues.en, key) && wanted !== given) yield { path: fileOf(language), at: [key], code: 'wrong-placeholder', message: `"${key}" fills ${given || 'nothing'}, in English ${wanted || 'nothing'}` }
    }
  }
}

/** The general key under a particular one that is shown: kept for the next screen. `particular`: the ends of the keys shown. */
function isFallback(key: string, particular: ReadonlySet<string>): boolean {
  const [group, ...rest] = key.split('.')
  if (rest.length !== 1 || !['field', 'enum', 'status', 'action', 'tab', 'section', 'preset', 'stage'].includes(group ?? '')) return false
  return group === 'status' || particular.has(key)
}

/** `field.customer.name` → `field.name`: the group of a key and its last word. */
function endsOf(key: string): string {
  return `${key.slice(0, key.indexOf('.'))}${key.slice(key.lastIndexOf('.'))}`
}

function placeholders(text: string): string {
  return hasBrace(text) ? placeholdersIn(text).map((name) => `{${name}}`).join(' ') : ''
}

/** Most texts have none, and need no closer look. */
function hasBrace(text: string): boolean {
  return text.includes('{') || text.includes('}')
}

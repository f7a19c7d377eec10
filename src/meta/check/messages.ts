import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { fillIn, placeholdersIn } from '#meta/sentence.ts'

const prefixesOfCode = /^(ui|problem|guard|warning|page|print|wizard|history|flow|mail|login)\./

/** A catalogue just begun does not bury everything else. */
const shownAtMost = 5

/** Every key shown has an English text, every English text its translations; texts nobody shows are a warning. */
export function* messages({ resolved, catalogues, keysInCode }: World): Iterable<Report> {
  const file = (language: string): string => `schemas/messages/${language}.json`
  for (const key of [...resolved.labels.missing].sort()) {
    yield { path: file('en'), at: [], code: 'missing-message', message: `"${key}" is shown but has no text` }
  }
  const shown = new Set([...resolved.labels.used, ...keysInCode])
  const prefixes = [...keysInCode].filter((key) => key.endsWith('.'))
  for (const key of Object.keys(catalogues.en)) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) continue
    if (shown.has(key) || prefixesOfCode.test(key) || isFallback(key, shown)) continue
    yield { path: file('en'), at: [key], onKey: true, severity: 'warning', code: 'unused-message', message: `nothing shows "${key}"` }
  }
  for (const language of ['en', 'cn', 'id'] as const) {
    for (const [key, text] of Object.entries(catalogues[language])) {
      if (/[{}]/.test(fillIn(text, () => ''))) yield { path: file(language), at: [key], code: 'wrong-placeholder', message: `"${key}" has a brace that fills nothing in: {name} stands for a value, {name|word for one|word for many} for the word that goes with it` }
    }
  }
  for (const language of ['cn', 'id'] as const) {
    const absent = Object.keys(catalogues.en).filter((key) => !Object.hasOwn(catalogues[language], key))
    for (const key of absent.slice(0, shownAtMost)) yield { path: file(language), at: [], code: 'missing-translation', message: `"${key}" is not translated: ${catalogues.en[key] ?? ''}` }
    if (absent.length > shownAtMost) yield { path: file(language), at: [], code: 'missing-translation', message: `${absent.length - shownAtMost} more keys are not translated` }
    for (const key of Object.keys(catalogues[language])) {
      if (!Object.hasOwn(catalogues.en, key)) yield { path: file(language), at: [key], onKey: true, severity: 'warning', code: 'unused-message', message: `"${key}" is not in the English catalogue` }
    }
    for (const [key, text] of Object.entries(catalogues[language])) {
      const wanted = placeholders(catalogues.en[key] ?? '')
      const given = placeholders(text)
      if (Object.hasOwn(catalogues.en, key) && wanted !== given) yield { path: file(language), at: [key], code: 'wrong-placeholder', message: `"${key}" fills ${given || 'nothing'}, in English ${wanted || 'nothing'}` }
    }
  }
}

/** The general key under a particular one that is shown: kept for the next screen. */
function isFallback(key: string, shown: ReadonlySet<string>): boolean {
  const [group, ...rest] = key.split('.')
  if (rest.length !== 1 || !['field', 'enum', 'status', 'action', 'tab', 'section', 'preset', 'stage'].includes(group ?? '')) return false
  return group === 'status' || [...shown].some((other) => other.startsWith(`${group}.`) && other.endsWith(`.${rest[0]}`))
}

function placeholders(text: string): string {
  return placeholdersIn(text).map((name) => `{${name}}`).join(' ')
}

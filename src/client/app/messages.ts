import { atom } from 'jotai'
import { compose, fillIn } from '#meta/sentence.ts'
import type { Said } from '#api/problems.ts'
import { setWords } from '../ui/words.ts'
import { loadFile, onSay } from '../data/http.ts'
import { keep, readKept } from '../data/kept.ts'
import { store } from '../data/session.ts'

export const languages = ['en', 'cn', 'id'] as const
export type Language = (typeof languages)[number]

export type Values = Readonly<Record<string, string | number | null | undefined>>

type Catalogue = Readonly<Record<string, string>>

// Fetched as data: a catalogue is text, not code to parse.
const catalogues = import.meta.glob<string>('../../generated/messages/*.json', { query: '?url', import: 'default', eager: true })
const stored = 'language'

let catalogue: Catalogue = {}
let english: Catalogue = {}

/** The language on screen; change it with `useLanguage`. */
export const languageAtom = atom<Language>(storedLanguage())

/** Text of a message key with its placeholders filled in. A key without a text shows itself, so that it is found and not hidden. */
export function t(key: string, values?: Values): string {
  const text = catalogue[key] ?? english[key] ?? key
  return values === undefined ? text : fillIn(text, (name) => values[name]?.toString())
}

/** The first of these keys that has a text; `otherwise` when none has. */
export function tFirst(keys: readonly string[], otherwise: string): string {
  for (const key of keys) {
    const text = catalogue[key] ?? english[key]
    if (text !== undefined) return text
  }
  return otherwise
}

/**
 * A sentence of the server in the language on screen; as the server wrote it where the catalogues do not know it. Where obstacles stand below it,
 * one by one, it need not name them (`<key>.listed`).
 */
export function inWords({ text, key, params, obstacles = [] }: Said & { readonly obstacles?: readonly unknown[] | undefined }): string {
  if (key === undefined) return text
  const say = (wanted: string) => compose(params === undefined ? { key: wanted } : { key: wanted, params }, (name) => catalogue[name] ?? english[name])
  return (obstacles.length > 0 ? say(`${key}.listed`) : undefined) ?? say(key) ?? text
}
onSay(inWords)

/** Loads a language (English too, for what a translation lacks) and makes it the one `t` speaks. */
export async function speak(language: Language): Promise<void> {
  const [first, second] = await Promise.all([load('en'), language === 'en' ? undefined : load(language)])
  setCatalogues(first, second)
  keepLanguage(language)
  store.set(languageAtom, language)
}

/** The page says which language it is in, and this browser keeps to it. */
export function keepLanguage(language: Language): void {
  keep(stored, language)
  document.documentElement.lang = language === 'cn' ? 'zh' : language
}

/** Sets the texts without loading; `translated` falls back on `base`. */
export function setCatalogues(base: Catalogue, translated?: Catalogue): void {
  english = base
  catalogue = translated ?? base
  setWords({ close: t('ui.close'), cancel: t('ui.cancel'), retry: t('ui.retry'), more: t('ui.more'), loading: t('ui.loading') })
}

/** Development: texts over those of the catalogue. */
export function addTexts(texts: Catalogue): void {
  setCatalogues({ ...english, ...texts }, { ...catalogue, ...texts })
}

export function storedLanguage(): Language {
  const found = readKept(stored)
  return languages.find((language) => language === found) ?? 'en'
}

/** Starts loading what `speak` will need. */
export function loadCatalogues(): void {
  const language = storedLanguage()
  for (const wanted of language === 'en' ? [language] : ['en' as const, language]) load(wanted).catch(() => undefined)
}

const loading = new Map<Language, Promise<Catalogue>>()

function load(language: Language): Promise<Catalogue> {
  const known = loading.get(language)
  if (known !== undefined) return known
  const url = catalogues[`../../generated/messages/${language}.json`]
  const made = url === undefined ? Promise.resolve({}) : loadFile<Catalogue>(url)
  loading.set(language, made)
  made.catch(() => loading.delete(language))
  return made
}

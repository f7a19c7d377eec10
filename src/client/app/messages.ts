import { atom } from 'jotai'
import { compose, fillIn } from '#meta/sentence.ts'
import type { Said } from '#api/problems.ts'
import { setWords } from '../ui/words.ts'
import { firstTexts } from '../data/firstAnswers.ts'
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

/** The language of which there are only the texts that came with the page. */
let lacking: Language | undefined
/** The others, on their way. */
let others: Promise<void> | undefined
/** A text was wanted that did not come with the page. */
let isMissed = false

/** The language on screen; change it with `useLanguage`. */
export const languageAtom = atom<Language>(storedLanguage())

/** Grows when texts have come without which something was drawn. */
export const missedTextsAtom = atom(0)

/** Text of a message key with its placeholders filled in. A key without a text shows itself, so that it is found and not hidden. */
export function t(key: string, values?: Values): string {
  const text = catalogue[key] ?? missed(key)
  return values === undefined ? text : fillIn(text, (name) => values[name]?.toString())
}

/** The first of these keys that has a text; `otherwise` when none has. */
export function tFirst(keys: readonly string[], otherwise: string): string {
  for (const key of keys) {
    const text = catalogue[key]
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
  const say = (wanted: string) => compose(params === undefined ? { key: wanted } : { key: wanted, params }, (name) => catalogue[name])
  return (obstacles.length > 0 ? say(`${key}.listed`) : undefined) ?? say(key) ?? text
}
onSay(inWords)

/** Loads a language and makes it the one `t` speaks. */
export async function speak(language: Language): Promise<void> {
  const texts = await load(language)
  lacking = undefined
  setCatalogues(texts)
  keepLanguage(language)
  store.set(languageAtom, language)
}

/** Speaks the language of this browser: by the texts that came with the page, which are those it may draw first, or by all of them. */
export async function speakFirst(): Promise<void> {
  const language = storedLanguage()
  const few = firstTexts(language)
  if (few === undefined) return speak(language)
  lacking = language
  setCatalogues(few)
  keepLanguage(language)
}

/** Is the page still being drawn for the first time, by the texts that came with it? */
export function isSpeakingFirst(): boolean {
  return lacking !== undefined && others === undefined
}

/** Resolves once every text is there; asks for them where only those are that came with the page. */
export function untilSpoken(): Promise<void> {
  const language = lacking
  if (language === undefined) return Promise.resolve()
  others ??= load(language).then(
    (texts) => {
      if (lacking !== language) return
      lacking = undefined
      setCatalogues(texts)
      if (isMissed) store.set(missedTextsAtom, (before) => before + 1)
    },
    (error: unknown) => {
      others = undefined
      throw error
    },
  )
  return others
}

/** What stands for a text that is not there. */
function missed(key: string): string {
  if (lacking !== undefined && !isMissed) {
    isMissed = true
    untilSpoken().catch(() => undefined)
  }
  return key
}

/** The page says which language it is in, and this browser keeps to it. */
export function keepLanguage(language: Language): void {
  keep(stored, language)
  document.documentElement.lang = language === 'cn' ? 'zh' : language
}

/** Sets the texts without loading; what is not `translated` is said as in `base`. */
export function setCatalogues(base: Catalogue, translated?: Catalogue): void {
  catalogue = translated === undefined ? base : { ...base, ...translated }
  setWords({ close: t('ui.close'), cancel: t('ui.cancel'), retry: t('ui.retry'), more: t('ui.more'), loading: t('ui.loading'), tooLong: (limit, n) => t('ui.check.maxLength', { limit, n }) })
}

/** Development: texts over those of the catalogue. */
export function addTexts(texts: Catalogue): void {
  setCatalogues(catalogue, texts)
}

export function storedLanguage(): Language {
  const found = readKept(stored)
  return languages.find((language) => language === found) ?? 'en'
}

/** Starts loading what `speakFirst` will need. */
export function loadFirstTexts(): void {
  const language = storedLanguage()
  if (firstTexts(language) === undefined) load(language).catch(() => undefined)
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

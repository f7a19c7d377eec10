import { type Language, languages, readCatalogue, writeCatalogue } from './catalogue.ts'

/** A key as catalogues have it: `screen.brand.list`; entries of the menu have words behind the dot. */
export const isKey = (key: string): boolean => /^[a-z][^\s.]*\.\S+$/.test(key) || /^menu\.\S+( \S+)*$/.test(key)

/** What became of the texts of one key, in one language. */
export interface SetText {
  readonly key: string
  readonly language: Language
  readonly what: 'new' | 'changed' | 'same'
}

/**
 * Sets the texts of a file, key → `{ "en": …, "cn": …, "id": … }` or the English text alone, sorted into the catalogues below `folder`.
 * Where anything of it cannot be taken, nothing is written and every reason is said.
 */
export function setTexts(folder: string, file: unknown): { readonly refused: readonly string[] } | { readonly set: readonly SetText[] } {
  if (!isObject(file)) return { refused: ['The file holds no object of keys: { "screen.brand.list": { "en": "Brands", "cn": "品牌", "id": "Merek" } }'] }
  const before = Object.fromEntries(languages.map((language) => [language, readCatalogue(folder, language)])) as Record<Language, Record<string, string>>
  const wanted = Object.entries(file).map(([key, said]): [string, unknown] => [key, typeof said === 'string' ? { en: said } : said])
  const refused = wanted.flatMap(([key, said]) => refusals(key, said, Object.hasOwn(before.en, key)))
  if (refused.length > 0) return { refused }
  const set = wanted.flatMap(([key, said]) => {
    const texts = said as Partial<Record<Language, string>>
    return languages.flatMap((language): SetText[] => {
      const text = texts[language]
      if (text === undefined) return []
      const known = Object.hasOwn(before[language], key) ? before[language][key] : undefined
      return [{ key, language, what: known === undefined ? 'new' : known === text ? 'same' : 'changed' }]
    })
  })
  for (const language of languages) {
    const added = Object.fromEntries(wanted.flatMap(([key, said]) => Object.entries(said as Record<string, string>).flatMap(([name, text]) => (name === language ? [[key, text]] : []))))
    if (Object.keys(added).length > 0) writeCatalogue(folder, language, { ...before[language], ...added })
  }
  return { set }
}

function refusals(key: string, said: unknown, isKnown: boolean): readonly string[] {
  if (!isKey(key)) return [`${JSON.stringify(key)}: a key has a dot and no spaces: screen.brand.list`]
  if (!isObject(said)) return [`${key}: its texts are an object by language, or the English text alone`]
  return [
    ...Object.entries(said).flatMap(([language, text]) => {
      if (!languages.some((name) => name === language)) return [`${key}: "${language}" is no language; there are ${languages.join(', ')}`]
      return typeof text !== 'string' || text.trim() === '' ? [`${key}: its text in ${language} is empty`] : []
    }),
    ...(isKnown || Object.hasOwn(said, 'en') ? [] : [`${key}: a new key needs its English text`]),
  ]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

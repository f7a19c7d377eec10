import cn from '#generated/messages/cn.json' with { type: 'json' }
import en from '#generated/messages/en.json' with { type: 'json' }
import id from '#generated/messages/id.json' with { type: 'json' }
import { fillIn } from '#meta/sentence.ts'

export const languages = ['en', 'cn', 'id'] as const
export type Language = (typeof languages)[number]

/** The language somebody has chosen; English when he has not. */
export function languageOf(chosen: string | null | undefined): Language {
  return languages.find((language) => language === chosen) ?? 'en'
}

/** Text of a message key with `{name}` filled in. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, cn, id }

/** The texts of a language for what the server writes itself: files, mails. What a translation lacks is said in English. */
export function textsOf(language: Language): Translate {
  const catalogue = catalogues[language]
  return (key, values) => {
    const text = own(catalogue, key) ?? own(en, key) ?? key
    return values === undefined ? text : fillIn(text, (name) => values[name]?.toString())
  }
}

const everyLanguage = languages.map((language) => textsOf(language))

/** A text in every language: what people may have typed in any of them. */
export function labelsOf(key: string): readonly string[] {
  return everyLanguage.map((texts) => texts(key))
}

function own(catalogue: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(catalogue, key) ? catalogue[key] : undefined
}

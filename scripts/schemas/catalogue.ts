import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { catalogueText } from '../../src/meta/authoring/fileEdits.ts'
import { writeIfChanged } from './output.ts'

export const languages = ['en', 'cn', 'id'] as const
export type Language = (typeof languages)[number]
export type Texts = Readonly<Record<Language, string>>

/** The catalogue of one language below `folder` (the repository root). */
export function readCatalogue(folder: string, language: Language): Record<string, string> {
  const file = path.join(folder, 'schemas/messages', `${language}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Writes a catalogue sorted by key, one text a line. */
export function writeCatalogue(folder: string, language: Language, catalogue: Readonly<Record<string, string>>): void {
  writeIfChanged(path.join(folder, 'schemas/messages', `${language}.json`), catalogueText(catalogue))
}

/** Adds texts that are not there yet, in all languages. */
export function addTexts(folder: string, texts: Readonly<Record<string, Texts>>): void {
  for (const language of languages) {
    const added = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text[language]]))
    writeCatalogue(folder, language, { ...added, ...readCatalogue(folder, language) })
  }
}

import { placeholdersIn } from '#meta/sentence.ts'
import { header } from './names.ts'

/** Sentences the server says: refusals, problems of fields, warnings, reasons for an approval, outcomes. */
const said = /^(problem|warning|block|done)\.|^field\.[A-Z]/

/** Source of `src/generated/sentences.ts`: every key with the names of its placeholders. Types only. */
export function sentencesModule(english: Readonly<Record<string, string>>): string {
  const lines = Object.entries(english).filter(([key]) => said.test(key)).map(([key, text]) => `  readonly ${JSON.stringify(key)}: ${placeholders(text)}\n`)
  return `${header}/** What the server may say, by message key; the names to be filled in, never where there are none. */\nexport interface Sentences {\n${lines.join('')}}\n`
}

function placeholders(text: string): string {
  const names = placeholdersIn(text).map((name) => JSON.stringify(name))
  return names.length === 0 ? 'never' : names.join(' | ')
}

import { readFileSync } from 'node:fs'

import { addTexts, languages, readCatalogue } from './schemas/catalogue.ts'
import { root } from './schemas/readSources.ts'
import { isKey, setTexts } from './schemas/setTexts.ts'

const usage = `npm run messages
npm run messages -- set <key> <English> [Chinese] [Indonesian]
npm run messages -- set <file.json>
  The first sorts the catalogues and names what is not translated; the second adds or changes a text, the third all those of a file:
  { "screen.brand-sales.report": { "en": "Brand sales", "cn": "品牌销售", "id": "Penjualan merek" }, "field.brand.note": "The English text alone" }
  Keys have a dot: screen.brand-sales.report`

const [command, key, ...texts] = process.argv.slice(2)
if (command === undefined) sorted()
else if (command === 'set' && key !== undefined && isKey(key) && texts.length > 0 && texts.length <= languages.length && texts.every((text) => text.trim() !== '')) {
  set({ [key]: Object.fromEntries(languages.slice(0, texts.length).map((language, i) => [language, texts[i]])) })
} else if (command === 'set' && key !== undefined && key.endsWith('.json') && texts.length === 0) {
  const file = contentOf(key)
  if ('refused' in file) refuse([file.refused])
  else set(file.value)
} else {
  refuse([usage])
}

/** Says of every key what is new, what is another text than before, and what was there already. */
function set(file: unknown): void {
  const result = setTexts(root, file)
  if ('refused' in result) return refuse([...result.refused, 'Nothing was written.'])
  for (const name of new Set(result.set.map((one) => one.key))) {
    const own = result.set.filter((one) => one.key === name)
    const words = (['new', 'changed', 'same'] as const).flatMap((what) => {
      const spoken = own.filter((one) => one.what === what).map(({ language }) => language)
      return spoken.length === 0 ? [] : [`${what}${spoken.length === own.length ? '' : ` (${spoken.join(', ')})`}`]
    })
    console.log(`${name}: ${words.join(', ')}`)
  }
  const counted = (what: string): string => `${result.set.filter((one) => one.what === what).length} ${what}`
  console.log(`Texts: ${counted('new')}, ${counted('changed')}, ${counted('same')}.`)
}

function contentOf(file: string): { readonly value: unknown } | { readonly refused: string } {
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8')) }
  } catch (error) {
    return { refused: `${file}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function sorted(): void {
  addTexts(root, {})
  const english = Object.keys(readCatalogue(root, 'en'))
  for (const language of languages) {
    const known = readCatalogue(root, language)
    const absent = english.filter((name) => !Object.hasOwn(known, name))
    console.log(`${language}: ${Object.keys(known).length} texts${absent.length === 0 ? '' : `, ${absent.length} missing`}`)
    for (const name of absent) console.log(`  ${name}`)
  }
}

function refuse(lines: readonly string[]): void {
  for (const line of lines) console.error(line)
  process.exitCode = 1
}

import { addTexts, languages, readCatalogue, writeCatalogue } from './schemas/catalogue.ts'
import { root } from './schemas/readSources.ts'

/**
 * `npm run messages` sorts the catalogues and names what is not translated.
 * `npm run messages -- set <key> <English> [Chinese] [Indonesian]` adds or changes a text.
 */
const [command, key, ...texts] = process.argv.slice(2)
if (command === 'set' && key !== undefined && texts.length > 0) {
  for (const [i, language] of languages.entries()) {
    const text = texts[i]
    if (text !== undefined) writeCatalogue(root, language, { ...readCatalogue(root, language), [key]: text })
  }
} else {
  addTexts(root, {})
  const english = Object.keys(readCatalogue(root, 'en'))
  for (const language of languages) {
    const known = readCatalogue(root, language)
    const absent = english.filter((name) => !Object.hasOwn(known, name))
    console.log(`${language}: ${Object.keys(known).length} texts${absent.length === 0 ? '' : `, ${absent.length} missing`}`)
    for (const name of absent) console.log(`  ${name}`)
  }
}

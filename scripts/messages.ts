import { addTexts, languages, readCatalogue, writeCatalogue } from './schemas/catalogue.ts'
import { root } from './schemas/readSources.ts'

const usage = `npm run messages
npm run messages -- set <key> <English> [Chinese] [Indonesian]
  The first sorts the catalogues and names what is not translated; the second adds or changes a text. Keys have a dot: screen.brand-sales.report`

const [command, key, ...texts] = process.argv.slice(2)
const isKey = key !== undefined && /^\S+\../.test(key)
if (command !== undefined && (command !== 'set' || !isKey || texts.length === 0 || texts.length > languages.length || texts.some((text) => text.trim() === ''))) {
  console.error(usage)
  process.exitCode = 1
} else if (command === 'set' && isKey) {
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

import { parseArgs } from 'node:util'

import { generate } from './generate.ts'
import { newNoun } from './schemas/newNoun.ts'
import { root } from './schemas/readSources.ts'

const usage = `npm run new <area>/<noun> [-- --path /where --en "Title" --cn "标题" --id "Judul"]
  Writes entity, list, form, detail and workflow of a new document with labels, route, menu entry and migration.`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { path: { type: 'string' }, en: { type: 'string' }, cn: { type: 'string' }, id: { type: 'string' } },
})
const [area, noun, ...more] = (positionals[0] ?? '').split('/')
if (area === undefined || noun === undefined || more.length > 0 || positionals.length !== 1) {
  console.error(usage)
  process.exitCode = 1
} else {
  const { path, ...titles } = values
  const result = newNoun(root, { area, noun, titles: { ...titles }, ...(path === undefined ? {} : { path }) })
  if ('refused' in result) {
    console.error(result.refused)
    process.exitCode = 1
  } else {
    for (const file of result.files) console.log(file)
    for (const complaint of await generate()) console.error(complaint)
    console.log('Add the number series named in the entity under /setting; then `npm run check`.')
  }
}

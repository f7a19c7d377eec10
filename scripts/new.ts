import readline from 'node:readline/promises'

import { generate } from './generate.ts'
import { commandLine } from './lib/commandLine.ts'
import { newNoun } from './schemas/newNoun.ts'
import { newScreen, screenScaffolds } from './schemas/newScreen.ts'
import { root } from './schemas/readSources.ts'

const usage = `npm run new -- [document | entity | report | list | form | dataset] <area>/<noun> [--of <dataset or entity>] [--path /where] [--en "Title" --cn "标题" --id "Judul"]
  document  entity, list, form, detail and workflow with labels, route, menu entry and migration (also without the word)
  entity    master data: code, name, active; list and form with labels, route, menu entry and migration
  report    a report over a dataset: columns, filters, groups, chart, labels, route, menu entry
  list      a list over an entity; form: the form that list opens
  dataset   SQL and its description
Run again on a document or an entity whose fields have changed, it writes the next migration.`

const { positionals, values } = commandLine({
  allowPositionals: true,
  options: { path: { type: 'string' }, of: { type: 'string' }, en: { type: 'string' }, cn: { type: 'string' }, id: { type: 'string' } },
}, usage)
const kinds = ['document', 'entity', ...screenScaffolds] as const
const kind = positionals.length === 2 ? kinds.find((name) => name === positionals[0]) : positionals.length === 1 ? 'document' : undefined
const [area, noun, ...more] = (positionals.at(-1) ?? '').split('/')
if (kind === undefined || area === undefined || noun === undefined || more.length > 0) {
  console.error(usage)
  process.exitCode = 1
} else {
  const { path, of, ...titles } = values
  const wanted = { area, noun, titles: { ...titles, ...(await asked(titles)) }, ...(path === undefined ? {} : { path }) }
  const result = kind === 'document' || kind === 'entity' ? newNoun(root, { ...wanted, kind }) : newScreen(root, { ...wanted, kind, ...(await over(kind, of)) })
  if ('refused' in result) {
    console.error(result.refused)
    process.exitCode = 1
  } else {
    for (const file of new Set(result.files)) console.log(file)
    for (const complaint of await generate()) console.error(complaint)
    const isNew = [...result.files].some((file) => file.startsWith('schemas/'))
    if (!isNew) console.log('Look through it: every … wants a value for the rows there are. Then `npm run check`.')
    else console.log(kind === 'document' ? 'Add the number series named in the entity under /setting; then `npm run check`.' : 'Now `npm run check`, and `npm run dev` to look at it.')
  }
}

/** At a terminal, what was not given is asked for; elsewhere it is made from the noun. */
async function asked(titles: { readonly en?: string | undefined }): Promise<{ readonly en?: string }> {
  if (titles.en !== undefined || !process.stdin.isTTY) return {}
  const answer = await ask('Title in English (empty: from the name): ')
  return answer === '' ? {} : { en: answer }
}

async function over(kind: string, of: string | undefined): Promise<{ readonly of?: string }> {
  if (of !== undefined) return { of }
  if (kind === 'dataset' || !process.stdin.isTTY) return {}
  return { of: await ask(kind === 'report' ? 'Dataset: ' : 'Entity: ') }
}

async function ask(question: string): Promise<string> {
  const line = readline.createInterface({ input: process.stdin, output: process.stdout })
  const answer = (await line.question(question)).trim()
  line.close()
  return answer
}

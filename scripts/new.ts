import { existsSync } from 'node:fs'
import { join } from 'node:path'
import readline from 'node:readline/promises'

import { generate } from './generate.ts'
import { commandLine } from './lib/commandLine.ts'
import { newNoun } from './schemas/newNoun.ts'
import { newScreen, screenScaffolds } from './schemas/newScreen.ts'
import { root } from './schemas/readSources.ts'
import type { DocumentFacts } from './schemas/wholeDocument.ts'

const usage = `npm run new -- [document | entity | report | list | form | dataset] <area>/<noun> [--of <dataset or entity>] [--path /where] [--en "Title" --cn "标题" --id "Judul"]
  document  entity, list, form, detail and workflow with labels, route, menu entry and migration (also without the word); what is not said is asked for at a terminal:
            --party customer                          whom it is entered for
            --lines "item_id: item, qty: quantity"    fields of a line, each with its type or the entity it refers to
            --settles invoice                         open items its lines settle
            --approval "AR_MGR, FIN_MGR > 25000000"   who approves it, above which amount
            --posting "613101 / 112101"               accounts debited and credited; of one that settles, only the account beside that of the item
            --enters "AR_STAFF"                       roles that enter it
            --series PG                               code of its number series
  entity    master data: code, name, active; list and form with labels, route, menu entry and migration
  report    a report over a dataset: columns, filters, groups, chart, labels, route, menu entry
  list      a list over an entity; form: the form that list opens
  dataset   SQL and its description
Run again on a document or an entity whose fields have changed, it writes the next migration.`

/** What is asked about a document, in this order. */
const questions: Readonly<Record<keyof DocumentFacts, string>> = {
  party: 'Entered for (customer, business_partner; empty: nobody): ',
  settles: 'Open items its lines settle (invoice, vendor_invoice …; empty: none): ',
  lines: 'Fields of a line, as "item_id: item, qty: quantity, amount: money" (empty: none): ',
  approval: 'Who approves it, as "AR_MGR, FIN_MGR > 25000000" (empty: nobody): ',
  posting: 'Accounts debited and credited, as "613101 / 112101"; of one that settles, the account beside that of the item (empty: it books nothing): ',
  enters: 'Roles that enter it, as "AR_STAFF, AR_MGR" (empty: only administrators): ',
  series: 'Code of its number series (empty: from the name): ',
}
const documentFacts = ['party', 'settles', 'lines', 'approval', 'posting', 'enters', 'series'] as const

const { positionals, values } = commandLine({
  allowPositionals: true,
  options: { path: { type: 'string' }, of: { type: 'string' }, en: { type: 'string' }, cn: { type: 'string' }, id: { type: 'string' }, 
    party: { type: 'string' }, settles: { type: 'string' }, lines: { type: 'string' }, approval: { type: 'string' }, posting: { type: 'string' }, enters: { type: 'string' }, series: { type: 'string' },
  },
}, usage)
const kinds = ['document', 'entity', ...screenScaffolds] as const
const kind = positionals.length === 2 ? kinds.find((name) => name === positionals[0]) : positionals.length === 1 ? 'document' : undefined
const [area, noun, ...more] = (positionals.at(-1) ?? '').split('/')
if (kind === undefined || area === undefined || noun === undefined || more.length > 0) {
  console.error(usage)
  process.exitCode = 1
} else {
  const { path, of, en, cn, id } = values
  const titles = { ...(en === undefined ? {} : { en }), ...(cn === undefined ? {} : { cn }), ...(id === undefined ? {} : { id }) }
  const wanted = { area, noun, titles: { ...titles, ...(await asked(titles)) }, ...(path === undefined ? {} : { path }) }
  const isNew = !existsSync(join(root, 'schemas', area, noun))
  const result = kind === 'document' || kind === 'entity' ? newNoun(root, { ...wanted, kind, ...(kind === 'document' && isNew ? { facts: await facts() } : {}) }) : newScreen(root, { ...wanted, kind, ...(await over(kind, of)) })
  if ('refused' in result) {
    console.error(result.refused)
    process.exitCode = 1
  } else {
    for (const file of new Set(result.files)) console.log(file)
    for (const complaint of await generate()) console.error(complaint)
    if (!isNew) console.log('Look through it: every … wants a value for the rows there are. Then `npm run check`.')
    else console.log('Now `npm run check`, and `npm run dev` to look at it.')
  }
}

/** What is known of a document: what was given, and at a terminal whatever is not. */
async function facts(): Promise<DocumentFacts> {
  const known: Partial<Record<keyof DocumentFacts, string>> = {}
  for (const name of documentFacts) {
    const answer = values[name] ?? (process.stdin.isTTY ? await ask(questions[name]) : '')
    if (answer !== '') known[name] = answer
  }
  return known
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

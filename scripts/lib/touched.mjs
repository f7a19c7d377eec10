// What of the tests a change touches, by the imports between files and by what tests name. Pure: files come as texts.
import path from 'node:path'

/** Tests that hold for every file of a kind of schema, beside those that name what changed. */
const byKind = {
  entity: ['server/tables', 'schemas/generate'],
  list: ['server/listViews'],
  form: ['schemas/validators'],
  detail: ['server/detail'],
  approval: ['server/customerApproval'],
  report: ['reports/reports'],
  dataset: ['reports/datasets', 'reports/reports'],
  dashboard: ['reports/dashboard'],
  workbench: ['server/offeredCommands'],
  workflow: ['server/workflow', 'server/offeredCommands', 'server/flow'],
  posting: ['flows/orderToCash', 'flows/closing'],
  import: ['server/import/importKinds', 'server/import/imports'],
  fragment: ['meta/resolve'],
  routes: ['server/specification', 'specification', 'meta/routePath'],
  menu: ['seed/grants', 'server/roles'],
  messages: ['schemas/messages', 'schemas/words'],
  meta: ['meta/check', 'schemas/generate', 'schemas/inspections', 'schemas/editorSchemas', 'schemas/guide', 'schemas/cookbook', 'schemas/mistakes'],
  migration: ['server/tables', 'server/migrate'],
  script: ['schemas/commandLine'],
}

/** The walk through every screen that a kind of schema belongs to; others are among the others. */
const walks = { form: 'screensForms', list: 'screensLists', workbench: 'screensLists', detail: 'screensOthers', approval: 'screensOthers', report: 'screensOthers', dashboard: 'screensOthers' }

/** Browser tests of what a folder of the client's code shows. */
const byFolder = {
  app: ['shell', 'navigation'], approval: ['approvals'], charts: ['dashboard', 'reports'], companion: ['shell'], dashboard: ['dashboard'], data: ['lists'], export: ['export'], form: ['forms'], grid: ['typed', 'forms'],
  home: ['around'], import: ['imports'], keys: ['keys'], notes: ['notes'], notifications: ['approvals'], pages: ['around', 'detail', 'errors'], palette: ['navigation'], print: ['prints'], report: ['reports'],
  schedule: ['reports'], scope: ['shell'], slots: ['payment'], studio: ['studio'], table: ['lists'], ui: ['catalogue'], wizards: ['imports'],
}

/** `schemas/sales/sales-order/sales-order.list.json` → its noun, kind and id. */
export function schemaOf(file) {
  const [, area, ...rest] = file.split('/')
  if (area === 'meta') return { kind: 'meta', noun: undefined, id: undefined }
  if (area === 'messages') return { kind: 'messages', noun: undefined, id: undefined }
  if (rest.length === 0) return { kind: area?.replace(/\.json$/, '') ?? '', noun: undefined, id: undefined }
  const name = path.posix.basename(file)
  return { kind: /\.(\w+)\.(json|sql)$/.exec(name)?.[1] ?? '', noun: rest.length > 1 ? rest[0] : name.split('.')[0], id: name.replace(/\.(json|sql)$/, '') }
}

/** What a file imports of our own, as paths from the root. `there` says whether a file exists. */
export function importsOf(file, text, there) {
  const found = new Set()
  for (const [, said] of text.matchAll(/(?:from|import|import\(|mock\()\s*['"]([#.][^'"?]+)/g)) {
    const target = said.startsWith('#') ? `src/${said.slice(1)}` : said.startsWith('.') ? path.posix.join(path.posix.dirname(file), said) : undefined
    if (target === undefined) continue
    for (const name of [target, `${target}.ts`, `${target}.tsx`]) if (there(name)) found.add(name)
  }
  return [...found]
}

/** How many imports away every file is that leads to one of these; they themselves are 0 away. */
export function distances(changed, importers) {
  const far = new Map(changed.map((file) => [file, 0]))
  const queue = [...changed]
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of importers.get(file) ?? []) {
      if (far.has(next)) continue
      far.set(next, (far.get(file) ?? 0) + 1)
      queue.push(next)
    }
  }
  return far
}

/**
 * The test files a change touches, what is nearest first, each with why. `files` are the code's files by path, `changed` the paths that changed,
 * `said` the tables a changed migration names.
 */
export function touchedTests(changed, files, said = []) {
  const isTest = (file) => /^tests\/.*\.test\.tsx?$/.test(file)
  const importers = new Map()
  for (const [file, text] of files) {
    for (const target of importsOf(file, text, (name) => files.has(name))) importers.set(target, [...(importers.get(target) ?? []), file])
  }
  const chosen = new Map()
  const choose = (file, far, why) => {
    if (files.has(file) && (chosen.get(file)?.far ?? Infinity) > far) chosen.set(file, { file, far, why })
  }
  const kinds = (kind, far) => (byKind[kind] ?? []).forEach((name) => choose(`tests/${name}.test.ts`, far, `holds for every ${kind}`))
  const code = changed.filter((file) => /\.(tsx?|mjs)$/.test(file))
  for (const [file, far] of distances(code, importers)) if (isTest(file)) choose(file, far === 0 ? 0 : far, far === 0 ? 'changed' : far === 1 ? 'imports what changed' : `${far} imports away`)
  for (const file of code) {
    const mirror = file.replace(/^(src|scripts)\//, 'tests/').replace(/\.(tsx?|mjs)$/, '')
    for (const end of ['.test.ts', '.test.tsx']) choose(mirror + end, 1, 'is named like what changed')
    if (file.startsWith('scripts/')) kinds('script', 3)
  }
  const nouns = new Set(said.map((table) => table.replaceAll('_', '-')))
  for (const file of changed.filter((name) => name.startsWith('schemas/') && !name.endsWith('.md'))) {
    const { kind, noun } = schemaOf(file)
    kinds(kind, 1.5)
    if (noun !== undefined) nouns.add(noun)
  }
  if (changed.some((file) => /\/migrations\/.*\.sql$/.test(file))) kinds('migration', 1.5)
  for (const noun of nouns) {
    const named = naming(noun)
    for (const [file, text] of files) {
      const times = isTest(file) ? (text.match(named)?.length ?? 0) : 0
      // Who names it often speaks of it.
      if (times > 0) choose(file, 1 + 1 / (1 + times), `names ${noun}`)
    }
  }
  return [...chosen.values()].sort((a, b) => a.far - b.far || (a.file < b.file ? -1 : 1))
}

/** The walks and single browser tests a change touches. `specs` are the texts of the browser tests by name (`lists.spec.ts`), `served` the screens a route shows. */
export function touchedBrowserTests(changed, specs, served) {
  const walked = new Map()
  const chosen = new Map()
  const add = (place, why, far) => {
    if ((chosen.get(place)?.far ?? Infinity) > far) chosen.set(place, { place, why, far })
  }
  const nouns = new Set()
  for (const file of changed) {
    if (/^tests\/e2e\/.*\.spec\.ts$/.test(file) && specs.has(path.posix.basename(file))) add(path.posix.basename(file), 'changed', 0)
    if (file.startsWith('schemas/')) {
      const { kind, noun, id } = schemaOf(file)
      const walk = walks[kind]
      if (walk !== undefined && served.has(id)) walked.set(walk, [...(walked.get(walk) ?? []), id])
      if (walk !== undefined && noun !== undefined) nouns.add(noun)
    }
    const folder = /^src\/client\/(\w+)\//.exec(file)?.[1]
    for (const name of byFolder[folder ?? ''] ?? []) if (specs.has(`${name}.spec.ts`)) testsOf(specs.get(`${name}.spec.ts`)).forEach(({ line }, i) => add(`${name}.spec.ts:${line}`, `shows ${folder}`, 2 + i / 1000))
  }
  for (const noun of nouns) {
    for (const [name, text] of specs) {
      for (const { line, body } of testsOf(text)) if (naming(noun).test(body)) add(`${name}:${line}`, `names ${noun}`, 1)
    }
  }
  return { walks: [...walked].map(([walk, screens]) => ({ walk: `${walk}.spec.ts`, screens: [...new Set(screens)] })), tests: [...chosen.values()].sort((a, b) => a.far - b.far) }
}

/** A noun as tests write it: in quotes, as part of an address, as a table. */
function naming(noun) {
  return new RegExp(`['"\`/](?:${noun}|${noun.replaceAll('-', '_')})(?=['"\`/.?-]|\\b(?!_))`, 'g')
}

/** The tests of a file, each with its line and its text up to the next one. */
function testsOf(text) {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, i) => (/^\s*test\(/.test(line) ? [i] : []))
  return starts.map((at, i) => ({ line: at + 1, body: lines.slice(at, starts[i + 1]).join('\n') }))
}

/** As many of these, in their order, as fit into so many seconds, and those that do not. */
export function fitting(pieces, seconds, secondsOf) {
  const fit = []
  const left = []
  let spent = 0
  for (const piece of pieces) {
    const length = secondsOf(piece)
    if (spent + length > seconds) left.push(piece)
    else {
      spent += length
      fit.push(piece)
    }
  }
  return { fit, left }
}

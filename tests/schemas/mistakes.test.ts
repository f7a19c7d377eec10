import { describe, expect, it } from 'vitest'

import type { Finding } from '../../src/meta/check/finding.ts'
import { locate } from '../../src/meta/check/locate.ts'
import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { kindOfFile, readSchemaFiles, type SchemaFile } from '../../scripts/schemas/readSources.ts'

/** A mistake somebody could make in a file of the product, and where the check must point. */
interface Mistake {
  readonly file: SchemaFile
  readonly text: string
  readonly line: number
  readonly column: number
  readonly code: RegExp
  readonly meant: string
  /** Told apart by what it is: one of each kind of place is planted. */
  readonly place: string
}

/** Values whose misspelling leads nowhere: `kind:path`, with `*` for positions and names. */
const names: readonly (readonly [place: RegExp, code: RegExp])[] = [
  [/^\w+:entity$/, /^unknown-entity$/],
  [/^(list|approval):columns\.\*(\.field)?$/, /^unknown-field$/],
  [/^list:(filters\.\*|sort\.\*\.field|groupBy\.\*)$/, /^unknown-field$/],
  [/^list:(presets\.\*\.where|emphasis\.\*\.when|actions\.\*\.when)$/, /^unknown-condition$/],
  [/^list:actions\.\*\.transition$/, /^(unresolved|unknown-transition)$/],
  [/^list:actions\.\*\.command$/, /^(unresolved|unknown-command)$/],
  [/^list:(actions\.\*\.panel|panel|preview)$/, /^unknown-screen$/],
  [/^list:(open|actions\.\*\.goto)$/, /^unknown-path$/],
  [/^form:sections\.\*\.fields\.\*(\.field)?$/, /^unknown-field$/],
  [/^form:lines\.columns\.\*(\.field)?$/, /^unknown-field$/],
  [/^form:totals\.\*$/, /^unknown-field$/],
  [/^detail:facts\.\*(\.field)?$/, /^unknown-field$/],
  [/^detail:tabs\.\*\.(sections\.\*\.fields|columns)\.\*(\.field)?$/, /^unknown-field$/],
  [/^detail:tabs\.\*\.screen$/, /^unknown-screen$/],
  [/^approval:peek$/, /^unknown-screen$/],
  [/^approval:docType$/, /^unknown-entity$/],
  [/^workbench:tabs\.\*\.screen$/, /^unknown-screen$/],
  [/^report:dataset$/, /^unknown-dataset$/],
  [/^report:columns\.\*(\.field)?$/, /^unknown-column$/],
  [/^report:(parameters\.\*(\.field)?)$/, /^unknown-parameter$/],
  [/^report:(filters\.\*|groups\.\*(\.field)?|across\.\*(\.field)?|opens\.rows\.\*|chart\.by)$/, /^unknown-dimension$/],
  [/^report:(measures\.\*|chart\.measures\.\*)$/, /^unknown-measure$/],
  [/^dataset:(key\.\*|dimensions\.\*\.describes|currency)$/, /^unknown-dimension$/],
  [/^dataset:measures\.\*\.adds\.within$/, /^unknown-dimension$/],
  [/^dataset:measures\.\*\.adds$/, /^wrong-value$/],
  [/^dataset:measures\.\*\.span\.entity$/, /^unknown-entity$/],
  [/^dataset:measures\.\*\.span\.(after|to)$/, /^unknown-field$/],
  [/^dataset:measures\.\*\.ratio\.\*$/, /^unknown-measure$/],
  [/^dataset:rowsOf\.\w+\.\w+$/, /^unknown-dimension$/],
  [/^dataset:time\.(from|to|at)$/, /^unknown-parameter$/],
  [/^(dataset|entity):(dimensions|fields|parameters)\.\*\.type$/, /^wrong-value$/],
  [/^entity:fields\.\*\.entity$/, /^unknown-entity$/],
  [/^entity:(display\.\*|owner|scope\.\*|key\.\*\.\*)$/, /^unknown-field$/],
  [/^entity:usedAs\.\*\.\w+$/, /^unknown-field$/],
  [/^entity:keptOnce\.\*\.\*$/, /^unknown-entity$/],
  [/^entity:base$/, /^wrong-value$/],
  [/^entity:reliances\.\*\.on$/, /^unknown-entity$/],
  [/^(entity:fields\.\*\.tones\.\*|\w+:.*\.tone)$/, /^wrong-value$/],
  [/^workflow:transitions\.\*\.(effects|preconditions)\.\*$/, /^unknown-|^not-written/],
  [/^workflow:approval\.(reversal\.)?(checks|then)\.\*$/, /^unknown-/],
  [/^workflow:books\.events\.\*\.event$/, /^unknown-event$/],
  [/^workflow:settles\.\*\.(item|amount)$/, /^unknown-field$/],
  [/^workflow:(consumes|moves)\.\*\.(of|qty|into|upTo|cost|from|to)$/, /^unknown-field$/],
  [/^workflow:settles\.\*\.as$/, /^unknown-value$/],
  [/^entity:candidates\.entity$/, /^unknown-entity$/],
  [/^entity:rules\.\*\.at\.\*$/, /^unknown-transition$/],
  [/^dashboard:tiles\.\*\.from\.(list|report)$/, /^unknown-screen$/],
  [/^dashboard:tiles\.\*\.items\.\*\.from\.list$/, /^unknown-screen$/],
  [/^import:sheets\.\*\.records\.\*\.entity$/, /^unknown-entity$/],
  [/^import:sheets\.\*\.columns\.\*\.field$/, /^unknown-field$/],
  [/^routes:\*\.screen$/, /^unknown-screen$/],
  [/^routes:\*\.page$/, /^unknown-page$/],
  [/^routes:\*\.print$/, /^unknown-print$/],
  [/^routes:\*\.redirect$/, /^unknown-path$/],
  [/^routes:\*\.layout$/, /^wrong-value$/],
  [/^menu:\*\.submenu\.\*\.url$/, /^unknown-path$/],
  [/^menu:\*\.submenu\.\*\.guard$/, /^unknown-guard$/],
]

/** Keys that name something else. */
const namingKeys: readonly (readonly [place: RegExp, code: RegExp])[] = [
  [/^dataset:rowsOf\.\w+ \(key\)$/, /^unknown-parameter$/],
  [/^dataset:rowsOf\.\w+\.\w+ \(key\)$/, /^unknown-value$/],
  [/^workflow:makes\.\*\.lines\.\w+ \(key\)$/, /^unknown-field$/],
]

/** Keys under these are names the author makes up. */
const freeKeys = new Set(['copy', 'fields', 'children', 'conditions', 'dimensions', 'measures', 'parameters', 'renamed', 'params', 'tones', 'scope', 'defaults', 'where', 'when', 'must', 'requiredWhen', 'fills', 'lookupWhere', 'with', 'reports', 'set', 'by', 'of', 'after', 'usedAs', 'keptOnce', 'derive', 'takes', 'narrows', 'header', 'amounts', 'accounts', 'variants', 'printWhen'])

const files = readSchemaFiles()
const context = contextOfRepository()
const mistakes = plantable()

describe('Complaint 15: configuration fails far away: a mistake in a real schema file', () => {
  it('can be planted in at least a hundred different places', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(100)
    expect(new Set(mistakes.map(({ code }) => String(code))).size).toBeGreaterThan(10)
  })

  it.each(mistakes.map((mistake): [string, Mistake] => [`${mistake.place} (${mistake.file.path})`, mistake]))('is found at its place: %s', (_, mistake) => {
    const together = findings(handful(mistake))
    const found = isFoundIn(together, mistake) ? together : findings([mistake])
    const told = found.map(({ path, line, column, code, message }) => `${path}:${line}:${column} ${code} ${message}`).join('\n')
    const here = found.filter((finding) => isAt(finding, mistake))
    expect(here.map(({ code }) => code), `expected at ${mistake.line}:${mistake.column}; found\n${told}`).toEqual([expect.stringMatching(mistake.code)])
    expect(asOffered(here[0]?.message ?? '')).toContain(`did you mean "${asOffered(mistake.meant)}"?`)
  })
})

/** The mistakes in handfuls, each in another file: a check takes as long for one as for many. One that is not found beside others, which may hide it, is looked for alone. */
const handfuls = handfulsOf(mistakes)

function handful(mistake: Mistake): readonly Mistake[] {
  return handfuls.find((some) => some.includes(mistake)) ?? [mistake]
}

function handfulsOf(all: readonly Mistake[]): readonly (readonly Mistake[])[] {
  const some: Mistake[][] = []
  for (const mistake of all) {
    const room = some.find((others) => !others.some(({ file }) => file === mistake.file))
    if (room === undefined) some.push([mistake])
    else room.push(mistake)
  }
  return some
}

const checked = new Map<readonly Mistake[], readonly Finding[]>()

/** What the check says is wrong with these mistakes in the files. */
function findings(planted: readonly Mistake[]): readonly Finding[] {
  const known = checked.get(planted)
  if (known !== undefined) return known
  const changed = files.map((file) => ({ ...file, text: planted.find((mistake) => mistake.file === file)?.text ?? file.text }))
  const found = checkSchemas(changed, context).findings.filter(({ severity }) => severity === 'error')
  checked.set(planted, found)
  return found
}

function isAt({ path, line, column }: Finding, mistake: Mistake): boolean {
  return path === mistake.file.path && line === mistake.line && column === mistake.column
}

function isFoundIn(found: readonly Finding[], mistake: Mistake): boolean {
  const here = found.filter((finding) => isAt(finding, mistake))
  return here.length === 1 && here.every(({ code, message }) => mistake.code.test(code) && asOffered(message).includes(`did you mean "${asOffered(mistake.meant)}"?`))
}

/** A path is offered as the route list writes it: its parameters have names of their own there. */
function asOffered(text: string): string {
  return text.toLowerCase().replaceAll(/\{\w+\}/g, '{}')
}

/** One misspelling for each kind of place: every key of the language in use, every name of something else. */
function plantable(): readonly Mistake[] {
  const known = new Map<string, Mistake>()
  for (const file of files) {
    if (!file.path.endsWith('.json') || file.path.startsWith('schemas/meta/') || file.path.startsWith('schemas/messages/')) continue
    const kind = file.path === 'schemas/routes.json' ? 'routes' : file.path === 'schemas/menu.json' ? 'menu' : kindOfFile(file.path)
    if (kind === undefined) continue
    const located = locate(file.path, file.text)
    for (const { at, word, onKey } of words(located.value, [])) {
      // One variant stands for all; what may stand in it is what may stand in a file.
      const place = `${kind}:${at.map((key, i) => (typeof key === 'number' || (!(onKey && i === at.length - 1) && freeKeys.has(String(at[i - 1]))) ? '*' : key)).join('.').replace(/^variants\.\w+/, 'variants.*')}${onKey ? ' (key)' : ''}`
      const code = onKey ? (namingKeys.find(([pattern]) => pattern.test(place))?.[1] ?? /^unknown-key$/) : names.find(([pattern]) => pattern.test(place.replace('variants.*.', '')))?.[1]
      if (code === undefined || known.has(place)) continue
      const { line, column } = located.position(at, onKey)
      const wrong = misspelt(word)
      known.set(place, { file, text: replaced(file.text, line, column, word, wrong), line, column, code, meant: word, place })
    }
  }
  return [...known.values()]
}

interface Word {
  readonly at: readonly (string | number)[]
  readonly word: string
  readonly onKey: boolean
}

function* words(value: unknown, at: readonly (string | number)[]): Iterable<Word> {
  if (typeof value === 'string' && value.length > 4) yield { at, word: value, onKey: false }
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    const isFree = Array.isArray(value) || at.some((name) => freeKeys.has(String(name)) && name !== 'fields' && name !== 'dimensions' && name !== 'measures' && name !== 'parameters') || freeKeys.has(String(at.at(-1)))
    if (!isFree && key.length > 4 && !key.startsWith('$')) yield { at: place, word: key, onKey: true }
    yield* words(part, place)
  }
}

/** A letter of the middle left out. */
function misspelt(word: string): string {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle) + word.slice(middle + 1)
}

function replaced(text: string, line: number, column: number, from: string, to: string): string {
  const lines = text.split('\n')
  const old = lines[line - 1] ?? ''
  return lines.with(line - 1, old.slice(0, column - 1) + old.slice(column - 1).replace(`"${from}"`, `"${to}"`)).join('\n')
}

// `npm run test:quick [-- <commit>]`: what the change since the last commit (or that one) touches, within five minutes. What did not fit is named; only failures fail.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { bin, findChromium, install, requireNode, root, run } from './lib/steps.mjs'
import { browserRun, browserTests, company, count, countStage, finish, prepareStage, step, vitest } from './lib/testRuns.mjs'
import { fitting, touchedBrowserTests, touchedTests } from './lib/touched.mjs'

requireNode()
await install()

const [base = 'HEAD'] = process.argv.slice(2)
const over = Date.now() + 1000 * Number(process.env.QUICK_SECONDS ?? 300)
const left = () => (over - Date.now()) / 1000
const changed = changedFiles()
if (changed.length === 0) {
  console.log(`Nothing has changed since ${base}.`)
  finish()
}
console.log(`${changed.length} ${changed.length === 1 ? 'file has' : 'files have'} changed since ${base}.`)
const unrun = []
const tests = touchedTests(changed, codeFiles(), tablesOfMigrations())
const specs = new Map(fs.readdirSync(browserTests).filter((name) => name.endsWith('.spec.ts')).map((name) => [name, read(path.join(browserTests, name))]))
const inBrowser = touchedBrowserTests(changed, specs, new Set(JSON.parse(read('schemas/routes.json')).map(({ screen }) => screen)))
const chromium = inBrowser.walks.length + inBrowser.tests.length > 0 ? findChromium() : undefined

await step('Generate from the schemas', () => run(bin('tsx'), ['scripts/generate.ts']))
// Beside everything else; what the browser needs is of no use once there is no time left for it.
const stage = chromium === undefined ? undefined : prepareStage(AbortSignal.timeout(Math.max(1, left() - 20) * 1000))
await step('Schema check', () => run(bin('tsx'), ['scripts/check.ts']))
await step('Types', () => run(bin('tsc'), ['-b']))
const linted = changed.filter((file) => /^(src|scripts|tests)\/.*\.(tsx?|mjs)$/.test(file) && fs.existsSync(path.join(root, file)))
if (linted.length > 0) await step('Lint of what changed', () => run(bin('oxlint'), ['--type-aware', ...linted]))
await codeTests()
const staged = await stage
if (staged !== undefined && !staged.wasStopped) countStage(staged)
await endToEnd()
if (unrun.length > 0) console.log(`\nNot run, there was no time left (npm test runs them):\n${unrun.map((name) => `  ${name}`).join('\n')}`)
finish()

async function codeTests() {
  if (tests.length === 0) {
    console.log('\n== No unit or server test touches what changed.')
    return
  }
  const seconds = left() - (stage === undefined ? 5 : 90)
  // Two processors share them; what an earlier run took says how long they take.
  const took = durations()
  const { fit, left: late } = fitting(tests, 1.7 * (seconds - 10), ({ file }) => took.get(file) ?? (/tests\/(server|flows|seed|reports)\//.test(file) ? 8 : 1.5))
  console.log(`\n== ${fit.length} of ${tests.length} files of tests`)
  for (const { file, why } of fit) console.log(`   ${file.padEnd(48)} ${why}`)
  unrun.push(...late.map(({ file }) => file))
  if (fit.length === 0) return
  const ended = new Set(await vitest('Unit and server tests', fit.map(({ file }) => file), { TEST_DATABASE: 'embedded', TEST_ORDER: fit.map(({ file }) => file).join(',') }, seconds))
  unrun.push(...fit.map(({ file }) => file).filter((file) => !ended.has(file)))
}

async function endToEnd() {
  const walks = inBrowser.walks.map(({ walk }) => walk)
  const named = inBrowser.tests.map(({ place }) => place)
  if (walks.length + named.length === 0) return
  if (chromium === undefined) {
    console.log('\n== No Chromium is there (npm test installs one): browser tests are left out.')
    unrun.push(...walks, ...named)
    return
  }
  if (!staged.isReady) {
    // Without a failure of its own it was only too late.
    unrun.push(...walks, ...named)
    return
  }
  const screens = inBrowser.walks.flatMap((one) => one.screens)
  const { fit, left: late } = fitting([...walks, ...named], left() - 15, (place) => (walks.includes(place) ? 5 + 4 * screens.length : 6))
  unrun.push(...late)
  if (fit.length === 0) return
  console.log(`\n== Browser tests: ${[...fit].join(', ')}`)
  const options = [`--global-timeout=${Math.max(1, Math.round(left() - 5)) * 1000}`, '--retries=1']
  const { good, bad, late: stopped } = await browserRun(chromium, fit, company, 0, { options, env: screens.length === 0 ? {} : { E2E_SCREENS: screens.join(',') } })
  unrun.push(...stopped)
  count(good, bad, 'Browser tests')
}

/** Files changed, new and gone since the commit. */
function changedFiles() {
  try {
    const since = git('diff', '--name-only', '-z', base, '--')
    return [...new Set([...since, ...git('ls-files', '--others', '--exclude-standard', '-z')])].filter((file) => file !== '' && !file.startsWith('src/generated/')).sort()
  } catch (error) {
    console.error(String(error.stderr ?? error).trim())
    process.exit(2)
  }
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).split('\0')
}

/** Every file of code, with its text; a file that is gone stands there empty, for those that still import it. */
function codeFiles() {
  const names = ['src', 'scripts', 'tests'].flatMap((folder) => fs.readdirSync(path.join(root, folder), { recursive: true }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`))
  const files = new Map(names.filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.startsWith('src/generated/')).map((name) => [name, read(name)]))
  for (const file of changed) if (/\.(tsx?|mjs)$/.test(file) && !files.has(file)) files.set(file, '')
  return files
}

function tablesOfMigrations() {
  const texts = changed.filter((file) => /\/migrations\/.*\.sql$/.test(file) && fs.existsSync(path.join(root, file))).map(read)
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\b(?:CREATE|ALTER) TABLE(?: IF (?:NOT )?EXISTS)? "?(\w+)"?/gi)].map(([, table]) => table.toLowerCase())))]
}

/** Seconds each file took when it ran last, as Vitest remembers them. */
function durations() {
  const folder = path.join(root, 'node_modules', '.vite', 'vitest')
  const kept = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name, 'results.json')).filter((file) => fs.existsSync(file)) : []
  return new Map(kept.flatMap((file) => JSON.parse(fs.readFileSync(file, 'utf8')).results.map(([name, { duration }]) => [name.slice(name.indexOf(':') + 1), 1 + duration / 1000])))
}

function read(file) {
  return fs.readFileSync(path.resolve(root, file), 'utf8')
}

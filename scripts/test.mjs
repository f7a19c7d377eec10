// `npm test`: every check, one after another, each on its own. Ends with one line `N passed, N failed`.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { cut } from './lib/cut.mjs'
import { bin, findChromium, install, installChromium, requireNode, root, run } from './lib/steps.mjs'

requireNode()
await install()

let passed = 0
let failed = 0
const failures = []
let runs = 0
const browserTests = path.join('tests', 'e2e')
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-test-'))
/** The data folder of the demo company the browser tests begin with. */
const company = path.join(reports, 'company')

await step('Generate from the schemas', () => run(bin('tsx'), ['scripts/generate.ts']))
// Beside the checks of the sources, what the browser tests begin with: it keeps one processor busy.
const stage = prepareStage()
await step('Schema check', () => run(bin('tsx'), ['scripts/check.ts']))
await step('Types', () => run(bin('tsc'), ['-b']))
await step('Lint', () => run(bin('oxlint'), ['--type-aware', 'src', 'scripts', 'tests']))
await step('Unused code', () => run(bin('knip'), []))
const staged = await stage
console.log(`\n== Build, and the first start on an empty folder\n${staged.output}   ${staged.isReady ? 'ok' : 'FAILED'} in ${staged.seconds.toFixed(1)} s, beside the steps above`)
count(staged.isReady ? 1 : 0, staged.isReady ? 0 : 1, 'Build, and the first start on an empty folder')
await vitest('Unit and server tests (embedded database)', [], { TEST_DATABASE: 'embedded' })
if (await answers('127.0.0.1', 5432)) {
  await vitest('Server tests (PostgreSQL)', ['tests/server', 'tests/flows', 'tests/reports', 'tests/seed'], { TEST_DATABASE: 'postgres' })
} else {
  console.log('\n== PostgreSQL does not answer on 127.0.0.1:5432: its round of the server tests is left out.')
}
await endToEnd()

for (const line of failures) console.log(line)
fs.rmSync(reports, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function step(name, work) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const code = await work()
  console.log(`   ${code === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1, name)
}

async function vitest(name, filters, extra) {
  console.log(`\n== ${name}`)
  const first = await vitestRun(filters, extra)
  // A busy machine may be late once: files with a failure run again, alone and one at a time. What fails then as well is broken; what passes is
  // named below, so that nobody mistakes it for a clean run.
  const again = first.files.length > 0 && first.files.length <= 5 ? await vitestRun(['--no-file-parallelism', ...first.files], extra) : undefined
  const bad = again === undefined ? first.bad : again.bad
  const standing = (again ?? first).failures
  for (const { title, message } of standing) failures.push(`FAILED ${title}\n       ${message}`)
  for (const { title, message } of first.failures) {
    if (!standing.some((other) => other.title === title)) failures.push(`Passed only when run again: ${title}\n       ${message}`)
  }
  count(again === undefined ? first.good : first.goodElsewhere + again.good, bad, name)
}

/** One run: how many tests passed, in all and in the files without a failure; how many failed; the files with a failure, and each failure with its first lines. */
async function vitestRun(filters, extra) {
  const report = path.join(reports, `${runs++}.json`)
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters], {
    env: { ...process.env, ...extra },
  })
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined
  const files = (result?.testResults ?? []).filter((file) => file.status === 'failed')
  const tests = files.flatMap((file) => file.assertionResults.filter((test) => test.status === 'failed').map((test) => ({ file: file.name, title: test.fullName, message: test.failureMessages[0] })))
  // A file that does not load has a message and no failed test.
  const unloaded = files.filter((file) => !file.assertionResults.some((test) => test.status === 'failed')).map((file) => ({ file: file.name, title: '', message: file.message }))
  const failed = [...tests, ...unloaded]
  const good = result?.numPassedTests ?? 0
  return {
    good,
    // A run that fails without a failed test (a file that does not load, no test at all) still counts as one failure.
    bad: failed.length > 0 ? failed.length : code === 0 && good > 0 ? 0 : 1,
    goodElsewhere: good - files.flatMap((file) => file.assertionResults).filter((test) => test.status === 'passed').length,
    files: files.map((file) => path.relative(process.cwd(), file.name)),
    failures: failed.length === 0 && code !== 0 ? [{ title: 'vitest', message: `ended with ${code} though no test failed: see above` }] : failed.map((one) => ({ title: `${path.relative(process.cwd(), one.file)} ${one.title}`.trimEnd(), message: firstLines(one.message) })),
  }
}

async function endToEnd() {
  console.log('\n== End to end in Chromium')
  const chromium = findChromium() ?? (await installChromium())
  if (!chromium) {
    console.log('   No Chromium could be found or installed.')
    count(0, 1, 'End to end: no Chromium')
    return
  }
  if (!staged.isReady) {
    console.log('   Left out: there is no built server, or it does not start (see above).')
    return
  }
  // One browser waits for its server a good part of the time: halves of the tests, each on a company of its own, keep two processors busy. Thirds took as long,
  // and a wait in them was once too long.
  const halves = cut(secondsOfBrowserTests(), os.availableParallelism() > 1 ? 2 : 1)
  const companies = halves.map((_, n) => (n === 0 ? company : `${company}-${n}`))
  for (const copy of companies.slice(1)) fs.cpSync(company, copy, { recursive: true })
  const runs = await Promise.all(halves.map((files, n) => browserRun(chromium, files, companies[n], n)))
  const good = runs.reduce((sum, one) => sum + one.good, 0)
  count(good, runs.reduce((sum, one) => sum + one.bad, 0), 'End to end')
}

/** About how many seconds each file of browser tests takes beside another one: the long ones by name, the others by the number of their tests. */
function secondsOfBrowserTests() {
  const walks = { 'catalogue.spec.ts': 59, 'forms.spec.ts': 106, 'lists.spec.ts': 195, 'masters.spec.ts': 72, 'orderToCash.spec.ts': 24, 'reports.spec.ts': 56, 'screensForms.spec.ts': 114, 'screensLists.spec.ts': 102, 'screensOthers.spec.ts': 102, 'signIn.spec.ts': 40, 'wrongInput.spec.ts': 150 }
  const files = fs.readdirSync(browserTests).filter((name) => name.endsWith('.spec.ts')).sort()
  return Object.fromEntries(files.map((name) => [name, walks[name] ?? 4 * (fs.readFileSync(path.join(browserTests, name), 'utf8').split(/^ *test\(/m).length - 1)]))
}

/**
 * Builds, and starts the built server once on an empty folder: seeding the demo company is nearly all of that start, so each half of the browser
 * tests begins with a copy of what it leaves. Keeps what is said until it is over.
 */
async function prepareStage() {
  const started = Date.now()
  const built = await heard(spawn(process.execPath, ['--input-type=module', '-e', "import { build } from './scripts/lib/steps.mjs'\nawait build()"], { cwd: root }))
  const isBuilt = built.code === 0
  const env = { ...process.env, PORT: '0', ARUS_DATA: company }
  delete env.DATABASE_URL
  const first = isBuilt ? await heard(spawn(process.execPath, ['--enable-source-maps', path.join('dist', 'server', 'main.js')], { cwd: root, env }), /^Demo accounts/m) : built
  return { isReady: isBuilt && first.code === 0, output: first.code === 0 ? '' : first.output, seconds: (Date.now() - started) / 1000 }
}

/** What a program says until it ends, and its exit code; one that says `enough` is asked to end, and one that ends without has failed. */
async function heard(child, enough) {
  let output = ''
  let asked = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      if (asked || !enough?.test(output)) return
      asked = true
      // The server heeds the signal from a moment after its last word on.
      setTimeout(() => child.kill('SIGTERM'), 1000)
    })
  }
  const code = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  return { code: enough === undefined || asked ? code : 1, output }
}

/** Some files of the browser tests, their server at a port of its own on a data folder of its own. */
async function browserRun(chromium, files, data, n) {
  const report = path.join(reports, `e2e-${n}.json`)
  const code = await run(bin('playwright'), ['test', '--config', path.join(browserTests, 'playwright.config.ts'), '--reporter=list,json', ...files.map((name) => `/${name}`)], {
    env: { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_PORT: String(await freePort(Number(process.env.E2E_PORT ?? 4188) + 2 * n)), E2E_DATA: data },
  })
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined
  const stats = result?.stats
  for (const test of specsOf(result?.suites ?? []).filter(({ status }) => status === 'flaky' || status === 'unexpected')) {
    failures.push(`${test.status === 'flaky' ? 'Passed only when run again:' : 'FAILED'} ${test.title}\n       ${test.message}`)
  }
  const good = (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  const bad = stats?.unexpected ?? 0
  return { good, bad: bad > 0 ? bad : code === 0 && good > 0 ? 0 : 1 }
}

/** The tests of a report of Playwright, its nested suites laid flat, each with the first line of what went wrong first. */
function specsOf(suites) {
  return suites.flatMap((suite) => [
    ...suite.specs.flatMap((spec) => spec.tests.map((test) => ({ title: `${spec.file}:${spec.line} ${spec.title}`, status: test.status, message: firstLines(test.results.find((result) => result.error)?.error?.message) }))),
    ...specsOf(suite.suites ?? []),
  ])
}

function firstLines(message) {
  return String(message ?? '').split('\n').slice(0, 3).join('\n       ').slice(0, 600)
}

function count(good, bad, name) {
  passed += good
  failed += bad
  if (bad > 0) failures.push(`FAILED ${name}: ${bad}`)
}

/** The first port from here on, in steps no other half takes, at which nobody answers: what another program left running is no reason to fail. */
async function freePort(port) {
  return (await answers('127.0.0.1', port)) ? freePort(port + 10) : port
}

function answers(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 1000 })
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}

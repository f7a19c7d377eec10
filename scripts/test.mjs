// `npm test`: every check, one after another, each on its own. Ends with one line `N passed, N failed`.
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { cut } from './lib/cut.mjs'
import { bin, build, findChromium, install, installChromium, requireNode, run } from './lib/steps.mjs'

requireNode()
await install()

let passed = 0
let failed = 0
const failures = []
let runs = 0
const browserTests = path.join('tests', 'e2e')
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-test-'))

await step('Generate from the schemas', () => run(bin('tsx'), ['scripts/generate.ts']))
await step('Schema check', () => run(bin('tsx'), ['scripts/check.ts']))
await step('Types', () => run(bin('tsc'), ['-b']))
await step('Lint', () => run(bin('oxlint'), ['--type-aware', 'src', 'scripts', 'tests']))
await step('Unused code', () => run(bin('knip'), []))
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
  await build()
  // One browser waits for its server most of the time: halves of the tests, each on a company of its own, keep two processors busy.
  const halves = cut(secondsOfBrowserTests(), os.availableParallelism() > 1 ? 2 : 1)
  const runs = await Promise.all(halves.map((files, n) => browserRun(chromium, n, files)))
  const good = runs.reduce((sum, one) => sum + one.good, 0)
  count(good, runs.reduce((sum, one) => sum + one.bad, 0), 'End to end')
}

/** About how long each file of browser tests takes: long walks as they were measured, others by the number of their tests. */
function secondsOfBrowserTests() {
  const walks = { 'screens.spec.ts': 300, 'wrongInput.spec.ts': 120, 'orderToCash.spec.ts': 40 }
  const files = fs.readdirSync(browserTests).filter((name) => name.endsWith('.spec.ts')).sort()
  return Object.fromEntries(files.map((name) => [name, walks[name] ?? 6 * (fs.readFileSync(path.join(browserTests, name), 'utf8').split(/^ *test\(/m).length - 1)]))
}

/** Some files of the browser tests, their server at a port of its own. */
async function browserRun(chromium, n, files) {
  const report = path.join(reports, `e2e-${n}.json`)
  const code = await run(bin('playwright'), ['test', '--config', path.join(browserTests, 'playwright.config.ts'), '--reporter=list,json', ...files.map((name) => `/${name}`)], {
    env: { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_PORT: String(Number(process.env.E2E_PORT ?? 4188) + 2 * n) },
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

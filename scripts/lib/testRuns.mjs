// How tests are run and counted, for `npm test` and `npm run test:quick`.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bin, root, run } from './steps.mjs'

export const browserTests = path.join('tests', 'e2e')

/** Where reports of runs go, and the data folder of the demo company the browser tests begin with. */
export const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-test-'))
export const company = path.join(reports, 'company')

let passed = 0
let failed = 0
const failures = []
let runs = 0

export function count(good, bad, name) {
  passed += good
  failed += bad
  if (bad > 0) failures.push(`FAILED ${name}: ${bad}`)
}

/** Says what failed and ends with the one line everybody looks for. */
export function finish() {
  for (const line of failures) console.log(line)
  fs.rmSync(reports, { recursive: true, force: true })
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

export async function step(name, work) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const code = await work()
  console.log(`   ${code === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1, name)
}

/** Runs tests of Vitest and counts them. Stopped after `seconds`, it resolves to the files that did end. */
export async function vitest(name, filters, extra, seconds) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const first = await vitestRun(filters, extra, seconds)
  const left = seconds === undefined ? undefined : seconds - (Date.now() - started) / 1000
  // A busy machine may be late once: files with a failure run again, alone and one at a time. What fails then as well is broken; what passes is
  // named below, so that nobody mistakes it for a clean run.
  const again = first.files.length > 0 && first.files.length <= 5 && (left ?? 60) > 30 ? await vitestRun(['--no-file-parallelism', ...first.files], extra, left) : undefined
  // Stopped before it said anything, it says nothing against the first.
  const counts = again !== undefined && !again.wasStopped ? again : undefined
  const standing = (counts ?? first).failures
  for (const { title, message } of standing) failures.push(`FAILED ${title}\n       ${message}`)
  for (const { title, message } of first.failures) {
    if (!standing.some((other) => other.title === title)) failures.push(`Passed only when run again: ${title}\n       ${message}`)
  }
  count(counts === undefined ? first.good : first.goodElsewhere + counts.good, (counts ?? first).bad, name)
  return first.ended
}

/** One run: how many tests passed, in all and in the files without a failure; how many failed; the files with a failure, and each failure with its first lines. */
async function vitestRun(filters, extra, seconds) {
  const ended = path.join(reports, `${runs++}.ndjson`)
  const { code, wasStopped } = await runFor(seconds, bin('vitest'), ['run', '--reporter=default', `--reporter=${fileURLToPath(import.meta.resolve('./asTheyEnd.mjs'))}`, ...filters], { ...process.env, ...extra, ARUS_TESTS_ENDED: ended })
  const lines = fs.existsSync(ended) ? fs.readFileSync(ended, 'utf8').split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line)) : []
  const files = lines.filter((file) => file.failures.length > 0)
  const failed = files.flatMap((file) => file.failures.map((one) => ({ ...one, file: file.file })))
  const good = lines.reduce((sum, file) => sum + file.passed, 0)
  return {
    good,
    wasStopped,
    ended: lines.map((file) => path.relative(root, file.file)),
    // A run that fails without a failed test (a file that does not load, no test at all) still counts as one failure.
    bad: failed.length > 0 ? failed.length : wasStopped || (code === 0 && good > 0) ? 0 : 1,
    goodElsewhere: lines.filter((file) => file.failures.length === 0).reduce((sum, file) => sum + file.passed, 0),
    files: files.map((file) => path.relative(root, file.file)),
    failures: failed.length === 0 && code !== 0 && !wasStopped ? [{ title: 'vitest', message: `ended with ${code} though no test failed: see above` }] : failed.map((one) => ({ title: `${path.relative(root, one.file)} ${one.title}`.trimEnd(), message: firstLines(one.message) })),
  }
}

/** Runs a program with our output, and ends it when its time is over. */
async function runFor(seconds, command, args, env) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env })
  let wasStopped = false
  const timer = seconds === undefined ? undefined : setTimeout(() => {
    wasStopped = true
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 5000).unref()
  }, seconds * 1000)
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
  })
  clearTimeout(timer)
  return { code, wasStopped }
}

/**
 * Builds, and starts the built server once on an empty folder: seeding the demo company is nearly all of that start, so each half of the browser
 * tests begins with a copy of what it leaves. Keeps what is said until it is over. `signal` ends it where it stands.
 */
export async function prepareStage(signal) {
  const started = Date.now()
  const built = await heard(spawn(process.execPath, ['--input-type=module', '-e', "import { build } from './scripts/lib/steps.mjs'\nawait build()"], { cwd: root, signal }))
  const isBuilt = built.code === 0
  const env = { ...process.env, PORT: '0', ARUS_DATA: company }
  delete env.DATABASE_URL
  const first = isBuilt ? await heard(spawn(process.execPath, ['--enable-source-maps', path.join('dist', 'server', 'main.js')], { cwd: root, env, signal }), /^Demo accounts/m) : built
  return { isReady: isBuilt && first.code === 0, wasStopped: signal?.aborted === true, output: first.code === 0 ? '' : first.output, seconds: (Date.now() - started) / 1000 }
}

/** Says what became of it, and counts it. */
export function countStage({ isReady, output, seconds }) {
  const name = 'Build, and the first start on an empty folder'
  console.log(`\n== ${name}\n${output}   ${isReady ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s, beside the steps above`)
  count(isReady ? 1 : 0, isReady ? 0 : 1, name)
}

/** What a program says until it ends, and its exit code; one that says `enough` is asked to end, and one that ends without has failed. */
async function heard(child, enough) {
  let output = ''
  let asked = false
  // What is ended by its signal closes like any other.
  child.on('error', (error) => (output += `${error.message}\n`))
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

/** Some of the browser tests (`lists.spec.ts`, or `lists.spec.ts:12` for one of them), their server at a port of its own on a data folder of its own. */
export async function browserRun(chromium, places, data, n, { options = [], env = {} } = {}) {
  const report = path.join(reports, `e2e-${n}.json`)
  const code = await run(bin('playwright'), ['test', '--config', path.join(browserTests, 'playwright.config.ts'), '--reporter=list,json', ...options, ...places.map((name) => `/${name}`)], {
    env: { ...process.env, ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_PORT: String(await freePort(Number(process.env.E2E_PORT ?? 4188) + 2 * n)), E2E_DATA: data },
  })
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined
  const stats = result?.stats
  for (const test of specsOf(result?.suites ?? []).filter(({ status }) => status === 'flaky' || status === 'unexpected')) {
    failures.push(`${test.status === 'flaky' ? 'Passed only when run again:' : 'FAILED'} ${test.title}\n       ${test.message}`)
  }
  // The time given by `--global-timeout` was over before these ended.
  const late = specsOf(result?.suites ?? []).filter(({ wasStopped }) => wasStopped).map(({ title }) => title)
  const good = (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  const bad = stats?.unexpected ?? 0
  return { good, bad: bad > 0 ? bad : late.length > 0 || (code === 0 && good > 0) ? 0 : 1, late }
}

/** The tests of a report of Playwright, its nested suites laid flat, each with the first line of what went wrong first. */
function specsOf(suites) {
  return suites.flatMap((suite) => [
    ...suite.specs.flatMap((spec) => spec.tests.map((test) => ({ title: `${spec.file}:${spec.line} ${spec.title}`, status: test.status, wasStopped: test.status === 'skipped' && (test.results.at(-1)?.status ?? 'interrupted') === 'interrupted', message: firstLines(test.results.find((result) => result.error)?.error?.message) }))),
    ...specsOf(suite.suites ?? []),
  ])
}

function firstLines(message) {
  return String(message ?? '').split('\n').slice(0, 3).join('\n       ').slice(0, 600)
}

/** The first port from here on, in steps no other half takes, at which nobody answers: what another program left running is no reason to fail. */
async function freePort(port) {
  return (await answers('127.0.0.1', port)) ? freePort(port + 10) : port
}

export function answers(host, port) {
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

// `npm test`: every check, one after another, each on its own. Ends with one line `N passed, N failed`.
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { bin, build, findChromium, install, installChromium, requireNode, run } from './lib/steps.mjs'

requireNode()
await install()

let passed = 0
let failed = 0
const failures = []
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
  const report = path.join(reports, `${failed + passed}.json`)
  console.log(`\n== ${name}`)
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters], {
    env: { ...process.env, ...extra },
  })
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined
  const good = result?.numPassedTests ?? 0
  const bad = result?.numFailedTests ?? 0
  // A run that fails without a failed test (a file that does not load, no test at all) still counts as one failure.
  count(good, bad > 0 ? bad : code === 0 && good > 0 ? 0 : 1, name)
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
  const report = path.join(reports, 'e2e.json')
  const code = await run(bin('playwright'), ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter=list,json'], {
    env: { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const stats = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')).stats : undefined
  const good = (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  const bad = stats?.unexpected ?? 0
  count(good, bad > 0 ? bad : code === 0 && good > 0 ? 0 : 1, 'End to end')
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

// `npm test`: every check, one after another, each on its own. Ends with one line `N passed, N failed`.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cut } from './lib/cut.mjs'
import { bin, findChromium, install, installChromium, requireNode, run } from './lib/steps.mjs'
import { answers, browserRun, browserTests, company, count, countStage, finish, prepareStage, step, vitest } from './lib/testRuns.mjs'

requireNode()
await install()

await step('Generate from the schemas', () => run(bin('tsx'), ['scripts/generate.ts']))
// Beside the checks of the sources, what the browser tests begin with: it keeps one processor busy.
const stage = prepareStage()
await step('Schema check', () => run(bin('tsx'), ['scripts/check.ts']))
await step('Types', () => run(bin('tsc'), ['-b']))
await step('Lint', () => run(bin('oxlint'), ['--type-aware', 'src', 'scripts', 'tests']))
await step('Unused code', () => run(bin('knip'), []))
const staged = await stage
countStage(staged)
await vitest('Unit and server tests (embedded database)', [], { TEST_DATABASE: 'embedded' })
if (await answers('127.0.0.1', 5432)) {
  await vitest('Server tests (PostgreSQL)', ['tests/server', 'tests/flows', 'tests/reports', 'tests/seed'], { TEST_DATABASE: 'postgres' })
} else {
  console.log('\n== PostgreSQL does not answer on 127.0.0.1:5432: its round of the server tests is left out.')
}
await endToEnd()
finish()

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
  const walks = { 'forms.spec.ts': 385, 'lists.spec.ts': 380, 'masters.spec.ts': 130, 'orderToCash.spec.ts': 44, 'screensForms.spec.ts': 300, 'screensLists.spec.ts': 220, 'screensOthers.spec.ts': 260, 'visits.spec.ts': 40, 'wrongInput.spec.ts': 200 }
  const files = fs.readdirSync(browserTests).filter((name) => name.endsWith('.spec.ts')).sort()
  return Object.fromEntries(files.map((name) => [name, walks[name] ?? 6 * (fs.readFileSync(path.join(browserTests, name), 'utf8').split(/^ *test\(/m).length - 1)]))
}

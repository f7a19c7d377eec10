// `npm run screenshots -- [address] [folder]`: every served screen of a running demo server, light and dark, 1440 and 390 px wide.
// The pictures of the README are taken with `-- [address] --readme`.
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright'
import { commandLine } from './lib/commandLine.ts'
import { findChromium, root } from './lib/steps.mjs'

const usage = `npm run screenshots -- [address] [folder]
npm run screenshots -- [address] --readme`
const { values, positionals } = commandLine({ allowPositionals: true, options: { readme: { type: 'boolean', default: false } } }, usage)
const forReadme = values.readme
const [address = 'http://localhost:4000', target = forReadme ? 'tests/visual' : 'test-results/screens', ...more] = positionals
if (more.length > 0) refuse(`One address and one folder are enough: ${more.join(' ')}`)
if (!/^https?:\/\/[^/]+\/?$/.test(address)) refuse(`Not the address of a server: ${address}`)
if (!(await fetch(`${address}/api/v1/health`).then(({ ok }) => ok, () => false))) refuse(`No server answers at ${address}. Start it first: npm start`)
const folder = path.resolve(root, target)
fs.mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })

if (forReadme) {
  await visit('credit', 'light', 1440, [['/approval/sales-order', 'approval']])
  await visit('finance', 'light', 1440, [['/report/ar-aging', 'ar-aging'], ['/dashboard', 'dashboard']])
  await visit('sales', 'light', 1440, [['/sales-order-list?n=25', 'sales-orders']])
  await visit('sales', 'dark', 1440, [['/sales-order-form', 'order-entry', enterOrder]])
} else {
  const routes = JSON.parse(fs.readFileSync(path.join(root, 'schemas/routes.json'), 'utf8'))
  const served = routes.filter((route) => route.screen || route.page).map((route) => route.path.replaceAll(/\{\w+\}/g, '1'))
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390]) await visit('admin', theme, width, served.map((url) => [url, url.replaceAll(/\W+/g, '-').replace(/^-/, '')]))
  }
}
await browser.close()

function refuse(what) {
  console.error(`${what}\n${usage}`)
  process.exit(1)
}

async function visit(account, theme, width, pages) {
  const context = await browser.newContext({ viewport: { width, height: width < 768 ? 844 : 900 } })
  const page = await context.newPage()
  await page.goto(`${address}/pages/login`)
  await page.locator('input[name=email], input[type=email]').first().fill(`${account}@arus.example`)
  await page.locator('input[type=password]').fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/home/)
  for (const [url, name, act] of pages) {
    await page.goto(address + url)
    // The stream of notifications never ends: what is still being loaded shows itself as busy.
    await page.waitForTimeout(2500)
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
    await page.evaluate((chosen) => (document.documentElement.dataset.theme = chosen), theme)
    if (act) await act(page)
    const file = path.join(folder, forReadme ? `${name}.png` : `${name}-${theme}-${width}.png`)
    await page.screenshot({ path: file })
    console.log(path.relative(root, file))
  }
  await context.close()
}

/** A customer and three lines, priced. */
async function enterOrder(page) {
  await page.keyboard.type('toko')
  await page.waitForTimeout(1000)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(800)
  await page.locator('[role=grid] [role=gridcell]').first().click()
  for (const [code, quantity] of [['AYU-102', '12'], ['NUS-104', '6'], ['KIN-402', '24']]) {
    await page.keyboard.type(code)
    await page.waitForTimeout(800)
    await page.keyboard.press('Tab')
    await page.keyboard.type(quantity)
    await page.keyboard.press('Enter')
    await page.waitForTimeout(300)
  }
  await page.waitForTimeout(1500)
}

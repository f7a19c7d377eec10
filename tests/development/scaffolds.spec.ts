import { expect, test, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { copy, schemaFile, serverAnswers, signIn } from './develop.ts'

/** `npm run new -- …` in the copy; the files it wrote. */
function scaffold(...words: readonly string[]): readonly string[] {
  const said = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/new.ts', ...words], { cwd: copy, encoding: 'utf8' })
  return said.split('\n').filter((line) => /^(schemas|src)\//.test(line))
}

/** `npm run check` finds no error in the copy. */
function check(): void {
  const findings: readonly { readonly severity: string }[] = JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', 'scripts/check.ts', '--json'], { cwd: copy, encoding: 'utf8' })).findings
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
}

/** A master that no list shows yet. */
function withoutList(): string {
  const read = (kind: string): readonly { readonly id: string; readonly base?: string; readonly entity?: string; readonly fields?: object }[] =>
    fs.readdirSync(schemaFile(''), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(`.${kind}.json`)).map((name) => JSON.parse(fs.readFileSync(schemaFile(name), 'utf8')))
  const shown = new Set(read('list').map(({ entity }) => entity))
  const found = read('entity').find(({ id, base, fields = {} }) => base === 'master' && !shown.has(id) && Object.keys(fields).length > 1)
  if (found === undefined) throw new Error('every master has a list')
  return found.id
}

/** The path a screen is served at. */
function pathOf(screen: string): string {
  const routes: readonly { readonly path: string; readonly screen?: string }[] = JSON.parse(fs.readFileSync(schemaFile('routes.json'), 'utf8'))
  return routes.find((route) => route.screen === screen)?.path ?? `no route of ${screen}`
}

/** Opens a page once the server has started with what is new, and finds it drawn without a word of failure. */
async function open(page: Page, path: string, title: string): Promise<void> {
  await expect(async () => {
    await serverAnswers(page)
    await page.goto(path)
    await page.waitForFunction(() => document.querySelector('h1') !== null, undefined, { timeout: 8_000 })
    // A server that was stopped in the middle may have forgotten who had just signed in.
    if (new URL(page.url()).pathname === '/pages/login') await signIn(page)
    if (new URL(page.url()).pathname !== path) await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 8_000 })
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 8_000 })
    await expect(page.getByTestId('findings')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }).toPass({ timeout: 90_000 })
}

test('every scaffold passes the check and is on screen at once: entity, report, dataset, list, form', async ({ page }) => {
  await signIn(page)

  scaffold('entity', 'master/shelf-kind', '--en', 'Shelf kinds')
  check()
  await open(page, pathOf('shelf-kind.list'), 'Shelf kinds')
  await page.getByRole('button', { name: /^New/ }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Code').first().fill('COLD')
  await panel.getByLabel('Name').first().fill('Cold shelf')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('row', { name: /COLD/ })).toBeVisible()

  scaffold('report', 'sales/second-look', '--of', 'zdr_bill', '--en', 'Second look')
  check()
  await open(page, pathOf('second-look.report'), 'Second look')
  await expect(page.getByRole('columnheader', { name: 'Net sales' }).first()).toBeVisible()

  scaffold('dataset', 'sales/loyal-customer')
  scaffold('report', 'sales/loyal-customer', '--of', 'loyal_customer', '--en', 'Loyal customers')
  check()
  await open(page, pathOf('loyal-customer.report'), 'Loyal customers')

  scaffold('list', 'master/bare-shelf', '--of', 'shelf_kind', '--en', 'Shelves as they are')
  check()
  await open(page, pathOf('bare-shelf.list'), 'Shelves as they are')
  await expect(page.getByRole('row', { name: /COLD/ })).toBeVisible()

  const bare = withoutList()
  scaffold('list', 'master/bare-thing', '--of', bare, '--en', 'Bare things')
  scaffold('form', 'master/bare-thing', '--of', bare, '--en', 'Bare thing')
  check()
  await open(page, pathOf('bare-thing.list'), 'Bare things')
  await page.getByRole('button', { name: /^New/ }).first().click()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
})

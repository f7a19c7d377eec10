import { expect, test, type Page } from '@playwright/test'
import fs from 'node:fs'
import { schemaFile as file, signIn } from './develop.ts'

const edits = new Map<string, string>()

function edit(name: string, from: string, to: string): void {
  const text = fs.readFileSync(file(name), 'utf8')
  if (!edits.has(name)) edits.set(name, text)
  expect(text, `${name} contains what is replaced`).toContain(from)
  fs.writeFileSync(file(name), text.replace(from, to))
}

function restore(): void {
  for (const [name, text] of edits) fs.writeFileSync(file(name), text)
  edits.clear()
}

/** Set when the page loads: gone after a reload. */
const mark = (page: Page): Promise<void> => page.evaluate(() => void Reflect.set(window, 'stillHere', true))
const isStillHere = (page: Page): Promise<boolean> => page.evaluate(() => Reflect.get(window, 'stillHere') === true)

test.beforeEach(async ({ page }) => signIn(page))
test.afterEach(restore)

const list = 'master/payment-term/payment-term.list.json'
const form = 'master/payment-term/payment-term.form.json'
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: false })

test('a saved change shows at once, and neither the list nor the open form forgets what was done in them', async ({ page }) => {
  await page.goto('/master/payment-term?q=N30')
  await expect(header(page, 'Net days')).toBeVisible()
  await mark(page)
  const rows = await page.getByRole('row').count()
  edit(list, '{ "field": "baseline", "width": 120 },', '')
  await expect(header(page, 'Baseline')).toHaveCount(0)
  await expect(header(page, 'Net days')).toBeVisible()
  expect(await page.getByRole('row').count()).toBe(rows)
  expect(new URL(page.url()).searchParams.get('q')).toBe('N30')

  await page.getByRole('button', { name: /^New/ }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name', { exact: false }).first().fill('Typed before the save')
  await panel.getByLabel('Code', { exact: false }).first().fill('HOT1')
  await expect(panel.getByLabel('Code', { exact: false }).first()).toBeFocused()
  await expect(panel.getByLabel('Baseline', { exact: false })).toBeVisible()
  edit(form, '"net_days", "baseline", "is_cash"', '"net_days", "is_cash"')
  await expect(panel.getByLabel('Baseline', { exact: false })).toHaveCount(0)
  await expect(panel.getByLabel('Name', { exact: false }).first()).toHaveValue('Typed before the save')
  await expect(panel.getByLabel('Code', { exact: false }).first()).toHaveValue('HOT1')
  await panel.getByLabel('Name', { exact: false }).first().fill('Not left yet')
  edit(form, '"net_days", "is_cash"', '"net_days", "baseline", "is_cash"')
  await expect(panel.getByLabel('Baseline', { exact: false })).toBeVisible()
  await expect(panel.getByLabel('Name', { exact: false }).first()).toHaveValue('Not left yet')
  expect(await isStillHere(page)).toBe(true)
})

test('a mistake shows on the screen it concerns, with its place, and the others go on working', async ({ page }) => {
  await page.goto('/master/payment-term')
  await expect(header(page, 'Net days')).toBeVisible()
  await mark(page)
  edit(list, '"field": "net_days"', '"field": "net_dais"')
  const findings = page.getByTestId('findings')
  await expect(findings).toContainText('schemas/master/payment-term/payment-term.list.json:9:16')
  await expect(findings).toContainText('did you mean "net_days"?')
  await expect(header(page, 'Net days')).toBeVisible()

  await page.getByRole('link', { name: 'Customer group' }).first().click()
  await expect(header(page, 'Group credit limit')).toBeVisible()
  await expect(findings).toHaveCount(0)
  edit('master/customer-group/customer-group.list.json', '{ "field": "group_credit_limit", "width": 150 },', '')
  await expect(header(page, 'Group credit limit')).toHaveCount(0)

  await page.goBack()
  await expect(findings).toBeVisible()
  restore()
  await expect(findings).toHaveCount(0)
  expect(await isStillHere(page)).toBe(true)
})

test('while the server starts anew with a change, calls wait for it and nobody is told that it is away', async ({ page }) => {
  await page.goto('/master/payment-term')
  await expect(header(page, 'Net days')).toBeVisible()
  await page.evaluate(() => {
    const said: string[] = []
    Reflect.set(window, 'said', said)
    new MutationObserver(() => said.push(...Array.from(document.querySelectorAll('[role=status]'), (place) => place.textContent ?? ''))).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  edit(list, '{ "field": "baseline", "width": 120 },', '')
  await expect(header(page, 'Baseline')).toHaveCount(0)
  for (let click = 0; click < 20; click++) {
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.waitForTimeout(200)
  }
  await expect(page.getByRole('row', { name: /N30/ }).first()).toBeVisible()
  expect(await page.evaluate(() => (Reflect.get(window, 'said') as string[]).filter((text) => text.includes('cannot be reached')))).toEqual([])
})

import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { expectWhole, looks, prepareScan, wear } from '../support/scan.ts'
import { expect, settled, test } from './support.ts'

/** The catalogue of the kinds is part of no build: the development server shows it, answered by samples. */
let development: ChildProcess | undefined
let address = ''

test.beforeAll(async () => {
  const root = path.join(import.meta.dirname, '../..')
  const child = spawn(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', '0'], { cwd: root, env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'development' } })
  development = child
  address = await new Promise<string>((resolve, reject) => {
    let said = ''
    const read = (part: Buffer) => {
      said += part.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (found !== null) resolve(found[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`The development server ended: ${said}`)))
  })
})

test.afterAll(() => {
  development?.kill()
})

test.use({ trace: 'off', actionTimeout: 20_000 })

test('every page of the catalogue, tab by tab, is whole and accessible: light and wide, dark and narrow', async ({ page }) => {
  test.setTimeout(300_000)
  await prepareScan(page)
  await page.clock.setFixedTime(new Date('2026-06-15T03:00:00Z'))
  await page.goto(`${address}/studio/catalogue`)
  const nav = page.getByRole('navigation', { name: 'Catalogue' })
  // The first page is put together from hundreds of modules.
  await expect(nav).toBeVisible({ timeout: 120_000 })
  const links = await nav.getByRole('link').evaluateAll((all) => all.map((link) => ({ name: link.textContent, path: link.getAttribute('href') ?? '' })))
  // Kinds of screen, and the hosts of what is written by hand.
  expect(links.map(({ path: to }) => to.split('/').at(-1))).toEqual(['list', 'form', 'line-grid', 'detail', 'approval', 'report', 'dashboard', 'workbench', 'import', 'wizard', 'print'])
  for (const { name, path: to } of links) {
    await page.setViewportSize(looks[0])
    await page.goto(`${address}${to}`)
    await expect(page.getByRole('heading').first(), name).toBeVisible({ timeout: 60_000 })
    await settled(page)
    // The document beside a queue has tabs of its own; they are those of the detail.
    const tabs = (await page.getByRole('tablist').count()) > 1 ? [] : await page.getByRole('tab').allInnerTexts()
    for (const [i, tab] of (tabs.length === 0 ? [undefined] : tabs).entries()) {
      for (const look of looks) {
        const what = `${name}${tab === undefined ? '' : `, ${tab.replace(/\s+/g, ' ')}`}, ${look.name}`
        await test.step(what, async () => {
          await wear(page, look)
          if (tab !== undefined) await page.getByRole('tab').nth(i).click()
          await settled(page)
          await expectWhole(page, what)
          // A text without a catalogue entry shows its key.
          expect.soft((await page.locator('body').innerText()).match(/\b(field|screen|section|tab|tile|ui|sample|action|enum|status|entity|reason)\.[a-z][\w.-]+/gi), what).toBeNull()
        })
      }
    }
  }
})

test('the name of a file in a list shows the file, by mouse and by key, and the row stays closed', async ({ page }) => {
  await page.goto(`${address}/studio/catalogue/list`)
  const name = page.locator('tbody').getByRole('button', { name: /^Preview contract-\d+\.pdf$/ }).first()
  const dialog = page.getByRole('dialog', { name: /^contract-\d+\.pdf$/ })
  await name.click({ timeout: 60_000 })
  await expect(dialog).toContainText('A sample file.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await name.press('Enter')
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/catalogue\/list$/)
})

test('both boxes of a moment are saved while one still types; an optional choice is taken back; a tree that cannot be read says so', async ({ page }) => {
  await page.goto(`${address}/studio/catalogue/form`)
  const day = page.getByRole('textbox', { name: 'Requested at', exact: true })
  await day.fill('20/06/2026', { timeout: 60_000 })
  const saved = page.waitForRequest((request) => request.method() === 'PUT' && /data\/sample-order\//.test(request.url()))
  await page.keyboard.press('Control+s')
  const body = (await saved).postDataJSON() as Readonly<Record<string, unknown>>
  expect(new Date(String(body['RequestedAt'])).getDate()).toBe(20)

  await page.goto(`${address}/studio/catalogue/form`)
  await page.getByRole('tab', { name: 'Choices' }).click()
  const priority = page.getByRole('radiogroup', { name: 'Priority' })
  await expect(priority.getByRole('radio', { checked: true })).toHaveCount(1)
  await priority.getByRole('button', { name: 'Clear the selection' }).click()
  await expect(priority.getByRole('radio', { checked: true })).toHaveCount(0)
  // What must be chosen cannot be unchosen.
  await expect(page.getByRole('radiogroup', { name: 'Delivery terms' }).getByRole('button')).toHaveCount(0)

  await page.route('**/api/v1/lookup/**', (route) => route.abort())
  await page.getByRole('combobox', { name: 'Region' }).press('m')
  const dialog = page.getByRole('dialog', { name: /Region/ })
  await expect(dialog.getByRole('searchbox')).toHaveValue('m')
  await expect(dialog.getByRole('status')).not.toHaveText('Nothing found', { timeout: 20_000 })
  await expect(dialog.getByRole('status')).toBeVisible()
})

test('steps of a wizard: what is entered beside an offered draft is kept too, and the end looks at every step', async ({ page }) => {
  const name = page.getByRole('textbox').first()
  const kept = page.getByText(/^Draft kept/)
  await page.goto(`${address}/studio/catalogue/wizard`)
  await name.fill('First', { timeout: 60_000 })
  await expect(kept).toBeVisible()
  await page.reload()
  const offer = page.getByRole('button', { name: 'Take it up again' })
  await expect(offer).toBeVisible()
  await name.fill('Second')
  await expect(kept).toBeVisible()
  await page.reload()
  await offer.click()
  await expect(name).toHaveValue('Second')
  // Opened at its end by the address, with nothing said of the town.
  await page.goto(`${address}/studio/catalogue/wizard?step=3`)
  await offer.click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: /Step 1 of 3/ })).toBeVisible()
  await expect(page.getByRole('alert').getByRole('button')).toHaveCount(1)
})

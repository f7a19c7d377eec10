import path from 'node:path'
import { routes } from '#generated/routes.ts'
import type { Locator, Page } from '@playwright/test'
import { Api, expect, screenOf, settled, signIn, test, type Field, type Screen } from './support.ts'

// Every form of masters, settings and prices with wrong values typed in: each is refused at its field, and what was typed stays.

interface Place {
  readonly path: string
  readonly form: Screen
  /** Records whose id stands in the path. */
  readonly resource?: string
}

/** Every form once: at its own path, or in the panel of its list. */
function places(): readonly Place[] {
  const found = new Map<string, Place>()
  for (const { path: route, screen: id } of routes) {
    if (id === undefined || !/^\/(master|setting)\//.test(route)) continue
    const screen = screenOf(id)
    if (screen.kind === 'form') {
      if (!found.has(screen.id)) found.set(screen.id, { path: route, form: screen, ...(route.includes('{id}') && screen.resource !== undefined ? { resource: screen.resource } : {}) })
      continue
    }
    for (const list of screen.kind === 'workbench' ? (screen.tabs ?? []).map((tab) => screenOf(tab.screen)) : [screen]) {
      const form = list.panel === undefined ? undefined : screenOf(list.panel)
      if (form?.kind !== 'form' || found.has(form.id) || route.includes('{id}')) continue
      found.set(form.id, { path: `${route}?edit={id}`, form, ...(form.resource === undefined ? {} : { resource: form.resource }) })
    }
  }
  return [...found.values()]
}

const numbers = ['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost']

/** What is typed, and wrong; undefined for what is chosen, ticked, or takes any text (an input takes no more than fits). */
function wrongText({ type, required, widget, file }: Field): string | undefined {
  if (file !== undefined || (widget !== undefined && widget !== 'textarea')) return undefined
  if (numbers.includes(type)) return 'many'
  if (type === 'date') return '31/02/2026'
  if (type === 'ref') return 'NO-SUCH-CODE'
  if (type === 'email') return 'nobody'
  if (required && (type === 'text' || type === 'code')) return ''
  return undefined
}

interface Typed {
  readonly wire: string
  readonly text: string
  readonly tab: number | undefined
}

/** Types wrong values into what is shown of the form; answers what stands there then. */
async function spoil(page: Page, scope: Locator, form: Screen, tab: number | undefined): Promise<readonly Typed[]> {
  const typed: Typed[] = []
  for (const field of (form.sections ?? []).flatMap((section) => section.fields)) {
    const text = field.readOnly ? undefined : wrongText(field)
    const input = scope.locator(`[data-field="${field.wire}"] :is(input:not([type=checkbox], [type=radio], [type=file]), textarea)`).first()
    if (text === undefined || (await input.count()) === 0 || !(await input.isVisible()) || !(await input.isEditable())) continue
    await input.fill(text)
    if (field.type === 'ref') await page.keyboard.press('Tab')
    typed.push({ wire: field.wire, text, tab })
  }
  return typed
}

test.use({ trace: 'off', actionTimeout: 20_000, contextOptions: { reducedMotion: 'reduce' } })

const pictures = process.env['PICTURES']

test('wrong values in every form stand with their errors at their fields, and nothing typed is lost', async ({ page, request }) => {
  test.setTimeout(600_000)
  const api = await Api.as(request, 'admin')
  await signIn(page, 'admin')
  const faults: string[] = []
  let fields = 0
  for (const { path: to, form, resource } of places()) {
    const [record] = resource === undefined ? [] : await api.rows(resource, { length: 1 })
    if (resource !== undefined && record === undefined) continue
    const where = to.replace('{id}', String(record?.['ID'] ?? ''))
    await test.step(where, async () => {
      const before = record === undefined ? undefined : (await api.get(`/api/v1/data/${resource ?? ''}/${String(record['ID'])}`))['record']
      await page.setViewportSize({ width: 1440, height: 900 })
      // Loaded anew, whatever the form before it would ask about what was typed there.
      await page.goto(where)
      const scope = to.includes('?edit=') ? page.getByRole('dialog') : page.locator('main').first()
      const save = scope.getByRole('button', { name: /^Save/ }).first()
      await expect(save, where).toBeVisible()
      await settled(page)
      const tabs = scope.getByRole('tab')
      const count = await tabs.count()
      const typed: Typed[] = []
      for (const tab of count === 0 ? [undefined] : Array.from({ length: count }, (_, i) => i)) {
        if (tab !== undefined) await tabs.nth(tab).click()
        typed.push(...(await spoil(page, scope, form, tab)))
      }
      fields += typed.length
      if (typed.length === 0) return
      await page.keyboard.press('Control+s')
      await settled(page)
      if ((await save.count()) === 0) {
        faults.push(`${where}: was saved`)
        return
      }
      for (const { wire, text, tab } of typed) {
        if (tab !== undefined) await tabs.nth(tab).click()
        const cell = scope.locator(`[data-field="${wire}"]`)
        const input = cell.locator(':is(input, textarea)').first()
        if ((await input.count()) === 0) {
          faults.push(`${where} ${wire}: is gone`)
          continue
        }
        if ((await input.inputValue()) !== text) faults.push(`${where} ${wire}: ${JSON.stringify(text.slice(0, 20))} became ${JSON.stringify((await input.inputValue()).slice(0, 20))}`)
        if ((await input.getAttribute('aria-invalid')) !== 'true') faults.push(`${where} ${wire}: is not marked`)
        const note = await input.getAttribute('aria-describedby')
        if (note === null || (await page.locator(`[id="${note}"]`).innerText()).trim() === '') faults.push(`${where} ${wire}: nothing says what is wrong`)
      }
      if (pictures !== undefined) {
        for (const [theme, width, height] of [['light', 1440, 900], ['dark', 390, 844]] as const) {
          await page.setViewportSize({ width, height })
          await page.evaluate((look) => void (document.documentElement.dataset['theme'] = look), theme)
          await settled(page)
          // The page is laid out anew when the window changes.
          await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), { message: `${where} in ${width}` }).toBeLessThanOrEqual(0)
          await page.screenshot({ path: path.join(pictures, `${form.id}.${theme}.png`) })
        }
        await page.evaluate(() => void (document.documentElement.dataset['theme'] = 'light'))
      }
      const after = before === undefined ? undefined : (await api.get(`/api/v1/data/${resource ?? ''}/${String(record?.['ID'])}`))['record']
      if (JSON.stringify(after) !== JSON.stringify(before)) faults.push(`${where}: the record has changed`)
    })
  }
  expect(faults).toEqual([])
  expect(fields).toBeGreaterThan(100)
})

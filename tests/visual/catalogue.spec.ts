import { expect, test, type Page } from '@playwright/test'
import { expectWhole, prepareScan } from '../support/scan.ts'
import { followRequests, settled } from '../support/settled.ts'

/** Pages of the catalogue; behind `#` the tab opened first. */
const pages = ['list', 'form', 'form#Choices', 'form#Records', 'form#Ticks', 'line-grid', 'detail', 'detail#Document flow', 'detail#History', 'approval', 'report', 'dashboard', 'workbench', 'import', 'wizard', 'print']
const looks = ['default', 'dark'] as const
const widths = [1440, 390] as const
/** Fonts differ from machine to machine: pictures are compared where they were taken (`npm run visual`). */
const comparesPictures = process.env['PICTURES'] !== undefined

for (const look of looks) {
  for (const width of widths) {
    test.describe(`${look}, ${width} px`, () => {
      test.use({ viewport: { width, height: width < 768 ? 844 : 900 }, hasTouch: width < 768 })
      for (const name of pages) {
        test(`${name} of the catalogue is whole and accessible`, async ({ page }) => {
          const errors = await open(page, name, look)
          await expectWhole(page, name)
          // A text without a catalogue entry shows its key.
          expect((await page.locator('body').innerText()).match(/\b(field|screen|section|tab|tile|ui|sample|action|enum|status)\.[a-z][\w.-]+/gi)).toBeNull()
          if (comparesPictures) await expect(page).toHaveScreenshot(`${name.replace(/\W+/g, '-').toLowerCase()}-${look}-${width}.png`)
          expect(errors).toEqual([])
        })
      }
    })
  }
}

async function open(page: Page, name: string, look: string): Promise<readonly string[]> {
  const errors: string[] = []
  followRequests(page.context())
  page.on('pageerror', (error) => errors.push(error.message))
  await prepareScan(page)
  await page.addInitScript((theme) => localStorage.setItem('theme', theme), look)
  await page.clock.setFixedTime(new Date('2026-06-15T03:00:00Z'))
  const [path = '', tab] = name.split('#')
  await page.goto(`/studio/catalogue/${path}`)
  await expect(page.getByRole('heading').first()).toBeVisible({ timeout: 60_000 })
  await settled(page)
  if (tab === undefined) return errors
  await page.getByRole('tab', { name: tab }).click()
  await settled(page)
  return errors
}

import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

interface Look {
  readonly name: string
  readonly theme: string
  readonly width: number
  readonly height: number
}

/** The two looks that differ most: what holds in them holds between them. */
export const looks: readonly [Look, Look] = [
  { name: 'light, 1440 wide', theme: 'light', width: 1440, height: 900 },
  { name: 'dark, 390 wide', theme: 'dark', width: 390, height: 844 },
]

declare global {
  interface Window {
    /** Put into the page by `prepareScan`. */
    readonly axe: typeof axe
  }
}

/** Before the first page: the scanner goes into each, and nothing moves, so that colours are not measured half way. */
export async function prepareScan(page: Page): Promise<void> {
  await page.addInitScript({ content: axe.source })
  await page.addInitScript(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets = [still]
  })
}

/** Shows the page that is open in another look: laid out for it, and whatever it asks for because of it asked for. */
export async function wear(page: Page, look: Look): Promise<void> {
  await page.setViewportSize({ width: look.width, height: look.height })
  await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), look.theme)
  await painted(page)
}

function painted(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
}

/** Rules whose findings are never serious, and that cost as much as dozens of others. */
const lesser = { 'hidden-content': { enabled: false }, region: { enabled: false } }

/**
 * Nothing serious or critical in the eyes of a screen reader, and nothing pushes the page sideways: wide tables scroll inside their frame. `but` leaves out parts
 * that have been looked at: the menu has more elements than most pages.
 */
export async function expectWhole(page: Page, what: string, but: readonly string[] = []): Promise<void> {
  await painted(page)
  const serious = await page.evaluate(async ({ rules, exclude }) => {
    const { violations } = await window.axe.run(exclude.length === 0 ? document : { exclude }, { resultTypes: ['violations'], rules })
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  }, { rules: lesser, exclude: [...but] })
  expect.soft(serious, what).toEqual([])
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${what}, is not wider than the window`).toBe(true)
}

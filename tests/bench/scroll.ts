import type { Page } from '@playwright/test'
import { quantile, type Run } from './bench.ts'
import { onStage, rounds, signIn, slowed } from './browserStage.ts'
import { settled } from '../support/settled.ts'
import { scrollThrough } from '../support/scrolling.ts'

const wanted = 10_000

/** A list of 10,000 rows on one page: shown where few rows were shown before, and scrolled from end to end, at full speed and at a fourth of it. No frame without rows, few of them in the document. */
export const run: Run = ({ log }) =>
  onStage(
    log,
    async ({ origin, newContext }) => {
      const page = await (await newContext()).newPage()
      await signIn(page, origin)
      await page.goto(`${origin}/sales-order-list?v=none&n=${wanted}`)
      const counter = page.getByText(/^1 - [\d,]{5,} of/)
      await counter.waitFor({ timeout: 60_000 })
      const rows = Number((/^1 - ([\d,]+) of/.exec(await counter.innerText())?.[1] ?? '0').replaceAll(',', ''))
      const shown = await showTimes(page, rows)
      const quick = await scrollThrough(page, 200)
      const session = await slowed(page)
      const shownSlowly = await showTimes(page, rows)
      const slow = await scrollThrough(page, 100)
      await session.detach()
      log(`${rows} rows shown after ${shown.toFixed(0)} ms, at a fourth of the speed ${shownSlowly.toFixed(0)}; ${quick.frames} leaps, ${quick.blank} blank; at a fourth of the speed ${slow.frames}, ${slow.blank} blank; ${Math.max(quick.drawn, slow.drawn)} rows drawn`)
      return [
        { what: 'rows on one page of a list', value: rows, unit: 'rows', limit: wanted, bound: 'least' },
        { what: 'press to all rows of one page shown, at a fourth of the speed', value: shownSlowly, unit: 'ms', limit: 400, bound: 'most' },
        { what: 'blank frames of 200 while it is scrolled from end to end', value: quick.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'blank frames of 100 at a fourth of the speed', value: slow.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'rows in the document at a time', value: Math.max(quick.drawn, slow.drawn), unit: 'rows', limit: 200, bound: 'most' },
      ]
    },
    2,
  )

/** Milliseconds from the press that shows all rows in the place of a few to the frame after those in view stand in a table as tall as all of them. Median of several. */
async function showTimes(page: Page, rows: number): Promise<number> {
  const presets = page.getByRole('group', { name: 'Views', exact: true })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await presets.getByRole('button', { name: /^Drafts/ }).click()
    await page.waitForFunction((most) => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) < most, rows)
    await settled(page)
    times.push(await showAll(page, rows))
    await settled(page)
  }
  return quantile(times, 0.5)
}

function showAll(page: Page, rows: number): Promise<number> {
  return page.evaluate(
    (rows) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now()
        document.querySelector<HTMLElement>('[aria-label="Views"] button')?.click()
        const look = () => {
          const frame = document.querySelector('table')?.parentElement
          const drawn = [...document.querySelectorAll('tbody tr[data-row]')]
          const isTall = (frame?.scrollHeight ?? 0) > rows * 20
          const isFilled = (drawn.at(-1)?.getBoundingClientRect().bottom ?? 0) > (frame?.getBoundingClientRect().bottom ?? Infinity)
          if (isTall && isFilled && drawn.every((row, i) => i > 20 || row.textContent !== '')) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
          else if (performance.now() > started + 20_000) reject(new Error(`${drawn.length} rows after 20 s`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    rows,
  )
}

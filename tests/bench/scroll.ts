import type { Page } from '@playwright/test'
import { quantile, type Run } from './bench.ts'
import { onStage, rounds, signIn, slowed } from './browserStage.ts'
import { scrollThrough } from '../support/scrolling.ts'
import { settled } from '../support/settled.ts'

const wanted = 10_000

/** A list of 10,000 rows on one page, scrolled from end to end at full speed and at a fourth of it: no frame without rows, few of them in the document. */
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
      const quick = await scrollThrough(page, 200)
      const session = await slowed(page)
      const slow = await scrollThrough(page, 100)
      const shown = await timesToShow(page, rows)
      await session.detach()
      log(`${rows} rows; ${quick.frames} leaps, ${quick.blank} blank; at a fourth of the speed ${slow.frames}, ${slow.blank} blank; ${Math.max(quick.drawn, slow.drawn)} rows drawn; shown after ${shown.map((ms) => ms.toFixed(0)).join(', ')} ms at a fourth of the speed`)
      return [
        { what: 'rows on one page of a list', value: rows, unit: 'rows', limit: wanted, bound: 'least' },
        { what: 'a page of 100 rows becomes one of 10,000, at a fourth of the speed', value: quantile(shown, 0.5), unit: 'ms', limit: 400, bound: 'most' },
        { what: 'blank frames of 200 while it is scrolled from end to end', value: quick.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'blank frames of 100 at a fourth of the speed', value: slow.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'rows in the document at a time', value: Math.max(quick.drawn, slow.drawn), unit: 'rows', limit: 200, bound: 'most' },
      ]
    },
    2,
  )

/** Milliseconds from asking for all `rows` on one page, where 100 stand, to the frame after those in view are there and all are counted. */
async function timesToShow(page: Page, rows: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('combobox', { name: /rows per page/i }).selectOption('100')
    await page.getByText(/^1 - 100 of/).waitFor()
    await settled(page)
    times.push(
      await page.evaluate(
        (count) =>
          new Promise<number>((resolve, reject) => {
            const started = performance.now()
            history.back()
            const look = () => {
              const [first, ...rest] = document.querySelectorAll('tbody tr[data-row]')
              const last = rest.at(-1) ?? first
              const isCounted = document.body.textContent.includes(`1 - ${count} of`)
              const isFull = /\S/.test(first?.textContent ?? '') && (last?.getBoundingClientRect().bottom ?? 0) > innerHeight
              if (isCounted && isFull) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
              else if (performance.now() - started > 20_000) reject(new Error(`Not ${count} rows after 20 s`))
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(look)
          }),
        rows.toLocaleString('en-US'),
      ),
    )
    await settled(page)
  }
  return times
}

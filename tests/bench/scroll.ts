import type { Run } from './bench.ts'
import { onStage, signIn, slowed } from './browserStage.ts'
import { scrollThrough } from '../support/scrolling.ts'

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
      await session.detach()
      log(`${rows} rows; ${quick.frames} leaps, ${quick.blank} blank; at a fourth of the speed ${slow.frames}, ${slow.blank} blank; ${Math.max(quick.drawn, slow.drawn)} rows drawn`)
      return [
        { what: 'rows on one page of a list', value: rows, unit: 'rows', limit: wanted, bound: 'least' },
        { what: 'blank frames of 200 while it is scrolled from end to end', value: quick.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'blank frames of 100 at a fourth of the speed', value: slow.blank, unit: 'frames', limit: 0, bound: 'most' },
        { what: 'rows in the document at a time', value: Math.max(quick.drawn, slow.drawn), unit: 'rows', limit: 200, bound: 'most' },
      ]
    },
    2,
  )

import type { Page } from '@playwright/test'
import { quantile, type Measure, type Run } from './bench.ts'
import { busyPerKey, onStage, rounds, signIn, slowed } from './browserStage.ts'
import { settled } from '../support/settled.ts'

const columns = 'code,doc_date,customer_id,requested_date,po_number,total,dpp,ppn,status,stage,salesman_id,operating_unit_id'
const query = `length=100&order=doc_date,id&sort=desc,desc&columns=${columns}`

/**
 * Chromium at fourfold CPU slow-down against the built server with the demo company: a click to a painted list beside a plain HTML page
 * with the same rows (all that are in view; those below follow), and what one key costs in an order of 200 and 500 lines beside a plain page with as many. Medians of interleaved rounds.
 */
export const run: Run = ({ log }) =>
  onStage(log, async ({ origin, newContext }) => {
    const context = await newContext()
    const page = await context.newPage()
    await signIn(page, origin)
    const plain = await context.newPage()
    await plain.route('**/plain.html', (route) => route.fulfill({ contentType: 'text/html', body: plainPage }))
    const list = await listTimes(page, plain, origin, log)
    const keys: Measure[] = []
    for (const lines of [200, 500]) keys.push(...(await keyCosts(page, plain, origin, lines, log)))
    return [...list, ...keys]
  })

async function listTimes(page: Page, plain: Page, origin: string, log: (line: string) => void): Promise<readonly Measure[]> {
  await plain.goto(`${origin}/plain.html`)
  await page.goto(`${origin}/sales-order-list?n=100&v=none`)
  await painted(page, 100)
  const ours = await slowed(page)
  const theirs = await slowed(plain)
  const samples = { warm: [] as number[], all: [] as number[], sort: [] as number[], plainWarm: [] as number[], plainSort: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    await page.bringToFront()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.waitForURL('**/home')
    await settled(page)
    const warm = await timed(page, 'back', 100)
    samples.warm.push(warm.view)
    samples.all.push(warm.all)
    samples.sort.push((await timed(page, 'sort', 100)).view)
    await plain.bringToFront()
    samples.plainWarm.push((await timed(plain, 'plain', 100)).view)
    samples.plainSort.push((await timed(plain, 'plainSort', 100)).view)
  }
  await ours.detach()
  await theirs.detach()
  const [warm, sort, plainWarm, plainSort] = [samples.warm, samples.sort, samples.plainWarm, samples.plainSort].map((values) => quantile(values, 0.5)) as [number, number, number, number]
  log(`list: warm ${warm.toFixed(0)} ms, all 100 rows ${quantile(samples.all, 0.5).toFixed(0)} (plain ${plainWarm.toFixed(0)}), sort ${sort.toFixed(0)} ms (plain ${plainSort.toFixed(0)})`)
  return [
    { what: 'warm route to the rows in view of a list of 100 painted, beside a plain page', value: warm / plainWarm, unit: '×', limit: 2, bound: 'most' },
    { what: 'sort to repaint, beside a plain page', value: sort / plainSort, unit: '×', limit: 1.6, bound: 'most' },
  ]
}

interface Painted {
  readonly view: number
  readonly all: number
}

/** Milliseconds from the deed to the frame after the rows in view stand in a table, and after all `rows` do. */
function timed(page: Page, deed: 'back' | 'sort' | 'plain' | 'plainSort', rows: number): Promise<Painted> {
  return page.evaluate(
    ({ deed, rows }) =>
      new Promise<Painted>((resolve, reject) => {
        const before = document.querySelector('tbody tr')?.textContent
        const started = performance.now()
        if (deed === 'back') history.back()
        else if (deed === 'sort') document.querySelector<HTMLElement>('thead th button')?.click()
        else document.querySelector<HTMLElement>(deed === 'plain' ? '#open' : '#sort')?.click()
        const giveUp = started + 20_000
        let view: number | undefined
        const after = (done: (at: number) => void) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)))
        const look = () => {
          const found = document.querySelectorAll('tbody tr')
          const changed = deed === 'back' || deed === 'plain' || found[0]?.textContent !== before
          const isInView = changed && (found.length >= rows || (found[found.length - 1]?.getBoundingClientRect().bottom ?? 0) > innerHeight)
          if (isInView && view === undefined) {
            view = Number.NaN
            after((at) => (view = at))
          }
          if (changed && found.length >= rows && view !== undefined) after((all) => resolve({ view: Math.min(view ?? all, all), all }))
          else if (performance.now() > giveUp) reject(new Error(`${deed}: ${found.length} rows after 20 s`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { deed, rows },
  )
}

async function painted(page: Page, rows: number): Promise<void> {
  await page.waitForFunction((count) => document.querySelectorAll('tbody tr').length >= count, rows)
}

async function keyCosts(page: Page, plain: Page, origin: string, lines: number, log: (line: string) => void): Promise<readonly Measure[]> {
  const plainKey = await plainKeyCost(plain, origin, lines)
  await page.bringToFront()
  await page.goto(`${origin}/sales-order-form`)
  await page.getByRole('grid').waitFor()
  // A draft of the round before is not what is measured.
  const drop = page.getByRole('button', { name: 'Throw it away' })
  if (await drop.isVisible()) await drop.click()
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type('C0000017')
  await page.keyboard.press('Tab')
  const codes = await itemCodes(page)
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), Array.from({ length: lines }, (_, i) => `${codes[i % codes.length]}\t${(i % 9) + 1}`).join('\n'))
  await page.keyboard.press('Control+v')
  await page.getByText(`Lines: ${lines}`).waitFor({ timeout: 30_000 })
  await page.waitForTimeout(3000)
  const session = await slowed(page)
  const cell: number[] = []
  const header: number[] = []
  const moves: number[] = []
  const box = page.getByRole('textbox', { name: 'PO number' })
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(500)
    await page.keyboard.press('F2')
    cell.push(await busyPerKey(page, session, '123456789012'))
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    moves.push(await busyPerKey(page, session, undefined))
    await box.focus()
    await page.waitForTimeout(500)
    header.push(await busyPerKey(page, session, 'PO-123456789'))
    await box.fill('')
    await page.waitForTimeout(1500)
  }
  await session.detach()
  const costs = Object.entries({ cell, header, arrow: moves }).map(([name, samples]) => ({ name, cost: quantile(samples, 0.5) }))
  log(`${lines} lines, busy a key: ${costs.map(({ name, cost }) => `${name} ${cost.toFixed(1)} ms`).join(', ')}, plain page ${plainKey.toFixed(1)} ms`)
  return costs.map(({ name, cost }) => ({ what: `${name} key in ${lines} lines, busy, beside a plain page of as many`, value: cost / plainKey, unit: '×', limit: 0.5, bound: 'most' }))
}

/** The same lines as a bare HTML table under a bare input. */
async function plainKeyCost(plain: Page, origin: string, lines: number): Promise<number> {
  const row = (i: number) => `<tr>${[i + 1, `ITEM-${i}`, `Name of item ${i}`, 'CTN', i % 9, '120,000.00', '10.0000', '1,234,567.00', '1,200,000.00'].map((text) => `<td>${text}</td>`).join('')}</tr>`
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title><style>body{font:14px sans-serif}td{padding:4px 8px}</style><label>PO <input></label><table>${Array.from({ length: lines }, (_, i) => row(i)).join('')}</table>`
  await plain.route('**/plain-lines.html', (route) => route.fulfill({ contentType: 'text/html', body }))
  await plain.goto(`${origin}/plain-lines.html`)
  await plain.bringToFront()
  const session = await slowed(plain)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    await plain.locator('input').fill('')
    await plain.locator('input').focus()
    await plain.waitForTimeout(500)
    samples.push(await busyPerKey(plain, session, 'PO-123456789'))
  }
  await session.detach()
  await plain.unrouteAll()
  return quantile(samples, 0.5)
}

async function itemCodes(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const token = decodeURIComponent(/(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1] ?? '')
    const answer = await fetch('/api/v1/lookup/item?length=100', { headers: { Authorization: `Bearer ${token}` } })
    const body: { data: { records: { Code: string }[] } } = await answer.json()
    return body.data.records.map((record) => record.Code)
  })
}

/** The same rows as plain as a page can be: ask, join text, done. */
const plainPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title>
<style>body{font:14px sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 8px;white-space:nowrap}</style>
<button id="open">Open</button> <button id="sort">Sort</button><table><thead></thead><tbody></tbody></table>
<script>
const names = ${JSON.stringify(columns.split(','))}
let dir = 'desc'
async function show() {
  const token = decodeURIComponent((/(?:^|; )token=([^;]+)/.exec(document.cookie) || [])[1] || '')
  const answer = await fetch('/api/v1/data/sales-order?${query}'.replace('sort=desc', 'sort=' + dir), { headers: { Authorization: 'Bearer ' + token } })
  const { data } = await answer.json()
  const keys = Object.keys(data.rows[0]).filter((key) => key !== 'Actions').slice(0, 12)
  document.querySelector('thead').innerHTML = '<tr>' + keys.map((key) => '<th>' + key + '</th>').join('') + '</tr>'
  document.querySelector('tbody').innerHTML = data.rows.map((row) => '<tr>' + keys.map((key) => '<td>' + String(row[key] ?? '').replace(/</g, '&lt;') + '</td>').join('') + '</tr>').join('')
}
document.querySelector('#open').onclick = () => { document.querySelector('tbody').innerHTML = ''; show() }
document.querySelector('#sort').onclick = () => { dir = dir === 'desc' ? 'asc' : 'desc'; show() }
</script></html>`

import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { quantile, type Run } from './bench.ts'
import { busyPerKey, onStage, signIn, slowed, type Stage } from './browserStage.ts'
import { settled } from '../support/settled.ts'

const rows = 100
/** Single rounds differ by half. */
const manyRounds = 15
const restMs = 1000
const readyWord = 'rows in view after ms:'
const nameBox = 'main [data-field="Name"] input'
const listQuery = 'length=100&order=doc_date,id&sort=desc,desc&columns=code,doc_date,customer_id,requested_date,po_number,total,dpp,ppn,status,stage,salesman_id,operating_unit_id'

/**
 * A list of 100 rows with an empty cache, and the customer form gone back to, at fourfold CPU slow-down beside plain HTML pages that ask for
 * the same data; then what one key costs in that form. Medians of interleaved rounds.
 */
export const run: Run = ({ log }) =>
  onStage(log, async (stage) => {
    const first = await stage.newContext()
    const page = await first.newPage()
    await signIn(page, stage.origin)
    await settled(page)
    // Somebody signed in, as he is after a new version has come: his cookies and what the browser keeps for him, but no file of the page.
    const signedIn = await first.storageState()
    const open = (): Promise<BrowserContext> => stage.newContext(signedIn)
    const list: Pair = { ours: [], plain: [] }
    for (let round = 0; round < manyRounds; round++) {
      list.plain.push(await visit(open, stage, '/plain-list'))
      list.ours.push(await visit(open, stage, '/sales-order-list?n=100&v=none'))
    }
    const { form, anew, key } = await formTimes(page, await first.newPage(), stage)
    log(`first list ${shown(list)}, form ${shown(form)}, after the page was loaded anew ${shown(anew)}, key ${shown(key)}`)
    return [
      { what: 'rows in view of the first list of 100, empty cache, beside a plain page', value: ratio(list), unit: '×', limit: 2.5, bound: 'most' },
      { what: 'customer form gone back to in the midst of work, ready, beside a plain form', value: ratio(form), unit: '×', limit: 1.6, bound: 'most' },
      { what: 'key in the customer form, busy, beside a plain form', value: ratio(key), unit: '×', limit: 1.5, bound: 'most' },
    ]
  })

interface Pair {
  readonly ours: number[]
  readonly plain: number[]
}

const ratio = ({ ours, plain }: Pair) => quantile(ours, 0.5) / quantile(plain, 0.5)
const shown = ({ ours, plain }: Pair) => `${quantile(ours, 0.5).toFixed(0)} ms (plain ${quantile(plain, 0.5).toFixed(0)})`

async function formTimes(page: Page, plain: Page, { origin }: Stage): Promise<{ readonly form: Pair; readonly anew: Pair; readonly key: Pair }> {
  const form: Pair = { ours: [], plain: [] }
  const key: Pair = { ours: [], plain: [] }
  // For the page alone: as long as a route stands, the browser asks the driver about what the page asks for, too.
  const provide = () => plain.route('**/plain-form', (route) => route.fulfill({ contentType: 'text/html', body: plainPages['plain-form'] }), { times: 1 })
  await provide()
  await plain.goto(`${origin}/plain-form`)
  await page.goto(`${origin}/master/customers/edit/1`)
  await page.locator(nameBox).first().waitFor()
  await filled(plain)
  await settled(page)
  const whole = { ours: await inView(page, fields.ours), plain: await inView(plain, fields.plain) }
  const sessions = [await slowed(page), await slowed(plain)] as const
  const anew: Pair = { ours: [], plain: [] }
  // The first round warms both up.
  for (let round = -1; round < manyRounds; round++) {
    await page.bringToFront()
    await goHome(page)
    const ours = await opened(page, fields.ours, whole.ours)
    await plain.bringToFront()
    await goAway(plain)
    const theirs = await opened(plain, fields.plain, whole.plain)
    if (round < 0) continue
    form.ours.push(ours)
    form.plain.push(theirs)
  }
  for (let round = 0; round < manyRounds; round++) {
    await page.bringToFront()
    // What was typed goes.
    await page.reload()
    await page.locator(nameBox).first().waitFor()
    await goHome(page)
    anew.ours.push(await opened(page, fields.ours, whole.ours))
    key.ours.push(await keyIn(page, sessions[0], nameBox))
    await plain.bringToFront()
    await provide()
    await plain.reload()
    await filled(plain)
    await goAway(plain)
    anew.plain.push(await opened(plain, fields.plain, whole.plain))
    key.plain.push(await keyIn(plain, sessions[1], '#name'))
  }
  return { form, anew, key }
}

async function filled(plain: Page): Promise<void> {
  await plain.waitForFunction(() => (document.querySelector<HTMLInputElement>('#name')?.value ?? '') !== '')
}

async function goHome(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.waitForURL('**/home')
  await settled(page)
}

async function goAway(plain: Page): Promise<void> {
  await plain.evaluate(() => {
    history.pushState(null, '', '?away')
    document.querySelector('form')?.replaceChildren()
  })
}

const fields = { ours: 'main [data-field] :is(input, select, textarea)', plain: 'form input' } as const

/** What the fields in the window say, in their order. */
function inView(page: Page, selector: string): Promise<string> {
  return page.evaluate((selector) => {
    const seen = [...document.querySelectorAll<HTMLInputElement>(selector)].filter((box) => box.getBoundingClientRect().top < innerHeight)
    return seen.map((box) => (box.type === 'checkbox' ? String(box.checked) : box.value)).join('|')
  }, selector)
}

/** Milliseconds from going back to the form to the frame after every field in the window says what it says once the page has come to rest. */
function opened(page: Page, selector: string, whole: string): Promise<number> {
  const count = whole.split('|').length
  if (count < 10) throw new Error(`Only ${count} fields in view: ${whole}`)
  return page.evaluate(
    ({ selector, whole, count }) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now()
        history.back()
        const look = () => {
          const shown = [...document.querySelectorAll<HTMLInputElement>(selector)].slice(0, count).map((box) => (box.type === 'checkbox' ? String(box.checked) : box.value))
          if (shown.join('|') === whole) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
          else if (performance.now() - started > 20_000) reject(new Error(`${shown.join('|')} after 20 s, not ${whole}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { selector, whole, count },
  )
}

/** Milliseconds from asking for the page to the frame after the rows in view are there. */
async function visit(open: () => Promise<BrowserContext>, { origin }: Stage, path: string): Promise<number> {
  const context = await open()
  try {
    const page = await context.newPage()
    // Once, and only where it is needed: as long as a route stands, the browser asks the driver about every file of the page.
    if (path === '/plain-list') {
      const headers = await headersOf(origin)
      await page.route('**/plain-list', (route) => route.fulfill({ headers, body: plainPages['plain-list'] }), { times: 1 })
    }
    await slowed(page)
    // The page's own clock, told by its console: asking the page for it would put a script of the driver into it in the midst of what is timed.
    const told = page.waitForEvent('console', { predicate: (message) => message.text().startsWith(readyWord), timeout: 60_000 })
    await page.addInitScript(({ count, word }) => {
      // Told of each change instead of looking in every frame: to be asked for frames costs a page that is still being read.
      const watch = new MutationObserver(() => {
        const found = document.querySelectorAll('tbody tr[data-row], tr.plain')
        if (found.length < count && (found[found.length - 1]?.getBoundingClientRect().bottom ?? 0) <= innerHeight) return
        watch.disconnect()
        requestAnimationFrame(() => setTimeout(() => console.info(word, performance.now())))
      })
      watch.observe(document, { childList: true, subtree: true })
    }, { count: rows, word: readyWord })
    // A new window is the browser's own work at first: nobody's page is asked for while his browser starts.
    await page.waitForTimeout(restMs)
    await page.goto(`${origin}${path}`, { waitUntil: 'commit' })
    return Number((await told).text().slice(readyWord.length))
  } finally {
    await context.close()
  }
}

/**
 * What the server sends with every page, but what it says of one page's own files: the browser begins a new process for each of both, as it does for
 * whoever comes from somewhere else.
 */
async function headersOf(origin: string): Promise<Record<string, string>> {
  const { headers } = await fetch(`${origin}/pages/login`)
  const own = /^(content-(?!type)|link$|date$|connection$|keep-alive$|transfer-encoding$|etag$|vary$|set-cookie$)/
  return Object.fromEntries(Array.from(headers).filter(([name]) => !own.test(name)))
}

async function keyIn(page: Page, session: CDPSession, box: string): Promise<number> {
  await settled(page)
  await page.locator(box).first().focus()
  await page.waitForTimeout(500)
  return busyPerKey(page, session, 'ABCDEFGHIJKL')
}

const ask = `const token = decodeURIComponent((/(?:^|; )token=([^;]+)/.exec(document.cookie) || [])[1] || ''); const ask = async (path) => (await (await fetch(path, { headers: { Authorization: 'Bearer ' + token } })).json()).data`

/** The same data as plain as a page can be. */
const plainPages = {
  'plain-list': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title><table><tbody></tbody></table><script>${ask}
ask('/api/v1/data/sales-order?${listQuery}').then(({ rows }) => {
  document.querySelector('tbody').innerHTML = rows.map((row) => '<tr class="plain">' + Object.keys(row).slice(0, 12).map((key) => '<td>' + String(row[key] ?? '').replace(/</g, '&lt;') + '</td>').join('') + '</tr>').join('')
})</script></html>`,
  'plain-form': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title><form></form><script>${ask}
const show = () => ask('/api/v1/data/customer/1').then((record) => {
  const all = record.record ?? record
  const names = Object.keys(all).filter((key) => typeof all[key] !== 'object').slice(0, 40)
  document.querySelector('form').innerHTML = names.map((key) => '<p><label>' + key + ' <input' + (key === 'Name' ? ' id="name"' : '') + '></label></p>').join('')
  names.forEach((key, i) => { document.querySelectorAll('input')[i].value = all[key] ?? '' })
})
addEventListener('popstate', show)
show()</script></html>`,
} as const

import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type APIRequestContext, type BrowserContext, type Locator, type Page } from '@playwright/test'
import fs from 'node:fs'
import path from 'node:path'
import { followRequests } from '../support/settled.ts'

export { settled } from '../support/settled.ts'

export type Who = 'admin' | 'sales' | 'credit' | 'warehouse' | 'billing' | 'cashier' | 'receivables' | 'finance' | 'analyst' | 'payables' | 'vendors' | 'promotions' | 'field' | 'van' | 'supervisor'

const password = 'Arus-demo-1'

export interface Watched {
  /** What the Content-Security-Policy refused. */
  readonly violations: readonly string[]
  /** Errors of the page and of its console, other than refusals a test provokes. */
  readonly errors: readonly string[]
}

/** `E2E_SLOW=900`: each answer of the server comes up to so many milliseconds late, by chance, so that they overtake each other as on a bad line. */
const slowestMs = Number(process.env['E2E_SLOW'] ?? 0)

async function answerLate(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/v1\/(?!notifications\/stream)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * slowestMs))
    // The page may have been left meanwhile.
    await route.continue().catch(() => undefined)
  })
}

interface Fixtures {
  /** Fails the test in the end if the page broke its policy or threw. */
  readonly watched: Watched
}

/** Every page of every test is watched: a strict policy without eval holds everywhere, and nothing throws. */
export const test = base.extend<Fixtures>({
  watched: [
    async ({ context }, use) => {
      const violations: string[] = []
      const errors: string[] = []
      followRequests(context)
      if (slowestMs > 0) await answerLate(context)
      await context.exposeFunction('reportViolation', (text: string) => {
        violations.push(text)
      })
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const report: unknown = Reflect.get(window, 'reportViolation')
          if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)
        })
      })
      context.on('weberror', (error) => errors.push(String(error.error())))
      // What a page asks by itself, the server knows how to answer: names of a question unknown to it are a fault of the page.
      context.on('response', (response) => {
        if (response.status() !== 422 || response.request().method() !== 'GET') return
        response.text().then(
          (text) => text.includes('UNKNOWN_FIELD') && errors.push(`refused: ${response.url()}`),
          () => undefined,
        )
      })
      await use({ violations, errors })
      expect(violations, 'refused by the Content-Security-Policy').toEqual([])
      expect(errors, 'thrown in the page').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

interface LoggedIn {
  readonly url: string
  readonly data: Readonly<Record<'token' | 'log_login_id', string>>
}

/** A quick machine signs in more often than one network may: it waits as long as it is told. */
async function logIn(request: APIRequestContext, who: Who, userAgent: string): Promise<LoggedIn> {
  for (;;) {
    const answer = await request.post('/api/v1/login', { multipart: { email: `${who}@arus.example`, password, user_agent: userAgent } })
    const { data }: { data: LoggedIn['data'] & { readonly seconds?: number } } = await answer.json()
    if (answer.status() === 429 && data.seconds !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, Number(data.seconds) * 1000))
      continue
    }
    expect(answer.status(), JSON.stringify(data)).toBe(200)
    return { url: answer.url(), data }
  }
}

/**
 * Begins a session as the form of the sign-in page begins it, and opens a page, home unless another is named. Drawing the sign-in page and home before each
 * page of each test would cost more than most tests; both have tests of their own.
 */
export async function signIn(page: Page, who: Who, to = '/home'): Promise<void> {
  const { url, data } = await logIn(page.request, who, await page.evaluate(() => navigator.userAgent))
  const lasts = { url: new URL(url).origin, sameSite: 'Strict' as const, expires: Math.floor(Date.now() / 1000) + 7 * 86_400 }
  await page.context().addCookies([{ name: 'token', value: data.token, ...lasts }, { name: 'log_login_id', value: data.log_login_id, ...lasts }])
  await page.goto(to)
  // A test may go on within the program: that has to be there.
  await page.waitForFunction(() => document.getElementById('root')?.childElementCount !== 0)
}

/** Signs in through the page and waits for home. */
export async function signInByHand(page: Page, who: Who): Promise<void> {
  await page.goto('/pages/login')
  await page.getByLabel(/mail/i).fill(`${who}@arus.example`)
  await page.locator('input[type="password"]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/home')
}

/** The page loaded next brings no rows along: it asks for them, and a test can meet them on their way. */
export async function nextAsksForRows(page: Page): Promise<void> {
  // The page that is open would tell of its lists again: it is left first.
  const { origin } = new URL(page.url())
  await expect.poll(async () => (await page.context().cookies()).some(({ name }) => name === 'lists')).toBe(true)
  await page.goto('about:blank')
  await page.context().addCookies([{ name: 'lists', value: 'unknown', url: origin }])
}

/** Another person at the same computer: forgets the session and signs in afresh. */
export async function signInAs(page: Page, who: Who, to = '/home'): Promise<void> {
  // The page that is open is left first: what it still asks would be refused without a session, and its own way to the sign-in page cuts ours off.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await signIn(page, who, to)
}

/** Somebody ends the session of the page meanwhile, as from the list of sessions in the profile. */
export async function endSession(page: Page, request: APIRequestContext): Promise<void> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
  expect((await request.post('/api/v1/logout', { headers: { Authorization: `Bearer ${token}` } })).status()).toBe(200)
}

/** The page may have noticed by itself that the session is over, and have gone to sign in. */
export async function pressIfThere(button: Locator): Promise<void> {
  await button.click({ timeout: 2_000 }).catch(() => undefined)
}

/** The page has gone to sign in because its session is over; signs in there, which leads back. */
export async function signInAgain(page: Page, who: Who): Promise<void> {
  await expect(page).toHaveURL(/\/pages\/login$/)
  await page.getByLabel('E-mail').fill(`${who}@arus.example`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/\/pages\/login$/)
}

/** Goes to a path as a link of the page does, without loading the program anew. */
export async function follow(page: Page, to: string): Promise<void> {
  await page.evaluate((url) => {
    window.history.pushState(null, '', url)
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, to)
}

/** What the walks through all screens read of a generated screen. */
export interface Screen {
  readonly kind: string
  readonly id: string
  readonly resource?: string
  readonly panel?: string
  readonly order?: unknown
  readonly tabs?: readonly { readonly screen: string }[]
  readonly sections?: readonly { readonly fields: readonly Field[] }[]
}

export interface Field {
  readonly wire: string
  readonly type: string
  readonly readOnly: boolean
  readonly required: boolean
  readonly widget?: string
  readonly file?: object
}

export function screenOf(id: string): Screen {
  const { screen }: { screen: Screen } = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../src/generated/screens', `${id}.json`), 'utf8'))
  return screen
}

export type Json = Readonly<Record<string, unknown>>

/** The API as one user, for setting scenes and checking numbers without the screen. */
export class Api {
  readonly #request: APIRequestContext
  readonly #token: string

  private constructor(request: APIRequestContext, token: string) {
    this.#request = request
    this.#token = token
  }

  static async as(request: APIRequestContext, who: Who): Promise<Api> {
    const { data } = await logIn(request, who, 'test')
    return new Api(request, data.token)
  }

  async get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Json> {
    const ask = () => this.#request.get(path, { params: query, headers: this.#headers() })
    // A connection kept while a page was looked at may be closed by the server the moment it is used again: asked once more, reading changes nothing.
    const answer = await ask().catch((error: unknown) => (String(error).includes('ECONNRESET') ? ask() : Promise.reject(error)))
    expect(answer.status(), `${path} ${await answer.text()}`).toBe(200)
    const body: { data: Json } = await answer.json()
    return body.data
  }

  async rows(resource: string, query: { readonly filter?: object; readonly columns?: string; readonly order?: string; readonly sort?: string; readonly length?: number } = {}): Promise<readonly Json[]> {
    const { filter, ...rest } = query
    const data = await this.get(`/api/v1/data/${resource}`, { ...rest, ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }) })
    return data['rows'] as readonly Json[]
  }

  /** `acknowledge`: id of the warning that is accepted. */
  async put(path: string, version: number, body: object, acknowledge?: string): Promise<Json> {
    const answer = await this.#request.put(path, {
      data: body, headers: { ...this.#headers(), 'If-Match': String(version), 'Idempotency-Key': crypto.randomUUID(), ...(acknowledge === undefined ? {} : { Acknowledge: acknowledge }) },
    })
    expect(answer.status(), `${path} ${await answer.text()}`).toBe(200)
    const envelope: { data: Json } = await answer.json()
    return envelope.data
  }

  async delete(path: string): Promise<void> {
    const answer = await this.#request.delete(path, { headers: this.#headers() })
    expect(answer.status(), `${path} ${await answer.text()}`).toBe(200)
  }

  async post(path: string, body: object, version?: number): Promise<Json> {
    const answer = await this.#request.post(path, { data: body, headers: { ...this.#headers(), 'Idempotency-Key': crypto.randomUUID(), ...(version === undefined ? {} : { 'If-Match': String(version) }) } })
    expect(answer.status(), `${path} ${await answer.text()}`).toBe(200)
    const envelope: { data: Json } = await answer.json()
    return envelope.data
  }

  #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token}` }
  }
}

/** Rows of invoices a receipt may pay now: something is open of each, and nobody has asked to cancel it. */
export async function payableInvoices(api: Api, query: { readonly filter?: object; readonly columns?: string; readonly order?: string; readonly sort?: string; readonly length?: number }): Promise<readonly Json[]> {
  return api.rows('invoice', { ...query, filter: { remaining: { gt: '0' }, status: { in: [1, 2] }, pending_transition: { empty: true }, currency: 'IDR', ...query.filter } })
}

export interface Person {
  readonly email: string
  readonly password: string
}

export const firstPassword = 'First-word-1'

/** Somebody new, with a first password an administrator has given: he has agreed to nothing and chosen no password yet. */
export async function addPerson(request: APIRequestContext, name: string): Promise<Person> {
  const admin = await Api.as(request, 'admin')
  const [role] = await admin.rows('role', { filter: { code: 'AUDITOR' }, columns: 'code' })
  const email = `${name}.${Date.now()}@arus.example`
  await admin.post('/api/v1/data/user', { Email: email, Name: 'Dewi Baru', RoleID: role?.['ID'], TerritoryScope: false, IsActive: true, Password: firstPassword })
  return { email, password: firstPassword }
}

/** Nothing serious or critical in the eyes of a screen reader. */
export async function expectAccessible(page: Page, what?: string): Promise<void> {
  // Within the page: otherwise the scanner opens another one each time, to put together what it found in frames of other origins. Ours have none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`), what).toEqual([])
}

/** The day so many days from today where the demo company is, as yyyy-mm-dd. */
export function inDays(days: number): string {
  return new Date(Date.now() + (7 + 24 * days) * 3_600_000).toISOString().slice(0, 10)
}

/** `1,234,567.50` → `1234567.50`. */
export function plain(shown: string | null): string {
  return (shown ?? '').replace(/[^\d.-]/g, '')
}

/** Decimal text with two places, for comparing with what the screen shows. */
export function cents(value: unknown): string {
  return Number(value).toFixed(2)
}

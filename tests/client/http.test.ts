import type * as Axios from 'axios'
import { AxiosError, AxiosHeaders, type AxiosRequestConfig } from 'axios'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const asked = vi.hoisted(() => ({ configs: [] as AxiosRequestConfig[], answer: (): unknown => ({ data: {} }) }))

vi.mock('axios', async (original) => {
  const real = await original<typeof Axios>()
  const request = (config: AxiosRequestConfig) => {
    asked.configs.push(config)
    return Promise.resolve(asked.answer())
  }
  return { ...real, default: { ...real.default, create: (defaults: AxiosRequestConfig) => (asked.configs.push(defaults), { request, get: (url: string, config: AxiosRequestConfig) => request({ url, ...config }) }) } }
})

/** As much of a browser as the calls need. */
const cookies = new Map<string, string>()
vi.stubGlobal('document', {
  get cookie() {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  },
  set cookie(text: string) {
    const [pair = '', ...attributes] = text.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, value)
    written.push(text)
  },
  getElementById: () => brought,
})
/** What came with the page. */
let brought: { readonly textContent: string; readonly remove: () => void } | null = null
const written: string[] = []
const stored = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value), removeItem: (key: string) => stored.delete(key) })
const windowStored = new Map<string, string>()
vi.stubGlobal('sessionStorage', { getItem: (key: string) => windowStored.get(key) ?? null, setItem: (key: string, value: string) => windowStored.set(key, value), removeItem: (key: string) => windowStored.delete(key) })
vi.stubGlobal('location', { protocol: 'https:', pathname: '/home', assign: () => undefined })

const { isReachable, send, sendForFile } = await import('#client/data/http.ts')
const [defaults] = asked.configs

const success = (data: unknown) => () => ({ data: { code: 200, status: 'success', message: 'OK', data } })

beforeEach(() => {
  asked.configs.length = 0
  asked.answer = success({ hostname: 'node-1' })
  cookies.clear()
  written.length = 0
})

const headersOf = (i = 0): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(asked.configs[i]?.headers ?? {}))

it('a command may have changed anything: what was read before it is not shown again; questions leave it', async () => {
  const { keepAnswer, lastAnswer } = await import('#client/data/lastAnswers.ts')
  keepAnswer('/api/v1/data/item/1', { ID: 1 })
  await send({ path: '/api/v1/menu' })
  expect(lastAnswer('/api/v1/data/item/1')).toEqual({ ID: 1 })
  await send({ method: 'POST', path: '/api/v1/lookup/item/resolve', body: {}, isQuestion: true })
  expect(lastAnswer('/api/v1/data/item/1')).toEqual({ ID: 1 })
  await send({ method: 'PUT', path: '/api/v1/data/item/2', body: {} })
  expect(lastAnswer('/api/v1/data/item/1')).toBeUndefined()
})

describe('a server that goes down with a command under way', () => {
  const key = 'problem.SERVICE_UNAVAILABLE'
  const refused = (status: number, data: unknown) => () => {
    throw new AxiosError('Request failed', undefined, undefined, undefined, { status, data, statusText: '', headers: {}, config: { headers: new AxiosHeaders() } })
  }
  const problem = (name: string) => refused(503, { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.', data: { key: name } })
  /** Answers one after another, the last one for good. */
  const answers = (...all: readonly (() => unknown)[]) => {
    let i = 0
    asked.answer = () => all[Math.min(i++, all.length - 1)]?.()
  }
  const sendAll = async (call: Parameters<typeof send>[0]) => {
    const answer = send(call)
    for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1_000)
    return answer
  }
  const commands = () => asked.configs.filter(({ url }) => url === '/api/v1/data/sales-order').map(({ headers }): unknown => Object.fromEntries(Object.entries(headers ?? {}))['Idempotency-Key'])

  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('navigator', { onLine: true })
  })
  afterEach(() => void vi.useRealTimers())

  for (const [name, away] of Object.entries({ 'is starting': problem(`${key}.starting`), 'has lost its database': problem(key), 'is missed by what stands before it': refused(502, '<html>Bad gateway</html>') })) {
    it(`is sent the same again under the same key while it ${name}, until it says what became of it`, async () => {
      answers(refused(502, ''), away, away, success({ record: { ID: 7 } }))
      expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {}, key: 'once' })).toEqual({ ok: true, value: { record: { ID: 7 } } })
      expect(commands()).toEqual(['once', 'once', 'once', 'once'])
    })
  }

  it('says so itself when it does not come back in time, and nobody is signed out', async () => {
    cookies.set('token', 'abc')
    answers(problem(`${key}.starting`))
    expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {}, key: 'once' })).toMatchObject({ ok: false, problem: { code: 'SERVICE_UNAVAILABLE', text: 'Try again in a moment.' } })
    expect(commands().length).toBeGreaterThan(4)
    expect(cookies.has('token')).toBe(true)
  })

  it('answers a question once it is back, posted or not, and nobody is signed out', async () => {
    cookies.set('token', 'abc')
    answers(problem(`${key}.starting`), success({ records: [] }))
    expect(await sendAll({ method: 'POST', path: '/api/v1/lookup/item/resolve', body: { codes: ['A'] }, isQuestion: true })).toEqual({ ok: true, value: { records: [] } })
    expect(cookies.has('token')).toBe(true)
  })

  it('is not asked again when it was only busy, or when the command could be done twice', async () => {
    answers(problem(`${key}.collision`))
    expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {}, key: 'once' })).toMatchObject({ ok: false })
    expect(commands()).toHaveLength(1)
    answers(problem(`${key}.starting`))
    expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {} })).toMatchObject({ ok: false })
    expect(commands()).toHaveLength(2)
  })

  it('of which nobody knows what became of it, and which could be done twice, ends no session with a server that answers again', async () => {
    const lost = () => {
      throw new AxiosError('Network Error')
    }
    cookies.set('token', 'abc')
    answers(lost, lost, success({}))
    expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {} })).toMatchObject({ ok: false, problem: { code: 'NETWORK' } })
    expect([commands().length, cookies.has('token')]).toEqual([1, true])
    answers(lost)
    expect(await sendAll({ method: 'POST', path: '/api/v1/data/sales-order', body: {} })).toMatchObject({ ok: false, problem: { code: 'NETWORK' } })
    expect([commands().length, cookies.has('token')]).toEqual([2, false])
  })
})

describe('"Body status 400 or 401 removes the token cookie and goes to the login page": whichever of code and status says it', () => {
  it.each([
    [{ code: 401, status: 'UNAUTHENTICATED' }, false],
    [{ code: 400, status: 'BAD_REQUEST' }, false],
    [{ code: 200, status: 401 }, false],
    [{ status: 401 }, false],
    [{ status: '400' }, false],
    [{ code: 200, status: 'success' }, true],
    [{ code: 200, status: 200 }, true],
  ])('%j', async (body, isKept) => {
    cookies.set('token', 'abc')
    asked.answer = () => ({ data: { message: 'No', data: { status: 401 }, ...body } })
    expect(await send({ path: '/api/v1/menu' })).toMatchObject(isKept ? { ok: true } : { ok: false, problem: { text: 'No', status: isKept ? 200 : expect.toBeOneOf([400, 401]) } })
    expect(cookies.has('token')).toBe(isKept)
    cookies.set('token', 'abc')
    const file = new Blob([JSON.stringify({ message: 'No', ...body })], { type: 'application/json' })
    asked.answer = () => ({ data: file, headers: {} })
    expect(await sendForFile({ path: '/api/v1/export' }, () => undefined)).toMatchObject({ ok: isKept })
    expect(cookies.has('token'), 'in place of a file').toBe(isKept)
  })

  it('a file that was sent is a file, whatever it says', async () => {
    cookies.set('token', 'abc')
    asked.answer = () => ({ data: new Blob(['{"status":401}'], { type: 'application/json' }), headers: { 'content-disposition': 'attachment; filename=a.json' } })
    expect(await sendForFile({ path: '/api/v1/export' }, () => undefined)).toMatchObject({ ok: true })
    expect(cookies.has('token')).toBe(true)
  })
})

describe('"Menu or profile load failure sends the user to /pages/login"', () => {
  const failing = (path: string) => {
    let sent = 0
    asked.answer = () => {
      if (asked.configs[sent++]?.url !== path) return { data: { code: 200, status: 'success', message: 'OK', data: { records: [] } } }
      throw new AxiosError('Request failed', undefined, undefined, undefined, { status: 500, data: { code: 500, status: 'INTERNAL', message: 'No' }, statusText: '', headers: {}, config: { headers: new AxiosHeaders() } })
    }
  }
  it.each([
    ['/api/v1/menu', ['/pages/login'], 'PROFILE_FAILED'],
    ['/api/v1/setting/user-personal', ['/pages/login'], 'PROFILE_FAILED'],
    ['/api/v1/permission', ['/pages/error-500'], undefined],
  ])('with 500, too: %s', async (path, places, notice) => {
    vi.resetModules()
    windowStored.clear()
    const { onLeave } = await import('#client/data/http.ts')
    const { loadSession } = await import('#client/data/session.ts')
    asked.configs.length = 0
    const left: string[] = []
    onLeave((to) => void left.push(to))
    cookies.set('token', 'abc')
    failing(path)
    expect(await loadSession()).toMatchObject({ ok: false })
    expect(left).toEqual(places)
    expect(cookies.has('token')).toBe(notice === undefined)
    expect(windowStored.get('sign-in-notice')).toBe(notice)
  })
})

describe('a session that is lost says why on the sign-in page', () => {
  const refused = (status: number, code: string) => () => {
    throw new AxiosError('Request failed', undefined, undefined, undefined, { status, data: { code: status, status: code, message: 'No' }, statusText: '', headers: {}, config: { headers: new AxiosHeaders() } })
  }
  it.each([
    [refused(401, 'SESSION_ENDED'), 'SESSION_ENDED'],
    [refused(401, 'UNAUTHENTICATED'), 'SESSION_REFUSED'],
    [() => ({ data: { code: 400, status: 'BAD_REQUEST', message: 'No' } }), 'SESSION_REFUSED'],
    [() => { throw new AxiosError('Network Error') }, 'CONNECTION_LOST'],
  ])('%#: %s', async (answer, notice) => {
    vi.useFakeTimers()
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('navigator', { onLine: true })
    windowStored.clear()
    cookies.set('token', 'abc')
    asked.answer = answer
    const answered = send({ path: '/api/v1/menu' })
    for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1_000)
    expect(await answered).toMatchObject({ ok: false })
    expect(windowStored.get('sign-in-notice')).toBe(notice)
    vi.useRealTimers()
  })
})

describe('a file that is asked for', () => {
  const ask = () => sendForFile({ path: '/api/v1/export' }, () => undefined)
  const says = (status: number, body: object) => () => {
    throw new AxiosError('Request failed', undefined, undefined, undefined, { status, data: new Blob([JSON.stringify(body)]), statusText: '', headers: {}, config: { headers: new AxiosHeaders() } })
  }

  it.each([
    ['"A 401 on any call other than login removes the token and goes to login."', says(401, { code: 401, status: 'SESSION_ENDED', message: 'Ended.' }), 'Ended.', false],
    ['"Body status 400 or 401 removes the token cookie and goes to the login page."', says(403, { code: 400, status: 'BAD_REQUEST', message: 'No.' }), 'No.', false],
    ['"Other errors return the response body to the caller."', says(422, { code: 422, status: 'VALIDATION_FAILED', message: 'Wrong.' }), 'Wrong.', true],
  ])('%s', async (_line, answer, text, isKept) => {
    cookies.set('token', 'abc')
    asked.answer = answer
    expect(await ask()).toMatchObject({ ok: false, problem: { text } })
    expect(cookies.has('token')).toBe(isKept)
  })

  it('"A network error with no response removes the token and goes to login", unless the server answers again', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('navigator', { onLine: true })
    const lost = () => {
      throw new AxiosError('Network Error')
    }
    for (const [others, isKept] of [[success({}), true], [lost, false]] as const) {
      cookies.set('token', 'abc')
      let sent = 0
      asked.answer = () => (sent++ === 0 ? lost() : others())
      const answer = ask()
      for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1_000)
      expect(await answer).toMatchObject({ ok: false, problem: { code: 'NETWORK' } })
      expect(cookies.has('token')).toBe(isKept)
    }
    vi.useRealTimers()
  })
})

describe('Every request carries these headers', () => {
  it('content type JSON; an app id; app name oms; platform web; version; client timezone; timestamp; device id', async () => {
    await send({ path: '/api/v1/menu' })
    await send({ method: 'POST', path: '/api/v1/general/download', body: { key: 'k' } })
    for (const i of [0, 1]) {
      const { 'X-Timestamp': at, ...headers } = headersOf(i)
      expect(headers).toEqual({
        'Content-Type': 'application/json', 'X-App-Id': 'arus', 'X-App-Name': 'oms', 'X-Platform': 'web', 'X-App-Version': expect.stringMatching(/^\d+\.\d+\.\d+/),
        'X-Timezone': expect.stringMatching(/^\w+(\/\w+)*$/), 'X-Device-Id': expect.stringMatching(/^[\da-f-]{36}$/),
      })
      expect(Math.abs(Date.now() - Date.parse(String(at)))).toBeLessThan(60_000)
    }
    expect(headersOf(0)['X-Device-Id']).toBe(headersOf(1)['X-Device-Id'])
    await send({ method: 'POST', path: '/api/v1/logout' })
    await send({ method: 'DELETE', path: '/api/v1/profile/sessions' })
    expect(asked.configs.slice(2).map(({ data }): unknown => data), 'nothing is no JSON').toEqual([{}, undefined])
    await isReachable()
    expect(headersOf(4)).toMatchObject({ 'Content-Type': 'application/json', 'X-App-Name': 'oms', 'X-Device-Id': headersOf(0)['X-Device-Id'] })
  })

  it("'Authorization: Bearer' plus the token, when a token cookie exists", async () => {
    await send({ path: '/api/v1/menu' })
    expect(headersOf()).not.toHaveProperty('Authorization')
    cookies.set('token', 'abc')
    await send({ path: '/api/v1/menu' })
    expect(headersOf(1)['Authorization']).toBe('Bearer abc')
  })

  it('a form says its own content type, with the boundary only the browser knows', async () => {
    await send({ method: 'POST', path: '/api/v1/login', body: new FormData() })
    expect(headersOf()).not.toHaveProperty('Content-Type')
    expect(headersOf()).toMatchObject({ 'X-App-Name': 'oms' })
  })
})

it('There is no timeout and no body size limit.', () => {
  expect(defaults).toMatchObject({ timeout: 0, maxBodyLength: Infinity, maxContentLength: Infinity })
})

describe('Every 200 response stores the hostname-api cookie from data.hostname.', () => {
  it('for 7 days', async () => {
    await send({ path: '/api/v1/menu' })
    expect(written).toEqual([expect.stringMatching(/^hostname-api=node-1; .*Max-Age=604800; SameSite=Strict; Secure$/)])
    asked.answer = success({ hostname: 'node-2' })
    await send({ method: 'PUT', path: '/api/v1/setting/tos', body: { agree: true } })
    expect(cookies.get('hostname-api')).toBe('node-2')
    written.length = 0
    await send({ path: '/api/v1/menu' })
    expect(written, 'the same again: its seven days begin anew').toEqual([expect.stringMatching(/^hostname-api=node-2; /)])
  })

  it('but not of a body that says 400 or 401, nor of data that is a text', async () => {
    asked.answer = () => ({ data: { code: 401, status: 'UNAUTHENTICATED', message: 'no', data: { hostname: 'node-3' } } })
    await send({ path: '/api/v1/menu' })
    asked.answer = success('https://arus.example/file')
    expect(await send({ method: 'POST', path: '/api/v1/general/download', body: { key: 'k' } })).toEqual({ ok: true, value: 'https://arus.example/file' })
    expect(cookies.has('hostname-api')).toBe(false)
  })
})

describe('answers that came with the page', () => {
  const page = async (session: string): Promise<typeof send> => {
    const answers = {
      '/api/v1/menu': { code: 200, status: 'success', message: 'OK', data: { records: ['brought'], hostname: 'node-9' } },
      '/api/v1/permission?source=OMS': { code: 200, status: 'success', message: 'OK', data: { records: [] } },
    }
    brought = { textContent: JSON.stringify({ session, answers }), remove: () => (brought = null) }
    vi.resetModules()
    const { send: fresh } = await import('#client/data/http.ts')
    asked.configs.length = 0
    return fresh
  }

  it('are taken once, by the call they answer and by no other', async () => {
    cookies.set('log_login_id', '17')
    const fresh = await page('17')
    expect(await fresh({ method: 'POST', path: '/api/v1/menu' })).toMatchObject({ value: { hostname: 'node-1' } })
    expect(await fresh({ path: '/api/v1/permission', query: { source: 'WMS' } })).toMatchObject({ value: { hostname: 'node-1' } })
    expect(asked.configs).toHaveLength(2)
    expect(await fresh({ path: '/api/v1/menu' })).toEqual({ ok: true, value: { records: ['brought'], hostname: 'node-9' } })
    expect(await fresh({ path: '/api/v1/permission', query: { source: 'OMS', module: undefined } })).toEqual({ ok: true, value: { records: [] } })
    expect(asked.configs).toHaveLength(2)
    expect(cookies.get('hostname-api')).toBe('node-9')
    await fresh({ path: '/api/v1/menu' })
    expect(asked.configs).toHaveLength(3)
  })

  it('are not taken by somebody who signed in while the page was on its way', async () => {
    cookies.set('log_login_id', '18')
    const fresh = await page('17')
    expect(await fresh({ path: '/api/v1/menu' })).toMatchObject({ value: { hostname: 'node-1' } })
    expect(asked.configs).toHaveLength(1)
  })
})

import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import zlib from 'node:zlib'
import { plainText } from '#base/unseen.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { testFolder } from '../support/database.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  const clientFolder = testFolder()
  fs.mkdirSync(path.join(clientFolder, 'assets'))
  fs.writeFileSync(path.join(clientFolder, 'index.html'), '<!doctype html><head><title>Arus</title></head>')
  fs.writeFileSync(path.join(clientFolder, 'favicon.svg'), '<svg/>')
  fs.writeFileSync(path.join(clientFolder, 'assets', 'main-1a2b.js'), 'export {}')
  fs.writeFileSync(path.join(clientFolder, 'assets', 'main-1a2b.js.br'), 'compressed')
  fs.writeFileSync(path.join(clientFolder, '..', `secret-${path.basename(clientFolder)}.txt`), 'secret')
  const built = {
    'index.html': { file: 'assets/main-1a2b.js', imports: ['_base.js'], css: ['assets/base.css'] },
    '_base.js': { file: 'assets/base.js' },
    'app/start.tsx': { file: 'assets/start.js', imports: ['_shell.js', '_base.js'] },
    '_shell.js': { file: 'assets/shell.js', imports: ['_base.js'], css: ['assets/shell.css'] },
    'pages/ListPage.tsx': { file: 'assets/ListPage.js', imports: ['_shell.js', '_table.js'], css: ['assets/list.css'] },
    '_table.js': { file: 'assets/table.js', css: ['assets/table.css'] },
    'table/earlyRows.ts': { file: 'assets/earlyRows.js' },
    'pages/FormPage.tsx': { file: 'assets/FormPage.js' },
    '../generated/screens/sales-order.list.json': { file: 'assets/screens/sales-order.list.js' },
    '../generated/screens/customer.form.json': { file: 'assets/screens/customer.form.js' },
    '../generated/validators/customer.form.js': { file: 'assets/validators/customer.form.js' },
    '../generated/messages/en.json': { file: 'assets/en.json' },
    '../generated/messages/id.json': { file: 'assets/id.json' },
    'table/CardList.tsx': { file: 'assets/CardList.js' },
  }
  const texts = { 'ui.search': 'Search', 'ui.filter.before': 'before', 'ui.filter.after': 'after', 'ui.cards': 'Cards', 'ui.nowhere': 'Nowhere', 'menu.Sales orders': 'Sales orders', 'field.code': 'Code', 'field.name': 'Name' }
  const files = {
    en: JSON.stringify(texts),
    id: JSON.stringify({ ...texts, 'ui.search': 'Cari' }),
    ListPage: 'const a=t("ui.search"),b=t(`ui.filter.${c}`),d=`menu.${e}`,f="x.y"',
    CardList: "t('ui.cards')",
    'screens/sales-order.list': 'export default{screen:{columns:[{label:`field.code`}]}}',
  }
  fs.mkdirSync(path.join(clientFolder, 'assets', 'screens'))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(clientFolder, 'assets', `${name}.${name.length === 2 ? 'json' : 'js'}`), text)
  fs.mkdirSync(path.join(clientFolder, '.vite'))
  fs.writeFileSync(path.join(clientFolder, '.vite', 'manifest.json'), JSON.stringify(built))
  arus = await testApp({ registries: plainRegistries(), clientFolder })
  admin = await arus.signIn('admin')
})

const get = (url: string, headers: Record<string, string> = {}) => arus.app.inject({ method: 'GET', url, headers })

describe('security headers', () => {
  it('stand on every answer, and allow no inline or evaluated script or style', async () => {
    for (const url of ['/', '/api/v1/health', '/api/v1/menu', '/api/docs', '/assets/main-1a2b.js', '/nope.png']) {
      const { headers } = await get(url)
      const policy = String(headers['content-security-policy'])
      expect(policy, url).toContain("script-src 'self';")
      expect(policy).toContain("style-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' })
    }
  })

  it('keep answers of the API out of caches', async () => {
    expect((await get('/api/v1/health')).headers['cache-control']).toBe('no-store')
  })
})

describe('the client', () => {
  it('is one page for every path that is served', async () => {
    for (const url of ['/', '/sales-order-list', '/sales-order-list/17?tab=lines', '/pages/login', '/pages/invoice/5']) {
      const answer = await get(url)
      expect(answer.statusCode, url).toBe(200)
      expect(answer.body).toContain('<title>Arus</title>')
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
  })

  describe('brings what it asks first for the session of its cookie', () => {
    const answersOf = async (url: string, cookie: string): Promise<{ readonly session: string; readonly answers: Readonly<Record<string, unknown>> } | undefined> => {
      const answer = await get(url, { cookie, 'accept-encoding': 'gzip' })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body).toContain('<title>Arus</title>')
      const json = /<script type="application\/json" id="first-answers">([^<]*)<\/script>/.exec(answer.body)?.[1]
      return json === undefined ? undefined : JSON.parse(json)
    }
    const sessionCalls = ['/api/v1/setting/user-personal', '/api/v1/menu', '/api/v1/permission?module=&source=OMS']

    it('the very answers the calls would have', async () => {
      const brought = await answersOf('/sales-order-list?n=100', `token=${admin.token}; log_login_id=17`)
      expect(brought?.session).toBe('17')
      expect(Object.keys(brought?.answers ?? {})).toEqual([...sessionCalls, '/api/v1/view'])
      for (const [url, answer] of Object.entries(brought?.answers ?? {})) expect(answer, url).toEqual((await get(url, { authorization: `Bearer ${admin.token}` })).json())
    })

    it('with the record of a form, as its address names it; none for a new one', async () => {
      const record = await arus.id('customer', 'C0000001')
      const url = `/api/v1/data/customer/${record}`
      const brought = await answersOf(`/master/customers/edit/${record}`, `token=${admin.token}`)
      expect(brought?.answers[url]).toEqual((await get(url, { authorization: `Bearer ${admin.token}` })).json())
      expect(Object.keys((await answersOf('/sales-order-form', `token=${admin.token}`))?.answers ?? {})).toEqual(sessionCalls)
    })

    describe('with the rows a list shows first, where the cookie of the browser tells how its lists stand', () => {
      const rowsOf = async (url: string, habits: string, token = admin.token): Promise<readonly string[]> => {
        const brought = await answersOf(url, `token=${token}; lists=${habits}`)
        return Object.keys(brought?.answers ?? {}).filter((call) => call.startsWith('/api/v1/data/'))
      }

      it('as the page will ask for them: rows a page, order, columns, what the address narrows', async () => {
        const [usual = '', ...others] = await rowsOf('/sales-order-list', '25')
        expect(others).toEqual([])
        const asked = new URL(usual, 'http://page')
        expect(asked.pathname).toBe('/api/v1/data/sales-order')
        expect(Object.fromEntries(asked.searchParams)).toMatchObject({ length: '25', page: '1', order: 'doc_date,id', sort: 'desc,desc', totals: 'total' })
        const brought = await answersOf('/sales-order-list', `token=${admin.token}; lists=25`)
        expect(brought?.answers[usual]).toEqual((await get(usual, { authorization: `Bearer ${admin.token}` })).json())
        const [narrowed = ''] = await rowsOf('/sales-order-list?n=7&s=code&v=none&f.status=in:[1]', '25')
        expect(Object.fromEntries(new URL(narrowed, 'http://page').searchParams)).toMatchObject({ length: '7', order: 'code', sort: 'asc', filter: '{"status":{"in":[1]}}' })
      })

      it('a saved default view as well', async () => {
        const definition = { columns: [{ name: 'code' }, { name: 'total' }], length: 11 }
        const view = await admin.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'Narrow', Definition: definition, IsDefault: true }, { key: 'view-habits' })
        const id: number = view.data.record.ID
        const [call = ''] = await rowsOf('/sales-order-list', '25!sales-order.list')
        expect(new URL(call, 'http://page').searchParams.get('length')).toBe('11')
        expect(new URL(call, 'http://page').searchParams.get('columns')).toMatch(/^code,total,/)
        // The columns of this very view have been laid out anew in this browser: it alone knows how.
        expect(await rowsOf('/sales-order-list', `25!sales-order.list%23${id}`)).toEqual([])
        await arus.database.rows(sql`delete from saved_view`)
      })

      it('none where it tells nothing, too much, or that the columns have been laid out; none of a page that is not in the menu', async () => {
        expect(await rowsOf('/sales-order-list', '25!customer.list')).toHaveLength(1)
        expect(await rowsOf('/sales-order-list?n=200', '25')).toHaveLength(1)
        expect(await rowsOf('/sales-order-list?n=201', '25')).toEqual([])
        for (const habits of ['', 'many', '0', '-5', '99999999', '25!*', '25!sales-order.list', '25%']) expect(await rowsOf('/sales-order-list', habits), habits).toEqual([])
        const billing = await arus.signIn('billing')
        expect(await rowsOf('/setting/user', '25', billing.token)).toEqual([])
        expect(await rowsOf('/billing', '25')).toEqual([])
      })
    })

    it('no record of a page that is not in the menu, and nothing the call would refuse', async () => {
      const record = await arus.id('customer', 'C0000001')
      const warehouse = await arus.signIn('warehouse')
      const asWarehouse = async () => Object.keys((await answersOf(`/master/customers/edit/${record}`, `token=${warehouse.token}`))?.answers ?? {})
      expect(await asWarehouse()).toEqual([...sessionCalls, `/api/v1/data/customer/${record}`])
      await arus.database.rows(sql`delete from role_menu where menu_id in (select id from menu where url = '/master/customers')`)
      expect(await asWarehouse()).toEqual(sessionCalls)
      expect(Object.keys((await answersOf('/master/customers/edit/999999', `token=${admin.token}`))?.answers ?? {})).toEqual(sessionCalls)
    })

    it('nothing for a token of nobody, or for what is no token', async () => {
      for (const cookie of [`token=${'x'.repeat(43)}`, 'token=a b', 'token=%3Cscript%3E']) expect(await answersOf('/sales-order-list', cookie)).toBeUndefined()
    })

    it('no end of the element within it', async () => {
      const warehouse = await arus.signIn('warehouse')
      await arus.database.rows(sql`update app_user set name = '</script><b>' where email like 'warehouse@%'`)
      const { body } = await get('/home', { cookie: `token=${warehouse.token}` })
      expect(body.match(/<\/script>/g)).toHaveLength(1)
      expect(body).toContain(String.raw`\u003c/script>\u003cb>`)
    })

    it('sent small where the browser takes that', async () => {
      const answer = await get('/home', { cookie: `token=${admin.token}`, 'accept-encoding': 'gzip, br' })
      expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
      const text = zlib.brotliDecompressSync(answer.rawPayload).toString()
      expect(text).toContain('<title>Arus</title>')
      expect(text).toContain('first-answers')
    })
  })

  it('brings along the texts a list may draw first, in the language its browser tells: those its files name, and families they work out', async () => {
    const textsOf = async (url: string, lists: string): Promise<unknown> => {
      const { body, headers } = await get(url, { cookie: `token=${admin.token}; lists=${lists}` })
      const { texts } = JSON.parse(/id="first-answers">([^<]*)</.exec(body)?.[1] ?? '{}')
      return [texts, /assets\/\w\w\.json/.exec(String(headers['link']))?.[0]]
    }
    const few = { 'ui.search': 'Search', 'ui.filter.before': 'before', 'ui.filter.after': 'after', 'ui.cards': 'Cards', 'menu.Sales orders': 'Sales orders', 'field.code': 'Code' }
    // All of them are not asked for then, until the page is seen.
    expect(await textsOf('/sales-order-list', '5!en')).toEqual([{ language: 'en', texts: few }, undefined])
    expect(await textsOf('/sales-order-list', '5!id!*')).toEqual([{ language: 'id', texts: { ...few, 'ui.search': 'Cari' } }, undefined])
    for (const [lists, catalogue] of [['5', 'assets/en.json'], ['5!xx', 'assets/en.json'], ['', 'assets/en.json']] as const) expect(await textsOf('/sales-order-list', lists), lists).toEqual([undefined, catalogue])
    expect(await textsOf('/master/customers/edit/1', '5!id')).toEqual([undefined, 'assets/id.json'])
  })

  it('tells a signed-in browser at once what the page will ask for, whoever is not only what signing in needs', async () => {
    const linksOf = async (url: string, cookie?: string): Promise<readonly string[]> => {
      const { link } = (await get(url, cookie === undefined ? {} : { cookie })).headers
      return link === undefined ? [] : String(link).split(', ').map((one) => /^<([^>]*)>/.exec(one)?.[1] ?? one)
    }
    const always = ['/assets/base.css', '/assets/base.js', '/assets/en.json', '/assets/main-1a2b.js', '/assets/shell.css', '/assets/shell.js', '/assets/start.js']
    const inOrder = (links: readonly string[]) => links.toSorted()
    expect(await linksOf('/sales-order-list?n=100', 'a=b; token=x').then(inOrder)).toEqual([...always, '/assets/ListPage.js', '/assets/list.css', '/assets/table.js', '/assets/table.css', '/assets/earlyRows.js', '/assets/screens/sales-order.list.js'].sort())
    expect(await linksOf('/master/customers/edit/1', 'token=x').then(inOrder)).toEqual([...always, '/assets/FormPage.js', '/assets/screens/customer.form.js', '/assets/validators/customer.form.js'].sort())
    expect(await linksOf('/home', 'token=x').then(inOrder)).toEqual(always)
    // Of a few connections the file all others wait for has one at once.
    expect((await linksOf('/home', 'token=x')).find((link) => link.endsWith('.js'))).toBe('/assets/base.js')
    for (const cookie of [undefined, 'token=', 'othertoken=x']) expect(await linksOf('/sales-order-list', cookie)).toEqual([])
    expect(await linksOf('/pages/login', 'token=x')).toEqual([])
    // Styles the page does not name itself stand in its head: the script that needs them waits for none. Each comes after those of what it imports.
    const stylesOf = async (cookie: string) => [...(await get('/sales-order-list', { cookie })).body.matchAll(/<link rel="stylesheet" crossorigin href="([^"]*)">/g)].map(([, file]) => file)
    expect([await stylesOf('token=x'), await stylesOf('token=')]).toEqual([['/assets/shell.css', '/assets/table.css', '/assets/list.css'], []])
  })

  it('“Any unknown path redirects to /pages/error-404.”: before anything of the program is loaded, signed in or not', async () => {
    for (const url of ['/nothing', '/sales-order-list/1/2/3', '/pages', '/home/x?y=1', '/admin.php/x']) {
      const answer = await get(url)
      expect([answer.statusCode, answer.headers['location'], answer.headers['cache-control']], url).toEqual([302, '/pages/error-404', 'no-cache'])
    }
    expect((await get('/home/')).statusCode).toBe(200)
  })

  it('as does what is no address at all, and a file nobody has that is opened as a page', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['//x', '//', '/sales-order-list//', '/%', '/sales-order-list/%E0%A4%A', '/%00', '/home%00', '/nothing.html', '/pages/nothing.aspx?x=1']) {
      const answer = await get(url, { accept })
      expect([answer.statusCode, answer.headers['location'], answer.headers['cache-control'], answer.headers['x-frame-options']], url).toEqual([302, '/pages/error-404', 'no-cache', 'DENY'])
    }
    expect((await get('/nothing.png', { accept: 'image/avif,image/*,*/*;q=0.8' })).statusCode).toBe(404)
    const call = await get('/api/v1/data/%E0%A4%A', { accept })
    expect([call.statusCode, call.json()]).toMatchObject([404, { code: 404, status: 'NOT_FOUND', data: { hostname: expect.any(String) } }])
  })

  it('a dot in what is asked of a page makes no file of it', async () => {
    for (const url of ['/sales-order-list?search=PT.Maju', '/home?rate=1.5', '/auth/callback?code=4.0A&iss=https%3A%2F%2Faccounts.google.com']) {
      const answer = await get(url)
      expect([answer.statusCode, answer.body], url).toEqual([200, expect.stringContaining('<title>Arus</title>')])
    }
  })

  it('keeps hashed files for ever, compressed where the browser takes it', async () => {
    const plain = await get('/assets/main-1a2b.js')
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': expect.stringContaining('javascript') })
    const packed = await get('/assets/main-1a2b.js', { 'accept-encoding': 'br' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.body).toBe('compressed')
    expect(packed.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': plain.headers['content-type'], vary: 'accept-encoding' })
    for (const headers of [{ 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br;q=0' }, {}]) expect((await get('/assets/main-1a2b.js', headers)).body).toBe('export {}')
    // A part of it is a part of the file itself.
    expect(await get('/assets/main-1a2b.js', { 'accept-encoding': 'br', range: 'bytes=0-2' })).toMatchObject({ statusCode: 206 })
  })

  it('does not answer for missing files, calls or other folders', async () => {
    for (const url of ['/assets/gone.js', '/api/v1/nothing', '/api/nothing', '/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fetc%2fpasswd', '/assets/%00', '/api/v1//menu']) {
      const answer = await get(url)
      expect(answer.statusCode, url).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toContain('root:')
    }
    expect((await admin.get('/api/v1/nothing'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

it('"Every request carries content type JSON", also one that takes something away', async () => {
  const person = await arus.signIn('billing')
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
  const call = async (method: 'GET' | 'DELETE', url: string) => (await arus.app.inject({ method, url, headers })).json()
  expect(await call('GET', '/api/v1/menu')).toMatchObject({ code: 200 })
  expect(await call('DELETE', '/api/v1/profile/sessions')).toMatchObject({ code: 200 })
})

describe('bad requests', () => {
  const raw = (payload: string, contentType = 'application/json') =>
    arus.app.inject({ method: 'POST', url: '/api/v1/data/brand', payload, headers: { authorization: `Bearer ${admin.token}`, 'content-type': contentType } })

  it.each([
    ['no JSON', '{', 'application/json', 400, 'BAD_REQUEST'],
    ['a poisoned prototype', '{"__proto__":{"x":1},"Code":"P","Name":"P"}', 'application/json', 400, 'BAD_REQUEST'],
    ['another type', '<x/>', 'application/xml', 415, 'BAD_REQUEST'],
    ['a list', '[]', 'application/json', 422, 'VALIDATION_FAILED'],
    ['a number', '5', 'application/json', 422, 'VALIDATION_FAILED'],
    ['null', 'null', 'application/json', 422, 'VALIDATION_FAILED'],
    ['too much', JSON.stringify({ Code: 'x', Name: 'y'.repeat(5_000_000) }), 'application/json', 413, 'BODY_TOO_LARGE'],
  ])('%s is refused with a problem', async (_name, payload, type, _status, code) => {
    const answer = await raw(payload, type)
    expect(answer.json()).toMatchObject({ status: code, message: expect.any(String), data: { hostname: expect.any(String) } })
    expect(answer.statusCode).toBe(answer.json().code)
  })

  it('hostile text is stored as it is, with one blank where tabs stand, and found', async () => {
    const names = [`'; drop table brand; --`, '<script>alert(1)</script>', '%_\\', '${7*7}', '=cmd|calc', '𝕬𝖗𝖚𝖘 🚚', '"quoted" \\n', 'a\tb']
    for (const [i, name] of names.entries()) {
      const made = await admin.post('/api/v1/data/brand', { Code: `H${i}`, Name: name })
      expect(made.data.record.Name).toBe(plainText(name))
      const found = await admin.get('/api/v1/data/brand', { search: name, columns: 'code,name', length: 10 })
      expect(found.data.rows.map((row: { Code: string }) => row.Code), name).toEqual([`H${i}`])
    }
    expect(await arus.database.first(sql`select count(*) as n from brand where code like 'H_'`)).toEqual({ n: names.length })
  })

  it.each([['of no width', '\u200b\u200d'], ['fillers', '\u3164\u115f'], ['blank braille', '\u2800 \u2800'], ['marks of direction', '\u200e\u202e'], ['a variant of nothing', '\ufe0f'], ['tags', '\u{e0041}\u{e007f}'], ['a soft hyphen', '\u00ad']])('a name of invisible characters alone is none: %s', async (_name, name) => {
    const answer = await admin.post('/api/v1/data/brand', { Code: 'UNSEEN', Name: name })
    expect(answer.data.errors).toEqual([expect.objectContaining({ field: 'Name', code: 'REQUIRED' })])
  })

  it('of texts that look like numbers a change is a change', async () => {
    const { ID: id, Version: version } = (await admin.post('/api/v1/data/brand', { Code: 'DIGITS', Name: '812' })).data.record
    const changed = await admin.put(`/api/v1/data/brand/${id}`, { Name: '812.0' }, { version })
    expect(changed.data.record).toMatchObject({ Name: '812.0', Version: version + 1 })
    expect((await admin.put(`/api/v1/data/brand/${id}`, { Name: '812' }, { version: version + 1 })).data.record.Name).toBe('812')
    expect(await arus.database.rows(sql`select diff from document_log where doc_type = 'brand' and doc_id = ${id} and action = 'edit' order by id`)).toEqual([
      { diff: [{ field: 'name', from: '812', to: '812.0' }] }, { diff: [{ field: 'name', from: '812.0', to: '812' }] },
    ])
  })

  it('half a surrogate is refused at the door too', async () => {
    expect((await arus.anonymous.post('/api/v1/login', { email: 'sales\ud800@arus.example', password: 'x' })).status).toBe(422)
    expect((await admin.post('/api/v1/view', { Screen: 'brand.list', Name: 'a\udc00b', Definition: {} }, { key: 'half-a-name' })).status).toBe(422)
  })

  it.each([['NUL', 'a\u0000b'], ['half a surrogate', 'a\ud800b']])('%s cannot be stored', async (_name, name) => {
    expect((await admin.post('/api/v1/data/brand', { Code: 'NUL', Name: name })).data.errors).toEqual([expect.objectContaining({ field: 'Name', code: 'WRONG_TYPE' })])
  })

  it('hostile queries are refused or find nothing', async () => {
    for (const query of [{ search: '\u0000' }, { search: "' or 1=1 --" }, { order: 'code; drop table brand' }, { columns: 'code,(select 1)' }, { filter: '{"code":{"eq":{"$ne":1}}}' }, { filter: '"x"' }, { page: '1e9' }, { after: 'W10' }]) {
      const answer = await admin.get('/api/v1/data/brand', query)
      expect([200, 422], JSON.stringify(query)).toContain(answer.status)
      if (answer.status === 200) expect(answer.data.recordsTotal).toBe(0)
    }
    for (const id of ['0', '-1', '1.5', 'abc', '1;drop', '99999999999999999999', '__proto__']) expect((await admin.get(`/api/v1/data/brand/${encodeURIComponent(id)}`)).status, id).toBe(404)
  })

  it('a token of another shape is no token', async () => {
    for (const authorization of ['Bearer', 'Bearer x', `Basic ${admin.token}`, `Bearer ${'x'.repeat(43)}`, `Bearer ${'x'.repeat(9_000)}`]) {
      expect((await get('/api/v1/menu', { authorization })).statusCode).toBe(401)
    }
  })

  it('an unexpected error tells the user a number and the log the rest', async () => {
    const broken = await testBroken()
    expect(broken).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(broken.message).not.toContain('relation')
    expect(arus.log.join('\n')).toContain('relation "brand" does not exist')
  })
})

async function testBroken() {
  await arus.database.run(sql`alter table brand rename to brand_away`)
  try {
    return await admin.get('/api/v1/data/brand')
  } finally {
    await arus.database.run(sql`alter table brand_away rename to brand`)
  }
}

describe('signing in too often', () => {
  it('is slowed down', async () => {
    const answers = []
    for (let i = 0; i < 70; i++) answers.push(await arus.app.inject({ method: 'POST', url: '/api/v1/login', payload: { email: '', password: '' } }))
    const last = answers.at(-1)
    expect(last?.statusCode).toBe(429)
    expect(last?.json()).toMatchObject({ code: 429, status: 'TOO_MANY_REQUESTS' })
  })
})

describe('an address nobody foresaw', () => {
  const long = 'x'.repeat(3_000)
  const dots = ['/..', '/.', '/./x', '/../x', '/a/../../etc/passwd', '/%2e%2e/x', '/%2e%2e%2fx', '/..%2f', '/%2f%2fevil.example/..', '/assets/..', '/assets/../index.html', '/assets/%2e%2e/%2e%2e/x', '/pages/..', '/api/v1/..', '/api/v1/data/..%2fx']
  const backslashes = ['/\\evil', '/%5cevil', '/\\..\\..', '/\\\\evil.example/..', '/assets/\\x', '/assets/..%5cx', '/api/v1/\\x']
  const lengthy = [`/${long}`, `/assets/${long}`, `/pages/${long}`, `/sales-order-list/${long}`, `/api/v1/data/${long}`, `/api/v1/data/sales-order/${long}`, `/api/v1/general/file/${long}/x`, `/api/account/v1/auth/reset-password/${long}`]
  const others = ['/%', '/%ff', '/%c0%ae%c0%ae/', '/%00', '//x', '///', '/\u00e9', '/assets', '/assets/', '/.vite/manifest.json', '/.hidden', '*']

  /** As it is: an ordinary client would tidy it up. */
  function status(method: string, address: string): Promise<number> {
    const { port } = arus.app.server.address() as AddressInfo
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk) => (answer += String(chunk)))
      socket.on('close', () => resolve(Number(answer.slice(9, 12))))
      socket.on('error', reject)
      socket.write(Buffer.from(`${method} ${address} HTTP/1.1\r\nHost: arus.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`, 'latin1'))
    })
  }

  it('is the caller’s doing: it is refused as such, and no stack is written down', async () => {
    await arus.app.listen({ port: 0, host: '127.0.0.1' })
    const before = arus.log.length
    const told: string[] = []
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      for (const address of [...dots, ...backslashes, ...lengthy]) {
        const code = await status(method, address)
        if (![400, 401, 404, 414].includes(code)) told.push(`${method} ${address.slice(0, 40)} ${code}`)
      }
      for (const address of others) {
        const code = await status(method, address)
        if (code >= 500 || !(code >= 200)) told.push(`${method} ${address} ${code}`)
      }
    }
    expect(told).toEqual([])
    expect(arus.log.slice(before)).toEqual([])
  }, 60_000)
})

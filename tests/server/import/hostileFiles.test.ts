import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ProblemError } from '#server/problemError.ts'
import { recogniseFile, rowsOf } from '#server/import/openFile.ts'
import { testFolder } from '../../support/database.ts'
import { textRows, workbook } from '../../support/workbook.ts'

/** All rows of a file, or the key of the refusal. */
async function read(content: Buffer | string, most = 5_000): Promise<readonly (readonly string[])[] | string> {
  const file = path.join(testFolder(), 'file')
  fs.writeFileSync(file, content)
  try {
    const form = await recogniseFile(file, {})
    const rows: (readonly string[])[] = []
    for await (const slice of rowsOf(file, form)) {
      rows.push(...slice.map(({ cells }) => cells))
      if (rows.length > most) break
    }
    return rows
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.key.replace('problem.', '')
    throw error
  }
}

const head = '<row r="1"><c r="A1" t="inlineStr"><is><t>Code</t></is></c></row>'

describe('a hostile workbook is refused with a reason', () => {
  const good = workbook(textRows([['Code'], ['A']]))
  const cases: readonly (readonly [what: string, file: Buffer, key: string])[] = [
    ['cut off in the middle', good.subarray(0, good.length / 2), 'FILE_BROKEN.zip'],
    ['not a ZIP file but named so', Buffer.from('PK\u0003\u0004 nothing of the kind'), 'FILE_BROKEN.zip'],
    ['a ZIP file that is no workbook', workbook('', { 'xl/workbook.xml': undefined }), 'FILE_BROKEN.no-workbook'],
    ['a bomb', workbook(`${head}<row r="2"><c r="A2"><v>${' '.repeat(120_000_000)}</v></c></row>`), 'FILE_BROKEN.cell'],
    ['a bomb between the cells', workbook(head + ' '.repeat(120_000_000)), 'FILE_BROKEN.bomb'],
    ['16,384 columns', workbook(`${head}<row r="2"><c r="XFD2"><v>1</v></c></row>`), 'FILE_BROKEN.columns'],
    ['an external entity', workbook(textRows([['Code'], ['A']]), { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><workbook><sheets><sheet name="&e;" r:id="rId1"/></sheets></workbook>' }), 'FILE_BROKEN.doctype'],
    ['an unknown entity', workbook('<row r="1"><c r="A1" t="inlineStr"><is><t>&secret;</t></is></c></row>'), 'FILE_BROKEN.doctype'],
    ['a sheet outside the file', workbook('', { 'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="../../../../etc/passwd"/></Relationships>' }), 'FILE_BROKEN.no-sheet'],
    ['10 MB in one cell', workbook(`${head}<row r="2"><c r="A2" t="inlineStr"><is><t>${'x'.repeat(10_000_000)}</t></is></c></row>`), 'FILE_BROKEN.cell'],
    ['rows that run backwards', workbook('<row r="5"><c r="A5"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'), 'FILE_BROKEN.xml'],
    ['a sheet without an end', workbook('', { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${head}` }), 'FILE_BROKEN.zip'],
    ['more parts named than a workbook has', workbook('', { 'xl/_rels/workbook.xml.rels': `<Relationships>${Array.from({ length: 20_000 }, (_, i) => `<Relationship Id="r${i}" Target="worksheets/sheet1.xml"/>`).join('')}</Relationships>` }), 'FILE_BROKEN.bomb'],
    ['more sheets than a workbook has', workbook('', { 'xl/workbook.xml': `<workbook><sheets>${Array.from({ length: 20_000 }, (_, i) => `<sheet name="s${i}" r:id="rId1"/>`).join('')}</sheets></workbook>` }), 'FILE_BROKEN.bomb'],
    ['more number formats than a workbook has', workbook(head, { 'xl/styles.xml': `<styleSheet><numFmts>${Array.from({ length: 200_000 }, (_, i) => `<numFmt numFmtId="${i}" formatCode="0"/>`).join('')}</numFmts></styleSheet>` }), 'FILE_BROKEN.bomb'],
    // Without the guard it takes minutes, and nobody else is served meanwhile.
    ['a tag full of signs that end tags', workbook(`${head}<row r="2" x="${'>'.repeat(2_000_000)}"/>`), 'FILE_BROKEN.xml'],
    ['one long text in every cell', workbook(`${head}${Array.from({ length: 4_000 }, (_, i) => `<row r="${i + 2}"><c t="s"><v>0</v></c></row>`).join('')}`, { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>` }), 'FILE_BROKEN.bomb'],
    ['a shared text that is not there', workbook('<row r="1"><c r="A1" t="s"><v>99</v></c></row>'), 'FILE_BROKEN.xml'],
  ]
  it.each(cases)('%s', async (_, file, key) => {
    expect(await read(file)).toBe(key)
  })

  it('damaged bytes', async () => {
    const broken = Buffer.from(good)
    const sheet = broken.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length
    broken.fill(0xff, sheet, sheet + 60)
    expect(await read(broken)).toMatch(/^FILE_BROKEN\.(zip|xml)$/)
  })
})

describe('a strange workbook is read for what it says', () => {
  it('a million empty rows and dimensions that lie', async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, i) => `<row r="${i + 2}"/>`).join('')
    expect(await read(workbook(`${head}${empty}<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>last</t></is></c></row>`, {
      'xl/worksheets/sheet1.xml': `<worksheet><dimension ref="A1:XFD9999999"/><sheetData>${head}${empty}<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>last</t></is></c></row></sheetData></worksheet>`,
    }))).toEqual([['Code'], ['last']])
  }, 30_000)

  it('formulas as what they came to, days, padded codes, every digit, prefixes and CDATA', async () => {
    const styles = '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="dd\\/mm\\/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    const cells = '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1" s="1"><v>42</v></c><c r="C1" s="2"><v>46022</v></c><c r="D1" s="3"><v>46022.5</v></c><c r="E1"><v>0.30000000000000004</v></c><c r="F1"><v>1.2E-7</v></c><c r="G1" t="b"><v>1</v></c><c r="H1" t="e"><v>#N/A</v></c><c r="I1" t="inlineStr"><is><r><t>a</t></r><r><t><![CDATA[<b>]]></t></r></is></c><c r="K1"><v>123456789012345</v></c><c r="L1" t="str"><f>A1</f><v>0007</v></c>'
    expect(await read(workbook(`<x:row xmlns:x="y" r="1">${cells}</x:row>`, { 'xl/styles.xml': styles }))).toEqual([
      ['2', '00042', '2025-12-31', '2025-12-31 12:00:00', '0.3', '0.00000012', 'TRUE', '#N/A', 'a<b>', '', '123456789012345', '0007'],
    ])
  })
})

describe('hostile text', () => {
  const cases: readonly (readonly [what: string, text: string | Buffer, result: readonly (readonly string[])[] | string])[] = [
    ['nothing', '', 'FILE_EMPTY.rows'],
    ['bytes of a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3]), 'FILE_BROKEN.not-text'],
    ['a quotation mark never closed', 'a,b\n"x,1\ny,2\n', 'FILE_BROKEN.quote'],
    ['10 MB in one cell', `a,b\n${'x'.repeat(10_000_000)},1\n`, 'FILE_BROKEN.record'],
    ['more than a cell can hold', `a,b\n${'x'.repeat(40_000)},1\n`, 'FILE_BROKEN.cell'],
    ['too many columns', `a\n${','.repeat(500)}x`, 'FILE_BROKEN.columns'],
    ['line breaks of three kinds, also in quotes', 'a,b\r\n"x\r\ny",1\nz,2', [['a', 'b'], ['x\r\ny', '1'], ['z', '2']]],
    ['rows of any length', 'a,b,c\n1\n1,2,3,4\n\n,,\n', [['a', 'b', 'c'], ['1'], ['1', '2', '3', '4']]],
    ['heads twice and named like inner parts', 'a,a,__proto__,constructor\n1,2,3,4', [['a', 'a', '__proto__', 'constructor'], ['1', '2', '3', '4']]],
    ['cells that look like formulas', 'a,b,c,d,e\n=1+1,+62 812,-5,@x,"\'=1"', [['a', 'b', 'c', 'd', 'e'], ['=1+1', '+62 812', '-5', '@x', '=1']]],
    ['inches', 'a;b\n5" pipe;12" "x" pipe', [['a', 'b'], ['5" pipe', '12" "x" pipe']]],
    ['leading zeros', 'a\tb\n007\t0812', [['a', 'b'], ['007', '0812']]],
    ['JSON cut off', '[{"a":1},', 'FILE_BROKEN.json'],
    ['JSON deeper than anybody reads', `[{"a":${'['.repeat(500_000)}`, 'FILE_BROKEN.json-deep'],
    ['JSON within its depth and cut off', `[{"a":${'['.repeat(50)}`, 'FILE_BROKEN.json'],
    ['JSON with something behind its end', '[{"a":1}] x', 'FILE_BROKEN.json'],
    ['JSON with a value that is none', '[{"a":nothing}]', 'FILE_BROKEN.json'],
    ['JSON of one record', '{"a":1.50}', [['a'], ['1.50']]],
    ['JSON larger than is read whole', `[{"a":"${'x'.repeat(9_000_000)}"}]`, 'FILE_BROKEN.json-large'],
    ['JSON with a column of its own in each record', JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ [`c${i}`]: 1 }))), 'FILE_BROKEN.columns'],
    ['JSON with many columns once and two million empty records', `[{${Array.from({ length: 400 }, (_, i) => `"c${i}":1`).join()}}${',{}'.repeat(2_000_000)}]`, [Array.from({ length: 400 }, (_, i) => `c${i}`), Array.from({ length: 400 }, () => '1')]],
    ['JSON with long numbers, inner parts and records in cells', '{"at":1,"rows":[{"a":12345678901234567890.10,"__proto__":"p","b":null},{"b":{"c":[1]},"constructor":true}]}', [['a', '__proto__', 'b', 'constructor'], ['12345678901234567890.10', 'p', '', ''], ['', '', '{"c":["1"]}', 'true']]],
  ]
  it.each(cases)('%s', async (_, text, result) => {
    expect(await read(text)).toEqual(result)
  })
})

describe('a quotation mark never closed is told with the line it is opened in', () => {
  const long = Array.from({ length: 20_000 }, (_, i) => `${i},é`).join('\r\n')
  it.each([
    ['a,b\n"x,1\ny,2\n', 2],
    ['a,b\r\n1,2\r\n3,"x\r\ny,2\r\n', 3],
    ['a,b\r\n"x,2\r\ny,2\r\n', 2],
    ['a,b\n"p\nq",2\n3,"x\ny,2', 4],
    ['a,b\n\n\n3,"x\n', 4],
    ['"a,b\nx', 1],
    ['sep=;\r\na;b\r\n1;"x\r\n', 3],
    ['\uFEFFa,b\r1,"x\r', 2],
    [`a,b\r\n${long}\r\n7,"x\r\n${long}`, 20_002],
  ])('%#', async (text, row) => {
    const file = path.join(testFolder(), 'file')
    fs.writeFileSync(file, text)
    const form = await recogniseFile(file, {})
    const readAll = async () => {
      for await (const _ of rowsOf(file, form)) continue
    }
    await expect(readAll()).rejects.toMatchObject({ problem: { key: 'problem.FILE_BROKEN.quote', params: { row } } })
  })
})

describe('numbers of a workbook', () => {
  it.each([
    ['8119063014665221', '8119063014665221'], ['8119063014665220', '8.11906301466522E+15'], ['8.1190630146652198E+15', '8.11906301466522E+15'], ['0123456789', '123456789'], ['99999999999999999999', '99999999999999999999'],
    ['12345678901234567', '12345678901234567'], ['12345678901234568', '1.23456789012346E+16'], ['123456789012345', '123456789012345'], ['0.1', '0.1'], ['0.30000000000000004', '0.3'], ['1E+3', '1000'],
  ])('%s is %s: digit for digit, or told to be rounded', async (written, value) => {
    expect(await read(workbook(`${head}<row r="2"><c r="A2"><v>${written}</v></c></row>`))).toEqual([['Code'], [value]])
  })
})

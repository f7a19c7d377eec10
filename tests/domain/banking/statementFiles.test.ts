import { expect, test } from 'vitest'
import { layoutOf, type BankFileProfile } from '#domain/banking/bankLayout.ts'
import { readDelimited } from '#domain/banking/delimited.ts'
import { readerOf } from '#domain/banking/recognise.ts'
import { StatementFileError, untied, writtenAmount, type FileStatement, type Reading } from '#domain/banking/statementFile.ts'

function finish<T>(reading: Reading<T>): T {
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

function read(text: string, order?: 'DMY' | 'MDY'): readonly FileStatement[] {
  const reading = readerOf(text, order)
  if (reading === undefined) throw new Error('not recognised')
  return finish(reading).statements
}

function fault(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (error instanceof StatementFileError) return [error.fault, error.params['line'], error.params['text']]
    throw error
  }
  return undefined
}

const mt940 = `{1:F01CENAIDJAXXXX0000000000}{2:I940XXXXN}{4:
:20:STMT2611
:25:014/1234567890IDR
:28C:334/1
:60F:C261231IDR10000000,
:61:2612310102C1500000,NTRFNONREF//FT2611001
:86:TRSF E-BANKING CR 0101/FTSCY
:) not a tag
TOKO MAKMUR
:61:2601011231DR250000,50NMSCREF-7//B1
:86:835?00BIAYA?20ADM?21INISTRASI?32BANK?33BCA
:61:260102RC1000,NTRFKOREKSI
:61:260102RD2000,NTRFKOREKSI
:62F:C260102IDR11250999,50
-}`

test('MT940: signs, years of entry dates, texts in several lines, envelope, account with currency; it ties out', () => {
  const [statement] = read(mt940)
  expect(statement).toMatchObject({ account: '1234567890', currency: 'IDR', number: '334', opening: '10000000.00', closing: '11250999.50', pending: 0 })
  expect(statement?.lines).toEqual([
    { date: '2027-01-02', amount: '1500000.00', reference: 'FT2611001', balance: null, text: 'TRSF E-BANKING CR 0101/FTSCY :) not a tag TOKO MAKMUR' },
    { date: '2025-12-31', amount: '-250000.50', reference: 'REF-7', balance: null, text: 'BIAYA · ADMINISTRASI · BANKBCA' },
    { date: '2026-01-02', amount: '-1000.00', reference: 'KOREKSI', balance: null, text: '' },
    { date: '2026-01-02', amount: '2000.00', reference: 'KOREKSI', balance: null, text: '' },
  ])
  expect(statement === undefined ? undefined : untied(statement)).toBe('0.00')
})

test('MT940: several statements, an interim balance that is carried on, a line that cannot be read with its number', () => {
  const part = (no: number, opening: string, lines: string, closing: string): string => `:20:A\n:25:111\n:28C:1/${no}\n${opening}\n${lines}\n${closing}\n-\n`
  const two = part(1, ':60F:C260101IDR100,', ':61:260101C5,NTRFA', ':62M:C260101IDR105,') + part(2, ':60M:C260101IDR105,', ':61:260102D1,NTRFB', ':62F:C260102IDR104,')
  expect(read(two)).toMatchObject([{ opening: '100.00', closing: '104.00', lines: [{ amount: '5.00' }, { amount: '-1.00' }] }])
  expect(read(two + part(1, ':60F:C260102IDR104,', ':61:260103C6,NTRFA', ':62F:C260103IDR110,'))).toHaveLength(2)
  expect(fault(() => read(':20:A\n:25:111\n:28C:1\n:60F:C260101IDR100,\n:61:26010C5,NTRFA'))).toEqual(['line', 5, '26010C5,NTRFA'])
  expect(fault(() => read(':20:A\n:25:111\n:28C:1\n:61:261301C5,NTRFA'))).toEqual(['date', 4, '26-13-01'])
  expect(fault(() => read(':20:A\n:25:111\n:28C:1\n:61:261201C5,123NTRFA'))).toEqual(['amount', 4, '5.123'])
})

const camt = (body: string, head = ''): string => `<?xml version="1.0"?>${head}<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><c:BkToCstmrStmt><c:Stmt><c:Id>S9</c:Id><c:ElctrncSeqNb>77</c:ElctrncSeqNb>
<c:Acct><c:Id><c:Othr><c:Id>1234567890</c:Id></c:Othr></c:Id><c:Ccy>IDR</c:Ccy></c:Acct>
<c:Bal><c:Tp><c:CdOrPrtry><c:Cd>OPBD</c:Cd></c:CdOrPrtry></c:Tp><c:Amt Ccy="IDR">1000</c:Amt><c:CdtDbtInd>CRDT</c:CdtDbtInd></c:Bal>
<c:Bal><c:Tp><c:CdOrPrtry><c:Cd>CLBD</c:Cd></c:CdOrPrtry></c:Tp><c:Amt Ccy="IDR">1290.50</c:Amt><c:CdtDbtInd>CRDT</c:CdtDbtInd></c:Bal>${body.replaceAll(/<(\/?)(\w)/g, '<$1c:$2')}</c:Stmt></c:BkToCstmrStmt></c:Document>`
const entry = (amount: string, side: string, more: string, status = '<Sts><Cd>BOOK</Cd></Sts>'): string => `<Ntry><Amt Ccy="IDR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-30</Dt></BookgDt>${more}</Ntry>`

test('CAMT: booked entries, batches, reversals as they are marked, moments in UTC, names and references', () => {
  const batch = '<NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><Amt Ccy="IDR">100</Amt><RltdPties><Dbtr><Pty><Nm>Toko &amp; Co</Nm></Pty></Dbtr></RltdPties></TxDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>T2</TxId></Refs><Amt Ccy="IDR">200</Amt><RmtInf><Ustrd>INV/1</Ustrd></RmtInf></TxDtls></NtryDtls>'
  const [statement] = read(camt(
    entry('300', 'CRDT', batch) + entry('9.50', 'DBIT', '<RvslInd>true</RvslInd><AcctSvcrRef>R1</AcctSvcrRef><AddtlNtryInf>BIAYA</AddtlNtryInf>', '<Sts>BOOK</Sts>') + entry('7', 'CRDT', '', '<Sts><Cd>PDNG</Cd></Sts>')
    + '<Ntry><Amt Ccy="IDR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>2026-11-30T17:30:00Z</DtTm></BookgDt></Ntry>'))
  expect(statement).toMatchObject({ account: '1234567890', currency: 'IDR', number: '77', opening: '1000.00', closing: '1290.50', pending: 1 })
  expect(statement?.lines).toEqual([
    { date: '2026-11-30', amount: '100.00', balance: null, reference: 'E1', text: 'Toko & Co' },
    { date: '2026-11-30', amount: '200.00', balance: null, reference: 'T2', text: 'INV/1' },
    { date: '2026-11-30', amount: '-9.50', balance: null, reference: 'R1', text: 'BIAYA' },
    { date: '2026-12-01', amount: '0.00', balance: null, reference: '', text: '' },
  ])
  expect(statement === undefined ? undefined : untied(statement)).toBe('0.00')
  // Sums of the parts that are not the entry's stay one line.
  expect(read(camt(entry('301', 'CRDT', batch)))[0]?.lines).toMatchObject([{ amount: '301.00', reference: 'E1' }])
})

test('CAMT: a document type and broken XML are refused with their line', () => {
  expect(fault(() => read(camt('', '<!DOCTYPE d [<!ENTITY a "b">]>')))).toEqual(['doctype', undefined, undefined])
  expect(fault(() => read(camt(entry('1', 'CRDT', '<x>'))))).toEqual(['xml', 4, 'unexpected close tag.'])
  expect(fault(() => read(camt(entry('1', 'X', ''))))).toEqual(['amount', 4, '1'])
  expect(fault(() => read(camt(`${'<a>'.repeat(50)}${'</a>'.repeat(50)}`)))).toEqual(['large', undefined, undefined])
})

test('OFX: SGML with tags that are never closed, zones, entities read once, decimals of either sign', () => {
  const ofx = `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>IDR<BANKACCTFROM><BANKID>014<ACCTID>1234567890</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261130170000[0:GMT]<TRNAMT>+1,250.50<FITID>F1<NAME>TOKO &amp;lt; A<MEMO></STMTTRN>
<STMTTRN><TRNTYPE>FEE<DTPOSTED>20261130120000[-5:EST]<TRNAMT>-15,25<FITID>F2<MEMO>BIAYA</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>9000.00<DTASOF>20261130</LEDGERBAL><AVAILBAL><BALAMT>1</AVAILBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
  expect(read(ofx)).toEqual([{
    account: '1234567890', currency: 'IDR', number: '', opening: null, closing: '9000.00', pending: 0,
    lines: [{ date: '2026-12-01', amount: '1250.50', balance: null, reference: 'F1', text: 'TOKO &lt; A' }, { date: '2026-11-30', amount: '-15.25', balance: null, reference: 'F2', text: 'BIAYA' }],
  }])
  expect(fault(() => read(ofx.replace('20261130120000[-5:EST]', '2026113')))).toEqual(['date', 6, '2026113'])
})

test('QIF: the order of its dates is proved, asked for, or refused', () => {
  const qif = (...dates: string[]): string => `!Type:Bank\n${dates.map((date) => `D${date}\nT1,250.50\nPTOKO\nMINV 1\nN77\n^`).join('\n')}\n`
  const of = (text: string, order?: 'DMY' | 'MDY') => {
    const reading = readerOf(text, order)
    return reading === undefined ? undefined : finish(reading)
  }
  expect(of(qif("1/30'26", '11/12/2026'))).toMatchObject({ orders: ['MDY'], statements: [{ lines: [{ date: '2026-01-30', amount: '1250.50', reference: '77', text: 'TOKO · INV 1' }, { date: '2026-11-12' }] }] })
  expect(of(qif('3/11/2026'))).toMatchObject({ orders: ['DMY', 'MDY'], sample: '3/11/2026', statements: [{ lines: [{ date: '2026-11-03' }] }] })
  expect(of(qif('3/11/2026'), 'MDY')).toMatchObject({ statements: [{ lines: [{ date: '2026-03-11' }] }] })
  expect(fault(() => of(qif('30/1/2026', '1/30/2026')))).toEqual(['dates', undefined, undefined])
})

const bca: BankFileProfile = {
  name: 'KlikBCA', columns: { date: ['Tanggal Transaksi', 'Tanggal'], text: ['Keterangan', 'Cabang'], amount: 'Jumlah', mark: { after: 'Jumlah' }, balance: 'Saldo' },
  marks: { CR: 'in', DB: 'out' }, decimal: '.', account: 'No\\. ?rekening *: *(\\S+)', currency: 'Kode Mata Uang *: *(\\S+)', period: 'Periode *: *(\\S+) *- *(\\S+)', currencies: { Rp: 'IDR' },
  opening: '^Saldo Awal *: *(\\S+)', closing: '^Saldo Akhir *: *(\\S+)', pending: '^PEND',
}
const rowsOf = (text: string): { no: number; cells: string[] }[] => text.split('\n').map((line, i) => ({ no: i + 1, cells: line.split('|') }))
function delimited(text: string, profile: BankFileProfile): FileStatement {
  const rows = rowsOf(text)
  const layout = layoutOf(rows, profile)
  if (layout === undefined) throw new Error('not laid out so')
  return finish(readDelimited(rows, profile, layout))
}

test('a delimited file: days without a year, marks in a column without a heading, pending rows, balances around the table', () => {
  const text = `No. rekening : 123-456-7890\nPeriode : 20/12/2025 - 19/01/2026\nKode Mata Uang : Rp\n\nTanggal Transaksi|Keterangan|Cabang|Jumlah||Saldo
'31/12|TRSF E-BANKING CR|'0000|1,500,000.00|CR|11,500,000.00\n|TOKO MAKMUR||||\n'02/01|BIAYA ADM|0000|15,000.00|DB|11,485,000.00\nPEND|TARIKAN|0000|1.00|DB|
Saldo Awal : 10,000,000.00\nMutasi Kredit : 1,500,000.00\nSaldo Akhir : 11,485,000.00`
  const statement = delimited(text, bca)
  expect(statement).toMatchObject({ account: '1234567890', currency: 'IDR', opening: '10000000.00', closing: '11485000.00', pending: 1 })
  expect(statement.lines).toEqual([
    { date: '2025-12-31', text: 'TRSF E-BANKING CR · 0000 TOKO MAKMUR', reference: '', amount: '1500000.00', balance: '11500000.00' },
    { date: '2026-01-02', text: 'BIAYA ADM · 0000', reference: '', amount: '-15000.00', balance: '11485000.00' },
  ])
  expect(untied(statement)).toBe('0.00')
  expect(untied({ ...statement, closing: '11485001.00' })).toBe('1.00')
  // The commas of a balance part it into cells: from milliards on one lies under the amounts.
  expect(delimited(text.replace('10,000,000.00', '9|998|515|000.00').replace('Saldo Akhir : 11,485,000.00', 'Saldo Akhir : 10|000|000|000.00'), bca)).toMatchObject({ opening: '9998515000.00', closing: '10000000000.00' })
  expect(fault(() => delimited(text.replace("'02/01", "'02/03"), bca))).toEqual(['date', 8, '02/03'])
  expect(fault(() => delimited(text.replace('|DB|11', '|XX|11'), bca))).toEqual(['amount', 8, '15,000.00 XX'])
})

test('a delimited file with the newest line on top and no balances around it', () => {
  const bni: BankFileProfile = { name: 'BNI', columns: { date: 'Post Date', text: ['Description'], reference: 'Journal No.', debit: 'Debit', credit: 'Credit', balance: 'Balance' }, decimal: ',' }
  const text = 'Post Date|Journal No.|Description|Debit|Credit|Balance\n30 Nov 2026|9|BIAYA|1.000,50|0,00|98.999,50\n29/11/26|8|SETOR||50.000|100.000,00'
  const { decimal: _decimal, ...open } = bni
  expect(delimited(text, open)).toEqual(delimited(text, bni))
  expect(delimited(text, bni)).toMatchObject({ opening: '50000.00', closing: '98999.50', lines: [{ date: '2026-11-29', amount: '50000.00', reference: '8' }, { date: '2026-11-30', amount: '-1000.50' }] })
})

test.each([['1.250.000', '1250000.00'], ['1,250,000.50', '1250000.50'], ['1.250.000,5', '1250000.50'], ['-15,25', '-15.25'], ['15.25-', '-15.25'], ['(10)', '-10.00'], ['+9', '9.00']])('an amount %s', (text, value) => {
  expect(writtenAmount(text, 1).toFixed(2)).toBe(value)
})

test('what cannot be an amount is refused', () => {
  for (const text of ['', '1.2.3', '1,25,000.00', '1e5', '12a', '0.005', '150.000', '16,250']) expect(fault(() => writtenAmount(text, 3))).toEqual(['amount', 3, expect.any(String)])
})

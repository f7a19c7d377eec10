import fs from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { delimitedFile, painFile, type Transfers } from '#domain/banking/paymentFile.ts'

const transfers: Transfers = {
  id: 'PF/JKT/2611/00001', at: '2026-11-28T02:00:00', date: '2026-11-30', currency: 'IDR',
  payer: { name: 'PT Arus Niaga Nusantara', account: '521-004-4710', swift: 'CENAIDJA', bankCode: '014' },
  transfers: [
    { reference: 'APP/JKT/2611/00007', amount: '1250000.5', payee: 'CV Sümber & Łódź <Jaya>', account: '0123456789', bank: 'Bank Rakyat Indonesia', swift: null, bankCode: '002', email: 'kas@sumber.example', text: 'F-1 "lunas", F-2' },
    { reference: 'APP/JKT/2611/00008', amount: '9007199254740993.25', payee: 'X'.repeat(90), account: 'DE89 3704 0044 0532 0130 00', bank: null, swift: null, bankCode: null, email: null, text: '=1+1' },
  ],
}

/** Official schemas are not ours to pass on: a company may put one where the setting says. */
const schema = fs.readFileSync(process.env['PAIN_SCHEMA'] ?? new URL('pain.001.xsd', import.meta.url), 'utf8')

function faultsOf(text: string): string {
  using xsd = XmlDocument.fromString(schema)
  using validator = XsdValidator.fromDoc(xsd)
  using document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('transfers as a bank takes them', () => {
  it('are pain.001.001.09: sums exact, letters plain, IBANs told from other numbers by their check digits', () => {
    const text = painFile(transfers)
    expect(faultsOf(text)).toBe('')
    expect(text).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>9007199255990993.75</CtrlSum>')
    expect(text).toContain('<InstdAmt Ccy="IDR">1250000.50</InstdAmt>')
    expect(text).toContain('<Nm>CV Sumber Lodz Jaya</Nm>')
    expect(text).toContain('<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>002</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>')
    expect(text).toContain('<CdtrAcct><Id><Othr><Id>0123456789</Id></Othr></Id></CdtrAcct>')
    expect(text).toContain('<IBAN>DE89370400440532013000</IBAN>')
    expect(painFile({ ...transfers, transfers: transfers.transfers.map((one) => ({ ...one, account: 'DE88370400440532013000' })) })).not.toContain('<IBAN>')
  })

  it('the schema refuses what the standard refuses', () => {
    const text = painFile(transfers)
    expect(faultsOf(text.replace('<PmtMtd>TRF</PmtMtd>', '<PmtMtd>XXX</PmtMtd>'))).not.toBe('')
    expect(faultsOf(text.replace(/<GrpHdr>.*<\/GrpHdr>/, ''))).not.toBe('')
    expect(faultsOf(text.replace('CENAIDJA', 'cenaidja'))).not.toBe('')
  })

  it('are lines in the columns a layout names', () => {
    const layout = {
      id: 'own', name: 'Own', delimiter: ';', decimal: ',', dates: 'DDMMYYYY',
      columns: [{ head: 'No', value: 'number' }, { head: 'Tgl', value: 'date' }, { head: 'Rek', value: 'payee-account' }, { head: 'Nama', value: 'payee', most: 12 }, { head: 'Jml', value: 'amount' }, { head: 'Jenis', constant: 'LBU' }, { head: 'Berita', value: 'text' }],
    } as const
    expect(delimitedFile(transfers, layout as never)).toBe([
      'No;Tgl;Rek;Nama;Jml;Jenis;Berita',
      '1;30112026;0123456789;CV Sümber & ;1250000,50;LBU;"F-1 ""lunas"", F-2"',
      '2;30112026;DE89 3704 0044 0532 0130 00;XXXXXXXXXXXX;9007199254740993,25;LBU; =1+1',
      '',
    ].join('\r\n'))
  })
})

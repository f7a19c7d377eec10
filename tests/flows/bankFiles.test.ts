import { beforeAll, expect, test } from 'vitest'
import type { FormFileAnswer } from '#api/formFile.ts'
import { watchLoop } from '../support/loopWatch.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'
import { upload } from '../support/upload.ts'

let scene: Scene
let bank: number
beforeAll(async () => {
  scene = await openScene()
  bank = await scene.at.id('house_bank', 'BCA1')
})

async function read(name: string, bytes: string | Buffer, answer = '', who: 'cashier' | 'sales' = 'cashier'): Promise<{ readonly status: number; readonly message: string; readonly data: FormFileAnswer }> {
  return await upload(scene.at.app, scene.people[who].token, `/api/v1/form/bank-statement.form/file${answer === '' ? '' : `?answer=${answer}`}`, { name, bytes })
}

async function enter(part: FormFileAnswer['parts'][number] | undefined, number: string): Promise<Record> {
  return scene.create('cashier', 'bank-statement', { StatementNo: number, ...part?.values, Lines: part?.lines.map((line) => ({ ...line, MatchType: 'Credit' in line ? 'INTEREST' : 'CHARGE' })) })
}

const csv = (rows: string, closing = '1,985,000.00'): string => `No. rekening : 111\nPeriode : 01/11/2026 - 30/11/2026\nKode Mata Uang : Rp\nTanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo\n${rows}\nSaldo Awal : 1,000,000.00\nSaldo Akhir : ${closing}\n`
const first = '\'02/11,SETORAN,0000,"500,000.00",CR,"1,500,000.00"\n\'02/11,SETORAN,0000,"500,000.00",CR,"2,000,000.00"'
const rest = '\'03/11,BIAYA ADM,0000,"15,000.00",DB,"1,985,000.00"\nPEND,TARIKAN,0000,"1.00",DB,'

test('a file of a bank becomes a statement of the account it names; the same lines are not entered twice, of two alike each once', async () => {
  const half = await read('mutasi.csv', csv(first, '2,000,000.00'))
  expect(half.status, half.message).toBe(200)
  const [part] = half.data.parts
  expect(part?.values).toEqual({ HouseBankID: bank, HouseBankCode: 'BCA1', HouseBankName: 'BCA', DocDate: '2026-11-02', OpeningBalance: '1000000.00', ClosingBalance: '2000000.00' })
  expect(part?.lines).toEqual([
    { ValueDate: '2026-11-02', Description: 'SETORAN', Reference: '', Credit: '500000.00', Balance: '1500000.00' },
    { ValueDate: '2026-11-02', Description: 'SETORAN', Reference: '', Credit: '500000.00', Balance: '2000000.00' },
  ])
  expect(part?.told.map(({ text }) => text)).toEqual(['2 lines: 1,000,000.00 in, 0.00 out.', 'Opening 1,000,000.00 and all lines come to the closing balance, 2,000,000.00.'])
  const entered = await enter(part, 'K1')
  expect(await scene.read('bank-statement', entered.ID)).toMatchObject({ DiffAmount: '0.00', Lines: [{ Balance: '1500000.00' }, { Balance: '2000000.00' }] })

  const whole = (await read('mutasi.csv', csv(`${first}\n${rest}`))).data.parts[0]
  expect(whole?.values).toMatchObject({ OpeningBalance: '2000000.00', ClosingBalance: '1985000.00', DocDate: '2026-11-03' })
  expect(whole?.lines).toEqual([{ ValueDate: '2026-11-03', Description: 'BIAYA ADM', Reference: '', Debit: '15000.00', Balance: '1985000.00' }])
  expect(whole?.told.map(({ text }) => text).slice(0, 2)).toEqual(['2 lines are already on K1 and are left out.', '1 line is not booked by the bank yet and is left out.'])
})

test('BK3: two transfers of 500,000 alike but for the balance are two lines; the same file again is refused, one that overlaps brings what is new', async () => {
  const march = (rows: string, opening: string, closing: string): string => `No. rekening : 111\nPeriode : 01/03/2026 - 31/03/2026\nKode Mata Uang : Rp\nTanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo\n${rows}\nSaldo Awal : ${opening}\nSaldo Akhir : ${closing}\n`
  const both = '\'14/03,TRF TOKO,0000,"500,000.00",CR,"7,100,000.00"\n\'14/03,TRF TOKO,0000,"500,000.00",CR,"7,600,000.00"'
  const [part] = (await read('a.csv', march(both, '6,600,000.00', '7,600,000.00'))).data.parts
  expect(part?.lines.map(({ Credit, Balance }: Record) => [Credit, Balance])).toEqual([['500000.00', '7100000.00'], ['500000.00', '7600000.00']])
  await enter(part, 'BK3')
  const again = await read('a.csv', march(both, '6,600,000.00', '7,600,000.00'))
  expect([again.status, again.message]).toEqual([422, 'Every line of this file is already on BK3: nothing is left to enter.'])
  const [more] = (await read('b.csv', march(`${both}\n'16/03,TRF TOKO,0000,"500,000.00",CR,"8,100,000.00"`, '6,600,000.00', '8,100,000.00'))).data.parts
  expect(more?.values).toMatchObject({ OpeningBalance: '7600000.00', ClosingBalance: '8100000.00' })
  expect(more?.lines).toMatchObject([{ ValueDate: '2026-03-16', Credit: '500000.00' }])
})

test('what does not tie out, an unknown account and a foreign currency are told; another layout is refused with what is known', async () => {
  const swift = (account: string, closing: string): string => `:20:X\n:25:${account}\n:28C:7/1\n:60F:C261101USD100,\n:61:261102C5,NTRFREF1\n:86:TOKO\n:62F:C261102USD${closing},\n-`
  const gap = (await read('x.sta', swift('0000111', '106'))).data.parts[0]
  expect(gap?.title.text).toBe('MT940 · BCA1 · 02/11/2026 to 02/11/2026')
  expect(gap?.values).toMatchObject({ HouseBankID: bank, StatementNo: '7' })
  expect(gap?.told.filter(({ isWarning }) => isWarning === true).map(({ text }) => text)).toEqual(['The file is in USD, the account BCA1 in IDR.', 'Opening balance and lines do not come to the closing balance: 1.00 are missing.'])
  const unknown = (await read('x.sta', swift('999', '105'))).data.parts[0]
  expect(unknown?.values).not.toHaveProperty('HouseBankID')
  expect(unknown?.told[0]).toMatchObject({ isWarning: true, text: 'No bank account of yours has the number 999. Choose the account in the form.' })
  const other = await read('x.csv', 'a,b\n1,2\n')
  expect([other.status, other.message]).toEqual([422, expect.stringMatching(/^This is none of the files banks send that are known here: MT940, .*BRI.*KlikBCA/)])
  const broken = await read('x.csv', csv('\'02/13,SETORAN,0000,"500,000.00",CR,"1,500,000.00"'))
  expect([broken.status, broken.message]).toEqual([422, 'Line 5 has no day that can be read: “02/13”.'])
  expect((await read('empty.csv', csv('PEND,X,0,"1.00",DB,'))).message).toBe('The file holds no booked line.')
  expect((await read('x.csv', csv(first), '', 'sales')).status).toBe(403)
})

test('the order of day and month is asked where a file leaves it open', async () => {
  const qif = '!Type:Bank\nD3/11/2026\nT1,250.50\nPTOKO\n^\n'
  const asked = (await read('x.qif', qif)).data.asks
  expect(asked?.choices.map(({ value, says }) => [value, says.text])).toEqual([['DMY', '3/11/2026 is 03/11/2026'], ['MDY', '3/11/2026 is 11/03/2026']])
  const told = (await read('x.qif', qif, 'MDY')).data
  expect(told.asks).toBeUndefined()
  expect(told.parts[0]?.lines).toEqual([{ ValueDate: '2026-03-11', Description: 'TOKO', Reference: '', Credit: '1250.50' }])
})

test('others are served while ten thousand lines are read', async () => {
  const line = (i: number): string => `'0${(i % 9) + 1}/11,SETORAN ${i},0000,"1,000.00",CR,`
  const bytes = csv(Array.from({ length: 10_000 }, (_, i) => line(i)).join('\n'), '11,000,000.00')
  const { longest, result } = await watchLoop(() => read('mutasi.csv', bytes))
  expect(result.data.parts[0]?.lines).toHaveLength(10_000)
  expect(result.data.parts[0]?.told[0]?.text).toBe('10000 lines: 10,000,000.00 in, 0.00 out.')
  expect(longest).toBeLessThan(200)
  const part = result.data.parts[0]
  const saving = await watchLoop(() => enter(part, 'LONG'))
  expect(await scene.read('bank-statement', saving.result.ID)).toMatchObject({ MoneyIn: '10000000.00' })
  expect(saving.longest).toBeLessThan(200)
})

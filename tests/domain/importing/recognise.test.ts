import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { cellValue, dayOf, decimalText } from '#domain/importing/cellValue.ts'
import { mapHeads } from '#domain/importing/mapping.ts'
import { dateOrderOf, decimalProofs, delimiterOf, encodingOf, isDoubtful } from '#domain/importing/recognise.ts'

const bytes = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding)

describe('what a file is written in', () => {
  it.each([
    ['a mark of UTF-16', bytes('\uFEFFa,b', 'utf16le'), true, 'utf-16le'],
    ['UTF-16 without a mark', bytes('code,name\nA,Toko', 'utf16le'), true, 'utf-16le'],
    ['the other byte order', Buffer.from(bytes('code,name\nA,Toko', 'utf16le')).swap16(), true, 'utf-16be'],
    ['UTF-8', bytes('Café', 'utf8'), true, 'utf-8'],
    ['Latin-1', bytes('Café', 'latin1'), false, 'windows-1252'],
  ] as const)('%s', (_, head, isUtf8, encoding) => {
    expect(encodingOf(head, isUtf8)).toBe(encoding)
  })

  it.each([
    ['a,b,c\n1,2,3', ','], ['a;b\n1,5;2', ';'], ['a\tb\tc\n1,2\t3\t4', '\t'], ['a|b\n"x|y"|c', '|'], ['sep=;\na,b;c', ';'], ['one column\nalone', ','], ['"a,b";c\n"d,e,f";g', ';'],
  ])('%j is divided by %j', (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter)
  })

  it.each([
    [['1,234.50', '7'], '.'], [['1.234,50'], ','], [['12,5', '3,25'], ','], [['1.5', '2.75'], '.'], [['0.125'], '.'], [['0,125'], ','], [['1,234', '5,678'], undefined], [['1.234.567'], ','], [['C-1,5', 'Jl. 5'], undefined], [[], undefined],
  ])('%j prove the decimal sign %j', (samples, sign) => {
    const { comma, point } = decimalProofs(samples)
    expect(comma === point ? undefined : comma > point ? ',' : '.').toBe(sign)
  })

  it.each([['150.000', true], ['1,000', true], ['-16.250', true], ['0.125', false], ['1.5', false], ['1.234.567', false], ['021.5555', false], ['1000', false]])('%s could be two numbers: %s', (text, isOne) => {
    expect(isDoubtful(text)).toBe(isOne)
  })

  it.each([[['31/12/2026', '01/02/2026'], 'DMY'], [['12/31/2026'], 'MDY'], [['01/02/2026'], 'DMY'], [['2026-01-31'], 'DMY']])('%j is ordered %s', (samples, order) => {
    expect(dateOrderOf(samples)).toBe(order)
  })
})

describe('a cell', () => {
  const form = { decimal: '.', date: 'DMY' } as const
  const read = (type: Parameters<typeof cellValue>[0]['type'], cell: string) => cellValue({ type }, cell, form, () => [])

  it.each([
    ['text', ' 007 ', '007'], ['code', 'c-1', 'C-1'], ['integer', '12', 12], ['integer', '12.0', 12], ['money', '1,234.50', '1234.5'], ['money', '-5', '-5'], ['percent', '11 %', '11'],
    ['date', '31/12/2026', '2026-12-31'], ['date', '2026-1-5', '2026-01-05'], ['date', '2026-12-31 14:05:00', '2026-12-31'], ['boolean', 'y', true], ['boolean', 'Tidak', false], ['text', '=1+1', '=1+1'], ['text', '  ', null],
  ] as const)('%s %j is %j', (type, cell, value) => {
    expect(read(type, cell)).toEqual({ ok: true, value })
  })

  it.each([
    ['2026-12-20T17:00:00Z', '2026-12-21'], ['2026-12-20T16:59:59.999Z', '2026-12-20'], ['2026-12-20T23:00:00+07:00', '2026-12-20'], ['2026-12-20T23:00:00-0500', '2026-12-21'], ['2026-12-20T23:00:00', '2026-12-20'],
  ])('the moment %s is on %s in Jakarta', (moment, day) => {
    expect(read('date', moment)).toEqual({ ok: true, value: day })
  })

  it.each([
    ['code', 'C\u200B001', 'C001'], ['code', '\uFEFFC-1\u200E', 'C-1'], ['code', 'C\u00AD1', 'C1'], ['code', '\uFF23\uFF0D\uFF11', 'C-1'], ['code', 'A\u00A0 B', 'A B'], ['text', 'Cafe\u0301', 'Caf\u00E9'],
    ['text', 'Toko  Baru', 'Toko Baru'], ['money', '\uFF11\uFF12\uFF0E\uFF15', '12.5'], ['money', '\u200E5', '5'], ['date', '\uFF12\uFF10\uFF12\uFF16-12-31', '2026-12-31'], ['text', "'=1", "'=1"], ['code', '8119063014665221', '8119063014665221'],
  ] as const)('%s %j means %j', (type, cell, value) => {
    expect(read(type, cell)).toEqual({ ok: true, value })
  })

  it.each([['code', '8.11906301466522E+15'], ['text', '8,11906E+15'], ['ref', '8.1E+11'], ['money', '8.1E+15']] as const)('%s refuses the rounded %j', (type, cell) => {
    expect(read(type, cell)).toEqual({ ok: false, problem: type === 'money' ? 'number' : 'rounded' })
  })

  it.each([['integer', '1.5'], ['money', '1,23'], ['money', '1.2.3'], ['money', '--5'], ['money', 'Rp'], ['date', '31/31/2026'], ['date', '30/02/2026'], ['boolean', 'perhaps']] as const)('%s refuses %j', (type, cell) => {
    expect(read(type, cell).ok).toBe(false)
  })

  it('keeps every digit of every number, whatever the signs', () => {
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 9_999 }), fc.constantFrom('.' as const, ',' as const), fc.boolean(), (whole, cents, decimal, isGrouped) => {
      const group = decimal === '.' ? ',' : '.'
      const digits = String(whole < 0n ? -whole : whole)
      const shown = isGrouped ? digits.replaceAll(/\B(?=(\d{3})+$)/g, group) : digits
      const fraction = String(cents).padStart(4, '0')
      const expected = `${whole < 0n ? '-' : ''}${digits}${fraction.replace(/0+$/, '') === '' ? '' : `.${fraction.replace(/0+$/, '')}`}`
      expect(decimalText(`${whole < 0n ? '-' : ''}${shown}${decimal}${fraction}`, decimal)).toBe(expected)
    }))
  })

  it('reads days in the order said', () => {
    expect([dayOf('01/02/2026', 'DMY'), dayOf('01/02/2026', 'MDY'), dayOf('1.2.26', 'DMY'), dayOf('20260201', 'DMY')]).toEqual(['2026-02-01', '2026-01-02', '2026-02-01', '2026-02-01'])
  })

  it('takes several declared values by themselves or in words, and none that is not declared', () => {
    const field = { type: 'textlist', choices: [{ value: 'VENDOR', label: 'enum.VENDOR', tone: 'neutral' }, { value: 'TRANSPORTER', label: 'enum.TRANSPORTER', tone: 'neutral' }] } as const
    const read = (cell: string) => cellValue(field, cell, form, (key) => (key === 'enum.TRANSPORTER' ? ['Pengangkut', 'Transporter'] : ['Vendor']))
    expect(read('vendor; Pengangkut')).toEqual({ ok: true, value: ['VENDOR', 'TRANSPORTER'] })
    expect(read('Vendor, Nobody')).toMatchObject({ ok: false })
    const open = { ...field, type: 'text' } as const
    expect(['transporter', 'Someone'].map((cell) => cellValue(open, cell, form, () => []))).toEqual([{ ok: true, value: 'TRANSPORTER' }, { ok: true, value: 'Someone' }])
    expect(cellValue({ type: 'textlist' }, 'cold; fragile', form, () => [])).toEqual({ ok: true, value: ['cold', 'fragile'] })
  })
})

describe('columns', () => {
  const columns = [{ name: 'Code', names: ['Customer code'] }, { name: 'BillAddress', names: ['Alamat'] }, { name: 'Name', names: [] }]

  it('are told by name, alias and label, however they are written; each is filled once', () => {
    expect(mapHeads(['customer_CODE', 'bill address', 'Code', 'NAME ', '__proto__', 'constructor', ''], columns, new Map())).toEqual(['Code', 'BillAddress', null, 'Name', null, null, null])
  })

  it('a file that calls a column as lists do means it, not what the template calls it', () => {
    const answers = [{ name: 'RefDesc', names: ['Code'], labels: ['Code'] }, { name: 'Status', names: ['Status in Coretax'], labels: ['Status in Coretax'] }]
    expect(mapHeads(['Code', 'Status', 'Status in Coretax'], answers, new Map())).toEqual(['RefDesc', null, 'Status'])
    expect(mapHeads(['RefDesc', 'Status'], answers, new Map())).toEqual(['RefDesc', 'Status'])
  })

  it('are what the user chose before', () => {
    expect(mapHeads(['Shop', 'Name', 'Alamat'], columns, new Map([['shop', 'Name'], ['alamat', null]]))).toEqual(['Name', null, null])
  })
})

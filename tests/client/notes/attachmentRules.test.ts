import { expect, it, vi } from 'vitest'
import { largestFile } from '#api/files.ts'
import { hereIfOurs } from '#client/data/files.ts'
import { formatSize, nameToShow, refusalOf, typeName } from '#client/notes/attachmentRules.ts'

it('a file that would be refused for its size is not sent', () => {
  expect([0, 1, largestFile, largestFile + 1].map((size) => refusalOf({ name: 'a', size }))).toEqual(['FILE_EMPTY', undefined, undefined, 'FILE_TOO_LARGE'])
})

it('a refused file does not look like another one', () => {
  expect(nameToShow({ name: '../../etc/invoice\u202Efdp.exe' })).toBe('invoicefdp.exe')
})

it('sizes as people read them', () => {
  expect([0, 1023, 1024, 1_500_000, 26_214_400].map(formatSize)).toEqual(['0 B', '1,023 B', '1 KB', '1.4 MB', '25 MB'])
})

it('a type is called by its ending, the one of the name where it fits', () => {
  expect([typeName('image/jpeg', 'photo.JPG'), typeName('image/png', 'receipt.txt'), typeName('application/pdf', 'a'), typeName('unknown/type', 'x.abc')]).toEqual(['JPG', 'PNG', 'PDF', 'ABC'])
})

it('a link to our own server is opened where we are, whatever address the server believes to have', () => {
  vi.stubGlobal('location', { href: 'https://arus.example/home' })
  expect(hereIfOurs('http://10.0.0.7:4000/api/v1/general/file/abc/a%20b.pdf')).toBe('/api/v1/general/file/abc/a%20b.pdf')
  expect(hereIfOurs('https://bucket.example/file?sig=1')).toBe('https://bucket.example/file?sig=1')
})

import { afterEach, expect, test } from 'vitest'
import { leaveWord, setWords, words } from '../../src/client/ui/words.ts'

const shipped = words()
afterEach(() => setWords(shipped))

test.each([
  { cancel: 'Cancel', close: 'Close', deed: 'Cancel', says: 'Close' },
  { cancel: 'Cancel', close: 'Close', deed: 'Cancel the rest', says: 'Cancel' },
  { cancel: 'Cancel', close: 'Close', deed: 'Reject', says: 'Cancel' },
  { cancel: 'Batal', close: 'Tutup', deed: 'Batalkan', says: 'Tutup' },
  { cancel: '取消', close: '关闭', deed: '取消', says: '关闭' },
])('beside "$deed" a dialog is left by "$says"', ({ cancel, close, deed, says }) => {
  setWords({ ...shipped, cancel, close })
  expect(leaveWord(deed)).toBe(says)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { matchRoute } from '../../src/client/app/routeTable.ts'
import { pathOfRecord, tabOfStatus } from '../../src/client/pages/tabOfStatus.ts'

const { screen } = JSON.parse(readFileSync('src/generated/screens/debit-note.detail.json', 'utf8')) as { readonly screen: Parameters<typeof tabOfStatus>[0] }

test('the status in the path of a debit note by hand selects the tab', () => {
  const tabFor = (status: string) => {
    const match = matchRoute(`/account-payable/dn-manual/17/detail/${status}`)
    expect(match?.params['id']).toBe('17')
    return tabOfStatus(screen, match?.params['status'])
  }
  expect(['0', '4', '1', '5', '2', '3', '6', '7', 'journal', '99'].map(tabFor)).toEqual([undefined, undefined, undefined, undefined, 'flow', 'flow', 'history', 'history', 'journal', undefined])
  expect(tabOfStatus(screen, matchRoute('/account-payable/dn-po/17')?.params['status'])).toBeUndefined()
})

test('the next record of a list has the path of this one', () => {
  expect(pathOfRecord('/account-payable/dn-manual/{code}/detail/{status}', { code: '17', id: '17', status: '3' }, 18)).toBe('/account-payable/dn-manual/18/detail/3')
  expect(pathOfRecord('/account-payable/dn-po/{id}', { id: '17' }, 18)).toBe('/account-payable/dn-po/18')
  expect(pathOfRecord('/finance/{kind}/view/{id}', { id: '17', kind: 'cash' }, 18)).toBe('/finance/cash/view/18')
})

import fs from 'node:fs'
import { readSheet } from 'read-excel-file/node'
import { Api, expect, signIn, test } from './support.ts'

test.describe('Complaint 5: export differs from the screen', () => {
  test('a list is exported as it is seen: its filter, its order, its columns, all its rows', async ({ page, request }) => {
    await signIn(page, 'admin', `/sales-order-list?s=total&f.status=${encodeURIComponent('in:[4]')}`)
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    const shown = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Excel, columns shown' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^Sales orders \d{4}-\d{2}-\d{2}\.xlsx$/)
    const [head = [], ...rows] = await readSheet(fs.readFileSync(await download.path()))
    // A reference is two columns of the file: its name and its code.
    expect(head.filter((label) => !String(label).endsWith(' code'))).toEqual(shown)
    const api = await Api.as(request, 'admin')
    const orders = await api.rows('sales-order', { filter: { status: { in: [4] } }, columns: 'code,total', order: 'total,id', sort: 'asc,asc', length: 1000 })
    const total = head.indexOf('Total')
    expect(rows.slice(0, -1).map((row) => Number(row[total]))).toEqual(orders.map((order) => Number(order['Total'])))
    expect(rows.at(-1)?.[0]).toBe(`Total of ${orders.length} rows`)
    await expect(page.getByRole('region', { name: 'Exports under way' })).toContainText('Done')
  })
})

test('a report is exported too; earlier exports have a page', async ({ page }) => {
  await signIn(page, 'finance', '/report/ar-aging')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'CSV, all columns' }).click()
  const file = fs.readFileSync(await (await downloading).path(), 'utf8')
  expect(file.split('\r\n').length).toBeGreaterThan(20)
  await page.goto('/exports')
  await expect(page.getByRole('heading', { name: 'Exports' })).toBeVisible()
})

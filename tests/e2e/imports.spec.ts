import { textRows, workbook } from '../support/workbook.ts'
import { Api, expect, settled, signIn, test } from './support.ts'

test('customers by file: template, upload, a mistake mended in its cell, import, log, taken back', async ({ page, request }) => {
  const api = await Api.as(request, 'admin')
  const [like] = await api.rows('customer', { filter: { is_active: true }, length: 1, columns: 'customer_category_id,sales_channel_id,sales_area_id,territory_id,operating_unit_id,payment_term_id,salesman_id' })
  const code = `IMP${Date.now() % 1_000_000}`
  const rest = [like?.['SalesChannelCode'], like?.['SalesAreaCode'], like?.['TerritoryCode'], like?.['OperatingUnitCode'], like?.['PaymentTermCode'], like?.['SalesmanCode'], 'N', '"Jl. Melati 5, Jakarta"', 'SHIP', 'Jl. Melati 6', 'Jakarta', '1000'].join(',')
  const heads = 'Code,Customer name,Category,Channel,Area,Territory,OU,Term,Salesman,PKP,BillAddress,ShipCode,ShipAddress,City,Balance'
  const file = [heads, `${code}A,Toko Satu,${String(like?.['CustomerCategoryCode'])},${rest}`, `${code}B,Toko Dua,NO-SUCH,${rest}`].join('\r\n')

  await signIn(page, 'admin', '/import/customer')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Excel template' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/template\.xlsx$/)

  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'shops.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(page.getByText('1 wrong')).toBeVisible()
  await expect(page.getByText('Not read: Balance. What stands there changes nothing.')).toBeVisible()
  await expect(page.getByText('There is no Customer category with the code NO-SUCH', { exact: false })).toBeVisible()
  const link = page.url()
  await page.getByRole('button', { name: /Category of row 3: NO-SUCH/ }).click()
  await page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Mend', exact: true }).click()
  await expect(page.getByText('2 right')).toBeVisible()

  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(page.getByLabel('What Customer name fills')).toHaveValue('Name')
  // A step is left forwards once nothing is wrong in it; what was chosen outlives the page.
  await expect(page).toHaveURL(/step=2/)
  // Rows read with other columns are not those that would be imported: by Back neither they nor the button that imports them are reached.
  const city = page.getByLabel('What City fills')
  const was = await city.inputValue()
  await city.selectOption('')
  await page.goBack()
  await expect(page).not.toHaveURL(/step=2/)
  await expect(city).toHaveValue('')
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)
  await city.selectOption(was)
  await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('What Customer name fills').selectOption('')
  await page.keyboard.press('Alt+PageDown')
  await expect(page.getByRole('alert').getByRole('button', { name: /No column of the file fills Name/ })).toBeVisible()
  await expect(page.getByLabel('What Customer name fills')).toBeFocused()
  await expect(page.getByText(/Draft kept/)).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Take it up again' }).click()
  await expect(page.getByLabel('What Customer name fills')).toHaveValue('')
  await page.getByLabel('What Customer name fills').selectOption('Name')
  await page.keyboard.press('Alt+PageDown')
  await expect(page).toHaveURL(/step=3/)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 imported', { exact: true })).toBeVisible()
  // They count only once somebody has approved them: said, with the way there.
  await expect(page.getByText('Customer: 2 wait for approval and count only then.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'To the approvals' })).toHaveAttribute('href', '/customer-approval')
  expect((await api.rows('customer', { filter: { code: { startsWith: code } }, columns: 'code,name', order: 'code', sort: 'asc' })).map((row) => row['Name'])).toEqual(['Toko Satu', 'Toko Dua'])

  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page.getByRole('heading', { name: /Import log IMP-/ })).toBeVisible()
  await page.getByRole('link', { name: `${code}A` }).click()
  await expect(page.getByRole('heading', { name: new RegExp(`${code}A`) })).toBeVisible()
  await settled(page)

  await page.goto(link)
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('Taken back', { exact: true })).toBeVisible()
  expect(await api.rows('customer', { filter: { code: { startsWith: code } } })).toEqual([])
})

test('a workbook behind a cover sheet, by the keyboard: another sheet, the way to a mistake, the same file again', async ({ page }) => {
  const code = `AR${Date.now() % 1_000_000}`
  const file = workbook('', {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Cover" sheetId="1" r:id="rId1"/><sheet name="Data" sheetId="2" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${textRows([['Code', 'Name', 'Territory'], [`${code}A`, 'Area satu', 'BDG-K'], [`${code}B`, '', 'BDG-K']])}</sheetData></worksheet>`,
  })
  const send = () => page.getByLabel('File', { exact: true }).setInputFiles({ name: 'areas.xlsx', mimeType: 'application/octet-stream', buffer: file })
  await signIn(page, 'admin', '/import/master')
  await send()
  await expect(page.getByRole('alert').filter({ hasText: 'has no rows' })).toBeVisible()
  // The buttons of a step stand at the lower edge of the window, however little the step holds.
  const foot = await page.locator('main footer').boundingBox()
  expect(Math.round((foot?.y ?? 0) + (foot?.height ?? 0))).toBe(900)
  await page.getByLabel('Sheet', { exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('1 wrong')).toBeVisible()

  const way = page.getByRole('row', { name: new RegExp(`${code}B`) }).getByRole('button', { name: 'Name', exact: true })
  // A long name of a column takes two lines: they begin where the others do.
  await expect(way).toHaveCSS('text-align', 'start')
  await way.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Name of row 3/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('Area dua')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 right')).toBeVisible()
  // With the last mistake mended the other rows come into sight.
  await expect(page.getByRole('row', { name: new RegExp(`${code}A`) })).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 rows' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 imported', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.getByRole('button', { name: 'Another file' }).click()
  await send()
  await expect(page.getByText(/This very file was sent before/)).toBeVisible()
  await expect(page.getByText('1 left out')).toBeVisible()
})

import type { Page } from '@playwright/test'
import { pixel } from '../support/pictures.ts'
import { Api, expect, expectAccessible, signIn, signInAs, test } from './support.ts'

const refused = (message: string) => ({ status: 404, contentType: 'application/json', body: JSON.stringify({ code: 404, status: 'NOT_FOUND', message, data: { hostname: 'x' } }) })

async function toastTitled(page: Page, text: string) {
  const toast = page.locator('.Toastify__toast--error', { hasText: text })
  await expect(toast).toBeVisible()
  return toast.evaluate((element) => {
    const box = element.getBoundingClientRect()
    return { title: element.querySelector('strong')?.textContent, isTopRight: box.top < 120 && box.right > window.innerWidth - 60 }
  })
}

test('attachments: sent, previewed, downloaded in a new tab, taken off; "Download and preview failures show a red notification titled Error with the server message, top-right."', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [order] = await api.rows('sales-order', { length: 1, order: 'id', sort: 'desc' })
  await signIn(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
  await page.getByRole('tab', { name: /^Attachments/ }).click()
  const name = `scan ${Date.now()}.png`
  await page.locator('input[type="file"]').setInputFiles([
    { name, mimeType: 'image/png', buffer: pixel },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ\u0090\u0000 a program') },
  ])
  const files = page.getByRole('list', { name: 'Attachments' })
  await expect(files.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Files being sent' })).toContainText('This kind of file is not kept.')
  await expectAccessible(page)

  await files.getByRole('button', { name, exact: true }).click()
  const preview = page.getByRole('dialog', { name })
  await expect(preview.getByRole('img', { name })).toHaveJSProperty('naturalWidth', 1)
  await expectAccessible(page)
  const opened = page.context().waitForEvent('page')
  await preview.getByRole('button', { name: 'Download' }).click()
  const tab = await opened
  expect(tab.url() === 'about:blank' || tab.url() === '' || tab.url().includes('/api/v1/general/file/')).toBe(true)
  await tab.close()
  await page.route('**/api/v1/general/download', (route) => route.fulfill(refused('The store does not have this file any more.')))
  await preview.getByRole('button', { name: 'Download' }).click()
  expect(await toastTitled(page, 'The store does not have this file any more.')).toEqual({ title: 'Error', isTopRight: true })
  await preview.getByRole('button', { name: 'Close' }).last().click()
  await page.route('**/api/v1/general/preview?*', (route) => route.fulfill(refused('This file cannot be shown.')))
  await files.getByRole('button', { name, exact: true }).click()
  expect(await toastTitled(page, 'This file cannot be shown.')).toEqual({ title: 'Error', isTopRight: true })
  await expect(preview).toHaveCount(0)

  await files.getByRole('button', { name: `Remove ${name}` }).click()
  const asked = page.getByRole('dialog').last()
  await asked.getByRole('textbox').fill('Wrong order')
  await asked.getByRole('button', { name: /^(Remove|Delete)/ }).last().click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toHaveCount(0)
})

test('comments: somebody is mentioned, his bell rings and leads to the order; a comment is changed and taken back', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [order] = await api.rows('sales-order', { length: 1, order: 'id', sort: 'desc' })
  const path = `/sales-order-list/${String(order?.['ID'])}`
  const word = `fetch${Date.now()}`
  await signIn(page, 'sales', path)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  const box = page.getByRole('combobox', { name: 'Write a comment' })
  await box.fill(`${word} please `)
  await box.press('End')
  await page.keyboard.type('@fin')
  await expect(page.getByRole('listbox', { name: 'People who may see this' }).getByRole('option').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue(/@\S+/)
  await page.keyboard.press('Control+Enter')
  const comment = page.getByRole('list', { name: 'Comments' }).getByRole('listitem').filter({ hasText: word })
  await expect(comment).toBeVisible()
  await expect(comment.locator('strong').first()).toBeVisible()

  await comment.getByRole('button', { name: 'Edit comment' }).click()
  await page.getByRole('list', { name: 'Comments' }).getByRole('combobox').press('End')
  await page.keyboard.type(' today')
  await page.keyboard.press('Control+Enter')
  await expect(comment).toContainText('edited')

  await signInAs(page, 'finance')
  const bell = page.getByRole('button', { name: /^Notifications, \d+ unread/ })
  await expect(bell).toBeVisible()
  await bell.click()
  const panel = page.getByRole('region', { name: 'Notifications' })
  await expect(panel.getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await panel.getByRole('listitem').first().getByRole('button').click()
  await expect(page).toHaveURL(new RegExp(path))
  await expect(page.getByText(word).first()).toBeVisible()

  await signInAs(page, 'sales', path)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  await comment.getByRole('button', { name: 'Delete comment' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete comment' }).last().click()
  await expect(comment).toHaveCount(0)
})

test('a name typed faster than people are found is waited for: nobody else is called in its place', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [order] = await api.rows('sales-order', { length: 1, order: 'id', sort: 'desc' })
  await signIn(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  const box = page.getByRole('combobox', { name: 'Write a comment' })
  const people = page.getByRole('listbox', { name: 'People who may see this' })
  await box.click()
  await page.keyboard.type('@')
  await expect(people.getByRole('option').first()).toBeVisible()
  const first = await people.getByRole('option').first().textContent()
  await page.keyboard.type('bambang')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('@Bambang Santoso ')
  expect(first).not.toContain('Bambang')
  // Chosen, it is a word like any other: the list is closed and Enter begins a line.
  await page.waitForTimeout(400)
  await expect(people).toBeHidden()
  await page.keyboard.type('look')
  await page.keyboard.press('Enter')
  await page.keyboard.type('@nobody here')
  await page.keyboard.press('Enter')
  await page.keyboard.type('at all')
  await expect(box).toHaveValue('@Bambang Santoso look\n@nobody here\nat all')
})

test('a whole name typed calls as one chosen does; a name of nobody who may see the record is said to be so', async ({ page, request }) => {
  const api = await Api.as(request, 'sales')
  const [order] = await api.rows('sales-order', { length: 1, order: 'id', sort: 'desc' })
  await signIn(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  const box = page.getByRole('combobox', { name: 'Write a comment' })
  const note = page.getByText('Nobody called “Yanti” may see this')
  const word = `count${Date.now()}`
  await box.click()
  await page.keyboard.type('@Yanti')
  await expect(note).toBeInViewport()
  await page.keyboard.type(', and ')
  await box.fill(`${word} @maya halim please`)
  await expect(note).toBeHidden()
  await page.keyboard.press('Control+Enter')
  const comment = page.getByRole('list', { name: 'Comments' }).getByRole('listitem').filter({ hasText: word })
  await expect(comment.locator('strong', { hasText: '@maya halim' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('those who may be named are in view below the box, and the one an arrow has come to', async ({ page, request }) => {
    const [order] = await (await Api.as(request, 'sales')).rows('sales-order', { length: 1, order: 'id', sort: 'desc' })
    await signIn(page, 'sales', `/sales-order-list/${String(order?.['ID'])}`)
    await page.getByRole('tab', { name: /^Comments/ }).click()
    const box = page.getByRole('combobox', { name: 'Write a comment' })
    await box.tap()
    await page.keyboard.type('@')
    const people = page.getByRole('listbox', { name: 'People who may see this' })
    await expect(people.getByRole('option').nth(6)).toBeVisible()
    await expect(people).toBeInViewport({ ratio: 0.99 })
    await expect(box).toBeInViewport()
    await page.keyboard.press('ArrowUp')
    await expect(people.getByRole('option').last()).toBeInViewport({ ratio: 0.9 })
    await expect(people.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  })
})

test('what is typed while a comment is being sent stays, for the next one', async ({ page, request }) => {
  const [order] = await (await Api.as(request, 'finance')).rows('sales-order', { length: 1, columns: 'code' })
  await signIn(page, 'finance', `/sales-order-list/${String(order?.['ID'])}`)
  await page.getByRole('tab', { name: /^Comments/ }).click()
  let go = (): void => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/comments', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  const box = page.getByRole('combobox', { name: 'Write a comment' })
  const said = `Asked at ${Date.now()}`
  await box.fill(said)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type(' and once more')
  go()
  await expect(page.getByRole('list', { name: 'Comments' }).getByText(said, { exact: true })).toBeVisible()
  await expect(box).toHaveValue('and once more')
  await expect(box).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Comments' }).getByText('and once more', { exact: true }).last()).toBeVisible()
  await expect(box).toHaveValue('')
})

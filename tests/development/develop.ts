import { expect, type Page } from '@playwright/test'
import path from 'node:path'

/** The copy of the repository whose development server runs: tests edit its schema files. */
export const copy = process.env['DEVELOPMENT_COPY'] ?? ''
export const schemaFile = (name: string): string => path.join(copy, 'schemas', name)

/** A saved schema file starts the API server anew: nobody signs in meanwhile. */
export async function signIn(page: Page): Promise<void> {
  await serverAnswers(page)
  await page.goto('/pages/login')
  await page.locator('input[type=email], input[name=email]').first().fill('admin@arus.example')
  await page.locator('input[type=password]').first().fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.includes('login'))
}

export async function serverAnswers(page: Page): Promise<void> {
  await expect.poll(async () => (await page.request.get('/api/v1/health').catch(() => undefined))?.status()).toBe(200)
}

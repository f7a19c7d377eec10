import { defineConfig } from '@playwright/test'
import fs from 'node:fs'
import path from 'node:path'

const port = process.env['VISUAL_PORT'] ?? '4189'
/** A development server that runs already. */
const running = process.env['VISUAL_URL']
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file !== undefined && fs.existsSync(file))

/** The catalogue of the kinds, served by the development server: its pages are scanned for accessibility and compared with their pictures. */
export default defineConfig({
  testDir: '.',
  outputDir: path.join(import.meta.dirname, '../../node_modules/.cache/visual'),
  snapshotPathTemplate: '{testDir}/catalogue/{arg}{ext}',
  workers: 1,
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 20_000, toHaveScreenshot: { maxDiffPixelRatio: 0.005, animations: 'disabled', caret: 'hide' } },
  reporter: 'list',
  use: {
    baseURL: running ?? `http://127.0.0.1:${port}`,
    locale: 'en-GB',
    timezoneId: 'Asia/Jakarta',
    launchOptions: { ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'] },
  },
  ...(running !== undefined
    ? {}
    : {
        webServer: {
          command: `node ${path.join(import.meta.dirname, '../../node_modules/vite/bin/vite.js')} --port ${port} --strictPort`,
          cwd: path.join(import.meta.dirname, '../..'),
          url: `http://127.0.0.1:${port}/studio/catalogue`,
          timeout: 120_000,
        },
      }),
})

import { defineConfig } from '@playwright/test'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const port = process.env['E2E_PORT'] ?? '4188'
/** A server that runs already (while writing tests); otherwise one is started on a fresh demo company. */
const running = process.env['E2E_URL']
// The headless shell shows the same pages for half the work: it composes nothing for a window.
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => file !== undefined && fs.existsSync(file))

/** Where the server keeps its data; tests read the mail it writes there. Workers inherit it. */
const data = (process.env['E2E_DATA'] ??= running === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'arus-e2e-')) : 'data')

export default defineConfig({
  testDir: '.',
  outputDir: path.join(import.meta.dirname, `../../node_modules/.cache/e2e-${running === undefined ? port : new URL(running).port}`),
  workers: 1,
  // A busy machine may be slow once or twice; what fails three times is broken.
  retries: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    baseURL: running ?? `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Asia/Jakarta',
    permissions: ['clipboard-read', 'clipboard-write'],
    // Writing down everything that happens costs more than the test: only what failed once is watched so closely.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  ...(running !== undefined
    ? {}
    : {
        webServer: {
          command: `node --enable-source-maps ${path.join(import.meta.dirname, 'serve.mjs')}`,
          url: `http://127.0.0.1:${port}/api/v1/health`,
          env: { PORT: port, E2E_DATA: data },
          timeout: 240_000,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
        },
      }),
})

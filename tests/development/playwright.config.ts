import { defineConfig } from '@playwright/test'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A development server that runs already, and the copy it runs in; otherwise both are made. */
const running = process.env['DEVELOPMENT_URL']
const copy = (process.env['DEVELOPMENT_COPY'] ??= fs.mkdtempSync(path.join(os.tmpdir(), 'arus-development-')))
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file !== undefined && fs.existsSync(file))
const [server, client] = ['4189', '4190']

export default defineConfig({
  testDir: '.',
  outputDir: path.join(import.meta.dirname, '../../node_modules/.cache/development'),
  workers: 1,
  retries: 1,
  timeout: 180_000,
  // The first pages of a development server are built while one waits.
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    baseURL: running ?? `http://localhost:${client}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    launchOptions: { ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-gpu'] },
  },
  ...(running === undefined
    ? {
        webServer: {
          command: `node ${path.join(import.meta.dirname, 'serve.mjs')}`,
          url: `http://127.0.0.1:${server}/api/v1/health`,
          env: { PORT: server, CLIENT_PORT: client, DEVELOPMENT_COPY: copy },
          timeout: 400_000,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
        },
      }
    : {}),
})

import fs from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const messages = path.join(import.meta.dirname, 'src/generated/messages')

export default defineConfig({
  root: 'src/client',
  publicDir: 'public',
  plugins: [react(), signInMessages()],
  build: {
    outDir: '../../dist/client',
    emptyOutDir: true,
    target: 'es2023',
    // No inlined assets: the Content-Security-Policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  server: { proxy: { '/api': { target: `http://127.0.0.1:${process.env['PORT'] ?? '4000'}` } } },
  test: { root: import.meta.dirname, dir: 'tests', include: ['**/*.test.ts', '**/*.test.tsx'], exclude: ['e2e/**'], testTimeout: 60_000, hookTimeout: 120_000 },
})

/** `virtual:sign-in-messages`: the few texts of the sign-in page in every language, so that it loads no catalogue. */
function signInMessages(): Plugin {
  const id = 'virtual:sign-in-messages'
  return {
    name: 'sign-in-messages',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined
      const catalogues = fs.readdirSync(messages).map((file) => {
        this.addWatchFile(path.join(messages, file))
        const texts = JSON.parse(fs.readFileSync(path.join(messages, file), 'utf8')) as Record<string, string>
        const wanted = Object.entries(texts).filter(([key]) => /^ui\.(sign-in\.|close$|cancel$|retry$|more$|loading$)/.test(key))
        return [path.basename(file, '.json'), Object.fromEntries(wanted)]
      })
      return `export const signInMessages = ${JSON.stringify(Object.fromEntries(catalogues))}`
    },
  }
}

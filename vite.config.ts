import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

import { schemaReload } from './scripts/vite-plugin-schemas.ts'

export default defineConfig({
  root: 'src/client',
  plugins: [react(), schemaReload()],
  build: { outDir: '../../dist/client', emptyOutDir: true },
  test: { root: import.meta.dirname, dir: 'tests', include: ['**/*.test.ts', '**/*.test.tsx'], exclude: ['e2e/**'], testTimeout: 60_000, hookTimeout: 120_000 },
})

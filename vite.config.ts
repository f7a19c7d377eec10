import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: 'src/client',
  plugins: [react()],
  build: { outDir: '../../dist/client', emptyOutDir: true },
  test: { root: import.meta.dirname, dir: 'tests', include: ['**/*.test.ts', '**/*.test.tsx'], exclude: ['e2e/**'], testTimeout: 60_000, hookTimeout: 120_000 },
})

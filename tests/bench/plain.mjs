import { transform } from 'esbuild'
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * Loads TypeScript as the shipped server is built from it. tsx would keep the name of every inner function, which costs a call each time one is
 * made: a tenth and more of what is measured here, and nothing that anybody runs.
 */
export async function load(url, context, next) {
  if (url.includes('/node_modules/')) return next(url, context)
  if (url.endsWith('.json')) return { format: 'module', source: `export default ${await fs.readFile(fileURLToPath(url), 'utf8')}`, shortCircuit: true }
  if (!url.endsWith('.ts')) return next(url, context)
  const { code } = await transform(await fs.readFile(fileURLToPath(url), 'utf8'), { loader: 'ts', format: 'esm', target: 'node20', sourcefile: fileURLToPath(url), sourcemap: 'inline' })
  return { format: 'module', source: code, shortCircuit: true }
}

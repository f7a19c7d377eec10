import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * The script of a worker or process: built it stands beside the server's own file as `<name>.js`; from source `<name>.ts` of the folder is
 * bundled into the cache of the installed packages.
 */
export async function bundledBeside(folder: string, name: string): Promise<string> {
  const bundled = path.join(folder, `${name}.js`)
  if (fs.existsSync(bundled)) return bundled
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ entryPoints: [path.join(folder, `${name}.ts`)], bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20', write: false })
  const text = outputFiles[0]?.text ?? ''
  const file = path.resolve(import.meta.dirname, '../../node_modules/.cache', `arus-${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.mjs`)
  if (!fs.existsSync(file)) {
    // Whoever reads it finds all of it.
    const draft = `${file}.${process.pid}`
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(draft, text)
    fs.renameSync(draft, file)
  }
  return file
}

import path from 'node:path'
import type { Plugin } from 'vite'
import { prebuild, prebuiltModule } from './lib/prebuilt.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** Tests of the server load its modules as JavaScript that was made before. */
export function prebuilt(): Plugin {
  return {
    name: 'prebuilt',
    enforce: 'pre',
    buildStart: prebuild,
    resolveId(name, importer) {
      const file = name.startsWith('#') ? path.join(root, 'src', name.slice(1)) : name.startsWith('.') && importer !== undefined ? path.resolve(path.dirname(importer), name) : undefined
      return file === undefined ? undefined : prebuiltModule(file)
    },
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { transformSync } from 'esbuild'

/** Bytes of each generated file of a folder as a browser gets them: without what only makes them readable, then brotli. */
export function shippedSizes(folder: string, extension: '.json' | '.js'): readonly (readonly [name: string, bytes: number])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => [name, brotliCompressSync(shipped(readFileSync(path.join(folder, name), 'utf8'), extension)).length] as const)
}

function shipped(text: string, extension: '.json' | '.js'): string {
  return extension === '.js' ? transformSync(text, { minify: true }).code : JSON.stringify(JSON.parse(text))
}

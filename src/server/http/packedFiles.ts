import fs from 'node:fs'
import path from 'node:path'
import type { FastifyRequest } from 'fastify'

interface PackedFile {
  readonly type: string
  readonly content: Buffer
}

const packedEnding = '.br'
const types: Readonly<Record<string, string>> = { '.js': 'application/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8' }

export function acceptsBrotli({ headers }: FastifyRequest): boolean {
  return /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers['accept-encoding'] ?? '')
}

/**
 * What the build packed (brotli) of its hashed files, about a megabyte, each kept in memory once it was asked for: a first page asks for ten at once while the
 * browser has its own work to begin, and reading one from its folder costs the server five times as much.
 */
export class PackedFiles {
  readonly #folder: string
  /** Names of all that are packed, within the folder. */
  readonly #names: ReadonlySet<string>
  readonly #read = new Map<string, Promise<PackedFile | undefined>>()

  constructor(folder: string) {
    this.#folder = folder
    const found = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
    this.#names = new Set(found.filter((name) => name.endsWith(packedEnding)).map((name) => name.slice(0, -packedEnding.length).replaceAll(path.sep, '/')))
  }

  /** The file of that name within the folder; undefined where none was packed, or none is there any more. */
  read(name: string): Promise<PackedFile | undefined> {
    const type = types[path.extname(name)]
    if (type === undefined || !this.#names.has(name)) return Promise.resolve(undefined)
    const before = this.#read.get(name)
    if (before !== undefined) return before
    const reading = fs.promises.readFile(path.join(this.#folder, `${name}${packedEnding}`)).then(
      (content) => ({ type, content }),
      () => undefined,
    )
    this.#read.set(name, reading)
    return reading
  }
}

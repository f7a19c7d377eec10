import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readWords } from '../../scripts/lib/commandLine.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('what is typed after a command', () => {
  it('is read, or refused in one line', () => {
    const config = { allowPositionals: true, options: { scale: { type: 'string' } } } as const
    expect(readWords({ ...config, args: ['a', '--scale', '2'] })).toMatchObject({ words: { positionals: ['a'], values: { scale: '2' } } })
    expect(readWords({ ...config, args: ['--scal', '2'] })).toEqual({ refused: "Unknown option '--scal'" })
    expect(readWords({ ...config, args: ['--scale'] })).toEqual({ refused: "Option '--scale <value>' argument missing" })
  })

  it('is read by all of them in this way', () => {
    const files = ['scripts', 'tests/bench'].flatMap((folder) => fs.readdirSync(path.join(root, folder)).filter((name) => /\.(ts|mjs)$/.test(name)).map((name) => path.join(folder, name)))
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((file) => /\bparseArgs\(/.test(fs.readFileSync(path.join(root, file), 'utf8')))).toEqual([])
  })
})

import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from './database.ts'
import { borrowCopy } from './folderCopies.ts'

let folder: string

beforeEach(() => {
  folder = path.join(testFolder(), 'company')
  fs.mkdirSync(path.join(folder, 'base/5'), { recursive: true })
  fs.mkdirSync(path.join(folder, 'empty'))
  for (const name of ['control', 'base/5/1', 'base/5/2', 'base/5/3']) fs.writeFileSync(path.join(folder, name), `as it was: ${name}`)
})

/** Every file with what is in it, every folder with nothing. */
function contents(place: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(names.map((name) => [name, fs.statSync(path.join(place, name)).isDirectory() ? '' : fs.readFileSync(path.join(place, name), 'utf8')]))
}

describe('a borrowed copy', () => {
  it('is the folder again for the next one, whatever was done to it', async () => {
    const before = contents(folder)
    const first = await borrowCopy(folder)
    expect(contents(first.path)).toEqual(before)
    const at = (name: string): string => path.join(first.path, name)
    // As long as what stood there: only its time tells.
    fs.writeFileSync(at('control'), 'AS IT WAS: control')
    fs.appendFileSync(at('base/5/1'), ' and more')
    fs.renameSync(at('base/5/2'), at('base/5/4'))
    fs.rmSync(at('base/5/3'))
    fs.rmdirSync(at('empty'))
    fs.mkdirSync(at('new/below'), { recursive: true })
    fs.writeFileSync(at('new/below/file'), 'new')
    expect(contents(first.path)).not.toEqual(before)
    first.giveBack()
    const second = await borrowCopy(folder)
    expect(second.path).toBe(first.path)
    expect(contents(second.path)).toEqual(before)
    expect(contents(folder)).toEqual(before)
    second.giveBack()
  })

  it('is for one at a time', async () => {
    const first = await borrowCopy(folder)
    const second = await borrowCopy(folder)
    expect(second.path).not.toBe(first.path)
    fs.writeFileSync(path.join(first.path, 'control'), 'mine')
    expect(contents(second.path)).toEqual(contents(folder))
    first.giveBack()
    second.giveBack()
  })
})

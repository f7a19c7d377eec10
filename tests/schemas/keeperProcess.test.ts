import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { KeeperProcess } from '../../scripts/schemas/keeperProcess.ts'
import { testFolder } from '../support/database.ts'

let keeper: KeeperProcess | undefined

afterEach(() => keeper?.end())

/** A keeper that runs this text. */
function running(text: string): KeeperProcess {
  const file = path.join(testFolder(), 'keeper.mjs')
  fs.writeFileSync(file, text)
  keeper = new KeeperProcess({ file, options: [] })
  return keeper
}

const once = `process.on('message', () => process.send({ findings: [], checked: 1, generated: 1 }))`

it('answers round after round from one process', async () => {
  const own = running(`let n = 0\nprocess.on('message', () => process.send({ findings: [], checked: ++n, generated: 1 }))`)
  expect([await own.round(), await own.round()]).toMatchObject([{ checked: 1 }, { checked: 2 }])
})

it.each([
  ['a process that ends at once', 'process.exit(1)'],
  ['a process that ends in the middle of a round', `process.on('message', () => process.exit(1))`],
  ['a process that hangs up and lives on', `process.on('message', () => undefined)\nprocess.disconnect()\nsetTimeout(() => process.exit(), 2_000)`],
  ['a process that throws', 'throw new Error("broken")'],
])('%s is a sentence, not the end of the development server, and the next round starts another', async (_, text) => {
  const own = running(text)
  expect(await own.round()).toMatchObject({ failed: expect.stringContaining('ended') })
  fs.writeFileSync(own.file, once)
  expect(await own.round()).toMatchObject({ checked: 1 })
})

it('a program that cannot be started is told as well', async () => {
  keeper = new KeeperProcess({ file: path.join(testFolder(), 'gone.mjs'), options: [], program: '/no/such/program' })
  expect(await keeper.round()).toMatchObject({ failed: expect.stringContaining('ENOENT') })
  keeper.end()
  keeper.end()
})

it('is ended in the middle of a round: the round says so', async () => {
  const own = running(`process.on('message', () => undefined)`)
  const round = own.round()
  own.end()
  expect(await round).toMatchObject({ failed: expect.stringContaining('ended') })
})

import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { decidedBefore, sameOnBoth } from '../../scripts/lib/sameOnBoth.mjs'

it.each(sameOnBoth)('%s asks nothing of the database a round of tests runs on', (name) => {
  const text = fs.readFileSync(path.join(import.meta.dirname, '..', name), 'utf8')
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(?:\.\.\/)+support\/(\w+)\.ts'/gm)].map(([, names = '', file = '']) => ({ names: names.split(',').map((one) => one.trim()), file }))
  expect(imported.filter(({ file }) => ['app', 'demo'].includes(file))).toEqual([])
  expect(imported.flatMap(({ names }) => names).filter((one) => ['testDatabase', 'engine', 'serverUrl', 'openScene'].includes(one))).toEqual([])
  expect(text).not.toMatch(/TEST_DATABASE|kind: 'postgres'/)
})

it('names tests that are there', () => {
  expect([...sameOnBoth, ...decidedBefore].filter((name) => !fs.existsSync(path.join(import.meta.dirname, '..', name)))).toEqual([])
})

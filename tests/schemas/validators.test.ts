import { execFileSync } from 'node:child_process'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { root } from '../../scripts/schemas/readSources.ts'

/** Runs in a process that cannot make code from text, like a page under our Content-Security-Policy. */
const script = `
import { createPrecompiledValidator } from '@rjsf/validator-ajv8'
import { schema, validators, validateRow } from './src/generated/validators/sales-order.form.js'
let evalWorks = true
try { new Function('return 1') } catch { evalWorks = false }
const validator = createPrecompiledValidator(validators, schema)
const errors = (data) => (validator.rawValidation(schema, data).errors ?? []).map((error) => error.params.missingProperty ?? error.instancePath)
console.log(JSON.stringify({
  evalWorks,
  good: errors({ CustomerID: 1, RequestedDate: '2026-03-18' }),
  missing: errors({}),
  wrong: errors({ CustomerID: 'x', RequestedDate: '18/03/2026' }),
  goodRow: validateRow.Lines({ ItemID: 1, Qty: '2', Uom: 'PCS' }),
  wrongRow: validateRow.Lines({ ItemID: 1, Qty: 'two', Uom: 'PCS' }) ? [] : validateRow.Lines.errors.map((error) => error.instancePath + ' ' + error.keyword),
}))
`

describe('a precompiled form', () => {
  it('accepts what is valid and refuses what is not where no code can be made from text', () => {
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--disallow-code-generation-from-strings', '--input-type=module', '-e', script], { cwd: path.resolve(root), encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual({
      evalWorks: false,
      good: [],
      missing: expect.arrayContaining([expect.stringContaining('CustomerID'), expect.stringContaining('OperatingUnitID')]),
      wrong: [expect.stringContaining('CustomerID'), expect.stringContaining('RequestedDate')],
      goodRow: true,
      wrongRow: ['/Qty pattern'],
    })
  })
})

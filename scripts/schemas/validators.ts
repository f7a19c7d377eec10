import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { formSchema, rowSchemas } from '../../src/meta/formSchema.ts'
import type { FormScreen } from '../../src/meta/resolved.ts'
import { hashOf, writeIfChanged } from './output.ts'
import { header } from './names.ts'

/**
 * Writes `<folder>/<form>.js` with the form's schema and its precompiled validators, ESM without eval. A file whose schema has not
 * changed is left alone: compiling costs some 40 ms a form. Returns the file names.
 */
export async function writeValidators(folder: string, forms: readonly FormScreen[], version: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const form of forms) {
    const schema = formSchema(form)
    const rows = rowSchemas(form)
    const stamp = `// ${hashOf(version, JSON.stringify(schema), JSON.stringify(rows))}\n`
    const file = path.join(folder, `${form.id}.js`)
    names.add(`${form.id}.js`).add(`${form.id}.d.ts`)
    if (existsSync(file) && readFileSync(file, 'utf8').includes(stamp)) continue
    writeIfChanged(file, `${header}${stamp}${await validatorModule(schema, rows)}`)
    writeIfChanged(
      path.join(folder, `${form.id}.d.ts`),
      `${header}import type { FormValidation } from '#meta/formValidation.ts'\n
export declare const schema: FormValidation['schema']
export declare const validators: FormValidation['validators']
export declare const validateRow: FormValidation['validateRow']\n`,
    )
  }
  return names
}

/** Source of the module of one form. */
export async function validatorModule(schema: object, rows: ReturnType<typeof rowSchemas>): Promise<string> {
  const { compileSchemaValidatorsCode } = await import('@rjsf/validator-ajv8/compileSchemaValidators')
  const compile = (part: object): string => esmBody(compileSchemaValidatorsCode(part, { ajvOptionsOverrides: { verbose: false, messages: false, code: { lines: false } } }))
  return `import { equal, formats, ucs2length } from '#base/validatorRuntime.ts'

export const schema = Object.freeze(${JSON.stringify(schema, null, 1)})

export const validators = (() => {
const exports = {};
${compile(schema)}
return exports;
})()

export const validateRow = {${Object.entries(rows).map(([wire, row]) => `\n${JSON.stringify(wire)}: (() => {\nconst exports = {};\n${compile(row)}\nreturn exports[${JSON.stringify(row.$id)}];\n})(),`).join('')}
}
void [equal, formats, ucs2length]
`
}

/**
 * The compiler writes CommonJS whatever it is told, and fails outright on its own `esm` option when a schema's name starts with a digit.
 * Its few requires are replaced by our own runtime.
 */
function esmBody(code: string): string {
  const body = code
    .replace(/^"use strict";/, '')
    // Where a rule stands in the schema interests nobody at run time and is half of the file.
    .replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replaceAll(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'ucs2length')
    .replaceAll(/require\("ajv\/dist\/runtime\/equal"\)\.default/g, 'equal')
    .replaceAll(/require\("ajv-formats\/dist\/formats"\)\.fullFormats\.(\w+)/g, (_, name: string) => `formats[${JSON.stringify(name)}]`)
    .replaceAll(/require\("ajv-formats\/dist\/formats"\)\.fullFormats\["([^"]+)"\]/g, (_, name: string) => `formats[${JSON.stringify(name)}]`)
    .replaceAll(/const (ucs2length|equal|formats) = \1;/g, '')
  if (body.includes('require(')) throw new Error(`A validator needs more than the runtime offers: ${/.*require\(.*/.exec(body)?.[0]?.slice(0, 200)}`)
  return body
}

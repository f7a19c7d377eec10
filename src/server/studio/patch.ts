import { createTwoFilesPatch } from 'diff'
import type { SchemaFile } from '#meta/schemaFiles.ts'

/** One file of a patch as `git apply` takes it. */
export function patchOf(before: SchemaFile | undefined, after: SchemaFile): string {
  if (before?.text === after.text) return ''
  const head = `diff --git a/${after.path} b/${after.path}\n${before === undefined ? 'new file mode 100644\n' : ''}`
  const [from, to] = [before === undefined ? '/dev/null' : `a/${after.path}`, `b/${after.path}`]
  const text = createTwoFilesPatch(from, to, before?.text ?? '', after.text, undefined, undefined, { context: 3 })
  return head + text.slice(text.indexOf('--- ')).replaceAll(/^(---|\+\+\+) (\S+)\t?$/gm, '$1 $2')
}

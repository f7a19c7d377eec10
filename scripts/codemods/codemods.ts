import type { FileKind } from '../../src/meta/sources.ts'
import { dataset2 } from './dataset.2.ts'
import { JsonEdit } from './jsonEdit.ts'

/** Changes a file of one version into the next one's format. Told of a file in any state: what it does not expect it leaves alone. */
export type Codemod = (file: JsonEdit) => void

/** The codemods of each kind by the version they lead to: one for each version after the first. */
export const codemods: Readonly<Partial<Record<FileKind, Readonly<Record<number, Codemod>>>>> = {
  dataset: { 2: dataset2 },
}

export interface Upgraded {
  readonly text: string
  /** Versions the file went through, in order; none: it was up to date. */
  readonly versions: readonly number[]
}

/** The file in the format of `version`, its order, spacing and line ends kept. A file that is no JSON object, or newer, comes back as it is. */
export function upgraded(kind: FileKind, text: string, version: number): Upgraded {
  const from = versionIn(text)
  if (from === undefined || from >= version) return { text, versions: [] }
  const versions = Array.from({ length: version - from }, (_, i) => from + 1 + i)
  const last = versions.reduce((before, next) => step(kind, before, next), text)
  return { text: last, versions }
}

function step(kind: FileKind, text: string, version: number): string {
  const codemod = codemods[kind]?.[version]
  if (codemod === undefined) throw new Error(`No codemod leads to version ${version} of ${kind}; one belongs in scripts/codemods/`)
  const file = new JsonEdit(text)
  codemod(file)
  if (file.keys([]).includes('version')) file.set(['version'], version)
  else file.add([], 'version', version, 'kind')
  return file.text()
}

/** Version a file says it is written in, 1 when it says none; undefined when it is no JSON object. */
export function versionIn(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const version: unknown = Reflect.get(value, 'version')
    return version === undefined ? 1 : typeof version === 'number' ? version : undefined
  } catch {
    return undefined
  }
}

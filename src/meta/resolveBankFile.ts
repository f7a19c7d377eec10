import type { BankfileSource } from '#generated/language.ts'
import type { BankFile } from '#meta/resolved.ts'
import { type Source, SourceError } from '#meta/sources.ts'

/** Groups each expression needs. */
const groups = { account: 1, currency: 1, period: 2, opening: 1, closing: 1, pending: 0 } as const

/** The layout of a bank's file; its expressions can be read and have the groups that are taken from them. */
export function resolveBankFile({ value: { $schema: _schema, kind: _kind, version: _version, ...file } }: Source<BankfileSource>): BankFile {
  for (const [key, needed] of Object.entries(groups)) {
    const pattern = file[key as keyof typeof groups]
    if (pattern !== undefined && groupsOf(pattern, key) < needed) throw new SourceError(`"${pattern}" needs ${needed === 1 ? 'a group' : `${needed} groups`} in brackets`, [key])
  }
  return file
}

function groupsOf(pattern: string, key: string): number {
  try {
    // An alternative that is always found tells how many groups there are.
    return (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1
  } catch (error) {
    throw new SourceError(error instanceof Error ? error.message : String(error), [key])
  }
}

/** Layouts that ask for more are tried first: a general one takes nothing from them. */
export function byDemand(files: readonly BankFile[]): readonly BankFile[] {
  const size = ({ columns }: BankFile): number => Object.keys(columns).length + columns.text.length
  return files.toSorted((a, b) => size(b) - size(a) || (a.id < b.id ? -1 : 1))
}

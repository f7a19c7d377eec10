import type { ResolvedEntity } from '#meta/resolved.ts'
import type { SentenceValue } from '#meta/sentence.ts'

/** The word of a status in a sentence: as the entity calls it, else as all documents do. */
export function statusWord(entity: ResolvedEntity | undefined, code: unknown): SentenceValue {
  const choice = entity?.fields.find((field) => field.name === 'status')?.choices?.find(({ value }) => value === code)
  return { key: choice?.label ?? `status.${String(code)}` }
}

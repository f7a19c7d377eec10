import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { SentenceValue } from '#meta/sentence.ts'

/** The word of a workflow action in a sentence: as its button says it. */
export function actionWord(metadata: Metadata, entity: ResolvedEntity, action: string): SentenceValue {
  const transition = metadata.workflows[entity.id]?.transitions.find((candidate) => candidate.action === action)
  return { key: transition?.label ?? `action.${action}` }
}

import type { StudioDataset, StudioMeasure } from '#api/studio.ts'
import type { Offered } from '#meta/authoring/compose.ts'
import type { Vocabulary } from '#meta/authoring/question.ts'
import { t, tFirst } from '../app/messages.ts'

/** Everything the columns of the datasets are called: labels in the language on screen, names, and words people use for them. */
export function vocabulariesOf(datasets: readonly StudioDataset[]): readonly Vocabulary[] {
  const words = (name: string, label: string): readonly string[] => [
    t(label), name.replaceAll('_', ' '), name.replace(/_(code|name|id)$/, '').replaceAll('_', ' '),
    ...tFirst([`words.${name}`], '').split(';').map((word) => word.trim()).filter((word) => word !== ''),
  ]
  return datasets.map(({ ID, HasPeriod, Dimensions, Measures }) => ({
    dataset: ID,
    hasPeriod: HasPeriod,
    // Records by number are no words; the codes that people read are.
    dimensions: Dimensions.filter(({ type, name }) => type !== 'ref' && type !== 'id' && !name.endsWith('_id')).map((dimension) => ({ ...dimension, words: words(dimension.name, dimension.label) })),
    measures: Measures.filter(({ additive, agg }) => additive || agg.kind !== 'none').map((measure) => ({ ...offeredMeasure(measure), words: words(measure.name, measure.label) })),
  }))
}

export function offeredMeasure({ name, type, isColumn, additive, agg }: StudioMeasure): Offered {
  return { name, type, isColumn, additive: additive || agg.kind !== 'none', isRatio: agg.kind === 'ratio' }
}

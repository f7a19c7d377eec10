import type { Tone } from '#meta/resolved.ts'

/** Look of an action's button by its tone. */
export function lookOf(tone: Tone): 'default' | 'negative' | 'positive' {
  return tone === 'negative' || tone === 'positive' ? tone : 'default'
}

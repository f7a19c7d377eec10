/** Look of a badge, a row or a button. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative'

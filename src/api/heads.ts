import { compose, type Sentence } from '#meta/sentence.ts'

/** What measures are called now, by name: those whose heads say days that people set. The others are called as their screen says. */
export type Heads = Readonly<Record<string, Sentence>>

interface Named {
  readonly name: string
  readonly label: string
}

/** The field called as it is now, in the words of a catalogue: its label is then a text, which stands for itself. */
export function headed<T extends Named>(field: T, heads: Heads | undefined, textOf: (key: string) => string): T {
  const head = heads?.[field.name]
  return head === undefined ? field : { ...field, label: compose(head, textOf) ?? field.label }
}

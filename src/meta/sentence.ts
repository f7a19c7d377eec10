import type { Sentences } from '#generated/sentences.ts'

/** Fills a placeholder: text as it stands, or a sentence said in the reader's language; a list is said one after another. */
export type SentenceValue = string | number | Sentence | readonly SentenceValue[]

export type SentenceParams = Readonly<Record<string, SentenceValue>>

/** Something to tell a person: a message key and what fills its placeholders. */
export interface Sentence {
  readonly key: string
  readonly params?: SentenceParams
}

/** Keys of the sentences the server may say. */
export type SentenceKey = keyof Sentences

/** Keys below a prefix, without it: `Under<'problem'>` holds `NOT_FOUND`. */
export type Under<Prefix extends string> = SentenceKey extends infer Key ? (Key extends `${Prefix}.${infer Rest}` ? Rest : never) : never

/** What a sentence has to be given: nothing where it has no placeholders. */
export type Filling<Key extends string> = Key extends SentenceKey
  ? [Sentences[Key]] extends [never]
    ? readonly [params?: Readonly<Record<string, never>>]
    : readonly [params: Readonly<Record<Sentences[Key], SentenceValue>>]
  : never

/** A sentence whose key and placeholders the compiler knows. */
export function say<Key extends SentenceKey>(key: Key, ...[params]: Filling<Key>): Sentence {
  return params === undefined || Object.keys(params).length === 0 ? { key } : { key, params }
}

/** The sentence in the words of a catalogue; undefined when it has no such key. */
export function compose({ key, params = {} }: Sentence, textOf: (key: string) => string | undefined): string | undefined {
  const text = textOf(key)
  return text === undefined ? undefined : fillIn(text, (name) => (Object.hasOwn(params, name) ? valueText(params[name] ?? '', textOf) : undefined))
}

/**
 * A text with its placeholders filled in: `{n}` by the value, `{n|row|rows}` by the word that goes with it, the first for exactly one. Chinese and
 * Indonesian words are the same for any number; an English text names both. A name without a value stays as it stands.
 */
export function fillIn(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replace(placeholder, (whole, name: string, one?: string, many?: string) => {
    const value = valueOf(name)
    return one === undefined || value === undefined ? (value ?? whole) : `${value === '1' ? one : many}`
  })
}

const placeholder = /\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g

/** Names a text is to be given values for, each once, in order. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))].toSorted()
}

function valueText(value: SentenceValue, textOf: (key: string) => string | undefined): string {
  if (typeof value !== 'object') return String(value)
  return 'key' in value ? (compose(value, textOf) ?? value.key) : value.map((part) => valueText(part, textOf)).join(', ')
}

import { compose, say, type Filling, type Sentence, type SentenceKey } from '#meta/sentence.ts'
import type { Worded } from '#api/problems.ts'
import { textsOf } from './texts.ts'

const english = textsOf('en')

/** The sentence in English, as it stands on the wire beside its key. */
export function inEnglish(sentence: Sentence): string {
  return compose(sentence, english) ?? sentence.key
}

/** A sentence for people who read it on a screen, in whatever language: English text, key and what fills it. */
export function said(sentence: Sentence): Worded {
  return { text: inEnglish(sentence), key: sentence.key, ...(sentence.params === undefined ? {} : { params: sentence.params }) }
}

/** The same from key and parameters. */
export function tell<Key extends SentenceKey>(key: Key, ...filling: Filling<Key>): Worded {
  return said(say(key, ...filling))
}

import { namedIn, namesPattern, type Mention } from '#api/comments.ts'

/** The name being typed after an @ just before the caret. */
export interface Typing {
  /** Place of the @. */
  readonly at: number
  readonly search: string
}

const longestName = 40

/** Is a name being typed at the caret? An @ begins one at the start of a word; a line break or a second @ ends it, as does the name of somebody chosen. */
export function typingAt(text: string, caret: number, chosen: readonly Mention[] = []): Typing | undefined {
  const before = text.slice(0, caret)
  const at = before.lastIndexOf('@')
  if (at < 0 || (at > 0 && !/[\s(,;:]/.test(before.charAt(at - 1)))) return undefined
  const search = before.slice(at + 1)
  if (search.length > longestName || /[\n@]/.test(search) || /\s{2}|^\s/.test(search)) return undefined
  return chosen.some(({ Name }) => composed(search).startsWith(`${composed(Name)} `)) ? undefined : { at, search }
}

/** The text with the name in place of what was typed of it, and where the caret goes. */
export function complete(text: string, caret: number, typing: Typing, name: string): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret)
  const inserted = `@${name}${/^\s/.test(rest) ? '' : ' '}`
  return { text: text.slice(0, typing.at) + inserted + rest, caret: typing.at + inserted.length + (/^\s/.test(rest) ? 1 : 0) }
}

/** Those chosen whose name still stands in the text. */
export function stillMentioned(text: string, chosen: readonly Mention[]): readonly Mention[] {
  const unique = chosen.filter((mention, i) => chosen.findIndex((other) => other.ID === mention.ID) === i)
  return namedIn(text, unique)
}

/** The text in parts, mentions apart. The longest name wins where one begins another. */
export function partsOf(text: string, mentions: readonly Mention[]): readonly { readonly text: string; readonly isMention: boolean }[] {
  if (mentions.length === 0) return [{ text, isMention: false }]
  const names = new Set(mentions.map(({ Name }) => composed(`@${Name}`)))
  return text.normalize('NFC').split(namesPattern(mentions)).flatMap((part) => (part === '' ? [] : [{ text: part, isMention: names.has(composed(part)) }]))
}

/** An accent typed as a sign of its own makes the same name. */
function composed(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

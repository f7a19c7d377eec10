import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

type Keys = readonly (string | number)[]

/**
 * Changes a JSON text by positions: what is not changed keeps its order, spacing and line ends. Places are those of the text as it came in; places
 * that are not there are left alone.
 */
export class JsonEdit {
  readonly #text: string
  readonly #tree: Node | undefined
  readonly #edits: { readonly from: number; readonly to: number; readonly text: string }[] = []

  constructor(text: string) {
    this.#text = text
    this.#tree = parseTree(text)
  }

  /** Value as it stands, undefined where there is none. */
  value(at: Keys): unknown {
    const node = this.#node(at)
    return node === undefined ? undefined : JSON.parse(this.#text.slice(node.offset, node.offset + node.length))
  }

  /** Names of an object's keys in the order written; none where no object stands. */
  keys(at: Keys): readonly string[] {
    const node = this.#node(at)
    return node?.type === 'object' ? (node.children ?? []).map((property) => String(property.children?.[0]?.value)) : []
  }

  /** Puts another value in the place of one. */
  set(at: Keys, value: unknown): void {
    const node = this.#node(at)
    if (node !== undefined) this.#put(node.offset, node.offset + node.length, written(value))
  }

  /** Gives a key another name. */
  rename(at: Keys, name: string): void {
    const key = this.#node(at)?.parent?.children?.[0]
    if (key !== undefined) this.#put(key.offset, key.offset + key.length, JSON.stringify(name))
  }

  /** Adds a key to an object, after the key `after` or else at the end, spaced as its neighbours are. */
  add(at: Keys, key: string, value: unknown, after?: string): void {
    const object = this.#node(at)
    if (object?.type !== 'object') return
    const properties = object.children ?? []
    const text = `${JSON.stringify(key)}: ${written(value)}`
    const before = properties.find((property) => property.children?.[0]?.value === after) ?? properties.at(-1)
    if (before === undefined) return this.#put(object.offset, object.offset + object.length, `{ ${text} }`)
    const end = before.offset + before.length
    this.#put(end, end, `,${this.#spaceBefore(object, before)}${text}`)
  }

  /** Takes a key out of an object, or an entry out of a list. */
  remove(at: Keys): void {
    const value = this.#node(at)
    const member = value?.parent?.type === 'property' ? value.parent : value
    const members = member?.parent?.children ?? []
    if (member === undefined || members.length === 0) return
    const i = members.indexOf(member)
    const [previous, next] = [members[i - 1], members[i + 1]]
    if (previous !== undefined) this.#put(previous.offset + previous.length, member.offset + member.length, '')
    else this.#put(member.offset, next === undefined ? member.offset + member.length : next.offset, '')
  }

  /** The text with all changes made. */
  text(): string {
    return this.#edits.toSorted((a, b) => b.from - a.from).reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), this.#text)
  }

  #put(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text })
  }

  #node(at: Keys): Node | undefined {
    return this.#tree === undefined ? undefined : findNodeAtLocation(this.#tree, [...at])
  }

  /** What stands between a member and the comma or bracket before it. */
  #spaceBefore(object: Node, member: Node): string {
    const before = object.children?.[object.children.indexOf(member) - 1]
    const from = before === undefined ? object.offset + 1 : before.offset + before.length
    return /\s*$/.exec(this.#text.slice(from, member.offset))?.[0] || ' '
  }
}

/** A value on one line, spaced as ours are. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${written(part)}`).join(', ')} }`
}

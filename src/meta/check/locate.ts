import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser'

import type { Finding, Keys } from '#meta/check/finding.ts'

/** A JSON file that knows where everything stands. */
export interface LocatedFile {
  readonly path: string
  readonly text: string
  /** Undefined when nothing could be read. */
  readonly value: unknown
  position(at: Keys, onKey?: boolean): { readonly line: number; readonly column: number }
  /** Errors of syntax, keys written twice, trailing commas and comments. */
  readonly syntax: readonly Finding[]
}

/** Reads one file; what is broken is reported and the rest still read. The places are worked out when first asked for. */
export function locate(path: string, text: string): LocatedFile {
  const starts = once(() => lineStarts(text))
  const tree = once(() => parseTree(text, [], options))
  const place = (offset: number): { line: number; column: number } => {
    const line = lineOf(starts(), offset)
    return { line: line + 1, column: offset - (starts()[line] ?? 0) + 1 }
  }
  const sound = soundValue(text)
  return {
    path,
    text,
    value: sound === undefined ? valueIn(tree()) : sound.value,
    position: (at, onKey = false) => place(offsetOf(tree(), at, onKey)),
    syntax: sound === undefined ? syntaxFindings(path, text, place) : [],
  }
}

const options = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

/** The value of a file without any fault of syntax and without a key written twice; undefined calls for the slow and exact way. */
function soundValue(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return keysIn(value) === keysWritten(text) ? { value } : undefined
  } catch {
    return undefined
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return parts.reduce((sum: number, part) => sum + keysIn(part), Array.isArray(value) ? 0 : parts.length)
}

function keysWritten(text: string): number {
  let count = 0
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (match[1] !== undefined) count++
  return count
}

function syntaxFindings(path: string, text: string, place: (offset: number) => { line: number; column: number }): readonly Finding[] {
  const errors: ParseError[] = []
  parseTree(text, errors, options)
  const finding = (offset: number, code: string, message: string): Finding => ({ path, ...place(offset), severity: 'error', code, message })
  const syntax = errors.map(({ offset, error }) => {
    const before = text.slice(0, offset).trimEnd()
    const isTrailing = /[}\]]/.test(text[offset] ?? '') && before.endsWith(',')
    return isTrailing
      ? finding(before.length - 1, 'json-trailing-comma', 'a comma before the closing bracket')
      : finding(offset, 'json-syntax', words(printParseErrorCode(error)))
  })
  return [...uniqueBy(syntax), ...duplicateKeys(text).map(({ offset, key }) => finding(offset, 'json-duplicate-key', `"${key}" is written twice in this object`))]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Offset of a value, or of the nearest part around it that exists. */
function offsetOf(tree: Node | undefined, at: Keys, onKey: boolean): number {
  if (tree === undefined) return 0
  for (let length = at.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, at.slice(0, length))
    if (node === undefined) continue
    const isKey = (onKey || length < at.length) && node.parent?.type === 'property'
    return isKey ? (node.parent?.children?.[0]?.offset ?? node.offset) : node.offset
  }
  return tree.offset
}

function valueIn(node: Node | undefined): unknown {
  return node === undefined ? undefined : valueOf(node)
}

function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.children ?? []).flatMap((property) => {
          const [key, value] = property.children ?? []
          return key === undefined || value === undefined ? [] : [[String(key.value), valueOf(value)] as const]
        }),
      )
    case 'array':
      return (node.children ?? []).map(valueOf)
    case 'property':
      return undefined
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return node.value as unknown
  }
}

function duplicateKeys(text: string): readonly { readonly offset: number; readonly key: string }[] {
  const open: Set<string>[] = []
  const found: { offset: number; key: string }[] = []
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const keys = open.at(-1)
      if (keys?.has(key) === true) found.push({ offset, key })
      keys?.add(key)
    },
  })
  return found
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

/** One mistake often upsets the parser several times at the same place. */
function uniqueBy(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding, i) => findings.findIndex((other) => other.line === finding.line) === i)
}

/** A JSON schema as the editor help is generated: what is looked at of it. */
export interface HelpSchema {
  readonly $ref?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, HelpSchema>>
  readonly items?: HelpSchema
  readonly anyOf?: readonly HelpSchema[]
  readonly allOf?: readonly HelpSchema[]
  readonly if?: HelpSchema
  readonly then?: HelpSchema
  readonly required?: readonly string[]
  readonly definitions?: Readonly<Record<string, HelpSchema>>
}

/** A name that exists now, in the words of the reader. */
export interface HelpName {
  readonly name: string
  readonly about: string
}

export interface Help {
  readonly schema: HelpSchema
  /** The parts all kinds share, by definition. */
  readonly common: Readonly<Record<string, HelpSchema>>
  /** Names of a list of the generated names (`dataset`, `measures.zdr_bill`). */
  readonly names: (list: string) => readonly HelpName[]
}

/** What may stand at a place. */
export interface Suggestion {
  /** JSON, as it is written. */
  readonly text: string
  /** What one reads and types for: a key or a name without quotes. */
  readonly label: string
  readonly about: string
  readonly isKey: boolean
}

export interface Suggestions {
  /** What is replaced. */
  readonly from: number
  readonly to: number
  readonly options: readonly Suggestion[]
}

const mostShown = 60

/** What may stand at the place of the cursor, what begins with the word there first; undefined: nothing is known. */
export function suggestionsAt(help: Help, text: string, offset: number): Suggestions | undefined {
  const place = placeAt(text, offset)
  if (place === undefined) return undefined
  const schemas = schemasAt(help, documentOf(text), place.path)
  const all = place.isKey ? keysOf(schemas, place.keys) : valuesOf(help, schemas, place.siblings)
  const typed = place.typed.toLowerCase()
  const rank = ({ label, about }: Suggestion): number => (label.toLowerCase().startsWith(typed) ? 0 : label.toLowerCase().includes(typed) ? 1 : about.toLowerCase().includes(typed) ? 2 : 3)
  const options = all.map((option) => ({ option, rank: rank(option) })).filter((one) => one.rank < 3).toSorted((a, b) => a.rank - b.rank).map(({ option }) => option)
  return options.length === 0 ? undefined : { from: place.from, to: place.to, options: options.slice(0, mostShown) }
}

/** What the key or the name at a place means. */
export function explanationAt(help: Help, text: string, offset: number): { readonly from: number; readonly to: number; readonly text: string } | undefined {
  const place = placeAt(text, offset)
  if (place === undefined || !place.isText) return undefined
  const word = text.slice(place.from + 1, place.to - 1)
  const document = documentOf(text)
  const own = place.isKey ? schemasAt(help, document, [...place.path, word]).find(({ description }) => description !== undefined)?.description : valuesOf(help, schemasAt(help, document, place.path), []).find(({ label }) => label === word)?.about
  return own === undefined || own === '' ? undefined : { from: place.from, to: place.to, text: own }
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly isKey: boolean
  /** The cursor is in a text with its quotes. */
  readonly isText: boolean
  readonly from: number
  readonly to: number
  /** What of it stands before the cursor. */
  readonly typed: string
  /** Keys the object has besides the one written here. */
  readonly keys: readonly string[]
  /** Texts of the list the cursor is in, besides the one written here. */
  readonly siblings: readonly string[]
}

interface Frame {
  readonly isList: boolean
  readonly keys: string[]
  readonly texts: string[]
  key: string | undefined
  index: number
  isValue: boolean
}

/** Where in the structure the cursor is. The text may be as broken as one is while one types. */
function placeAt(text: string, offset: number): Place | undefined {
  const frames: Frame[] = []
  let found: { frame: Frame; place: Omit<Place, 'keys' | 'siblings'>; own: string } | undefined
  const seen = (from: number, to: number, isText: boolean): void => {
    const frame = frames.at(-1)
    if (found !== undefined || frame === undefined || offset < from || offset > to || (isText && offset === from)) return
    const isKey = !frame.isList && !frame.isValue
    const path = frames.flatMap((one, i): readonly (string | number)[] => (i === frames.length - 1 && isKey ? [] : [one.isList ? one.index : (one.key ?? '')]))
    found = { frame, own: isText ? text.slice(from + 1, to - 1) : '', place: { path, isKey, isText, from, to, typed: text.slice(from + (isText ? 1 : 0), offset) } }
  }
  let i = 0
  while (i < text.length) {
    const sign = text[i] ?? ''
    const frame = frames.at(-1)
    if (sign === '"') {
      const match = /^"(?:[^"\\\n]|\\.)*"?/.exec(text.slice(i))?.[0] ?? '"'
      const isClosed = match.length > 1 && match.endsWith('"')
      const word = match.slice(1, isClosed ? -1 : undefined)
      seen(i, i + match.length - (isClosed && offset !== i + match.length ? 1 : 0), true)
      if (found?.place.from === i) found = { ...found, own: word, place: { ...found.place, to: i + match.length } }
      if (frame !== undefined) {
        if (frame.isList) frame.texts.push(word)
        else if (!frame.isValue) {
          frame.key = word
          frame.keys.push(word)
        }
      }
      i += match.length
      continue
    }
    const bare = /^[\w.+-]+/.exec(text.slice(i, i + 80))?.[0]
    if (bare !== undefined) {
      seen(i, i + bare.length, false)
      i += bare.length
      continue
    }
    if (/\s/.test(sign) || /[[\]{}:,]/.test(sign)) seen(i, i, false)
    if (sign === '{' || sign === '[') frames.push({ isList: sign === '[', keys: [], texts: [], key: undefined, index: 0, isValue: false })
    else if (sign === '}' || sign === ']') frames.pop()
    else if (sign === ':' && frame !== undefined) frame.isValue = true
    else if (sign === ',' && frame !== undefined) {
      frame.isValue = false
      frame.key = undefined
      frame.index++
    }
    i++
  }
  if (found === undefined) return undefined
  const without = (words: readonly string[], own: string): readonly string[] => {
    const at = words.indexOf(own)
    return at < 0 ? words : words.toSpliced(at, 1)
  }
  const { frame, place, own } = found
  return { ...place, keys: without(frame.keys, place.isKey ? own : ''), siblings: frame.isList ? without(frame.texts, own) : [] }
}

/** The texts directly in the file, as far as it can be read: conditions of the schema look at them. */
function documentOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(/^\s{0,2}"(\w+)"\s*:\s*"([^"\n]*)"/gm)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

/** Every schema that speaks of a place. */
function schemasAt(help: Help, document: Readonly<Record<string, string>>, path: readonly (string | number)[]): readonly HelpSchema[] {
  return path.reduce<readonly HelpSchema[]>(
    (schemas, step) => schemas.flatMap(({ properties, items }) => {
      const next = typeof step === 'number' ? items : properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : undefined
      return next === undefined ? [] : spread(help, document, next)
    }),
    spread(help, document, help.schema),
  )
}

/** The schema with everything it refers to, alternatives and what holds for this document. */
function spread(help: Help, document: Readonly<Record<string, string>>, schema: HelpSchema): readonly HelpSchema[] {
  const { $ref, anyOf = [], allOf = [], then } = schema
  const referred = $ref?.startsWith('common.') === true ? help.common[$ref.replace(/^.*\//, '')] : undefined
  const holds = then !== undefined && Object.entries(schema.if?.properties ?? {}).every(([key, { const: value }]) => document[key] === value)
  return [schema, ...(referred === undefined ? [] : [referred]), ...anyOf, ...allOf, ...(holds ? [then] : [])].flatMap((one) => (one === schema ? [one] : spread(help, document, one)))
}

function keysOf(schemas: readonly HelpSchema[], taken: readonly string[]): readonly Suggestion[] {
  const keys = new Map<string, string>()
  for (const { properties = {} } of schemas) for (const [key, { description = '' }] of Object.entries(properties)) if (!taken.includes(key) && (keys.get(key) ?? '') === '') keys.set(key, description)
  return [...keys].map(([key, about]) => ({ text: JSON.stringify(key), label: key, about, isKey: true }))
}

function valuesOf({ names }: Help, schemas: readonly HelpSchema[], taken: readonly string[]): readonly Suggestion[] {
  const values = new Map<string, Suggestion>()
  const offer = (value: unknown, about: string): void => {
    const label = String(value)
    if (!taken.includes(label) && !values.has(label)) values.set(label, { text: JSON.stringify(value), label, about, isKey: false })
  }
  for (const { $ref, enum: choices = [], const: only, type, description = '' } of schemas) {
    if ($ref?.startsWith('names.') === true) for (const { name, about } of names($ref.replace(/^.*\//, ''))) offer(name, about)
    for (const choice of choices) offer(choice, '')
    if (only !== undefined) offer(only, description)
    if (type === 'boolean') for (const choice of [true, false]) offer(choice, '')
  }
  return [...values.values()]
}

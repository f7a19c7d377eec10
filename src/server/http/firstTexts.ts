import fs from 'node:fs'
import path from 'node:path'

type Catalogue = Readonly<Record<string, string>>

/** Families of texts a page speaks by a name it works out: longer ones are not brought whole. */
const longestFamily = 6_000

/**
 * The texts a page may draw first: those its own files name. Words with a dot are looked for in what the build made of them, and all that begin like one whose end
 * is worked out there. What is wanted beside them (a sentence of the server) the page waits for.
 */
export class FirstTexts {
  readonly #folder: string
  /** Built catalogues by language, files within the folder. */
  readonly #catalogues: Readonly<Record<string, string>>
  readonly #read = new Map<string, Catalogue>()
  readonly #words = new Map<string, Words>()

  constructor(folder: string, catalogues: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#catalogues = catalogues
  }

  /** JSON of the texts that these built files speak, by key; undefined in a language there is none of. */
  of(files: readonly string[], language: string): string | undefined {
    const file = this.#catalogues[language]
    if (file === undefined) return undefined
    const catalogue = this.#once(this.#read, language, () => JSON.parse(this.#content(file) || '{}') as Catalogue)
    const words = files.filter((one) => one.endsWith('.js')).map((one) => this.#once(this.#words, one, () => wordsIn(this.#content(one))))
    const beginnings = new Set(words.flatMap((one) => one.beginnings))
    const families = Array.from(beginnings, (begins) => Object.entries(catalogue).filter(([key]) => key.startsWith(begins))).filter((family) => lengthOf(family) <= longestFamily)
    const named = new Set(words.flatMap((one) => one.whole))
    const texts = [...Object.entries(catalogue).filter(([key]) => named.has(key)), ...families.flat()]
    return texts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(texts))
  }

  /** '' of a file that is gone (a newer version is being installed): the page asks for what it lacks. */
  #content(file: string): string {
    const found = path.join(this.#folder, file)
    return fs.existsSync(found) ? fs.readFileSync(found, 'utf8') : ''
  }

  #once<T>(known: Map<string, T>, key: string, make: () => T): T {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make()
    known.set(key, made)
    return made
  }
}

interface Words {
  readonly whole: readonly string[]
  /** Those that go on with what is worked out: `ui.filter.`. */
  readonly beginnings: readonly string[]
}

function wordsIn(code: string): Words {
  const found = Array.from(code.matchAll(/["'`]([a-z][\w-]*\.[\w.-]*)(["'`]|\$\{)/g))
  const [whole = [], beginnings = []] = [false, true].map((goesOn) => found.filter(([, , end]) => (end === '${') === goesOn).map(([, word = '']) => word))
  return { whole, beginnings }
}

const lengthOf = (family: readonly (readonly [key: string, text: string])[]): number => family.reduce((sum, [key, text]) => sum + key.length + text.length, 0)

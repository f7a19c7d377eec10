import fs from 'node:fs'
import { describe, expect, it } from 'vitest'

// Every line of the specification about the shell (what is public, the frame, the guard, terms, shared widgets; entities, states, rules, roles,
// calls, errors, constants) stands in specification.json with the tests that prove it.

interface Proof {
  readonly file: string
  readonly title: string
}

interface Line {
  readonly line: string
  readonly proofs?: readonly Proof[]
  /** Why nothing has to be proven. */
  readonly free?: string
}

const sections: readonly { readonly section: string; readonly lines: readonly Line[] }[] = JSON.parse(fs.readFileSync('tests/specification.json', 'utf8'))
const lines = sections.flatMap(({ lines: own }) => own)

const literal = String.raw`(["'${'`'}])((?:\\.|(?!\1).)*)\1`

/** Titles of the tests of a file: what stands in `describe`, `it` and `test`, and every text of a table whose rows are titles themselves (`%s`). */
function titlesIn(file: string): ReadonlySet<string> {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const called = [...text.matchAll(new RegExp(String.raw`\b(?:describe|it|test)(?:\.\w+)*(?:\((?:\[.*?\]|[^'"\n]*?)\))?\(\s*${literal}`, 'g'))].map((match) => plain(match[2] ?? ''))
  const isTable = called.includes('%s')
  return new Set([...called, ...(isTable ? [...text.matchAll(new RegExp(literal, 'g'))].map((match) => plain(match[2] ?? '')) : [])])
}

function plain(source: string): string {
  return source.replace(/\\(['"`])/g, '$1')
}

const titles = new Map<string, ReadonlySet<string>>()

function exists({ file, title }: Proof): boolean {
  const known = titles.get(file) ?? titlesIn(file)
  titles.set(file, known)
  return known.has(title)
}

describe('the specification of the shell', () => {
  it('has each of its lines here once', () => {
    expect(lines.length).toBe(117)
    for (const { section, lines: own } of sections) expect(new Set(own.map(({ line }) => line)).size, section).toBe(own.length)
  })

  it('is proven line by line, by tests that are there', () => {
    const bare = lines.filter(({ proofs, free }) => (proofs === undefined || proofs.length === 0) && free === undefined).map(({ line }) => line)
    const gone = lines.flatMap(({ line, proofs }) => (proofs ?? []).filter((proof) => !exists(proof)).map((proof) => `${proof.file}: ${proof.title} (for: ${line})`))
    expect({ bare, gone }).toEqual({ bare: [], gone: [] })
  })

  it('leaves nothing out but what says nothing, and what belongs to desks that are not there', () => {
    const free = lines.filter((one) => one.free !== undefined).map(({ line }) => line)
    expect(free).toEqual([
      'Debit-note clearing state: selected debit notes, paid-now proposals (value), totals.',
      'Tax invoice reference.',
      'Other entity fields are not shown.',
      'Document statuses are not shown.',
      'Other rules are not shown.',
      'The default profile has userRole admin, but it is only a placeholder.',
      'Named roles are not shown.',
      'The path of the general customers-list call (by territory id) is not shown. Response shapes not listed here, and what the server does with each call, are not shown.',
      'Other error texts are not shown.',
    ])
  })

  it('finds a test that is not there, or a title that has changed', () => {
    const [proof] = lines.find(({ proofs }) => proofs !== undefined)?.proofs ?? []
    expect(proof !== undefined && exists(proof)).toBe(true)
    expect(exists({ file: proof?.file ?? '', title: `${proof?.title} and more` })).toBe(false)
    expect(exists({ file: 'tests/gone.test.ts', title: proof?.title ?? '' })).toBe(false)
  })
})

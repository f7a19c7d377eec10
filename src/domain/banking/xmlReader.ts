import { SaxesParser } from 'saxes'
import { StatementFileError } from './statementFile.ts'

export interface XmlLeaves {
  /** An element with text: local names from the root on, joined by `/`, its text and its attributes. */
  leaf(path: string, text: string, attributes: Readonly<Record<string, string>>): void
  open?(path: string): void
  end(path: string): void
}

const deepest = 40
const mostElements = 5_000_000
const mostLetters = 60_000_000

/** XML as a stream of leaves. A document type is refused, and with it everything that could be defined in one. */
export class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  readonly #path: string[] = []
  #text = ''
  #attributes: Record<string, string> = {}
  #elements = 0
  #letters = 0

  constructor({ leaf, open, end }: XmlLeaves) {
    const parser = this.#parser
    parser.on('doctype', () => {
      throw new StatementFileError('doctype')
    })
    parser.on('error', (error) => {
      throw new StatementFileError('xml', { line: parser.line, text: error.message.replace(/^\d+:\d+: /, '').slice(0, 100) })
    })
    parser.on('opentag', ({ name, attributes }) => {
      if (this.#path.push(localName(name)) > deepest || ++this.#elements > mostElements) throw new StatementFileError('large')
      this.#text = ''
      this.#attributes = attributes
      open?.(this.#path.join('/'))
    })
    parser.on('text', (text) => {
      this.#text += text
    })
    parser.on('cdata', (text) => {
      this.#text += text
    })
    parser.on('closetag', () => {
      const path = this.#path.join('/')
      const text = this.#text.trim()
      if (text !== '') leaf(path, text, this.#attributes)
      this.#text = ''
      end(path)
      this.#path.pop()
    })
  }

  get line(): number {
    return this.#parser.line
  }

  write(text: string): void {
    if ((this.#letters += text.length) > mostLetters) throw new StatementFileError('large')
    this.#parser.write(text)
  }

  close(): void {
    this.#parser.close()
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

import path from 'node:path'
import { checkDraft, type CheckedDraft, type DraftWorld, draftWorldOf } from '#meta/authoring/draft.ts'
import type { SchemaFile } from '#meta/schemaFiles.ts'
import { readSchemaFolder } from './readSchemaFolder.ts'

/** Texts whose check is remembered: whoever composes asks for the check, the rows and the groups of the same text. */
const mostRemembered = 32

/** The schema files the program was built from, as they lie beside it. */
export class SchemaShelf {
  readonly #folder: string
  #world: DraftWorld | undefined
  /** The one asked for last stands last. */
  readonly #checked = new Map<string, CheckedDraft>()

  /** `folder`: the folder `schemas`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** What drafts are held against; read when first asked for. */
  world(): DraftWorld {
    this.#world ??= draftWorldOf(this.files())
    return this.#world
  }

  /** What the check says of a draft. */
  check(text: string): CheckedDraft {
    const checked = this.#checked.get(text) ?? checkDraft(this.world(), text)
    this.#checked.delete(text)
    this.#checked.set(text, checked)
    const [oldest] = this.#checked.keys()
    if (this.#checked.size > mostRemembered && oldest !== undefined) this.#checked.delete(oldest)
    return checked
  }

  /** The files as they are now: a patch has to fit them. */
  files(): readonly SchemaFile[] {
    return readSchemaFolder(this.#folder, path.dirname(this.#folder))
  }
}

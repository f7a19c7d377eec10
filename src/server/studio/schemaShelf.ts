import path from 'node:path'
import { type DraftWorld, draftWorldOf } from '#meta/authoring/draft.ts'
import type { SchemaFile } from '#meta/schemaFiles.ts'
import { readSchemaFolder } from './readSchemaFolder.ts'

/** The schema files the program was built from, as they lie beside it. */
export class SchemaShelf {
  readonly #folder: string
  #world: DraftWorld | undefined

  /** `folder`: the folder `schemas`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** What drafts are held against; read when first asked for. */
  world(): DraftWorld {
    this.#world ??= draftWorldOf(this.files())
    return this.#world
  }

  /** The files as they are now: a patch has to fit them. */
  files(): readonly SchemaFile[] {
    return readSchemaFolder(this.#folder, path.dirname(this.#folder))
  }
}

import type { ActionSource, ColumnSource, ComputeSource, ConditionSource, FormFieldSource, UseSource } from '#generated/language.ts'
import type { Keys } from '#meta/check/finding.ts'
import { columnsIn, depthOf } from '#meta/compute.ts'
import type { PathTemplate } from '#meta/resolved.ts'
import type { Sources } from '#meta/sources.ts'

interface Place {
  readonly path: string
  readonly at: Keys
}

/** A field named by a schema file, and the entity it must belong to. */
export interface FieldUse extends Place {
  readonly entity: string
  readonly name: string
  readonly what: 'column' | 'filter' | 'sort' | 'form field' | 'total' | 'field'
  readonly onKey?: boolean
  readonly total?: boolean
}

/** A condition and the entity its names belong to. Names on the right (`{ "field": … }`) belong to `record`. */
export interface ConditionUse extends Place {
  readonly entity: string
  readonly record: string
  readonly condition: ConditionSource
  /** Entity of the header the record is a line of: its fields are at hand too. */
  readonly header?: string
  /** The record is being typed: required fields may still be empty. */
  readonly typed?: true
  /** It is asked of a row alone: what stands in other records is out of reach. */
  readonly own?: true
}

export interface ActionUse extends Place {
  readonly entity: string
  readonly action: ActionSource
}

/** Something named elsewhere: a screen, a fragment, an entity. */
export interface NameUse extends Place {
  readonly name: string
  readonly onKey?: boolean
}

/** A path template, with the entity or dataset whose wire keys fill it. */
export interface PathUse extends Place {
  readonly template: string
  readonly entity?: string
  readonly dataset?: string
}

export interface Uses {
  readonly fields: readonly FieldUse[]
  readonly conditions: readonly ConditionUse[]
  readonly actions: readonly ActionUse[]
  readonly entities: readonly NameUse[]
  readonly screens: readonly (NameUse & { readonly kinds?: readonly string[] })[]
  readonly fragments: readonly (NameUse & { readonly type: 'columns' | 'fields' })[]
  readonly paths: readonly PathUse[]
  readonly guards: readonly NameUse[]
  readonly slots: readonly NameUse[]
  /** Computations nested too deep to be read. */
  readonly deep: readonly NameUse[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** Gathers what files name. One for a whole run; `of(path)` speaks for one file. */
export class Collector {
  readonly uses: Mutable<Uses> = { fields: [], conditions: [], actions: [], entities: [], screens: [], fragments: [], paths: [], guards: [], slots: [], deep: [] }
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  of(path: string): FileCollector {
    return new FileCollector(this.uses, this.#sources, path)
  }
}

/** The same for one file. Values left out in the file are passed as undefined and name nothing. */
export class FileCollector {
  readonly #uses: Mutable<Uses>
  readonly #sources: Sources
  readonly #path: string

  constructor(uses: Mutable<Uses>, sources: Sources, path: string) {
    this.#uses = uses
    this.#sources = sources
    this.#path = path
  }

  entity(at: Keys, name: string | undefined): void {
    if (name !== undefined) this.#uses.entities.push({ path: this.#path, at, name })
  }

  field(at: Keys, entity: string, name: string, what: FieldUse['what'], extra: Partial<FieldUse> = {}): void {
    this.#uses.fields.push({ path: this.#path, at, entity, name, what, ...extra })
  }

  condition(at: Keys, entity: string, condition: ConditionSource | undefined, record = entity, header?: string): void {
    if (condition !== undefined) this.#uses.conditions.push({ path: this.#path, at, entity, record, condition, ...(header === undefined ? {} : { header }) })
  }

  /** A condition on a record being typed. */
  typedCondition(at: Keys, entity: string, condition: ConditionSource | undefined): void {
    if (condition !== undefined) this.#uses.conditions.push({ path: this.#path, at, entity, record: entity, condition, typed: true })
  }

  /** A condition asked of a row alone. */
  ownCondition(at: Keys, entity: string, condition: ConditionSource | undefined): void {
    if (condition !== undefined) this.#uses.conditions.push({ path: this.#path, at, entity, record: entity, condition, own: true })
  }

  screen(at: Keys, name: string | undefined, ...kinds: readonly string[]): void {
    if (name !== undefined) this.#uses.screens.push({ path: this.#path, at, name, ...(kinds.length === 0 ? {} : { kinds }) })
  }

  template(at: Keys, template: PathTemplate | undefined, of: { readonly entity?: string; readonly dataset?: string }): void {
    if (typeof template === 'object') for (const [i, one] of template.entries()) this.template([...at, i], one, of)
    else if (template !== undefined) this.#uses.paths.push({ path: this.#path, at, template, ...of })
  }

  guard(at: Keys, name: string | undefined): void {
    if (name !== undefined) this.#uses.guards.push({ path: this.#path, at, name })
  }

  slot(at: Keys, name: string | undefined): void {
    if (name !== undefined) this.#uses.slots.push({ path: this.#path, at, name })
  }

  action(at: Keys, entity: string, action: ActionSource): void {
    this.#uses.actions.push({ path: this.#path, at, entity, action })
    this.condition([...at, 'when'], entity, action.when)
    for (const [i, { when }] of (action.refusals ?? []).entries()) this.condition([...at, 'refusals', i, 'when'], entity, when)
    this.guard([...at, 'guard'], action.guard)
    this.template([...at, 'goto'], action.goto, { entity })
    this.screen([...at, 'panel'], action.panel, 'form')
  }

  columns(at: Keys, entity: string, columns: readonly (string | ColumnSource | UseSource)[], what: FieldUse['what'] = 'column'): void {
    for (const [i, column] of columns.entries()) {
      if (typeof column === 'string') this.field([...at, i], entity, column, what)
      else if ('use' in column) this.#uses.fragments.push({ path: this.#path, at: [...at, i, 'use'], name: column.use, type: 'columns' })
      else {
        this.field([...at, i, 'field'], entity, column.field, what, { total: column.total !== undefined })
        this.template([...at, i, 'link'], column.link, { entity })
      }
    }
  }

  /** `header`: the entity whose lines they are entered in. */
  formFields(at: Keys, entity: string, fields: readonly (string | FormFieldSource | UseSource)[], header?: string): void {
    for (const [i, field] of fields.entries()) {
      if (typeof field === 'string') this.field([...at, i], entity, field, 'form field')
      else if ('use' in field) this.#uses.fragments.push({ path: this.#path, at: [...at, i, 'use'], name: field.use, type: 'fields' })
      else this.#formField([...at, i], entity, field, header)
    }
  }

  compute(at: Keys, entity: string, compute: ComputeSource): void {
    for (const name of columnsIn(compute)) this.field(at, entity, name, 'total', { total: true })
    if (depthOf(compute) > 3) this.#uses.deep.push({ path: this.#path, at, name: 'compute' })
  }

  /** Entity of the lines or children a header has under this name. */
  lineEntity(header: string, name: string | undefined): string {
    const child = this.#sources.entity.find(({ value }) => value.id === header)?.value.children?.[name ?? '']
    if (child !== undefined) return child
    const lines = this.#sources.entity.filter(({ value }) => value.base === 'line' && value.parent === header).map(({ value }) => value.id)
    return lines.find((id) => id === name) ?? lines[0] ?? ''
  }

  #formField(at: Keys, entity: string, value: FormFieldSource, header: string | undefined): void {
    this.field([...at, 'field'], entity, value.field, 'form field')
    this.typedCondition([...at, 'when'], entity, value.when)
    this.typedCondition([...at, 'requiredWhen'], entity, value.requiredWhen)
    if (value.unit !== undefined) this.field([...at, 'unit'], entity, value.unit, 'field')
    if (value.compute !== undefined) this.compute([...at, 'compute'], entity, value.compute)
    this.screen([...at, 'create'], value.create, 'form')
    if (value.records !== undefined) {
      this.field([...at, 'records', 'by'], entity, value.records.by, 'form field')
      for (const [name, chosen] of Object.entries(value.records.of)) this.entity([...at, 'records', 'of', name], chosen)
    }
    const target = this.target(entity, value.field)
    this.condition([...at, 'lookupWhere'], target, value.lookupWhere, entity, header)
    const [from, named] = value.prefers?.split('.') ?? []
    if (from !== undefined && named !== undefined) {
      this.field([...at, 'prefers'], entity, from, 'field')
      this.field([...at, 'prefers'], this.target(entity, from), named, 'field')
    }
    for (const [own, other] of Object.entries(value.fills ?? {})) {
      this.field([...at, 'fills', own], entity, own, 'field', { onKey: true })
      this.field([...at, 'fills', own], target, other, 'field')
    }
  }

  /** Entity a reference points to; the columns of the bases by their names. */
  target(entity: string, field: string): string {
    const own = this.#sources.entity.find(({ value }) => value.id === entity)?.value.fields[field]
    return own?.entity ?? (field.endsWith('_by') ? 'app_user' : field.replace(/_id$/, ''))
  }
}

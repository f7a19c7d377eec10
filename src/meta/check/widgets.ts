import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { FieldType, FormField, FormLines, FormScreen, Widget } from '#meta/resolved.ts'

const fits: Readonly<Record<Widget, readonly FieldType[]>> = {
  textarea: ['text', 'longtext'],
  radio: ['enum', 'status'],
  cards: ['enum', 'status'],
  select: ['enum', 'status'],
  switch: ['boolean'],
  month: ['date', 'period'],
  tree: ['ref'],
  choices: ['textlist'],
  tags: ['textlist'],
  record: ['text', 'code'],
}

/** What a cell of a line grid has no editor for. */
const notInCells: readonly FieldType[] = ['textlist', 'json', 'datetime', 'period', 'secret']

/** Every widget can enter what its field holds, and a cell of a grid too. */
export function* widgets({ sources, resolved }: World): Iterable<Report> {
  for (const { path, value } of sources.form) {
    const screen = resolved.metadata.screens[value.id]
    if (screen?.kind !== 'form') continue
    for (const [i, section] of screen.sections.entries()) {
      for (const [j, field] of section.fields.entries()) {
        const message = misfit(field, resolved.metadata.entities[field.entity ?? '']?.lookup?.tree)
        if (message !== undefined) yield { path, at: ['sections', i, 'fields', j, field.widget === 'record' ? 'records' : 'widget'], code: 'wrong-widget', message }
        yield* deciding(path, ['sections', i, 'fields', j, 'records'], field, screen)
      }
      yield* cells(path, ['sections', i, 'lines'], section.lines)
    }
    yield* cells(path, ['lines'], screen.lines)
  }
}

/** The field that decides may have each value that an entity is named for. */
function* deciding(path: string, at: Report['at'], { records }: FormField, screen: FormScreen): Iterable<Report> {
  const choices = screen.sections.flatMap(({ fields }) => fields).find(({ wire }) => wire === records?.by)?.choices?.map((choice) => String(choice.value))
  if (choices === undefined) return
  for (const value of Object.keys(records?.of ?? {})) {
    if (!choices.includes(value)) yield { path, at: [...at, 'of', value], onKey: true, code: 'unknown-value', message: `the field is never "${value}"${didYouMean(value, choices)}` }
  }
}

function* cells(path: string, at: Report['at'], lines: FormLines | undefined): Iterable<Report> {
  for (const [i, { name, type, entry }] of (lines?.columns ?? []).entries()) {
    if (entry && notInCells.includes(type)) yield { path, at: [...at, 'columns', i], code: 'wrong-widget', message: `"${name}" is ${type}; a grid cannot enter it. Put it in the head of a form, or say "entry": false` }
  }
}

function misfit({ name, type, widget, choices }: FormField, tree: string | undefined): string | undefined {
  if (widget === undefined) return undefined
  if (!fits[widget].includes(type)) return `"${widget}" enters ${fits[widget].join(' or ')}; ${name} is ${type}`
  if (widget === 'choices' && choices === undefined) return `"choices" offers the values of ${name}, which declares none`
  return widget === 'tree' && tree === undefined ? `the entity of ${name} does not say in "lookup.tree" what its tree is made of` : undefined
}

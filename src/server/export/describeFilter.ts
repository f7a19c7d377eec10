import { operatorWord } from '#api/operatorWord.ts'
import { isDate } from '#base/date.ts'
import { grouped } from '#base/decimal.ts'
import { operators, type Operator } from '#meta/condition.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Field } from '#meta/resolved.ts'
import type { Queries } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { isDecimalType } from '#server/documents/columns.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Translate } from '#server/texts.ts'

/** What filters may name, for saying them. */
export interface Describing {
  readonly metadata: Metadata
  readonly queries: Queries
  readonly translate: Translate
  field(name: string): Field | undefined
}

/** A condition in words, a line for each test that must hold: "Status is one of Open, Partial". */
export async function describeFilter(about: Describing, condition: unknown): Promise<readonly string[]> {
  if (!isObject(condition)) return []
  const keys = Object.keys(condition)
  const { translate } = about
  if (keys.length === 1 && Array.isArray(condition['all'])) return (await Promise.all(condition['all'].map((part) => describeFilter(about, part)))).flat()
  if (keys.length === 1 && Array.isArray(condition['any'])) {
    const parts = await Promise.all(condition['any'].map(async (part) => (await describeFilter(about, part)).join(` ${translate('export.and')} `)))
    return [parts.join(` ${translate('export.or')} `)]
  }
  const opposite = keys.length === 1 ? oppositeOf(condition['not']) : undefined
  if (opposite !== undefined) return describeTest(about, ...opposite)
  if (keys.length === 1 && isObject(condition['not'])) return [translate('export.not', { test: (await describeFilter(about, condition['not'])).join(` ${translate('export.and')} `) })]
  return (await Promise.all(keys.map((name) => describeTest(about, name, condition[name])))).flat()
}

/** "Not one of these" as the filter bar says it; undefined: no such test. */
function oppositeOf(negated: unknown): readonly [name: string, test: unknown] | undefined {
  const [[name, test] = ['', undefined], ...others] = isObject(negated) ? Object.entries(negated) : []
  if (others.length > 0 || !isOperators(test)) return undefined
  const [[operator, value] = ['', undefined], ...more] = Object.entries(test)
  if (more.length > 0 || (operator !== 'in' && operator !== 'eq')) return undefined
  return [name, { [operator === 'in' ? 'nin' : 'ne']: value }]
}

async function describeTest(about: Describing, name: string, test: unknown): Promise<readonly string[]> {
  const field = about.field(name)
  const label = field === undefined ? name : labelOf(about, name, field)
  const tests: readonly (readonly [Operator, unknown])[] = isOperators(test) ? operators.flatMap((operator) => (operator in test ? [[operator, test[operator]] as const] : [])) : [['eq', test]]
  return Promise.all(tests.map(async ([operator, value]) => {
    const { translate } = about
    if (operator === 'empty') return translate(value === true ? 'ui.filter.is-empty' : 'ui.filter.is-set', { field: label })
    if (operator === 'within') return `${label}: ${periodWords(String(value), translate)}`
    const words = await Promise.all((Array.isArray(value) ? value : [value]).map((part) => sayValue(about, field, part)))
    return `${label} ${translate(operatorWord(operator, field?.type))} ${words.join(operator === 'between' ? ' – ' : ', ')}`
  }))
}

function labelOf({ translate, field }: Describing, name: string, own: Field): string {
  const [reference = '', hop] = name.split('.')
  const above = hop === undefined ? undefined : field(reference)
  return above === undefined ? translate(own.label) : `${translate(above.label)} – ${translate(own.label)}`
}

/** A value of a field as people read it; of a reference its name and code. */
export async function sayValue(about: Describing, field: Field | undefined, value: unknown): Promise<string> {
  const { translate } = about
  if (isObject(value)) {
    if (value['now'] === 'date') return translate('ui.period.today')
    const other = typeof value['field'] === 'string' ? about.field(value['field']) : undefined
    return other === undefined ? JSON.stringify(value) : translate(other.label)
  }
  if (typeof value === 'boolean') return translate(value ? 'ui.yes' : 'ui.no')
  const choice = field?.choices?.find((one) => one.value === value)
  if (choice !== undefined) return translate(choice.label)
  if (field?.type === 'ref' && typeof value === 'number') return nameOf(about, field, value)
  if (isDate(value)) return `${value.slice(8, 10)}/${value.slice(5, 7)}/${value.slice(0, 4)}`
  return field !== undefined && isDecimalType(field.type) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? grouped(value) : String(value)
}

async function nameOf({ metadata, queries }: Describing, field: Field, id: number): Promise<string> {
  if (field.entity === undefined) return `#${id}`
  const { table, display } = knownEntity(metadata, field.entity)
  const [code, name] = display
  const row = await queries.first<{ code: string | null; name: string | null }>(sql`select ${ident(code)}::text as code, ${ident(name)}::text as name from ${ident(table)} where id = ${id}`)
  return row === undefined ? `#${id}` : [...new Set([row.name, row.code])].filter((part) => part !== null && part !== '').join(' ')
}

function periodWords(period: string, translate: Translate): string {
  const days = /^(last|next):(\d+)d$/.exec(period)
  return days === null ? translate(`ui.period.${period}`) : translate(`ui.period.${days[1] ?? ''}`, { n: days[2] ?? '' })
}

function isOperators(test: unknown): test is Readonly<Record<string, unknown>> {
  return isObject(test) && Object.keys(test).length > 0 && Object.keys(test).every((key) => operators.some((operator) => operator === key))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

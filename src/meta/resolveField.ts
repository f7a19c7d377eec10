import { wireName } from '#base/wireName.ts'
import type { FieldSource } from '#generated/language.ts'
import type { Labels } from '#meta/labels.ts'
import type { Choice, Field, FieldType, Tone } from '#meta/resolved.ts'

/** Digits after the point of the decimal types. */
export const decimalPlaces: { readonly [type in FieldType]?: number } = { quantity: 3, money: 2, percent: 4, rate: 6, price: 4, cost: 6 }

const longest: Partial<Readonly<Record<FieldType, number>>> = { code: 60, text: 255, longtext: 4000, email: 254 }

const statusTones: readonly Tone[] = ['neutral', 'info', 'info', 'positive', 'warning', 'negative', 'neutral', 'neutral', 'info', 'neutral']

/** Every status code of the one vocabulary. */
export const statusCodes: readonly number[] = statusTones.map((_, code) => code)

/** One declared field without what only stored columns have. `owner` is the entity, dataset or command the labels belong to. */
export function resolveField(owner: string, name: string, source: FieldSource, labels: Labels): Field {
  const maxLength = source.maxLength ?? longest[source.type]
  const choices = choicesOf(owner, name, source, labels)
  return {
    name,
    wire: wireName(name),
    type: source.type,
    label: labels.pick(`field.${owner}.${name}`, `field.${name}`),
    required: source.required ?? false,
    readOnly: source.readOnly ?? false,
    ...(source.readBy === undefined ? {} : { readBy: source.readBy }),
    ...(source.writeBy === undefined ? {} : { writeBy: source.writeBy }),
    ...(source.entity === undefined ? {} : { entity: source.entity }),
    ...(choices === undefined ? {} : { choices }),
    ...(source.valuesBy === undefined ? {} : { choicesBy: { by: wireName(source.valuesBy.by), of: source.valuesBy.of } }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...limitsOf(source),
    ...(source.pattern === undefined ? {} : { pattern: source.pattern, patternText: labels.pick(`pattern.${owner}.${name}`, `pattern.${name}`, 'ui.check.pattern') }),
    ...(source.default === undefined ? {} : { default: source.default }),
    ...(source.file === undefined ? {} : { file: source.file }),
    ...(source.against === undefined ? {} : { usually: wireName(source.against.field) }),
  }
}

/** `between` says both limits at once. */
function limitsOf({ between, min = between?.[0], max = between?.[1] }: FieldSource): Pick<Field, 'min' | 'max'> {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

function choicesOf(owner: string, name: string, source: FieldSource, labels: Labels): readonly Choice[] | undefined {
  const tones = source.tones ?? {}
  if (source.type === 'status') {
    return (source.values ?? statusCodes).map((value) => ({
      value: Number(value),
      label:
        source.labels === undefined
          ? labels.pick(`status.${owner}.${value}`, `status.${value}`)
          : labelled(source.labels, value, labels),
      tone: tones[String(value)] ?? statusTones[Number(value)] ?? 'neutral',
    }))
  }
  return source.values?.map((value) => ({
    value: String(value),
    label:
      source.labels === undefined
        ? labels.pick(`enum.${owner}.${name}.${value}`, `enum.${value}`)
        : labelled(source.labels, value, labels),
    tone: tones[String(value)] ?? 'neutral',
  }))
}

function labelled(prefixes: string | readonly string[], value: string | number, labels: Labels): string {
  const [first = '', ...others] = [prefixes].flat()
  return labels.pick(`${first}.${value}`, ...others.map((prefix) => `${prefix}.${value}`))
}

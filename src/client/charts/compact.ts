import type { FieldType } from '#meta/resolved.ts'
import type { Language } from '../app/messages.ts'

const locales = { en: 'en', cn: 'zh-CN', id: 'id' } as const satisfies Record<Language, string>
const made = new Map<Language, Intl.NumberFormat>()

/** A number for an axis: 1.2M, 2.25B, 1.2 jt, 120万; exact for the steps an axis has. The decimal point as everywhere in the product. */
export function compact(value: number, type: FieldType, language: Language): string {
  if (type === 'percent') return `${Math.round(value * 10) / 10} %`
  const format = made.get(language) ?? new Intl.NumberFormat(locales[language], { notation: 'compact', maximumFractionDigits: 2 })
  made.set(language, format)
  return format
    .formatToParts(value)
    .map((part) => (part.type === 'decimal' ? '.' : part.type === 'group' ? ',' : part.value))
    .join('')
}

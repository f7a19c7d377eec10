import { Suspense, type ReactNode } from 'react'
import { unmarkedCurrency } from '#base/currency.ts'
import { referenceNames } from '#base/wireName.ts'
import { choiceWords } from '#meta/choiceWords.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import { formatDate, formatMoney, formatNumber, formatPercent, formatPeriod, formatPrice, formatTime } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { Badge, badge } from '../ui/Badge.tsx'
import css from './cells.module.css'

const FileName = lazy(() => import('../notes/FileName.tsx').then((module) => ({ default: module.FileName })))

/** A record as it came over the wire. */
export type AnyRecord = Readonly<Record<string, unknown>>

interface CellKind {
  readonly align: 'start' | 'end' | 'center'
  /** Pixels a column takes unless the screen says otherwise. */
  readonly width: number
  readonly show: (value: unknown, field: Field, record: AnyRecord) => ReactNode
  /** The same as plain text, for copying and for titles of cut-off cells. */
  readonly text: (value: unknown, field: Field, record: AnyRecord) => string
}

const asText = (value: unknown): string => (value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
const plain = (width: number, text: CellKind['text'] = asText): CellKind => ({ align: 'start', width, show: text, text })
const numeric = (width: number, text: CellKind['text']): CellKind => ({ ...plain(width, text), align: 'end' })
function amount(value: unknown, _field: Field, record: AnyRecord): string {
  const text = formatMoney(value)
  const currency = record['Currency']
  return text === '' || typeof currency !== 'string' || currency === unmarkedCurrency || currency === '' ? text : `${currency} ${text}`
}


/** One entry for each type of field: how its values stand in tables, cards and details. */
const kinds = {
  id: numeric(80, asText),
  code: plain(150),
  text: plain(170, choiceText),
  longtext: plain(240),
  email: plain(210),
  integer: numeric(90, formatNumber),
  quantity: numeric(110, formatNumber),
  money: numeric(165, amount),
  percent: numeric(100, formatPercent),
  rate: numeric(110, formatNumber),
  price: numeric(130, formatPrice),
  cost: numeric(130, formatPrice),
  date: plain(110, formatDate),
  datetime: { ...plain(170, formatTime), show: (value) => (typeof value === 'string' ? <Moment at={value} /> : '') },
  period: plain(100, formatPeriod),
  boolean: { align: 'center', width: 80, show: (value) => (value === true ? <span className={css['yes']}>{t('ui.yes')}</span> : <span className={css['no']}>–</span>), text: (value) => (value === true ? t('ui.yes') : '') },
  enum: { align: 'start', width: 130, show: showChoice, text: choiceText },
  status: { align: 'start', width: 130, show: showStatus, text: choiceText },
  ref: { align: 'start', width: 210, show: showReference, text: referenceText },
  textlist: { align: 'start', width: 140, show: showList, text: (value, field) => (Array.isArray(value) ? value.map((entry) => choiceText(entry, field)).join(', ') : '') },
  json: plain(200),
  secret: plain(100),
} satisfies Record<FieldType, CellKind>

export function cellOf(type: FieldType): CellKind {
  return kinds[type]
}

/** Value of a field of a record as it is shown. */
export function showValue(field: Field, record: AnyRecord): ReactNode {
  return kinds[field.type].show(record[field.wire], field, record)
}

export function valueText(field: Field, record: AnyRecord): string {
  return kinds[field.type].text(record[field.wire], field, record)
}

/** Zero amounts and quantities step back, so that the others stand out. */
export function isNothing(field: Field, record: AnyRecord): boolean {
  const value = record[field.wire]
  return typeof value === 'string' && value.startsWith('0') && (field.type === 'money' || field.type === 'quantity') && /^0(\.0+)?$/.test(value)
}

function choiceOf(value: unknown, field: Field) {
  return field.choices?.find((choice) => choice.value === value)
}

function choiceText(value: unknown, field: Field): string {
  const choice = choiceOf(value, field)
  if (choice !== undefined) return t(choice.label)
  return (field.choicesBy === undefined ? undefined : choiceWords(field, value, t)) ?? asText(value)
}

function showStatus(value: unknown, field: Field): ReactNode {
  if (value === null || value === undefined) return ''
  return badge(choiceOf(value, field)?.tone ?? 'neutral', choiceText(value, field))
}

function showChoice(value: unknown, field: Field): ReactNode {
  const choice = choiceOf(value, field)
  return choice === undefined || choice.tone === 'neutral' ? choiceText(value, field) : badge(choice.tone, t(choice.label))
}

/** Name first, the code muted after it: "Toko Maju  C-0010". The name of a file leads to it. */
function showReference(value: unknown, field: Field, record: AnyRecord): ReactNode {
  const { code, name } = referenceOf(value, field, record)
  if (field.file !== undefined && name !== '') {
    return (
      <Suspense fallback={name}>
        <FileName name={name} fileKey={asText(record[referenceNames(field.name).code])} />
      </Suspense>
    )
  }
  if (name === '' || name === code) return code
  return (
    <span className={css['reference']}>
      <span>{`${name} `}</span>
      <span className={css['code']}>{code}</span>
    </span>
  )
}

function referenceText(value: unknown, field: Field, record: AnyRecord): string {
  const { code, name } = referenceOf(value, field, record)
  return name === '' || name === code ? code : `${name} ${code}`
}

function referenceOf(value: unknown, field: Field, record: AnyRecord): { readonly code: string; readonly name: string } {
  if (value === null || value === undefined) return { code: '', name: '' }
  const keys = referenceNames(field.name)
  const name = asText(record[keys.name])
  // The code of a file is the key it is stored under: nobody's business.
  const code = field.file === undefined ? asText(record[keys.code]) : ''
  return code === '' && name === '' ? { code: `#${asText(value)}`, name: '' } : { code, name }
}

function showList(value: unknown, field: Field): ReactNode {
  if (!Array.isArray(value) || value.length === 0) return ''
  return value.map((entry) => (
    <span key={String(entry)} className={css['entry']}>
      <Badge>{choiceText(entry, field)}</Badge>
    </span>
  ))
}

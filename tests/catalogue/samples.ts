import { referenceNames } from '../../src/base/wireName.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import type { Field, ResolvedEntity } from '../../src/meta/resolved.ts'

/** Rows made from what the schemas say, the same every time: the n-th row of an entity is always the same row. */
export type Row = Record<string, unknown> & { ID: number }

const towns = ['Jakarta', 'Bandung', 'Surabaya', 'Medan', 'Semarang', 'Makassar', 'Denpasar']
const names = ['Toko Sinar Jaya', 'UD Makmur Abadi', 'CV Berkah Sentosa', 'Toko Harapan Baru', 'PT Maju Bersama Nusantara', 'Warung Ibu Ratna', 'Toko Serba Ada']
const people = ['Rina Wijaya', 'Budi Santoso', 'Dewi Lestari', 'Agus Pratama']
const statuses = [0, 4, 1, 3, 0, 4, 6]
/** Rows of each entity. */
export const many = 60

export function rowsOf(metadata: Metadata, entity: ResolvedEntity): readonly Row[] {
  return Array.from({ length: entity.id === 'sample_partner' || entity.id.startsWith('sample') === false ? 24 : many }, (_, i) => rowOf(metadata, entity, i + 1))
}

export function rowOf(metadata: Metadata, entity: ResolvedEntity, id: number): Row {
  const row: Row = { ID: id }
  for (const field of entity.fields) {
    if (field.hidden || field.name === 'id') continue
    row[field.wire] = valueOf(field, id)
    if (field.type !== 'ref') continue
    const of = referenceNames(field.name)
    const target = metadata.entities[field.entity ?? '']
    const other = row[field.wire]
    row[of.code] = typeof other === 'number' ? codeOf(target, other) : null
    row[of.name] = typeof other !== 'number' ? null : field.file !== undefined ? `contract-${other}.pdf` : nameOf(target, other)
  }
  row['Code'] = codeOf(entity, id)
  if ('Name' in row) row['Name'] = nameOf(entity, id)
  row['Actions'] = entity.base === 'document' ? (row['Status'] === 0 ? ['submit', 'cancel', 'edit'] : row['Status'] === 4 ? ['cancel'] : []) : ['edit', 'delete']
  if ('IsActive' in row) row['IsActive'] = id % 9 !== 0
  return row
}

export function codeOf(entity: ResolvedEntity | undefined, id: number): string {
  const short = (entity?.id ?? '').split('_').map((word) => word.charAt(0).toUpperCase()).join('')
  return `${short}-${String(1000 + id)}`
}

export function nameOf(entity: ResolvedEntity | undefined, id: number): string {
  return entity?.id === 'app_user' || entity?.id === 'employee' ? pick(people, id) : `${pick(names, id)} ${1 + Math.floor(id / names.length)}`
}

function valueOf(field: Field, id: number): unknown {
  const seed = id * 7 + field.name.length
  switch (field.type) {
    case 'ref':
      // Of every two records one has its file.
      if (field.file !== undefined) return id % 2 === 0 ? id : null
      // The first rows stand at the top of a tree.
      return field.name === 'parent_id' ? (id <= 4 ? null : ((id - 1) % 4) + 1) : 1 + (seed % 20)
    case 'integer':
      return field.name === 'version' ? 1 : seed % 40
    case 'quantity':
      return `${10 + (seed % 90)}.000`
    case 'money':
      return `${(seed % 97) * 125_000 + 250_000}.00`
    case 'price':
    case 'cost':
      return `${1500 + (seed % 60) * 250}.0000`
    case 'percent':
      return `${seed % 15}.0000`
    case 'rate':
      return '1.000000'
    case 'date':
      return `2026-${String(1 + (id % 11)).padStart(2, '0')}-${String(1 + (seed % 28)).padStart(2, '0')}`
    case 'datetime':
      return `2026-${String(1 + (id % 11)).padStart(2, '0')}-15T0${seed % 10}:30:00Z`
    case 'period':
      return `2026${String(1 + (id % 12)).padStart(2, '0')}`
    case 'boolean':
      return seed % 3 === 0
    case 'status':
      return field.choices?.some((choice) => choice.value === statuses[id % statuses.length]) === true ? statuses[id % statuses.length] : (field.choices?.[0]?.value ?? 0)
    case 'enum':
      return field.choices?.[seed % field.choices.length]?.value ?? null
    case 'textlist':
      return (field.choices ?? [{ value: 'fragile' }, { value: 'export' }]).slice(0, 2).map(({ value }) => value)
    case 'email':
      return `buyer${id}@example.com`
    case 'longtext':
      return id % 2 === 0 ? 'Deliver at the back gate, call half an hour before.' : null
    case 'text':
      return /city|attention/.test(field.name) ? pick(towns, id) : field.name === 'currency' ? 'IDR' : field.name === 'uom' ? 'CTN' : /note|pending|reason|source/.test(field.name) ? null : pick(names, id)
    default:
      return null
  }
}

function pick(from: readonly string[], id: number): string {
  return from[id % from.length] ?? ''
}

import type { WireRecord } from '#api/envelope.ts'
import type { Field } from '#meta/resolved.ts'
import { documentPath } from '../app/documents.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { showValue } from '../table/cells.tsx'
import { classes } from '../ui/classes.ts'
import css from './Facts.module.css'

/** What one wants to know of a record first. */
export function Facts({ fields, record, isCompact }: { readonly fields: readonly Field[]; readonly record: WireRecord; readonly isCompact: boolean }) {
  if (fields.length === 0) return null
  return (
    <dl className={classes(css['facts'], isCompact && css['compact'])}>
      {fields.map((field) => {
        const value = showValue(field, record)
        const id = record[field.wire]
        const path = field.entity !== undefined && typeof id === 'number' ? documentPath(field.entity, id) : undefined
        return (
          <div key={field.name}>
            <dt>{t(field.label)}</dt>
            <dd className={field.type === 'money' ? css['money'] : undefined}>{value === '' ? '–' : path === undefined ? value : <Link to={path}>{value}</Link>}</dd>
          </div>
        )
      })}
    </dl>
  )
}

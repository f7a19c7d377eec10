import type { ApprovalReason } from '#api/approval.ts'
import { formatMoney, formatPercent, readable } from '../app/format.ts'
import { inWords, tFirst } from '../app/messages.ts'
import { Badge } from '../ui/Badge.tsx'
import css from './Reasons.module.css'

/** Why a document needs a person: the check with its number as a badge; long: with the sentence. */
export function Reasons({ reasons, isLong = false }: { readonly reasons: readonly ApprovalReason[]; readonly isLong?: boolean }) {
  if (reasons.length === 0) return null
  return (
    <span className={isLong ? css['long'] : css['short']}>
      {reasons.map((reason) => {
        const number = reason.value === undefined || reason.value === null ? '' : reason.unit === 'percent' ? formatPercent(reason.value) : formatMoney(reason.value) || reason.value
        const badge = (
          <Badge tone="warning" title={inWords(reason)}>
            {tFirst([`check.${reason.code}`], reason.code)}
            {number === '' ? '' : ` ${number}`}
          </Badge>
        )
        return (
          <span key={`${reason.code} ${reason.text}`} className={css['reason']}>
            {badge}
            {isLong && <span>{readable(inWords(reason))}</span>}
          </span>
        )
      })}
    </span>
  )
}

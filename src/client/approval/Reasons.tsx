import type { ApprovalReason } from '#api/approval.ts'
import { formatMoney, formatPercent, readable } from '../app/format.ts'
import { inWords, t, tFirst } from '../app/messages.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import css from './Reasons.module.css'

/** Why a document needed a person when it was asked for, as badges. What may be otherwise by now steps back and is said in the past tense. */
export function Reasons({ reasons }: { readonly reasons: readonly ApprovalReason[] }) {
  if (reasons.length === 0) return null
  return (
    <span className={css['short']}>
      {reasons.map((reason) => (
        <ReasonBadge key={`${reason.code} ${reason.text}`} reason={reason} isPast={pastWord(reason) !== undefined} />
      ))}
    </span>
  )
}

interface LongReasonsProps {
  readonly asked: readonly ApprovalReason[]
  /** Undefined: it has been decided. */
  readonly now: readonly ApprovalReason[] | undefined
}

/** The same with their sentences: first what stands in the way now, then, in grey, what did when it was asked and no longer does so. */
export function LongReasons({ asked, now }: LongReasonsProps) {
  const standing = now ?? asked.filter((reason) => pastWord(reason) === undefined)
  const past = asked.filter((reason) => pastWord(reason) !== undefined && !standing.some(({ code, text }) => code === reason.code && text === reason.text))
  return (
    <>
      {standing.length > 0 && <Sentences reasons={standing} />}
      {now?.length === 0 && asked.length > 0 && <p className={css['clear']}>{t('ui.approval.clear-now')}</p>}
      {past.length > 0 && <Sentences reasons={past} isPast />}
    </>
  )
}

function Sentences({ reasons, isPast = false }: { readonly reasons: readonly ApprovalReason[]; readonly isPast?: boolean }) {
  return (
    <span className={classes(css['long'], isPast && css['past'])}>
      {reasons.map((reason) => (
        <span key={`${reason.code} ${reason.text}`} className={css['reason']}>
          <ReasonBadge reason={reason} isPast={isPast} />
          <span>{readable(isPast ? pastSentence(reason) : inWords(reason))}</span>
        </span>
      ))}
    </span>
  )
}

function ReasonBadge({ reason, isPast }: { readonly reason: ApprovalReason; readonly isPast: boolean }) {
  const number = reason.value === undefined || reason.value === null ? '' : reason.unit === 'percent' ? formatPercent(reason.value) : formatMoney(reason.value) || reason.value
  return (
    <Badge tone={isPast ? 'neutral' : 'warning'} title={isPast ? pastSentence(reason) : inWords(reason)}>
      {(isPast ? pastWord(reason) : undefined) ?? tFirst([`check.${reason.code}`], reason.code)}
      {number === '' ? '' : ` ${number}`}
    </Badge>
  )
}

/** Undefined: as long as it waits it stays true. */
function pastWord({ code }: ApprovalReason): string | undefined {
  return tFirst([`check.${code}.then`], '') || undefined
}

function pastSentence(reason: ApprovalReason): string {
  return reason.key === undefined ? inWords(reason) : inWords({ ...reason, text: inWords(reason), key: `then.${reason.key.replace(/^block\./, '')}` })
}

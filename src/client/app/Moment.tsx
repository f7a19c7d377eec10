import { aheadMs } from '#base/businessZone.ts'
import { formatTime } from './format.ts'
import { t } from './messages.ts'

export interface MomentProps {
  /** ISO text. */
  readonly at: string
  readonly className?: string | undefined
}

/** A moment, and whose clock it is told by where this computer's clock shows another time. */
export function Moment({ at, className }: MomentProps) {
  return (
    <time className={className} dateTime={at} title={isHere(at) ? undefined : t('ui.moment.zone')}>
      {formatTime(at)}
    </time>
  )
}

function isHere(at: string): boolean {
  return new Date(at).getTimezoneOffset() * -60_000 === aheadMs
}
